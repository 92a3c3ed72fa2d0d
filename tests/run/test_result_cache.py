"""The cache of results through the real command line: right, and safe whatever happens."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import string
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from drano.model.finding import Severity
from drano.model.report import Diagnostic, FileReport, FileStatus
from drano.model.settings import Config
from drano.run.result_cache import _CLOCK_NS, ResultCache, clean, prune, usage
from tests.conftest import ROOT, Outcome, Run
from tests.run.test_processes import descendants

SOURCE = '#include "stride.h"\n__global__ void k(float* a) { a[STRIDE * threadIdx.x] = 0; }\n'


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache directory of our own, with the user's precompiled headers."""
    from drano.support.cache_directory import cache_dir

    shared = {name: cache_dir(name) for name in ("pch", "headers")}
    place = tmp_path / "cache"
    place.mkdir()
    for name, target in shared.items():
        (place / name).symlink_to(target)
    monkeypatch.setenv("DRANO_CACHE_DIR", str(place))
    return place


@pytest.fixture
def drano(drano: Run) -> Run:
    """When the clock of file times has ticked: what was written just before a run may have changed
    since, and is not kept.
    """

    def run(*arguments: str | Path, **more: Any) -> Outcome:
        time.sleep(2 * _CLOCK_NS / 1e9)
        return drano(*arguments, **more)

    return run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "inc").mkdir(parents=True)
    (folder / "a.cu").write_text(SOURCE)
    (folder / "inc" / "stride.h").write_text("#define STRIDE 2\n")
    return folder


def hits(outcome: Outcome) -> int:
    """How many units came from the cache."""
    (line,) = [line for line in outcome.stderr.splitlines() if "from the cache" in line]
    return int(line.split()[1])


def test_unchanged_units_come_from_the_cache(drano: Run, cache: Path, project: Path) -> None:
    def run(*more: str) -> Outcome:
        return drano("check", "-v", "--output-format", "json", "-Iinc", "a.cu", *more, cwd=project)

    first = run()
    assert (first.status, hits(first)) == (1, 0)
    again = run()
    assert (again.status, hits(again)) == (1, 1)
    assert again.stdout == first.stdout
    assert "from the cache" not in run("--no-cache").stderr
    assert hits(run("-DX")) == 0
    assert hits(run("--select", "DRN004")) == 0
    time.sleep(0.1)
    (project / "inc" / "stride.h").write_text("#define STRIDE 1\n")
    changed = run()
    assert (changed.status, hits(changed)) == (0, 0)
    (project / "inc" / "stride.h").write_text("#define STRIDE 2\n")
    os.utime(project / "inc" / "stride.h", (1, 1))
    assert run().stdout == first.stdout


def test_units_that_stand_ins_help_come_from_the_cache(
    drano: Run, cache: Path, project: Path
) -> None:
    (project / "a.cu").write_text(
        "#include <cublas_v2.h>\n#include <torch/extension.h>\n#include <ATen/cuda/CUDAContext.h>\n"
        + SOURCE
    )

    def run() -> Outcome:
        return drano("check", "-v", "-Iinc", "a.cu", cwd=project)

    first, again = run(), run()
    assert (first.status, hits(first), hits(again)) == (1, 0, 1)
    assert again.stdout == first.stdout
    (project / "inc" / "cublas_v2.h").write_text("typedef int mine;\n")
    assert hits(run()) == 0


def test_headers_that_appear_are_noticed(drano: Run, cache: Path, project: Path) -> None:
    (project / "a.cu").write_text(
        "#ifndef __CUDA_ARCH__\n#include <inc/host.h>\n#endif\n#include <nowhere.h>\n"
        "#ifndef STRIDE\n#define STRIDE 2\n#endif\n" + SOURCE.split("\n", 1)[1]
    )
    (project / "inc" / "host.h").write_text("inline void host() {}\n")

    def run() -> Outcome:
        return drano("check", "-v", "-I.", "--stub-missing-headers", "a.cu", cwd=project)

    assert hits(run()) == 0
    assert hits(run()) == 1
    time.sleep(0.1)
    (project / "inc" / "host.h").write_text("inline void other() {}\n")
    assert hits(run()) == 0
    assert hits(run()) == 1
    (project / "nowhere.h").write_text("#define STRIDE 1\n")
    outcome = run()
    assert (outcome.status, hits(outcome)) == (0, 0)


