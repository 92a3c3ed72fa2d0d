"""``python -m rodinia run``: the programs themselves, on the CPU, with their accesses counted.

Each run of the manifest is built with ``drano cc`` from the checkout (which is not written to) and
runs in a directory of its own below the work directory:

    WORK/inputs/SIZE/…                inputs.py's files
    WORK/builds/KEY/program           what was built, for all runs of the same sources and flags
    WORK/runs/SIZE/NAME/place/in/     where it runs, its inputs linked in; ``data`` two levels up
                        profile.json  what drano counted
                        result.json   how it went

A run that went well and is of the same key is not repeated: an interrupted command goes on. The key
names all that a result depends on: drano's own files, the checkout, the flags, the input.

A program that does not build, fails or takes too long is a result too, and the others go on.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec import Struct, to_builtins
from msgspec.structs import replace

import drano
from rodinia.measured.references import REFERENCES
from rodinia.programs import inputs
from rodinia.programs.inputs import Size
from rodinia.programs.manifest import Manifest, Program, Run

BUILD_SECONDS = 600.0
# Of each kernel and shape the first launches are counted, as in the hardware's profile.
LAUNCHES = 3
_TAIL = 2000


class RunResult(Struct, frozen=True):
    """How one run went. ``status``: "ok", or what failed in a few words; ``key``: of what;
    ``checked``: who says that the results are right, "" for nobody.
    """

    program: str
    name: str
    status: str
    build_seconds: float
    run_seconds: float
    key: str
    output: str = ""
    checked: str = ""

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

    builds = _Builds(work / "builds", cuda.resolve(), manifest.commit)

    def one(task: tuple[Program, Run]) -> RunResult:
        result = _run(*task, builds, work / "runs" / size, given, size, timeout)
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
                yield replace(found, checked=run.checked_by)


def _run(
    program: Program, run: Run, builds: _Builds, runs: Path, given: Path, size: Size,
    timeout: float,
) -> RunResult:  # fmt: skip
    place = runs / run.name
    key = _key(builds.key(program, run), run, size, inputs.version())
    known = _read(place)
    if known is not None and known.good and known.key == key:
        return replace(known, checked=run.checked_by)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    built = builds.build(program, run)
    problem, output = built.problem, built.output
    started = time.perf_counter()
    if not problem:
        problem, output = _execute(run, built.program, place, given, size, timeout)
    seconds = time.perf_counter() - started
    if not problem and not (place / "profile.json").is_file():
        problem = "no profile was written"
    status = problem or "ok"
    result = RunResult(
        program.name, run.name, status, built.seconds, seconds, key, output, run.checked_by
    )
    temporary = place / ".result.json"
    temporary.write_text(json.dumps(to_builtins(result), indent=1), encoding="utf-8")
    temporary.rename(place / "result.json")
    return result


def _key(*what: object) -> str:
    return hashlib.sha256(repr(what).encode()).hexdigest()[:16]


@functools.cache
def _tool() -> str:
    """What drano is: its version and its files."""
    root = Path(drano.__file__).parent
    digest = hashlib.sha256(drano.__version__.encode())
    for path in sorted(root.rglob("*")):
        if path.suffix in {".py", ".c", ".h", ".json"}:
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _read(place: Path) -> RunResult | None:
    try:
        data = json.loads((place / "result.json").read_text(encoding="utf-8"))
        return RunResult(**data)
    except (OSError, ValueError, TypeError):
        return None


class _Built(Struct, frozen=True):
    """``problem``: why ``program`` is not there, "" if it is."""

    program: Path
    problem: str
    output: str
    seconds: float


class _Builds:
    """Programs built below ``directory``, each once; two runs may ask for one at a time."""

    def __init__(self, directory: Path, cuda: Path, commit: str) -> None:
        self._directory = directory
        self._cuda = cuda
        self._commit = commit
        self._locks: dict[str, threading.Lock] = defaultdict(threading.Lock)
        self._guard = threading.Lock()
        self._failed: dict[str, _Built] = {}

    def key(self, program: Program, run: Run) -> str:
        """Of all that the program depends on."""
        place = self._cuda / program.directory
        return _key(
            _tool(), self._commit, place, program.flags, run.sources, run.compile, run.stubs
        )

    def build(self, program: Program, run: Run) -> _Built:
        """The program, from an earlier build where there is one; ``seconds`` are that build's."""
        key = self.key(program, run)
        with self._guard:
            lock = self._locks[key]
        with lock:
            return self._failed.get(key) or self._build(program, run, self._directory / key, key)

    def _build(self, program: Program, run: Run, place: Path, key: str) -> _Built:
        executable, done = place / "program", place / "seconds"
        if done.is_file():
            return _Built(executable, "", "", float(done.read_text()))
        place.mkdir(parents=True, exist_ok=True)
        started = time.perf_counter()
        problem, output = _build(program, run, self._cuda / program.directory, executable)
        seconds = round(time.perf_counter() - started, 3)
        built = _Built(executable, problem, output, seconds)
        if problem:
            self._failed[key] = built
        else:
            done.write_text(f"{built.seconds:.3f}")
        return built


