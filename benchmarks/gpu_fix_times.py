"""Times on a GPU of a program's kernels, before and after `drano fix`.

    python benchmarks/gpu_fix_times.py [--unsafe-fixes] [--repeat 5] SOURCE.cu... [FLAGS] [-- ARGS]

Both versions are built with nvcc and run ``--repeat`` times in turn, with CUPTI's times of each
kernel (gpu_kernel_times.c). Prints for each kernel that a fix has changed, and the others that take
longer than a hundredth of all: the least microseconds for a launch before and after, and how much
faster it is; then the geometric mean of the changed ones. Needs a GPU and the CUDA SDK with CUPTI.
Exit status 1 if a kernel that only safe fixes have changed is more than 3 % slower.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from gpu_measure import _timer

from drano.fix.search import mended
from drano.fix.trial import Unit, analysed
from drano.model.settings import Config

HERE = Path(__file__).resolve().parent


def times(program: Path, arguments: list[str], library: Path) -> dict[str, float]:
    """Microseconds of a launch of each kernel."""
    out = program.with_suffix(".times")
    variables = {**os.environ, "CUDA_INJECTION64_PATH": str(library), "KERNEL_TIMES": str(out)}
    subprocess.run([str(program), *arguments], env=variables, check=True, stdout=subprocess.DEVNULL)
    found = {}
    for line in out.read_text().splitlines():
        count, nanoseconds, name = line.split(" ", 2)
        found[name.partition("(")[0].rpartition(" ")[2]] = int(nanoseconds) / int(count) / 1000
    return found


def main() -> int:
    words = sys.argv[1:]
    arguments = words[words.index("--") + 1 :] if "--" in words else []
    words = words[: words.index("--")] if "--" in words else words
    unsafe = "--unsafe-fixes" in words
    repeat = int(words.pop(words.index("--repeat") + 1)) if "--repeat" in words else 5
    words = [word for word in words if word not in {"--unsafe-fixes", "--repeat"}]
    sources = [Path(word).resolve() for word in words if word.endswith(".cu")]
    flags = [word for word in words if not word.endswith(".cu")]
    nvcc = shutil.which("nvcc")
    if nvcc is None or not sources:
        raise SystemExit("needs nvcc in PATH, and a .cu file")
    changed: dict[str, bool] = {}
    texts: dict[str, bytes] = {}
    for source in sources:
        unit = Unit(str(source), Config(), dict(texts))
        found = mended(unit, analysed(unit), unsafe=unsafe)
        texts |= found.texts
        for offer in found.made:
            print(f"{offer.fix.edit}: {offer.fix.title} ({offer.promise})")
            kernel = offer.finding.kernel.partition("<")[0]
            changed[kernel] = changed.get(kernel, True) and offer.fix.safe
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        shutil.copy2(HERE / "gpu_kernel_times.c", folder)
        library = _timer(folder)
        programs = []
        for name, edited in (("before", {}), ("after", texts)):
            tree = folder / name
            for parent in dict.fromkeys(source.parent for source in sources):
                shutil.copytree(parent, str(tree) + str(parent), dirs_exist_ok=True)
            for path, text in edited.items():
                Path(str(tree) + path).write_bytes(text)
            program = folder / f"{name}.program"
            copies = [str(tree) + str(source) for source in sources]
            subprocess.run([nvcc, "-O3", *flags, *copies, "-o", str(program)], check=True)
            programs.append(program)
        best: list[dict[str, float]] = [{}, {}]
        for _ in range(repeat):
            for kept, program in zip(best, programs, strict=True):
                for kernel, value in times(program, arguments, library).items():
                    kept[kernel] = min(value, kept.get(kernel, value))
    ratios, slower = [], False
    for kernel, old in sorted(best[0].items(), key=lambda item: -item[1]):
        new = best[1].get(kernel)
        mine = next((name for name in changed if kernel.partition("<")[0].endswith(name)), None)
        if new is None or (mine is None and old < sum(best[0].values()) / 100):
            continue
        ratio = old / new
        print(f"{kernel}: {old:.1f} → {new:.1f} µs ({ratio:.2f}x){'' if mine else ', not changed'}")
        if mine is not None:
            ratios.append(ratio)
            slower |= changed[mine] and ratio < 0.97
    if ratios:
        print(f"geometric mean: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}x")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
