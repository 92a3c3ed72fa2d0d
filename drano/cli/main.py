"""The command line: commands and exit codes only; the work is ``run.driver``'s and ``output``'s.

Exit status: 0 clean, 1 findings (of ``--fail-level`` or above), 2 an input or an argument that
could not be used, 130 interrupted, 141 the reader of the output went away. Reports go to stdout,
all else to stderr.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import errno
import logging
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

from drano.cli import commands
from drano.cli.check import check_command
from drano.cli.console import BROKEN_PIPE, ERROR, INTERRUPTED, say
from drano.cli.fix_command import fix_command
from drano.cli.init import StarterError
from drano.cli.watch import WatchError
from drano.config.arguments import parse, split_clang_flags
from drano.config.command_parser import UsageError
from drano.config.config_file import ConfigError
from drano.dynamic.profiles.profile import ProfileError
from drano.run.git_objects import ChangesError
from drano.support.errors import ClusterError, IRError
from drano.support.own_failures import internal_error
from drano.triage.baseline import BaselineError

_HELP = frozenset({"-h", "--help"})
# What users can mend; ``str()`` is one line for them.
_PLAIN = (
    UsageError, ConfigError, BaselineError, ChangesError, ClusterError, WatchError, IRError,
    ProfileError, StarterError,
)  # fmt: skip

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""Why a disk or a device takes no more."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status. Never lets a traceback through."""
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    except _PLAIN as error:
        say(f"error: {error}")
        return ERROR
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes stdout once more at exit: give it somewhere to go.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _FULL:
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            say(f"error: {error.filename or 'output'}: {error.strerror}")
            return ERROR
        say(f"error: {internal_error(error)}")
        return ERROR


def run() -> NoReturn:
    """``main`` as a process, which then ends at once: Python would first take all that is loaded
    apart, for 30 ms.
    """
    try:
        status = main()
    except SystemExit as ended:  # of --help and --version
        if not isinstance(ended.code, int):
            raise
        status = ended.code
    if threading.active_count() > 1:
        sys.exit(status)
    atexit._run_exitfuncs()
    with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, or read no more
        sys.stdout.flush()
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.flush()
    os._exit(status)


def _run(arguments: list[str]) -> int:
    if sys.stdout is None:
        raise UsageError("stdout is closed")
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets "?" instead of an exception.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if arguments[:1] and arguments[0] in _COMPILERS:
        own, _ = split_clang_flags(arguments)
        if not _HELP.isdisjoint(own):
            parse([arguments[0], "--help"])
        return _COMPILERS[arguments[0]](arguments[1:])
    options = parse(arguments)
    level = [logging.WARNING, logging.INFO, logging.DEBUG][min(options.verbose, 2)]
    logging.basicConfig(level=level, format="drano: %(message)s", stream=sys.stderr)
    status = _COMMANDS[options.command](options)
    sys.stdout.flush()
    return status


# Commands that take a compiler's command line as it is.
_COMPILERS: Mapping[str, Callable[[list[str]], int]] = {
    "cc": commands.cc,
    "run": commands.run_program,
}

_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "check": check_command,
    "capture": commands.capture_command,
    "explain": commands.explain,
    "fix": fix_command,
    "dump-state": commands.dump_state,
    "doctor": commands.doctor,
    "occupancy": commands.occupancy,
    "rule": commands.rule,
    "cache": commands.cache,
    "completion": commands.completion,
    "init": commands.init,
    "lsp": commands.lsp,
    "profile": commands.report_command,
    "report": commands.report_command,
    "diff": commands.report_command,
    "validate": commands.validate,
    "version": commands.version,
}


if __name__ == "__main__":
    run()
