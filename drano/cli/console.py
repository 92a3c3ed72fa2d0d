"""What commands say and write: reports on stdout or into a file, all else on stderr."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterable
from itertools import chain

from drano.config.command_parser import UsageError
from drano.output.atomic_write import write_whole
from drano.output.source_lines import printable

OK, FINDINGS, ERROR, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
"""Exit statuses."""


def say(message: str) -> None:
    """One line on stderr, with control characters of untrusted text made visible."""
    with contextlib.suppress(OSError):
        print(f"drano: {printable(' '.join(message.splitlines()))}", file=sys.stderr, flush=True)


def emit(text: str, options: argparse.Namespace, more: Iterable[str] = ()) -> None:
    """Write a report, and ``more`` of it, to stdout, or to the file that the user names."""
    path = options.output_file
    if path in (None, "-"):
        sys.stdout.writelines(chain((text,), more))
        sys.stdout.flush()
    else:
        write_to(path, text, more)


def write_to(path: str, text: str, more: Iterable[str] = ()) -> None:
    """Write a file whole. Raises UsageError."""
    try:
        write_whole(path, chain((text,), more))
    except OSError as error:
        raise UsageError(f"{path}: cannot write the report: {error.strerror or error}") from error


def use_color(options: argparse.Namespace) -> bool:
    """Whether the terminal shows colours, or the user wants them."""
    if options.color != "auto":
        return bool(options.color == "always")
    if options.output_file not in (None, "-") or os.environ.get("NO_COLOR"):
        return False
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
