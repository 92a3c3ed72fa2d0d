"""``python -m rodinia fixes``: the fixes' copies of the suite, and what each of them is worth.

Static: drano's findings in the fix's kernels, and the sum over their accesses of the sectors that a
full warp is predicted to take (of those accesses that have a prediction on both sides). Dynamic:
sectors and wavefronts of the same kernels, counted on the CPU with the manifest's run. A GPU's
times come from ``measure_fixes.py``, in the folder that ``export`` writes.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from drano.model.report import FileStatus
from drano.model.settings import Config
from rodinia.fixes import measure_fixes
from rodinia.fixes.patches import Fix, apply, copy_suite
from rodinia.measured.lines import base_name
from rodinia.pages import show
from rodinia.programs import inputs, run
from rodinia.programs.analyse import analyse
from rodinia.programs.inputs import Size
from rodinia.programs.manifest import Manifest, ManifestError, Program, Run
from rodinia.programs.run import RunResult

COLUMNS = (
    "fix", "kernels", "rule", "what is done", "findings", "static sectors", "sectors counted",
    "fewer sectors", "wavefronts counted", "fewer wavefronts", "GPU time", "faster", "remarks",
)  # fmt: skip

OLD_NAMES = """\
/* Names that newer toolkits have dropped; and the same random numbers each time. */
#include <time.h>
#define time(pointer) 7
#ifdef __CUDACC__
#include <cuda_runtime.h>
#if CUDART_VERSION >= 13000
#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#define clockRate major
#define deviceOverlap asyncEngineCount
#endif
#endif
"""


class Measured(Struct, frozen=True):
    """One version of a fix's kernels. ``sectors`` and ``wavefronts`` are None where the program did
    not run; ``predicted``: sectors of a full warp by access.
    """

    findings: int
    predicted: int
    sectors: int | None
    wavefronts: int | None
    problem: str


class Outcome(Struct, frozen=True):
    """A fix before and after; ``gpu``: (microseconds before, after, results), where measured."""

    fix: Fix
    before: Measured
    after: Measured
    gpu: tuple[float, float, str] | None


def measure(
    manifest: Manifest, cuda: Path, fixes: Sequence[Fix], work: Path, size: Size, *,
    timeout: float, gpu: Path | None, on_fix: Callable[[str], None] = lambda _: None,
) -> tuple[Outcome, ...]:  # fmt: skip
    """Every fix of the manifest's programs, both versions analysed and run on the CPU."""
    times = read_gpu(gpu) if gpu else {}
    known = {program.name for program in manifest.programs}
    outcomes = []
    for fix in fixes:
        if fix.program not in known:
            continue
        program = _only(manifest.program(fix.program), fix)
        one = replace(manifest, programs=(program,))
        place = work.resolve() / "fixes" / fix.name
        # without flags of its own, the version before is the manifest's run, perhaps done already
        first = place / "before" if fix.compile else work.resolve()
        before = _measured(one, cuda, fix, first, work, size, timeout)
        target = place / "cuda"
        copy_suite(cuda, program, target)
        try:
            apply(fix, target / program.directory)
            after = _measured(one, target, fix, place / "after", work, size, timeout)
        except ManifestError as error:
            after = Measured(0, 0, None, None, str(error))
        outcomes.append(Outcome(fix, before, after, times.get(fix.name)))
        on_fix(fix.name)
    return tuple(outcomes)


def _only(program: Program, fix: Fix) -> Program:
    """The program with the fix's one run, and its further flags everywhere."""
    flags = replace(program.flags, flags=(*program.flags.flags, *fix.compile))
    runs = tuple(r for r in program.runs if r.name == fix.run)
    if not runs:
        raise ManifestError(f"fix {fix.name}: no run '{fix.run}' in the manifest")
    units = tuple(
        replace(u, compile=replace(u.compile, flags=(*u.compile.flags, *fix.compile)))
        for u in program.units
    )
    return replace(program, flags=flags, runs=runs, units=units)


def _measured(
    manifest: Manifest, cuda: Path, fix: Fix, place: Path, work: Path, size: Size, timeout: float
) -> Measured:
    place.mkdir(parents=True, exist_ok=True)
    given = place / "inputs"
    inputs.make(work.resolve() / "inputs", size)
    if not given.exists():
        given.symlink_to(work.resolve() / "inputs")
    (result,) = run.run_all(manifest, cuda, place, size, timeout=timeout)
    sectors, wavefronts = _counted(place, size, result, fix) if result.good else (None, None)
    findings, predicted, problem = _static(manifest, cuda, fix)
    status = "" if result.good else result.status
    return Measured(findings, predicted, sectors, wavefronts, problem or status)


def _counted(place: Path, size: Size, result: RunResult, fix: Fix) -> tuple[int, int]:
    profile = run.profile_of(place, size, result.name)
    data = json.loads(profile.read_text(encoding="utf-8"))
    # functions are called by their plain names; a kernel's symbol contains its own
    mine = [s for s in data["sites"] if any(_is(s["kernel"], name) for name in fix.kernels)]
    return sum(s["sectors"] for s in mine), sum(s["wavefronts"] for s in mine)


def _is(symbol: str, kernel: str) -> bool:
    """Whether a kernel's mangled name is that of ``kernel``: ``_Z6KernelP4Node`` is ``Kernel``."""
    return symbol == kernel or symbol.startswith(f"_Z{len(kernel)}{kernel}")


