"""Units in processes of their own: crashes and time-outs stay with their unit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.conftest import ROOT, Run

GOOD = "__global__ void good(float* a) { a[2 * threadIdx.x] = 0; }\n"


def slow_kernel(statements: int) -> str:
    """Takes drano much longer than clang: loops in loops whose values depend on each other."""
    lines = "\n".join(
        f"for (int i{n} = x; i{n} < n; i{n} += y) {{ x += a[i{n} * y + x]; y ^= x + i{n};"
        for n in range(statements)
    )
    return (
        "__global__ void slow(int* a, int n) {\n  int x = threadIdx.x, y = 1;\n"
        f"{lines}\n{'}' * statements}\n  a[x] = y;\n}}\n"
    )


def descendants(pid: int) -> list[int]:
    found = []
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:  # it has ended meanwhile
        return []
    for child in children:
        found += [int(child), *descendants(int(child))]
    return found


def is_worker(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/comm").read_text() == "drano-worker\n"
    except OSError:
        return False


def at_work(process: subprocess.Popen[Any]) -> list[int]:
    """The workers, once one has computed for longer than a start takes: it is in its unit."""
    ends = time.monotonic() + 60
    while True:
        workers = [pid for pid in descendants(process.pid) if is_worker(pid)]
        if any(computed(pid) > 1.5 for pid in workers):
            return workers
        assert process.poll() is None
        assert time.monotonic() < ends
        time.sleep(0.05)


def computed(pid: int) -> float:
    """Seconds of processor time."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended meanwhile
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_order_and_bytes_do_not_depend_on_the_number_of_processes(
    drano: Run, tmp_path: Path
) -> None:
    for n in range(6):
        (tmp_path / f"{n}.cu").write_text(GOOD * (n == 3) + f"// {n}\n")
    reports = {
        drano("check", "--no-cache", "-j", jobs, "--output-format", "json", ".").stdout
        for jobs in ("1", "2", "5")
    }
    assert len(reports) == 1
    files = [file["path"] for file in json.loads(reports.pop())["files"]]
    assert files == [f"{n}.cu" for n in range(6)]


def test_a_unit_that_takes_too_long_is_one_record(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(slow_kernel(180))
    (tmp_path / "b.cu").write_text(GOOD)
    outcome = drano(
        "check", "--no-cache", "--timeout", "4", "--output-format", "json", "a.cu", "b.cu"
    )
    assert outcome.status == 2
    document = json.loads(outcome.stdout)
    assert outcome.error_lines == ["drano: error: a.cu: drano took more than 4 s"]
    assert [(file["path"], file["status"]) for file in document["files"]] == [
        ("a.cu", "timeout"), ("b.cu", "ok"),
    ]  # fmt: skip
    assert len(document["findings"]) == 1


def test_a_crashed_process_is_one_record(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(slow_kernel(180))
    (tmp_path / "b.cu").write_text(GOOD)
    process = subprocess.Popen(
        [sys.executable, "-m", "drano", "check", "--no-cache", "-j1", "--output-format", "json",
         "a.cu", "b.cu"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    os.kill(at_work(process)[0], signal.SIGKILL)
    stdout, stderr = process.communicate(timeout=120)
    assert process.returncode == 2
    files = {file["path"]: file for file in json.loads(stdout)["files"]}
    assert (files["a.cu"]["status"], files["b.cu"]["status"]) == ("error", "ok")
    assert stderr == (
        "drano: error: a.cu: the process that analysed it crashed (signal 9); please report it\n"
    )


def test_an_interrupt_leaves_no_process_behind(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(slow_kernel(180))
    process = subprocess.Popen(
        [sys.executable, "-m", "drano", "check", "--no-cache", "a.cu"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    at_work(process)
    children = descendants(process.pid)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (130, b"drano: interrupted\n")
    assert children
    ends = time.monotonic() + 5
    while any(Path(f"/proc/{pid}/exe").exists() for pid in children):
        assert time.monotonic() < ends
        time.sleep(0.02)


def test_a_worker_does_not_outlive_a_killed_holder(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(slow_kernel(180))
    process = subprocess.Popen(
        [sys.executable, "-m", "drano", "check", "--no-cache", "-j2", "--timeout", "600", "."],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    workers = at_work(process)
    process.kill()
    process.wait()
    assert any(map(is_worker, workers))
    ends = time.monotonic() + 60
    while any(map(is_worker, workers)):
        assert time.monotonic() < ends
        time.sleep(0.2)


def test_ending_is_quiet_at_any_moment(tmp_path: Path) -> None:
    """A worker is stopped while it starts, between units, in one, and while it ends."""
    for n in range(3):
        (tmp_path / f"{n}.cu").write_text(GOOD + f"// {n}\n")
    for instant in range(5):
        process = subprocess.Popen(
            [sys.executable, "-m", "drano", "check", "--no-cache", "-q", "-j2", "."],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        while not any(map(is_worker, descendants(process.pid))) and process.poll() is None:
            time.sleep(0.01)
        time.sleep(instant * 0.25)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        assert stderr in {b"drano: interrupted\n", b""}