def test_headers_that_appear_elsewhere_in_the_repository_are_noticed(
    drano: Run, cache: Path, project: Path
) -> None:
    (project / ".git").mkdir()
    (project / "a.cu").write_text(
        "#include <deep/nowhere.h>\n#ifndef STRIDE\n#define STRIDE 2\n#endif\n"
        + SOURCE.split("\n", 1)[1]
    )

    def run() -> Outcome:
        return drano("check", "-v", "a.cu", cwd=project)

    assert (run().status, hits(run())) == (1, 1)
    (project / "third_party/include/deep").mkdir(parents=True)
    (project / "third_party/include/deep/nowhere.h").write_text("#define STRIDE 1\n")
    outcome = run()
    assert (outcome.status, hits(outcome)) == (0, 0)
    assert "-I third_party/include" in outcome.stderr


def test_damaged_entries_are_analysed_again(drano: Run, cache: Path, project: Path) -> None:
    def run() -> Outcome:
        return drano("check", "-v", "-Iinc", "a.cu", cwd=project)

    first = run()
    (entry,) = (cache / "results").rglob("*.msgpack")
    good = entry.read_bytes()
    for bad in (b"", good[:-1], good[:40] + bytes([good[40] ^ 1]) + good[41:], b"x" * 100):
        entry.write_bytes(bad)
        outcome = run()
        assert (outcome.status, outcome.stdout, hits(outcome)) == (1, first.stdout, 0)
    assert hits(run()) == 1


def test_failures_are_not_cached(drano: Run, cache: Path, project: Path) -> None:
    (project / "a.cu").write_text("#error not today\n")
    for _ in range(2):
        outcome = drano("check", "-v", "a.cu", cwd=project)
        assert (outcome.status, hits(outcome)) == (2, 0)


def test_info_and_clean(drano: Run, cache: Path, project: Path) -> None:
    for name in ("pch", "headers"):
        (cache / name).unlink()
    (cache / "mine.txt").write_text("not drano's")
    (cache / "results").mkdir()
    (cache / "results" / "old.msgpack").write_bytes(b"x" * 1_500_000)
    outcome = drano("cache", "info")
    assert outcome.status == 0
    assert outcome.stdout.splitlines()[0] == str(cache)
    assert "results        1 files       1.5 MB" in outcome.stdout
    assert drano("cache", "clean").stdout == "deleted 1.5 MB\n"
    assert [path.name for path in cache.iterdir() if any(path.rglob("*"))] == []
    assert (cache / "mine.txt").exists()


def report_of(path: Path) -> FileReport:
    text = "".join(random.Random(path.name).choices(string.printable, k=3000))  # it stays long
    note = Diagnostic(str(path), 1, 1, Severity.NOTE, text)
    return FileReport(str(path), FileStatus.OK, (note,), dependencies=(str(path),))


def test_the_least_recently_used_go_first(cache: Path, tmp_path: Path) -> None:
    paths = [tmp_path / f"{n}.cu" for n in range(10)]
    for path in paths:
        path.write_text(path.name)
    time.sleep(0.05)
    store = ResultCache()
    for path in paths:
        store.put(str(path), Config(), None, report_of(path))
        time.sleep(0.01)
    assert store.written == 10
    assert store.get(str(paths[0]), Config()) == report_of(paths[0])
    prune(limit=20_000)
    found = [store.get(str(path), Config()) is not None for path in paths]
    assert found[0]
    assert found[-3:] == [True, True, True]
    assert not any(found[1:5])
    assert usage()[0].bytes < 20_000
    assert clean() > 0
    assert usage()[0].files == 0


