"""Arguments that several of the harness's commands take, and what they stand for."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console

from drano.model.settings import View
from rodinia.programs import manifest
from rodinia.programs.inputs import Size
from rodinia.programs.manifest import Manifest

WIDTH_OFF_TERMINAL = 180


def work(parser: argparse.ArgumentParser) -> None:
    """Where to work, and on what size of input."""
    parser.add_argument(
        "--work", type=Path, default=Path("rodinia-work"), metavar="DIR",
        help="inputs, built programs and results lie here (default: rodinia-work)",
    )  # fmt: skip
    parser.add_argument("--size", type=Size, choices=list(Size), default=Size.SMALL)


def common(parser: argparse.ArgumentParser) -> None:
    """The checkout, the programs, the number of processes, JSON."""
    parser.add_argument("--home", type=Path, required=True, help="checkout of the suite")
    parser.add_argument("--manifest", type=Path, default=manifest.DEFAULT)
    parser.add_argument(
        "--program", action="append", default=[], metavar="NAME", help="only this one (repeatable)"
    )
    parser.add_argument("-j", "--jobs", type=_jobs, default=1, metavar="N")
    parser.add_argument("--json", metavar="FILE", help="write the figures there as well")
    parser.add_argument(
        "--view", choices=[str(view) for view in View], default=str(View.COMPILED),
        help="warp: accesses as written, or as compiled",
    )  # fmt: skip
    parser.add_argument("--tid-y", action="store_true", help="gpudrano: second-dimension variant")


def truth_table(parser: argparse.ArgumentParser, name: str) -> None:
    """A table of measurements called ``name``."""
    parser.add_argument(
        "--truth", type=Path, required=True, metavar="FILE", help=f"{name}, or its directory"
    )


def named_file(text: str) -> tuple[str, Path]:
    """``NAME=FILE``."""
    name, _, path = text.partition("=")
    if not name or not path:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=FILE")
    return name, Path(path)


def _jobs(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if not 0 < number <= 256:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of processes")
    return number


def console() -> Console:
    """For tables: as wide as the terminal, or wide."""
    found = Console()
    return found if found.is_terminal else Console(width=WIDTH_OFF_TERMINAL)


def load(arguments: argparse.Namespace) -> tuple[Manifest, Path]:
    """The chosen programs and the suite's CUDA directory; another commit is a warning."""
    chosen = manifest.load(arguments.manifest).select(tuple(arguments.program))
    cuda, warning = manifest.check_home(arguments.home, chosen)
    if warning:
        print(f"rodinia: warning: {warning}", file=sys.stderr)
    return chosen, cuda