def _static(manifest: Manifest, cuda: Path, fix: Fix) -> tuple[int, int, str]:
    results = analyse(manifest, cuda, Config())
    failed = [r for r in results if r.report.status is not FileStatus.OK]
    findings: set[object] = set()
    predicted: dict[object, int] = {}
    for result in results:
        for finding in result.report.findings:
            access = finding.access
            if access and base_name(access.kernel) in fix.kernels:
                findings.add((finding.rule, access.kernel, access.ordinal))
        for access in result.report.accesses:
            sectors = access.judgement.sectors
            if base_name(access.kernel) in fix.kernels and sectors and sectors.expected:
                predicted[access.kernel, access.ordinal] = round(sectors.expected)
    return len(findings), sum(predicted.values()), "does not compile" if failed else ""


# --- the GPU's part ---------------------------------------------------------------------------


def export(
    manifest: Manifest, cuda: Path, fixes: Sequence[Fix], folder: Path, work: Path
) -> tuple[str, ...]:
    """Write all that ``measure_fixes.py`` needs into ``folder``; the names of the fixes in it."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "stubs").mkdir(parents=True)
    (folder / "stubs" / "old_names.h").write_text(OLD_NAMES, encoding="utf-8")
    shutil.copy2(Path(measure_fixes.__file__), folder / "measure_fixes.py")
    given = inputs.make(work / "inputs", Size.MEDIUM)
    entries = []
    for fix in fixes:
        program = manifest.program(fix.program)
        runs = [r for r in program.runs if r.name == fix.run]
        if not runs:
            raise ManifestError(f"fix {fix.name}: no run '{fix.run}' in the manifest")
        for version in ("before", "after"):
            place = folder / version / fix.name
            _copy_sources(cuda, program, place)
            if version == "after":
                apply(fix, place / program.directory)
        entries.append(_entry(fix, program, runs[0], folder, given))
    (folder / "fixes.json").write_text(json.dumps(entries, indent=1), encoding="utf-8")
    return tuple(fix.name for fix in fixes)


def _copy_sources(cuda: Path, program: Program, place: Path) -> None:
    """The program's text files, and the suite's small shared headers."""
    ignore = shutil.ignore_patterns("*.o", "*.tar", "*.gz", "*.txt", "*.pdf", "*.avi", "Makefile*")
    shutil.copytree(cuda / program.directory, place / program.directory, ignore=ignore)
    if (cuda / "util").is_dir():
        shutil.copytree(cuda / "util", place / "util", ignore=ignore)


def _entry(fix: Fix, program: Program, build: Run, folder: Path, given: Path) -> dict[str, object]:
    stubs = folder / "stubs" / fix.name
    stubs.mkdir()
    for name, text in build.stubs.items():
        (stubs / name).parent.mkdir(parents=True, exist_ok=True)
        (stubs / name).write_text(text + "\n", encoding="utf-8")
    (folder / "inputs").mkdir(exist_ok=True)
    for name in build.inputs:
        shutil.copy2(given / name, folder / "inputs" / name)
    if fix.run == "nn":
        short = (given / "filelist").read_text(encoding="utf-8")
        (folder / "inputs" / "filelist_long").write_text(short * 50, encoding="utf-8")
    flags = program.flags
    return {
        "name": fix.name,
        "kernels": fix.kernels,
        "directory": program.directory,
        "sources": build.sources,
        "compile": [
            *(f"-I{entry}" for entry in flags.include_dirs), *flags.flags, *build.compile,
            *fix.compile,
        ],
        "check_compile": fix.check_compile,
        "arguments": fix.gpu_arguments,
        "check_arguments": fix.check_arguments,
        "files": fix.gpu_files,
        "check_after": fix.check_after,
        "check_lines": fix.check_lines,
        "near": fix.near,
    }  # fmt: skip


def read_gpu(path: Path) -> dict[str, tuple[float, float, str]]:
    """What ``measure_fixes.py`` wrote: microseconds before and after, and whether results agree."""
    found = {}
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            try:
                times = float(row["before_us"]), float(row["after_us"])
                found[row["fix"]] = (*times, row["results"])
            except (KeyError, TypeError, ValueError):
                continue  # a fix that could not be measured there
    return found


# --- as a table -------------------------------------------------------------------------------


def cells(outcome: Outcome) -> tuple[show.Cell, ...]:
    """One row of the table."""
    fix, before, after = outcome.fix, outcome.before, outcome.after
    gpu = outcome.gpu
    remarks = [f"{name}: {m.problem}" for name, m in (("before", before), ("after", after))
               if m.problem]  # fmt: skip
    if gpu and gpu[2] != "agree":
        remarks.append(f"on the GPU: {gpu[2]}")
    return (
        fix.name,
        ", ".join(fix.kernels),
        fix.rule,
        fix.idea,
        f"{before.findings} → {after.findings}",
        f"{before.predicted} → {after.predicted}",
        _pair(before.sectors, after.sectors),
        _less(before.sectors, after.sectors),
        _pair(before.wavefronts, after.wavefronts),
        _less(before.wavefronts, after.wavefronts),
        f"{gpu[0]:.1f} → {gpu[1]:.1f} µs" if gpu else "-",
        f"{100 * (gpu[0] - gpu[1]) / gpu[0]:.1f} %" if gpu else "-",
        "; ".join(remarks),
    )


def _pair(before: int | None, after: int | None) -> str:
    return "-" if before is None or after is None else f"{before} → {after}"


def _less(before: int | None, after: int | None) -> str:
    return f"{100 * (before - after) / before:.1f} %" if before and after is not None else "-"
