"""One version of a program, built for the CPU and run: all that can be compared of it.

What it prints and exits with, what its allocations hold when they are freed or the program ends,
the sectors and wavefronts that its kernels take, and which accesses conflict between barriers. One
worker runs all blocks in their order, so that a run can be repeated; products and sums are rounded
each by itself, as which of them a code generator contracts depends on code around them.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from drano.dynamic.compiler.cc import build
from drano.dynamic.compiler.command_line import Mode, parse_command
from drano.dynamic.compiler.tools import CompileError
from drano.dynamic.profiles.display_names import kernel_name
from drano.dynamic.profiles.profile import Profile, ProfileError, read_profile
from drano.support.errors import IRError

MOST_OUTPUT: Final = 64 << 20


class Kept(Struct, frozen=True):
    """An allocation at its end. ``name``: of where it was made; ``content``: its first bytes."""

    name: str
    size: int
    digest: str
    content: bytes


class Race(Struct, frozen=True, order=True):
    """Conflicting accesses of one kernel to one array, and of what kinds they are."""

    kernel: str
    array: str
    kinds: str


class Observed(Struct, frozen=True):
    """One run. ``status``: the program's; ``problem``: why there is nothing to compare, or ""."""

    status: int
    output: bytes
    state: tuple[Kept, ...]
    races: frozenset[Race]
    profile: Profile | None
    problem: str = ""

    def traffic(self) -> dict[str, tuple[int, int]]:
        """Sectors and wavefronts of each kernel."""
        found: dict[str, tuple[int, int]] = {}
        for site in self.profile.sites if self.profile else ():
            name = kernel_name(site.kernel)
            sectors, wavefronts = found.get(name, (0, 0))
            found[name] = (sectors + site.sectors, wavefronts + site.wavefronts)
        return found


def failed(problem: str) -> Observed:
    """A run that could not be made."""
    return Observed(-1, b"", (), frozenset(), None, problem)


def build_program(words: Sequence[str], program: Path) -> str:
    """Build it; why that failed, or ""."""
    try:
        command = parse_command(words)
        if command.mode is not Mode.LINK:
            return "no program is built by these flags"
        build(replace(command, output=str(program), prune=False, contracted=False))
    except CompileError as failure:
        return f"does not build for the CPU (status {failure.status})"
    except IRError as error:
        return f"does not build for the CPU: {error}"
    return ""


def observe(
    program: Path,
    arguments: Sequence[str],
    seconds: float,
    inputs: Sequence[tuple[str, str]] = (),
    environment: Mapping[str, str] | None = None,
) -> Observed:
    """Run a program that was built by ``build_program``, in this directory; where ``inputs`` are
    given, in one of its own in which they are linked (name, target), and the files that it writes
    there are part of what it leaves. ``environment``: further variables.
    """
    with tempfile.TemporaryDirectory(prefix="drano-run-") as directory:
        folder = Path(directory)
        places = {
            "DRANO_PROFILE": folder / "profile.json", "DRANO_RACES": folder / "races",
            "DRANO_STATE": folder / "state",
        }  # fmt: skip
        variables = dict(os.environ) | {name: str(place) for name, place in places.items()}
        variables |= {"DRANO_WORKERS": "1", **(environment or {})}
        here = _place(folder / "place" / "in", inputs) if inputs else None
        with (folder / "output").open("w+b") as output:
            status = _run([str(program), *arguments], variables, output.fileno(), seconds, here)
            if status is None:
                return failed(f"did not end in {seconds:g} seconds")
            output.seek(0)
            printed = output.read(MOST_OUTPUT + 1)
        if len(printed) > MOST_OUTPUT:
            return failed("prints more than 64 MB")
        try:
            profile = read_profile(str(places["DRANO_PROFILE"]))
            state = (*read_state((folder / "state").read_bytes()), *_written(here))
            races = read_races((folder / "races").read_text("utf-8", "replace"))
        except (ProfileError, OSError, ValueError):
            return failed(f"ended with status {status}, before it could be compared")
        if profile.faults:
            return failed(f"a kernel failed: {profile.faults[0].message}")
        if Race("", "", "full") in races:
            return failed("touches more memory than can be searched for races")
        return Observed(status, printed, state, races, profile)


def _run(
    arguments: Sequence[str],
    variables: dict[str, str],
    output: int,
    seconds: float,
    here: Path | None,
) -> int | None:
    """Its exit status; None where it had to be stopped. What it starts is stopped with it."""
    process = subprocess.Popen(
        list(arguments), env=variables, stdin=subprocess.DEVNULL, stdout=output,
        stderr=subprocess.DEVNULL, start_new_session=True, cwd=here,
    )  # fmt: skip
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None


def _place(here: Path, inputs: Sequence[tuple[str, str]]) -> Path:
    here.mkdir(parents=True)
    for name, target in inputs:
        (here / name).symlink_to(target)
    return here


def _written(here: Path | None) -> list[Kept]:
    """The files that were written to a directory."""
    files = sorted(p for p in here.rglob("*") if p.is_file() and not p.is_symlink()) if here else ()
    found = []
    for path in files:
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        found.append(Kept(path.name, len(content), digest, content))
    return found


def read_state(data: bytes) -> tuple[Kept, ...]:
    """What ``runtime/state.c`` has written. Raises ValueError."""
    found: list[Kept] = []
    at = 0
    while at < len(data):
        end = data.index(b"\n", at)
        name, size, kept, digest = data[at:end].decode("utf-8", "replace").rsplit("\t", 3)
        content = data[end + 1 : end + 1 + int(kept)]
        found.append(Kept(name, int(size), digest, content))
        at = end + 1 + int(kept)
    return tuple(found)


def read_races(text: str) -> frozenset[Race]:
    """What ``runtime/races.c`` has written."""
    found = set()
    for line in text.splitlines():
        _, kernel, array, kind, _, _, other, _, _ = line.split("\t")
        kinds = kind if kind == "full" else "/".join(sorted((kind, other)))
        found.add(Race(kernel_name(kernel) if kernel else "", array, kinds))
    return frozenset(found)
