"""Nsight Compute's source pages of programs that are one source each, as llm.c's ``dev/cuda``.

    python ncu_pages.py DIR OUT [--skip NAME…] [--library NAME…] [--launches N]

Where the GPU is; needs nothing but Python, nvcc and ncu. Every ``DIR/*.cu`` is built as nvcc -O3
does it and run once for each ``case N:`` in its source, with N as its argument; the pages of its
first launches are OUT/NAME.N.csv. ``ncu_truth.py`` makes a table of them.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FLAGS = ("-O3", "-lineinfo", "-arch=sm_90", "-std=c++17", "--use_fast_math", "-Xcompiler",
         "-fopenmp")  # fmt: skip
SECONDS = 90.0


def main() -> int:
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--skip", nargs="*", default=["nccl_all_reduce"])
    parser.add_argument("--library", nargs="*", default=["cublas", "cublasLt"])
    parser.add_argument("--launches", type=int, default=6)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    sources = [p for p in sorted(options.directory.glob("*.cu")) if p.stem not in options.skip]
    failed = 0

    def built(source: Path) -> bool:
        libraries = [f"-l{name}" for name in options.library]
        program = str(source.with_suffix(""))
        command = ["nvcc", *FLAGS, str(source), "-o", program, *libraries]
        return subprocess.run(command, check=False).returncode == 0

    def measured(job: tuple[Path, str]) -> bool:
        source, variant = job
        name = f"{source.stem}.{variant}"
        report = options.out / f"{name}.ncu-rep"
        profiled = [
            "ncu", "--clock-control", "none", "--section", "SourceCounters", "--launch-count",
            str(options.launches), "--kill", "yes", "-f", "-o", str(report),
            str(source.with_suffix("").absolute()), variant,
        ]  # fmt: skip
        exported = [
            "ncu", "--import", str(report), "--page", "source", "--csv", "--print-source",
            "cuda,sass",
        ]  # fmt: skip
        try:
            subprocess.run(profiled, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return False
        if not report.exists():
            return False
        page = subprocess.run(exported, capture_output=True, check=False).stdout
        (options.out / f"{name}.csv").write_bytes(page)
        report.unlink()
        return True

    with ThreadPoolExecutor() as ex:
        ready = [s for s, ok in zip(sources, ex.map(built, sources), strict=True) if ok]
    failed += len(sources) - len(ready)
    jobs = [(s, n) for s in ready for n in sorted(set(re.findall(r"case (\d+):", s.read_text())))]
    with ThreadPoolExecutor(4) as ex:
        for (source, variant), ok in zip(jobs, ex.map(measured, jobs), strict=True):
            failed += not ok
            print(source.stem, variant, "ok" if ok else "no page", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
