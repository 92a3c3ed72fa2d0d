"""What drano says of Numba and CuPy kernels beside what a GPU counts, by line of the source.

    python -m benchmarks.python_hardware --record DIR     # anywhere, once: needs Numba, no GPU
    python -m benchmarks.python_hardware --kernels DIR    # on the GPU: needs CuPy, nvcc and ncu
    python -m benchmarks.python_hardware --kernels DIR --out PAGES     # keeps ncu's pages there
    python -m benchmarks.python_hardware --kernels DIR --pages PAGES   # compares again, no GPU

``--record`` writes the PTX of the kernels of ``tests/python/numba_cases.py``, which is carried to
the GPU with the checkout: Numba itself need not be there. CuPy's are the strings of
``tests/cases/python/cupy_kernels.py``. There ptxas and nvcc (``--arch``) make machine code with
lines of both, CuPy launches it once under Nsight Compute, and sectors for each request are compared
as ``triton_hardware`` does: measured means within drano's bounds, and within 2 % of what it
expects where it knows the pattern. Of unknown accesses the bounds alone count. Where a verdict
depends on a size, drano is told that of the launch, as by ``--assume``.
"""

from __future__ import annotations

import argparse
import ast
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from benchmarks.triton_hardware import measured_of, said_of
from drano.dynamic.profiles.nsight_compute import read_ncu
from drano.model.access import Access
from drano.model.judgement import Verdict
from drano.model.settings import AnalysisOptions, Config
from drano.run.driver import check

ROOT = Path(__file__).parents[1]
NUMBA = ROOT / "tests" / "python" / "numba_cases.py"
CUPY = ROOT / "tests" / "cases" / "python" / "cupy_kernels.py"
N = 1 << 20
_FILE = re.compile(r'^(\s*\.file\s+\d+\s+)"[^"\n]*numba_cases\.py"', re.MULTILINE)
_VERSION = re.compile(r"^(\.version )\d+\.\d+", re.MULTILINE)
_SYMBOL = re.compile(r"\.entry\s+([\w$]+)")


class Launch(Struct, frozen=True):
    """``arguments``: made of CuPy's module when it is there; ``assume``: sizes that they have."""

    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: Callable[[Any], list[Any]]
    assume: tuple[tuple[str, float], ...] = ()


# --- what is launched ------------------------------------------------------------------------


def _floats(*shape: int) -> Callable[[Any], Any]:
    return lambda cp: cp.random.random(shape, dtype=cp.float32)


def _integers(most: int, count: int) -> Callable[[Any], Any]:
    return lambda cp: cp.random.randint(0, most, count, dtype=cp.int32)


def _launch(grid: tuple[int, ...], block: tuple[int, ...], *made: Any) -> Launch:
    """Of Numba's kernels: arrays become the parameters that Numba passes for them."""

    def arguments(cp: Any) -> list[Any]:
        arrays = [one(cp) for one in made]
        _KEPT.extend(arrays)
        return [part for array in arrays for part in _as_numba_passes(cp, array)]

    return Launch(grid, block, arguments)


def _as_numba_passes(cp: Any, array: Any) -> list[Any]:
    """Meminfo, parent, size, item size, data, shape, strides; an array stands for its address."""
    sizes = (*array.shape, *array.strides)
    head = [cp.uint64(0), cp.uint64(0), cp.int64(array.size), cp.int64(array.itemsize)]
    return [*head, cp.uint64(array.data.ptr), *map(cp.int64, sizes)]


def _records(cp: Any) -> Any:
    """An array of structures of three floats; what is in them does not matter."""
    data = cp.zeros(3 * N, dtype=cp.float32)

    class Records(Struct):
        data: Any
        shape: tuple[int, ...] = (N,)
        strides: tuple[int, ...] = (12,)
        size: int = N
        itemsize: int = 12

    _KEPT.append(data)
    return Records(data.data)


def _every_fourth(cp: Any) -> Any:
    return cp.random.random(4 * N, dtype=cp.float32)[::4]


