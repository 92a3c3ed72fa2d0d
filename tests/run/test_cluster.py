"""The same work on a cluster: with a real one, of which a part is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

from tests.conftest import ROOT, Run

KERNEL = "__global__ void kernel_{n}(float* a) {{ a[{n} * threadIdx.x] = 0; }}\n"
FILES = 12


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """Starting a worker, Dask sets variables of this process, for good (``PYTHONHASHSEED``)."""
    before = dict(os.environ)
    path = (str(ROOT), before.get("PYTHONPATH", ""))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, path))
    try:
        with LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster:
            yield cluster
    finally:
        os.environ.clear()
        os.environ.update(before)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "size.h").write_text("#define SIZE 8\n")
    for n in range(2, FILES + 2):
        text = '#include "size.h"\n' + KERNEL.format(n=n)
        (tmp_path / f"unit_{n}.cu").write_text(text)
    return tmp_path


@pytest.mark.parametrize("killed", [False, True])
def test_nothing_is_lost_and_nothing_comes_twice(
    drano: Run, project: Path, cluster: LocalCluster, killed: bool
) -> None:
    command = ["check", "--no-cache", "--output-format", "json", "-I", "include", "."]
    executor = f"dask:{cluster.scheduler_address}"
    process = subprocess.Popen(
        [sys.executable, "-m", "drano", *command, "--executor", executor],
        cwd=project, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    if killed:
        with Client(cluster) as client:
            kill_a_busy_worker(client)
    stdout, stderr = process.communicate(timeout=240)
    assert stderr == ""
    assert process.returncode == 1
    assert stdout == drano(*command).stdout
    names = [Path(file["path"]).name for file in json.loads(stdout)["files"]]
    assert names == sorted({f"unit_{n}.cu" for n in range(2, FILES + 2)})


def kill_a_busy_worker(client: Client) -> None:
    """Once the first units are done, a process that is in the middle of one."""
    seen: set[str] = set()
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        units = {
            worker: [key for key in keys if key.startswith("run_unit")]
            for worker, keys in client.processing().items()
        }
        now = {key for keys in units.values() for key in keys}
        seen |= now
        busy = next((worker for worker, keys in units.items() if keys), None)
        if busy is not None and len(seen - now) >= 2:
            os.kill(client.run(os.getpid, workers=[busy])[busy], signal.SIGKILL)
            return
        time.sleep(0.02)
    raise AssertionError(f"no worker was in the middle of a unit: {sorted(seen)}")


@pytest.mark.parametrize(
    ("executor", "expected"),
    [
        ("dask:127.0.0.1:1", "dask:127.0.0.1:1: cannot use this cluster: ConnectionRefusedError: "),
        ("dask", "is not dask:ADDRESS or ray:ADDRESS"),
        ("slurm:x", "is not dask:ADDRESS or ray:ADDRESS"),
        ("dask:wat://x", "dask:wat://x: cannot use this cluster: ValueError: "),
    ],
)
def test_a_cluster_that_is_not_there(
    drano: Run, tmp_path: Path, executor: str, expected: str
) -> None:
    (tmp_path / "a.cu").write_text(KERNEL.format(n=2))
    outcome = drano("check", "--executor", executor, "a.cu")
    assert outcome.status == 2
    (line,) = outcome.stderr.splitlines()
    assert expected in line
