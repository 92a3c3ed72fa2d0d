"""``python -m rodinia run``: the programs themselves, on the CPU, with their accesses counted.

Each run of the manifest is built with ``drano cc`` from the checkout (which is not written to) and
runs in a directory of its own below the work directory:

    WORK/inputs/SIZE/…                inputs.py's files
    WORK/runs/SIZE/NAME/program       what was built
                        place/in/     where it runs, its inputs linked in; ``data`` two levels up
                        profile.json  what drano counted
                        result.json   how it went

A run that went well and is of the same key is not repeated: an interrupted command goes on.

A program that does not build, fails or takes too long is a result too, and the others go on.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import drano
from rodinia import inputs
from rodinia.inputs import Size
from rodinia.manifest import Manifest, Program, Run

BUILD_SECONDS = 600.0
# Of each kernel and shape the first launches are counted, as in the hardware's profile.
LAUNCHES = 3
_TAIL = 2000


@dataclass(frozen=True, slots=True)
class RunResult:
    """How one run went. ``status``: "ok", or what failed in a few words; ``key``: of what."""

    program: str
    name: str
    status: str
    build_seconds: float
    run_seconds: float
    key: str
    output: str = ""

    @property
    def good(self) -> bool:
        """Whether there is a profile to read."""
        return self.status == "ok"


OnRun = Callable[[RunResult], None]


def run_all(
    manifest: Manifest,
    cuda: Path,
    work: Path,
    size: Size,
    *,
    timeout: float,
    jobs: int = 1,
    on_run: OnRun = lambda _: None,
) -> tuple[RunResult, ...]:
    """Every run of the manifest, in its order; those that were done before are only read."""
    work = work.resolve()
    given = inputs.make(work / "inputs", size)
    tasks = [(program, run) for program in manifest.programs for run in program.runs]

    def one(task: tuple[Program, Run]) -> RunResult:
        result = _run(*task, manifest, cuda.resolve(), work / "runs" / size, given, size, timeout)
        on_run(result)
        return result

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        return tuple(pool.map(one, tasks))


def profile_of(work: Path, size: Size, name: str) -> Path:
    """Where the profile of a run lies."""
    return work.resolve() / "runs" / size / name / "profile.json"


def results(manifest: Manifest, work: Path, size: Size) -> Iterator[RunResult]:
    """The runs that were done, whatever came of them."""
    for program in manifest.programs:
        for run in program.runs:
            found = _read(work.resolve() / "runs" / size / run.name)
            if found is not None:
                yield found


def _run(
    program: Program, run: Run, manifest: Manifest, cuda: Path, runs: Path, given: Path,
    size: Size, timeout: float,
) -> RunResult:  # fmt: skip
    place = runs / run.name
    key = _key(program, run, manifest, size)
    known = _read(place)
    if known is not None and known.good and known.key == key:
        return known
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    started = time.perf_counter()
    problem, output = _build(program, run, cuda / program.directory, place)
    built = time.perf_counter()
    if not problem:
        problem, output = _execute(run, place, given, size, timeout)
    ended = time.perf_counter()
    if not problem and not (place / "profile.json").is_file():
        problem = "no profile was written"
    result = RunResult(
        program.name, run.name, problem or "ok", built - started, ended - built, key, output
    )
    temporary = place / ".result.json"
    temporary.write_text(json.dumps(asdict(result), indent=1), encoding="utf-8")
    temporary.rename(place / "result.json")
    return result


def _key(program: Program, run: Run, manifest: Manifest, size: Size) -> str:
    what = (drano.__version__, manifest.commit, size, program.flags, run, inputs.SEED)
    return hashlib.sha256(repr(what).encode()).hexdigest()[:16]


def _read(place: Path) -> RunResult | None:
    try:
        data = json.loads((place / "result.json").read_text(encoding="utf-8"))
        return RunResult(**data)
    except (OSError, ValueError, TypeError):
        return None


def _build(program: Program, run: Run, directory: Path, place: Path) -> tuple[str, str]:
    flags = program.flags
    command = [
        sys.executable, "-m", "drano", "cc", "-O3", "-w",
        *(f"-I{directory / folder}" for folder in flags.include_dirs),
        *(f"-D{define}" for define in flags.defines),
        *(f"-include{header}" for header in flags.force_includes),
        *flags.flags, *run.compile, *run.sources, "-lm", "-o", str(place / "program"),
    ]  # fmt: skip
    return _call(command, directory, BUILD_SECONDS, "does not build", _environment())


def _execute(run: Run, place: Path, given: Path, size: Size, timeout: float) -> tuple[str, str]:
    here = place / "place" / "in"
    here.mkdir(parents=True)
    for name in run.inputs:
        (here / name).symlink_to(given / name)
    # what programs look for at ../../data and ../../../data
    for data in (place / "data", place.parent / "data"):
        if not data.exists():
            data.symlink_to(given / "data")
    environment = {
        **os.environ,
        "DRANO_PROFILE": str(place / "profile.json"),
        "DRANO_LAUNCHES": str(LAUNCHES),
    }
    arguments = run.small if size is Size.SMALL else run.arguments
    return _call([str(place / "program"), *arguments], here, timeout, "fails when run", environment)


def _environment() -> dict[str, str]:
    """Ours, in which this very drano is found from any directory."""
    ours = str(Path(drano.__file__).parents[1])
    paths = [ours, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _call(
    command: list[str], directory: Path, seconds: float, what: str, environment: dict[str, str]
) -> tuple[str, str]:
    """What went wrong ("" for nothing), and the end of what was printed."""
    try:
        done = subprocess.run(
            command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, timeout=seconds,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        return f"{what}: more than {seconds:g} s", _tail(error.stdout or b"")
    except OSError as error:
        return f"{what}: {error.strerror}", ""
    output = _tail(done.stdout)
    if done.returncode == 0:
        return "", output
    how = f"signal {-done.returncode}" if done.returncode < 0 else f"status {done.returncode}"
    return f"{what} ({how})", output


def _tail(output: bytes) -> str:
    return output[-_TAIL:].decode("utf-8", "replace")
