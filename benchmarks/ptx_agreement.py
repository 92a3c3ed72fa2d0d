"""Does a program's PTX give the verdicts that its source gives?

    python -m benchmarks.ptx_agreement NAME=CHECKOUT... [--sample N] [--keep DIR] [--jobs N]
        [--nvcc NVCC | --clang] [--list]

``NAME``: one of ``codebases.toml``. Each unit that nvcc compiles (``-O3 -ptx -lineinfo
-arch=sm_90``) is analysed twice, from its source and from that PTX, as compiled and with the
launches of the source. ``--clang``: LLVM makes the PTX instead. ``--keep``: a folder for the PTX,
for the next time; ``--sample``: only every so many units that about N are left; ``--list``: each
line that differs.

A line's answer is the worst of its accesses to global memory, in kernels that both have. Lines that
only one side has are counted apart: nvcc gives an access the line where its statement begins, and
leaves out what it can. Columns: units that nvcc compiles, of which the PTX is read; modules that
are refused; lines that both have; the same verdict; differing lines by class: the source's
verdict, then the PTX's; lines of one side only. Then what is told of each class.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

import drano.frontend
from benchmarks.codebases import GLOBAL, codebases
from drano.frontend.clang import compile_unit
from drano.frontend.headers.stand_ins import OWN_STUBS
from drano.host.launching.launch_text import encoded
from drano.host.launching.unit_launches import unit_launches
from drano.ir.optimised_ptx import ptx_of
from drano.model.access import Access
from drano.model.judgement import Verdict
from drano.model.report import FileReport, FileStatus
from drano.model.settings import CompileOptions, Config
from drano.model.symbols import common_symbol
from drano.run.driver import check_unit

Line: TypeAlias = tuple[str, int]
_ARCH = "sm_90"
_OLD_RUNTIME = Path(drano.frontend.__file__).parent / "prelude" / "old_runtime.h"
_WORST = (Verdict.COALESCED, Verdict.UNKNOWN, Verdict.UNCOALESCED)


class Compared(Struct):
    """One unit, or all of a code base."""

    name: str
    units: int = 0
    refused: list[str] = field(default_factory=list)
    lines: int = 0
    same: int = 0
    differing: list[str] = field(default_factory=list)
    classes: Counter[str] = field(default_factory=Counter)
    source_only: int = 0
    ptx_only: int = 0

    def add(self, other: Compared) -> None:
        self.units += other.units
        self.refused += other.refused
        self.lines += other.lines
        self.same += other.same
        self.differing += other.differing
        self.classes += other.classes
        self.source_only += other.source_only
        self.ptx_only += other.ptx_only


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("checkouts", nargs="+", metavar="NAME=CHECKOUT")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    maker = parser.add_mutually_exclusive_group()
    maker.add_argument("--nvcc", default="nvcc")
    maker.add_argument("--clang", action="store_const", const=None, dest="nvcc")
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args()
    known = codebases()
    total = Compared("all")
    with tempfile.TemporaryDirectory() as temporary:
        keep = given.keep or Path(temporary)
        keep.mkdir(parents=True, exist_ok=True)
        for word in given.checkouts:
            name, _, place = word.partition("=")
            if name not in known or not Path(place).is_dir():
                parser.error(f"{word}: NAME is one of {', '.join(known)}; CHECKOUT a directory")
            root = Path(place).resolve()
            sources = known[name].sources(root)
            if given.sample:
                sources = sources[:: max(1, len(sources) // given.sample)]
            options = known[name].options(root)
            one = partial(compare, options=options, keep=keep, nvcc=given.nvcc)
            here = Compared(name)
            with ProcessPoolExecutor(given.jobs) as pool:
                for found in pool.map(one, sources):
                    here.add(found)
            print(row(here), flush=True)
            total.add(here)
    print(row(total))
    for what, count in total.classes.most_common():
        print(f"  {count:4} {what}")
    for line in (*total.refused, *(total.differing if given.list else ())):
        print(line)
    return 1 if total.refused or not total.lines else 0


def row(c: Compared) -> str:
    share = f"{100 * c.same / c.lines:.1f} %" if c.lines else "-"
    return (
        f"{c.name}: {c.units} units, {len(c.refused)} refused; {c.lines} lines in both, "
        f"{c.same} the same ({share}); only in the source {c.source_only}, "
        f"only in the PTX {c.ptx_only}"
    )


def both_ways(
    source: Path, options: CompileOptions, keep: Path, nvcc: str | None
) -> tuple[FileReport, FileReport] | None:
    """What is said of a source, and of the PTX that nvcc makes of it, or without one LLVM; None
    where it makes none.
    """
    ptx = compiled(source, options, keep, nvcc)
    if ptx is None:
        return None
    config = Config(compile=options)
    config = replace(config, analysis=replace(config.analysis, derive_all=False))
    of_source = check_unit(str(source), config)
    wider = (*options.flags, *of_source.found.flags)
    launches = unit_launches(str(source), replace(options, flags=wider), None, None)
    # nvcc's names of static kernels do not say so; those of unnamed namespaces have the unit's.
    shown = [
        encoded(s if "_GLOBAL__N_" in s.kernel else replace(s, kernel=common_symbol(s.kernel)))
        for s in launches.sites
    ]
    return of_source, check_unit(str(ptx), config, shown=shown)


def compare(source: Path, options: CompileOptions, keep: Path, nvcc: str) -> Compared:
    """One unit; empty where nvcc does not compile it, or the source is not analysed."""
    found = Compared(str(source))
    reports = both_ways(source, options, keep, nvcc)
    if reports is None:
        return found
    theirs, mine = reports
    found.units = 1
    if mine.status is not FileStatus.OK:
        found.refused.append(f"{source}: {mine.diagnostics[0] if mine.diagnostics else '?'}")
        return found
    if theirs.status is not FileStatus.OK:
        return found
    kernels = [{common_symbol(k.symbol) for k in report.kernels} for report in reports]
    both = kernels[0] & kernels[1]
    ours, own = lines_of(mine, both), lines_of(theirs, both)
    for line in sorted(ours.keys() | own.keys()):
        if line not in ours:
            found.source_only += 1
        elif line not in own:
            found.ptx_only += 1
        else:
            note(found, line, own[line], ours[line])
    return found


def note(found: Compared, line: Line, source: list[Access], ptx: list[Access]) -> None:
    a, b = worst(source), worst(ptx)
    found.lines += 1
    if a.judgement.verdict is b.judgement.verdict:
        found.same += 1
        found.classes[f"both {a.judgement.verdict.value}"] += 1
        return
    names = f"{a.judgement.verdict.value} ({a.judgement.pattern.value})"
    names += f" → {b.judgement.verdict.value} ({b.judgement.pattern.value})"
    found.classes[names] += 1
    found.differing.append(
        f"{line[0]}:{line[1]}: {names}: {a.judgement.reason} | {b.judgement.reason}"
    )


def worst(accesses: Iterable[Access]) -> Access:
    return max(accesses, key=lambda access: _WORST.index(access.judgement.verdict))


def lines_of(report: FileReport, kernels: set[str]) -> dict[Line, list[Access]]:
    """Accesses to global memory by the line that a report names."""
    found: dict[Line, list[Access]] = {}
    for access in report.accesses:
        if str(access.judgement.space) in GLOBAL and common_symbol(access.kernel_symbol) in kernels:
            span = access.location.span
            found.setdefault((span.path, span.line), []).append(access)
    return found


def compiled(source: Path, options: CompileOptions, keep: Path, nvcc: str | None) -> Path | None:
    """The PTX that nvcc makes of a source, or without one LLVM; None where it makes none."""
    target = keep / (str(source).strip("/").replace("/", "@") + ".ptx")
    if not target.exists():
        target.write_text(by_nvcc(source, options, nvcc) if nvcc else by_clang(source, options))
    return target if target.stat().st_size else None


def by_nvcc(source: Path, options: CompileOptions, nvcc: str) -> str:
    """PTX of the source as it is, or with what CUDA's runtime once had besides; "" for none."""
    flags = [f"-I{directory}" for directory in options.include_dirs]
    flags += [f"-I{folder}" for folder in (source.parent, *list(source.parents)[1:3])]
    flags += [f"-D{define}" for define in options.defines]
    flags += [f"-include={header}" for header in options.force_includes]
    flags += [f"-std={options.std}"] if options.std else []
    flags += [f"-arch={_ARCH}", "-O3", "-w", "--expt-relaxed-constexpr", "--extended-lambda"]
    flags += ["-Xcompiler", f"-idirafter,{OWN_STUBS}", "-ptx", "-lineinfo"]
    for more in ((), ("-include", str(_OLD_RUNTIME))):
        command = [nvcc, *flags, *more, "-o", "-", str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout
    return ""


def by_clang(source: Path, options: CompileOptions) -> str:
    """PTX of the source, by drano's front end and LLVM's back end; "" for none."""
    options = replace(options, arch=_ARCH)
    unit = compile_unit(str(source), options)
    if unit.ir is None:
        return ""
    return ptx_of(unit.ir, str(source), _ARCH, options.timeout, options.memory, lines=True)


if __name__ == "__main__":
    sys.exit(main())