_KEPT: list[Any] = []
"""Arrays of which a kernel is given the address only."""
_LINE, _SQUARE = ((N // 256,), (256,)), ((32, 128), (32, 8))
_TILES = ((32, 32), (32, 32))
_PLANE = (_floats(1024, 1024), _floats(1024, 1024))
NUMBA_LAUNCHES = {
    "vector_add": _launch(*_LINE, _floats(N), _floats(N), _floats(N)),
    "column_major": _launch(*_SQUARE, *_PLANE),
    "row_major": _launch(*_SQUARE, *_PLANE),
    "transpose": _launch(*_SQUARE, *_PLANE),
    "transpose_by_tiles": _launch(*_TILES, *_PLANE),
    "transpose_with_conflicts": _launch(*_TILES, *_PLANE),
    "stencil": _launch(*_LINE, _floats(N), _floats(N)),
    "strided": _launch(*_LINE, _floats(8 * N), _floats(N)),
    "gather": _launch(*_LINE, _floats(N), _integers(N, N), _floats(N)),
    "structures": replace(
        _launch(*_LINE, _floats(N, 4), _floats(N)), assume=(("points.shape[1]", 4),)
    ),
    "records": _launch(*_LINE, _records, _floats(N)),
    "grid_stride": _launch((128,), (256,), _floats(N), _floats(N)),
    "grid_stride_by_range": _launch((128,), (256,), _floats(N), _floats(N)),
    "pieces": _launch((N // 64 // 256,), (256,), _floats(N), _floats(N // 64)),
    "block_sums": _launch(*_LINE, _floats(N), _floats(N // 256)),
    "of_any_stride": replace(
        _launch(*_LINE, _every_fourth, _floats(N)), assume=(("x.strides[0]", 16),)
    ),
    "calls_a_function": _launch(*_LINE, _floats(5 * N), _floats(N)),
    "histogram": _launch(*_LINE, _integers(256, N), _integers(1, 256)),
}


def _plain(*made: Any) -> Callable[[Any], list[Any]]:
    def arguments(cp: Any) -> list[Any]:
        return [one(cp) if callable(one) else cp.int32(one) for one in made]

    return arguments


# The grids and sizes of ``cupy_kernels.main``, by which drano analyses them.
CUPY_LAUNCHES = {
    "add": Launch(*_LINE, _plain(_floats(N), _floats(N), _floats(N), N)),
    "row_sums": Launch((8,), (128,), _plain(_floats(N), _floats(N), 1024, 1024)),
    "transpose": Launch(*_TILES, _plain(_floats(N), _floats(N), 1024, 1024)),
    "first_of_eight": Launch((N // 2048,), (256,), _plain(_floats(N), _floats(N), N // 8)),
    "count": Launch(*_LINE, _plain(_integers(256, N), _integers(1, N), N)),
}
LAUNCHES = {f"numba-{name}": launch for name, launch in NUMBA_LAUNCHES.items()} | {
    f"cupy-{name}": launch for name, launch in CUPY_LAUNCHES.items()
}


# --- without a GPU ---------------------------------------------------------------------------


def record(folder: Path) -> None:
    """Write each Numba kernel's PTX, with how it will be launched."""
    from drano.python.numba_ptx import kernel_ptx  # noqa: PLC0415 - needs Numba
    from tests.python.numba_cases import CASES  # noqa: PLC0415 - Numba

    folder.mkdir(parents=True, exist_ok=True)
    for case in CASES:
        launch = NUMBA_LAUNCHES[case.name]
        assert launch.block == case.block
        ptx = kernel_ptx(case.kernel, case.signature, launches=[(launch.grid, launch.block)])
        (folder / f"{case.name}.ptx").write_text(ptx, encoding="utf-8")
    print(f"{len(CASES)} kernels in {folder}")


def placed(folder: Path, target: Path) -> None:
    """The PTX with its lines in this checkout's source, and CuPy's sources at their own lines."""
    for name in NUMBA_LAUNCHES:
        text = (folder / f"{name}.ptx").read_text(encoding="utf-8")
        text = _VERSION.sub(r"\g<1>8.7", text)  # for an older ptxas: they need nothing newer
        (target / f"numba-{name}.ptx").write_text(_FILE.sub(rf'\1"{NUMBA}"', text))
    for name, (line, text) in cupy_sources().items():
        (target / f"cupy-{name}.cu").write_text(f'#line {line} "{CUPY}"\n{text}')


def cupy_sources() -> dict[str, tuple[int, str]]:
    """Line and text of each kernel's string."""
    found: dict[str, tuple[int, str]] = {}
    for node in ast.walk(ast.parse(CUPY.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "RawKernel":
            code, name = (a for a in node.args[:2] if isinstance(a, ast.Constant))
            found[str(name.value)] = (code.lineno, str(code.value))
    return found


def symbol_of(name: str, folder: Path) -> str:
    """What the kernel is called in its machine code."""
    if name.startswith("cupy-"):
        return name.removeprefix("cupy-")
    match = _SYMBOL.search((folder / f"{name}.ptx").read_text(encoding="utf-8"))
    assert match is not None
    return match[1]


def accesses_of(name: str, folder: Path) -> tuple[Access, ...]:
    """What drano says."""
    if name.startswith("cupy-"):
        (file,) = check([str(CUPY)]).files
        return tuple(a for a in file.accesses if a.kernel == name.removeprefix("cupy-"))
    sizes = AnalysisOptions(assume=LAUNCHES[name].assume)
    (file,) = check([str(folder / f"{name}.ptx")], Config(analysis=sizes)).files
    return tuple(file.accesses)


# --- on the GPU ------------------------------------------------------------------------------


def build(folder: Path, arch: str) -> None:
    """Machine code of all, with lines."""
    for path in sorted(folder.glob("*.ptx")):
        tool = ["ptxas", "-lineinfo", f"-arch={arch}", str(path)]
        subprocess.run([*tool, "-o", str(path.with_suffix(".cubin"))], check=True)
    for path in sorted(folder.glob("*.cu")):
        tool = ["nvcc", "-O3", "-cubin", "-lineinfo", f"-arch={arch}", str(path)]
        subprocess.run([*tool, "-o", str(path.with_suffix(".cubin"))], check=True)


def launch(name: str, folder: Path) -> None:
    """Launch one kernel once."""
    import cupy as cp  # noqa: PLC0415 - on a machine with a GPU

    given = LAUNCHES[name]
    module = cp.RawModule(path=str(folder / f"{name}.cubin"))
    kernel = module.get_function(symbol_of(name, folder))
    arguments = given.arguments(cp)
    kernel(given.grid, given.block, tuple(arguments))
    cp.cuda.Device().synchronize()


def measure(name: str, folder: Path, pages: Path) -> None:
    """ncu's source page of one launch. Raises CalledProcessError."""
    report = folder / f"{name}.ncu-rep"
    run = [sys.executable, "-m", "benchmarks.python_hardware", "--launch", name]
    subprocess.run(
        ["ncu", "--force-overwrite", "--section", "SourceCounters", "--kernel-name-base", "mangled",
         "--kernel-name", symbol_of(name, folder), "--launch-count", "1", "--export", str(report),
         *run, "--kernels", str(folder)],
        check=True, stdout=subprocess.DEVNULL, cwd=ROOT,
    )  # fmt: skip
    text = subprocess.run(
        ["ncu", "--import", str(report), "--page", "source", "--print-source", "cuda,sass",
         "--csv"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    (pages / f"{name}.csv").write_text(text)


def compare(name: str, folder: Path, page: Path) -> tuple[int, int]:
    """How many lines agree, and how many there are."""
    accesses = accesses_of(name, folder)
    said = said_of(accesses)
    for access in accesses:  # what may be otherwise is not expected to be as it mostly is
        if access.judgement.verdict is Verdict.UNKNOWN:
            place = (access.location.span.line, str(access.kind))
            said |= {place: replace(said[place], expected=None)} if place in said else {}
    measured = measured_of(read_ncu(str(page)))
    same = 0
    for place, number in sorted(measured.items()):
        known = said.get(place)
        agrees = known is not None and known.agrees(number)
        same += agrees
        if not agrees:
            print(f"    line {place[0]}, {place[1]}: {number:.2f} measured, drano says {known}")
    print(f"{name:32} {same:3} of {len(measured)}")
    return same, len(measured)


def main() -> int:
    """Returns the exit status: 1 below 95 %."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--record", type=Path, help="where the PTX of Numba's kernels goes")
    parser.add_argument("--kernels", type=Path, help="PTX that was recorded")
    parser.add_argument("--out", type=Path, help="where ncu's pages go")
    parser.add_argument("--pages", type=Path, help="ncu's pages of an earlier run")
    parser.add_argument("--arch", default="sm_90", help="the GPU's architecture")
    parser.add_argument("--launch", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.record:
        record(options.record)
        return 0
    if options.kernels is None:
        parser.error("needs --record DIR or --kernels DIR")
    if options.launch:
        launch(options.launch, options.kernels)
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        placed(options.kernels, folder)
        pages: Path = options.pages or options.out or folder
        pages.mkdir(parents=True, exist_ok=True)
        if options.pages is None:
            for tool in ("ptxas", "nvcc", "ncu"):
                if shutil.which(tool) is None:
                    parser.error(f"needs {tool} on PATH")
            build(folder, options.arch)
        same = total = 0
        for name in LAUNCHES:
            if options.pages is None:
                measure(name, folder, pages)
            counts = compare(name, folder, pages / f"{name}.csv")
            same, total = same + counts[0], total + counts[1]
    print(f"{'all':32} {same:3} of {total}: {100 * same / max(total, 1):.1f} %")
    return int(same < 0.95 * total)


if __name__ == "__main__":
    sys.exit(main())