def _build(program: Program, run: Run, directory: Path, executable: Path) -> tuple[str, str]:
    flags = program.flags
    stubs = executable.parent / "stubs"
    for name, text in run.stubs.items():
        (stubs / name).parent.mkdir(parents=True, exist_ok=True)
        (stubs / name).write_text(text + "\n", encoding="utf-8")
    command = [
        sys.executable, "-m", "drano", "cc", "-O3", "-w", *([f"-I{stubs}"] if run.stubs else ()),
        *(f"-I{directory / folder}" for folder in flags.include_dirs),
        *(f"-D{define}" for define in flags.defines),
        *(f"-include{header}" for header in flags.force_includes),
        *flags.flags, *run.compile, *run.sources, "-lm", "-o", str(executable),
    ]  # fmt: skip
    problem, output = _call(command, directory, BUILD_SECONDS, "does not build", _environment())
    return problem, output[-_TAIL:]


def _execute(
    run: Run, program: Path, place: Path, given: Path, size: Size, timeout: float
) -> tuple[str, str]:
    here = place / "place" / "in"
    here.mkdir(parents=True)
    for name in run.inputs:
        if not (given / name).is_file():
            return f"no input '{name}'", ""
        (here / name).symlink_to(given / name)
    # what programs look for at ../../data and ../../../data
    for data in (place / "data", place.parent / "data"):
        if not data.exists():
            data.symlink_to(given / "data")
    environment = {
        **os.environ,
        "DRANO_PROFILE": str(place / "profile.json"),
        "DRANO_LAUNCHES": str(LAUNCHES),
        **run.environment,
    }
    arguments = run.small if size is Size.SMALL else run.arguments
    problem, output = _call(
        [str(program), *arguments], here, timeout, "fails when run", environment
    )
    return problem or _wrong(run, here, output), output[-_TAIL:]


def _wrong(run: Run, here: Path, output: str) -> str:
    """What is wrong with the results, "" where nothing is, or nobody can tell."""
    if run.passes and not re.search(run.passes, output):
        return f"wrong results: no '{run.passes}' was printed"
    if run.fails and re.search(run.fails, output):
        return f"wrong results: '{run.fails}' was printed"
    if not run.check:
        return ""
    try:
        problem = REFERENCES[run.check](here, output)
    except OSError as error:
        problem = f"{Path(str(error.filename)).name}: {error.strerror}"
    except (ValueError, LookupError) as error:
        problem = str(error)
    return f"wrong results: {problem}" if problem else ""


def _environment() -> dict[str, str]:
    """Ours, in which this very drano is found from any directory."""
    ours = str(Path(drano.__file__).parents[1])
    paths = [ours, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _call(
    command: list[str], directory: Path, seconds: float, what: str, environment: Mapping[str, str]
) -> tuple[str, str]:
    """What went wrong ("" for nothing), and what was printed."""
    try:
        done = subprocess.run(
            command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, timeout=seconds,
            capture_output=True, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        return f"{what}: more than {seconds:g} s", _text(
            (error.stdout or b"") + (error.stderr or b"")
        )
    except OSError as error:
        return f"{what}: {error.strerror}", ""
    output = _text(done.stdout + done.stderr)
    if done.returncode == 0:
        return "", output
    how = f"signal {-done.returncode}" if done.returncode < 0 else f"status {done.returncode}"
    return f"{what} ({how})", output


def _text(output: bytes) -> str:
    return output.decode("utf-8", "replace")
