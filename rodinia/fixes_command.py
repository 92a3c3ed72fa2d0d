"""``python -m rodinia fixes``: its arguments, and what is printed."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import Progress

from rodinia import options
from rodinia.fixes import fixed, patches
from rodinia.pages import show
from rodinia.programs.manifest import Manifest

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def add(commands: Commands) -> None:
    """The command among the others."""
    parser = commands.add_parser(
        "fixes", help="what the fixes that drano proposes are worth, before and after"
    )
    options.common(parser)
    options.work(parser)
    arguments(parser)
    parser.add_argument(
        "--gpu-folder", type=Path, metavar="DIR",
        help="write a folder with all that measuring these times needs, and stop",
    )  # fmt: skip
    parser.set_defaults(run=_fixes)


def arguments(parser: argparse.ArgumentParser) -> None:
    """How long a program may run, and what a GPU said of it."""
    parser.add_argument("--timeout", type=float, default=300.0, metavar="SECONDS")
    parser.add_argument("--gpu", type=Path, metavar="FILE", help="times of fixes on a GPU")


def measure(
    arguments: argparse.Namespace, chosen: Manifest, cuda: Path
) -> tuple[fixed.Outcome, ...]:
    """The fixes of the chosen programs, with a bar on a terminal."""
    wanted = _wanted(chosen)
    errors = Console(stderr=True)
    with Progress(console=errors, disable=not errors.is_terminal) as progress:
        task = progress.add_task("fixes", total=len(wanted))
        return fixed.measure(
            chosen, cuda, wanted, arguments.work, arguments.size, timeout=arguments.timeout,
            gpu=arguments.gpu, on_fix=lambda _: progress.update(task, advance=1),
        )  # fmt: skip


def _wanted(chosen: Manifest) -> tuple[patches.Fix, ...]:
    names = {program.name for program in chosen.programs}
    return tuple(fix for fix in patches.load() if fix.program in names)


def _fixes(arguments: argparse.Namespace) -> int:
    chosen, cuda = options.load(arguments)
    if arguments.gpu_folder:
        fixed.export(chosen, cuda, _wanted(chosen), arguments.gpu_folder, arguments.work)
        print(arguments.gpu_folder)
        return 0
    outcomes = measure(arguments, chosen, cuda)
    rows = [fixed.cells(outcome) for outcome in outcomes]
    options.console().print(show.table("Fixes", fixed.COLUMNS, rows))
    if arguments.json:
        figures = [dict(zip(fixed.COLUMNS, row, strict=True)) for row in rows]
        show.write_json(arguments.json, figures)
    return 2 if any(o.before.problem or o.after.problem for o in outcomes) else 0
