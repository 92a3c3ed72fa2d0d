"""What the precompiled prelude saves: clang's time of a small kernel with and without it.

    python benchmarks/clang_pch.py [--repeat N] [FILE.cu…]

Without files, a five-line kernel of its own. Both ways take turns, so that a busy machine hurts
both alike; the least of N counts. Wanted: at most 0.3 s with the prelude for the small kernel.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from drano.frontend.clang import compile_unit
from drano.model.settings import CompileOptions

KERNEL = """\
__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[2 * i] *= 0.5f;
}
"""


def seconds(path: str, *, precompiled: bool) -> float:
    unit = compile_unit(path, CompileOptions(stub_missing_headers=True), precompiled=precompiled)
    if unit.ir is None:
        raise SystemExit(str(unit.diagnostics[0]))
    return unit.seconds


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--repeat", type=int, default=5, metavar="N")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as directory:
        small = Path(directory) / "small.cu"
        small.write_text(KERNEL, encoding="utf-8")
        print(f"{'with':>7} {'without':>8} {'ratio':>6}")
        for path in arguments.files or [str(small)]:
            seconds(path, precompiled=True)  # builds the prelude, which no later run pays for
            pairs = [
                (seconds(path, precompiled=True), seconds(path, precompiled=False))
                for _ in range(arguments.repeat)
            ]
            least, most = min(first for first, _ in pairs), min(second for _, second in pairs)
            print(f"{least:6.3f}s {most:7.3f}s {most / least:5.1f}x  {Path(path).name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