def test_files_changed_during_the_run_are_not_cached(cache: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    store = ResultCache()
    path.write_text("new")
    store.put(str(path), Config(), None, report_of(path))
    assert store.written == 0


WRITER = """
import os
import sys
from pathlib import Path
from drano.model.settings import Config
from drano.run.result_cache import ResultCache
from tests.run.test_result_cache import report_of
path = Path(sys.argv[1])
print("ready", flush=True)
parent = os.getppid()
while os.getppid() == parent:
    ResultCache().put(str(path), Config(), None, report_of(path))
"""


def test_writers_killed_at_any_instant(cache: Path, tmp_path: Path) -> None:
    """Two write the same entry all the time; one is killed; every reader sees it whole."""
    path = tmp_path / "a.cu"
    path.write_text("x")
    time.sleep(0.1)
    choose = random.Random(7)

    def start() -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], cwd=ROOT, stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        return process

    steady = start()
    try:
        while ResultCache().get(str(path), Config()) is None:
            time.sleep(0.01)
        for _ in range(8):
            with start() as victim:
                time.sleep(choose.uniform(0, 0.05))
                victim.kill()
            assert ResultCache().get(str(path), Config()) == report_of(path)
    finally:
        steady.kill()
        steady.communicate()


# `DRANO_KILLS=50 pytest tests/run/test_result_cache.py -k random_instants` is more thorough.
KILLS = int(os.environ.get("DRANO_KILLS", "8"))


def test_runs_killed_at_random_instants(drano: Run, cache: Path, project: Path) -> None:
    """The cache stays usable, and a report is the old one, the new one, but never half of one."""
    names = [f"{n}.cu" for n in range(4)]
    for name in names:
        (project / name).write_text(SOURCE + f"// {name}\n")
    arguments = ["check", "-q", "-j2", "-Iinc", "--output-format", "json", *names]
    command = [sys.executable, "-m", "drano", *arguments, "-o", "report.json"]
    target = project / "report.json"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    started = time.monotonic()
    subprocess.run([*command, "--no-cache"], cwd=project, env=environment, check=False)
    seconds = time.monotonic() - started
    expected = target.read_text()
    target.write_text("old")
    choose = random.Random(11)
    said = []
    for number in range(KILLS):
        if number % 4 == 0:  # a first run; others find more or less in the cache
            shutil.rmtree(cache / "results", ignore_errors=True)
        with subprocess.Popen(
            command, cwd=project, env=environment, stderr=subprocess.PIPE
        ) as process:
            time.sleep(choose.uniform(0, 1.1 * seconds))
            everyone = [process.pid, *descendants(process.pid)]
            for pid in everyone:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            said.append(process.communicate()[1])
        assert target.read_text() in {"old", expected}
    assert set(said) == {b""}
    outcome = drano(*arguments, cwd=project)
    assert (outcome.status, outcome.stdout) == (1, expected)
    assert drano(*arguments, cwd=project).stdout == expected


def test_a_first_run_of_all_is_remembered(
    drano: Run, tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Headers that the same run has put into the cache are no reason to forget its results."""
    monkeypatch.setenv("DRANO_CACHE_DIR", str(tmp_path / "empty"))
    found = [hits(drano("check", "-v", "-Iinc", "a.cu", cwd=project)) for _ in range(2)]
    assert found == [0, 1]


def test_many_at_once(cache: Path, project: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "drano", "check", "-q", "-j1", "-Iinc", "a.cu"]
    running = [
        subprocess.Popen(command, cwd=project, env=environment, stdout=subprocess.PIPE)
        for _ in range(4)
    ]
    said = {process.communicate(timeout=120)[0] for process in running}
    assert len(said) == 1
    assert {process.returncode for process in running} == {1}
