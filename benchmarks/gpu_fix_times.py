"""Times on a GPU of a program's kernels, before and after `drano fix`.

    cp -r before after && drano fix after/kernel.cu
    python benchmarks/gpu_fix_times.py before after [--repeat 7] SOURCE.cu... [FLAGS] [-- ARGS]

``SOURCE``: relative to either directory, in which nvcc builds the program and it runs. Both run in
turn, with CUPTI's times of each kernel (gpu_kernel_times.c). Prints for each kernel the least
microseconds of a launch before and after, and how much faster it is. Needs a GPU and the CUDA SDK
with CUPTI, not drano. Exit status 1 if a kernel is more than 3 % slower.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from gpu_measure import _timer

HERE = Path(__file__).resolve().parent


def times(program: Path, folder: Path, arguments: list[str], library: Path) -> dict[str, float]:
    """Microseconds of a launch of each kernel."""
    out = program.with_suffix(".times")
    variables = {**os.environ, "CUDA_INJECTION64_PATH": str(library), "KERNEL_TIMES": str(out)}
    subprocess.run(
        [str(program), *arguments], cwd=folder, env=variables, check=True,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    found = {}
    for line in out.read_text().splitlines():
        count, nanoseconds, name = line.split(" ", 2)
        found[_function(name)] = int(nanoseconds) / int(count) / 1000
    return found


def _function(name: str) -> str:
    """A mangled name without its parameters, whose types a fix may change."""
    plain = re.match(r"_Z(\d+)(?=[A-Za-z_])", name)
    return name[plain.end() : plain.end() + int(plain[1])] if plain else name


def main() -> int:
    words = sys.argv[1:]
    arguments = words[words.index("--") + 1 :] if "--" in words else []
    words = words[: words.index("--")] if "--" in words else words
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--repeat", type=int, default=7)
    options, build = parser.parse_known_args(words)
    best: list[dict[str, float]] = [{}, {}]
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        shutil.copy2(HERE / "gpu_kernel_times.c", folder)
        library = _timer(folder)
        programs: list[tuple[Path, Path]] = []
        for tree in (options.before.resolve(), options.after.resolve()):
            program = folder / f"{len(programs)}.program"
            subprocess.run(["nvcc", "-O3", *build, "-o", str(program)], check=True, cwd=tree)
            programs.append((program, tree))
        for _ in range(options.repeat):
            for kept, (program, tree) in zip(best, programs, strict=True):
                for kernel, value in times(program, tree, arguments, library).items():
                    kept[kernel] = min(value, kept.get(kernel, value))
    slower = False
    for kernel, old in sorted(best[0].items(), key=lambda item: -item[1]):
        new = best[1][kernel]
        print(f"{kernel}: {old:.2f} → {new:.2f} µs ({old / new:.2f}x)")
        slower |= old / new < 0.97
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
