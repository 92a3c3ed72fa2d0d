"""What drano says of Triton kernels beside what a GPU counts, by line of the Python source.

    python -m benchmarks.triton_hardware                  # needs a GPU, ncu, torch and triton
    python -m benchmarks.triton_hardware --out DIR        # keeps ncu's pages there
    python -m benchmarks.triton_hardware --pages DIR      # compares pages made before, no GPU

Each kernel of ``tests/python/triton_cases.py`` is launched once under Nsight Compute, with tensors
and sizes for which Triton specialises it as drano is told it does. Of each line and kind of access
(load, store, atomic): sectors for each request, measured, and by drano, whose bounds are those of
the requests that some lane makes. A line agrees if the measured mean is within these bounds and,
where drano knows the pattern, within 2 % of what it expects of full warps.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from drano.dynamic.profiles.nsight_compute import read_ncu
from drano.dynamic.profiles.profile import Profile
from drano.model.access import Access
from drano.model.judgement import Space

Place: TypeAlias = tuple[int, str]
_KINDS = {"load": "load", "store": "store", "atomic": "atomic"}
_TOLERANCE = 0.02


class Said(Struct, frozen=True):
    """Sectors of a request, on average over the accesses of one line: bounds, and what is expected
    of full warps (None: not known).
    """

    least: float
    most: float
    expected: float | None

    def agrees(self, measured: float) -> bool:
        """Whether a measured mean fits."""
        if not self.least * (1 - _TOLERANCE) <= measured <= self.most * (1 + _TOLERANCE):
            return False
        return self.expected is None or abs(measured - self.expected) <= _TOLERANCE * self.expected


def said_of(accesses: Iterable[Access]) -> dict[Place, Said]:
    """Of each line and kind that accesses global memory."""
    found: dict[Place, list[Access]] = {}
    for access in accesses:
        if access.judgement.space is Space.GLOBAL:
            place = (access.location.span.line, str(access.kind))
            found.setdefault(place, []).append(access)
    return {place: _mean(list(group)) for place, group in found.items()}


def _mean(group: list[Access]) -> Said:
    counts = [access.judgement.sectors for access in group]
    if any(count is None for count in counts):
        return Said(0.0, 1024.0, None)
    known = [count for count in counts if count is not None]
    expected = [count.expected for count in known]
    complete = [value for value in expected if value is not None]
    return Said(
        sum(count.minimum for count in known) / len(known),
        sum(count.maximum for count in known) / len(known),
        sum(complete) / len(complete) if len(complete) == len(expected) else None,
    )


def measured_of(profile: Profile) -> dict[Place, float]:
    """Sectors of a request at each line and kind, as counted."""
    sums: dict[Place, list[int]] = {}
    for site in profile.sites:
        if site.space in ("global", "generic") and site.executions and site.kind in _KINDS:
            total = sums.setdefault((site.line, site.kind), [0, 0])
            total[0] += site.sectors
            total[1] += site.executions
    return {place: sectors / requests for place, (sectors, requests) in sums.items()}


# --- on the GPU ------------------------------------------------------------------------------


def launch(name: str) -> None:
    """Launch one kernel of the cases, on tensors that fit its signature."""
    import torch  # noqa: PLC0415 - on a machine with a GPU

    from tests.python import triton_cases as cases  # noqa: PLC0415 - Triton

    case = next(case for case in cases.CASES if case.name == name)
    given = _given(torch)[name]()
    grid, arguments = given[0], given[1:]
    case.kernel[grid](*arguments, **case.constexprs)
    torch.cuda.synchronize()


def _given(torch: Any) -> dict[str, Callable[[], tuple[Any, ...]]]:
    """For each kernel its grid, then its arguments."""

    def floats(*shape: int) -> Any:
        return torch.rand(shape, device="cuda")

    def halves(*shape: int) -> Any:
        return torch.rand(shape, device="cuda", dtype=torch.float16)

    def integers(most: int, *shape: int, kind: Any = torch.int32) -> Any:
        return torch.randint(0, most, shape, device="cuda", dtype=kind)

    n = 1 << 20
    return {
        "add": lambda: ((n // 1024,), floats(n), floats(n), floats(n), n),
        "strided": lambda: ((64,), floats(64 * 1024 * 32), floats(64 * 1024)),
        "softmax": lambda: ((256,), floats(256, 1024), floats(256, 1024), 1024, 1024),
        "softmax_of_any_width": lambda: (
            (256,), floats(256, 1024), floats(256, 1024), 1024, 1023,
        ),
        "matmul": lambda: (
            (8, 8), halves(512, 512), halves(512, 512), halves(512, 512), 512, 512, 512, 512,
        ),
        "layer_norm": lambda: (
            (256,), floats(256, 1024), floats(256, 1024), floats(1024), 1024, 1024,
        ),
        "row_sums": lambda: ((8,), floats(1024, 1037), floats(1024), 37, 1037),
        "transpose": lambda: ((32, 32), floats(1024, 1024), floats(1024, 1024), 1024, 1024),
        "transpose_by_rows": lambda: ((1024, 8), floats(1024, 1024), floats(1024, 1024), 1024),
        "gather": lambda: ((512,), floats(n), integers(n, 512 * 128), floats(512 * 128)),
        "gather_rows": lambda: (
            (64,), floats(4096, 128), integers(4096, 1024, kind=torch.int64), floats(1024, 128),
        ),
        "attention": lambda: (
            (16,), halves(1024, 64), halves(1024, 64), halves(1024, 64), halves(1024, 64), 64, 1023,
        ),
        "structures": lambda: ((256,), floats(256 * 256, 4), floats(256 * 256)),
        "histogram": lambda: ((512,), integers(256, n), integers(1, 256), 512 * 128),
    }  # fmt: skip


def measure(name: str, folder: Path) -> Path:
    """ncu's source page of one launch. Raises CalledProcessError."""
    report, page = folder / f"{name}.ncu-rep", folder / f"{name}.csv"
    run = [sys.executable, "-m", "benchmarks.triton_hardware", "--launch", name]
    subprocess.run(
        ["ncu", "--force-overwrite", "--section", "SourceCounters", "--kernel-name", name,
         "--launch-count", "1", "--export", str(report), *run],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    text = subprocess.run(
        ["ncu", "--import", str(report), "--page", "source", "--print-source", "cuda,sass",
         "--csv"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    page.write_text(text)
    return page


def compare(name: str, page: Path, arch: str, *, shown: bool) -> tuple[int, int]:
    """How many lines agree, and how many there are."""
    from drano import check_triton  # noqa: PLC0415 - needs Triton
    from tests.python.triton_cases import CASES  # noqa: PLC0415 - Triton

    case = next(case for case in CASES if case.name == name)
    report = check_triton(
        case.kernel, signature=case.signature, constexprs=case.constexprs, arch=arch
    )
    said = said_of(report.files[0].accesses)
    measured = measured_of(read_ncu(str(page)))
    same = 0
    for place, number in sorted(measured.items()):
        known = said.get(place)
        agrees = known is not None and known.agrees(number)
        same += agrees
        if shown and not agrees:
            print(f"    line {place[0]}, {place[1]}: {number:.2f} measured, drano says {known}")
    print(f"{name:24} {same:3} of {len(measured)}")
    return same, len(measured)


def main() -> int:
    """Returns the exit status: 1 below 95 %."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, help="where ncu's pages go")
    parser.add_argument("--pages", type=Path, help="ncu's pages of an earlier run")
    parser.add_argument("--arch", default="sm_90", help="the GPU's architecture")
    parser.add_argument("--launch", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.launch:
        launch(options.launch)
        return 0
    from tests.python.triton_cases import CASES  # noqa: PLC0415 - Triton

    with tempfile.TemporaryDirectory() as temporary:
        folder = options.pages or options.out or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        same = total = 0
        for case in CASES:
            page = folder / f"{case.name}.csv"
            if options.pages is None:
                measure(case.name, folder)
            counts = compare(case.name, page, options.arch, shown=True)
            same, total = same + counts[0], total + counts[1]
    print(f"{'all':24} {same:3} of {total}: {100 * same / max(total, 1):.1f} %")
    return int(same < 0.95 * total)


if __name__ == "__main__":
    sys.exit(main())
