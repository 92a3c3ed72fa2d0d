"""What several processes and the cache bring, on a generated project, through the command line.

    python benchmarks/parallel.py [--files 200] [-j 2]

Each file has kernels of its own. Runs by turns with one process and with N, without the cache of
results; the least of two runs counts. Prints seconds and the ratio (wanted with two: at least 1.7).
Then with N processes and a cache that starts empty, twice: the second run, of unchanged files,
should be at least 20 times faster. Exit status 2 when the reports differ.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

_KERNEL = """
__global__ void strided_{n}_{k}(float* out, const float* in, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < n; j++) out[{k} * i + j] += in[i * {n} + j] * in[i];
}}
"""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--files", type=int, default=200, metavar="N")
    parser.add_argument("-j", "--jobs", type=int, default=2, metavar="N")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="drano-benchmark-") as name:
        directory = Path(name)
        for n in range(arguments.files):
            kernels = "".join(_KERNEL.format(n=n + 2, k=k) for k in range(2, 6))
            (directory / f"file_{n:03}.cu").write_text(kernels)
        run(directory / "file_000.cu", 1)  # makes the precompiled headers that all others use
        best: dict[int, float] = {}
        reports = set()
        for _ in range(2):
            for jobs in (1, arguments.jobs):
                seconds, report = run(directory, jobs)
                best[jobs] = min(seconds, best.get(jobs, seconds))
                reports.add(report)
        with tempfile.TemporaryDirectory(prefix="drano-benchmark-cache-") as cache:
            first, report = run(directory, arguments.jobs, Path(cache))
            again, repeated = run(directory, arguments.jobs, Path(cache))
            reports |= {report, repeated}
    one, many = best[1], best[arguments.jobs]
    print(f"{arguments.files} files")
    print(f"-j 1   {one:8.2f} s")
    print(f"-j {arguments.jobs:<3} {many:8.2f} s   {one / many:.2f} times faster")
    print(f"-j {arguments.jobs}, empty cache {first:8.2f} s")
    print(f"-j {arguments.jobs}, unchanged   {again:8.2f} s   {first / again:.1f} times faster")
    return 0 if len(reports) == 1 else 2


def run(path: Path, jobs: int, cache: Path | None = None) -> tuple[float, str]:
    """Seconds on the clock, and the report; without the cache of results unless one is given."""
    command = [sys.executable, "-m", "drano", "check", "-q", "--exit-zero"]
    environment = dict(os.environ)
    if cache is None:
        command.append("--no-cache")
    else:
        environment["DRANO_CACHE_DIR"] = str(cache)
    started = time.perf_counter()
    done = subprocess.run(
        [*command, "--output-format", "concise", "-j", str(jobs), str(path)],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return time.perf_counter() - started, done.stdout


if __name__ == "__main__":
    sys.exit(main())
