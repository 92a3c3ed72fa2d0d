"""``drano run``: compile, link and run a program in one step, and say where its profile is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from drano.dynamic.compiler.cc import build
from drano.dynamic.compiler.command_line import Language, Mode, parse_command
from drano.dynamic.compiler.cuda_source import options_of
from drano.dynamic.compiler.tools import CompileError
from drano.dynamic.profiles.profile import Profile, read_profile
from drano.model.settings import CompileOptions
from drano.support.errors import IRError

_PROFILE = "drano-profile.json"


def run_main(arguments: Sequence[str], program_arguments: Sequence[str]) -> int:
    """Returns the program's exit status (128 + the signal that ended it). Raises IRError."""
    command = parse_command(arguments)
    if not command.inputs:
        raise IRError("drano run", "no source file")
    if command.mode is not Mode.LINK:
        raise IRError("drano run", f"cannot run what is made with a flag for '{command.mode}'")
    with tempfile.TemporaryDirectory(prefix="drano-run-") as directory:
        program = Path(directory) / (Path(command.inputs[0].name).stem or "program")
        try:
            build(replace(command, output=str(program)))
        except CompileError as failure:
            return failure.status
        return run_program([str(program), *program_arguments])


def run_program(arguments: Sequence[str], profile: str | None = None) -> int:
    """Run it with our own stdin, stdout and stderr; a Ctrl-C is the program's to obey."""
    environment = dict(os.environ)
    if profile is not None:
        environment["DRANO_PROFILE"] = profile
    place = environment.setdefault("DRANO_PROFILE", _PROFILE)
    before = _changed(place)
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    obeys = None if previous is signal.SIG_IGN else _default_interrupt  # ignored in the background
    try:
        process = subprocess.Popen(list(arguments), env=environment, preexec_fn=obeys)  # noqa: PLW1509 - before any thread is started
        status = process.wait()
    except OSError as error:
        raise IRError(arguments[0], error.strerror or "cannot be run") from error
    finally:
        signal.signal(signal.SIGINT, previous)
    if status < 0:
        name = signal.Signals(-status).name if -status in set(signal.Signals) else str(-status)
        print(f"drano: the program was ended by {name}", file=sys.stderr)
    if profile is None and _changed(place) != before:
        print(f"drano: profile in {place} (drano report {place})", file=sys.stderr)
    return status if status >= 0 else 128 - status


class Built(Struct, frozen=True):
    """What was built: ``cuda_sources``: absolute; ``options``: how they were parsed."""

    cuda_sources: tuple[str, ...]
    options: CompileOptions


def profile_of(
    arguments: Sequence[str], program_arguments: Sequence[str]
) -> tuple[Built, Profile | None, int]:
    """Build a program and run it: its profile (None: there is none), and its exit status."""
    command = parse_command(arguments)
    sources = tuple(
        os.path.abspath(item.name) for item in command.inputs if item.language is Language.CUDA
    )
    if not sources:
        raise IRError("drano validate", "no CUDA source")
    built = Built(sources, options_of(command))
    with tempfile.TemporaryDirectory(prefix="drano-validate-") as directory:
        program = str(Path(directory) / "program")
        place = Path(directory) / "profile.json"
        try:
            build(replace(command, output=program, prune=False))
        except CompileError as failure:
            return built, None, failure.status
        status = run_program([program, *program_arguments], str(place))
        return built, read_profile(str(place)) if place.exists() else None, status


def _default_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _changed(place: str) -> int:
    try:
        return Path(place).stat().st_mtime_ns
    except OSError:
        return 0
