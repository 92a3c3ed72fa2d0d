"""Verdicts on a code base's programs against a GPU's counters, line by line.

    python -m benchmarks.samples_score CHECKOUT TRUTH [--codebase NAME] [--program NAME...]
        [--show KIND...] [--view VIEW] [--ptx DIR] [--jobs N]

``TRUTH``: a table with the columns of ``rodinia_hardware.csv``, files relative to ``CHECKOUT``. A
line of loads and stores of global memory is uncoalesced when its sectors are 1.3 times the ideal or
more, coalesced when they are at most 1.02 times; between the two it counts neither way.
``reported``: a finding of an uncoalesced access or a column walk stands on it; ``unknown``: no
finding, and a verdict that is unknown; ``absent``: no access of global memory at all. Findings in
other instances of a template than those that ran count neither way.

Proofs are held against single rows: the accesses of one line, kind, width and kernel, all decided
for the block that was measured; a row without a block is held against all of them, where all are
known. ``refuted``: all are proved coalesced, or all uncoalesced, whatever the sizes are, and the
row says the opposite; ``outside``: its sectors lie outside their bounds.
Warps without an active lane are in the number of requests, so that the least is held against what
the lanes need.

``--codebase``: how it is compiled, one of ``codebases.toml``; where there is a Makefile beside the
sources, units, defines and includes are those of its commands. A line without an access has those
of functions that are inlined there, or of its statement, in which compilers differ about lines; a
finding in a function that is inlined at a line that has some counts for it, never against it, as
counters may have its instructions at both lines or at one.
``--ptx``: analyse the PTX that nvcc makes of the units, kept in that folder, with the launches of
the sources. ``--show``: list the lines that are
``missed``, ``false``, ``unknown``, ``absent``, ``refuted`` or ``outside``.
"""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from benchmarks.codebases import codebases
from benchmarks.ptx_agreement import both_ways
from drano.model.access import Access, block_text
from drano.model.finding import Severity
from drano.model.hardware import WARP_SIZE
from drano.model.judgement import Pattern, Verdict
from drano.model.report import FileReport, Report
from drano.model.settings import AnalysisOptions, CompileOptions, Config, View
from drano.run.driver import check
from drano.run.parallel import Processes, default_jobs
from rodinia.programs import manifest
from rodinia.programs.analyse import directory

Line: TypeAlias = tuple[str, int]
UNCOALESCED, COALESCED = 1.3, 1.02
_KINDS = ("missed", "false", "unknown", "absent", "refuted", "outside")
_RULES = frozenset({"DRN001", "DRN002", "DRN003", "DRN004"})
_NAME = re.compile(r"(?:^|[\s:])(\w+)(?=[<(]|$)")


class Counts(Struct):
    """What was measured of some rows: ``requests`` of warps, those without a lane included."""

    requests: int = 0
    lanes: int = 0
    sectors: int = 0
    ideal: int = 0

    def add(self, row: Mapping[str, str]) -> None:
        """One more row of the table. Changes it."""
        self.requests += int(row["warp_insts"])
        self.lanes += int(row["thread_insts"])
        self.sectors += int(row["sectors"])
        self.ideal += int(row["sectors_ideal"])

    @property
    def uncoalesced(self) -> bool:
        return self.ideal > 0 and self.sectors / self.ideal >= UNCOALESCED

    @property
    def coalesced(self) -> bool:
        return self.ideal > 0 and self.sectors / self.ideal <= COALESCED


class Row(Struct, frozen=True, order=True):
    """Accesses that the hardware's counters cannot tell apart."""

    file: str
    line: int
    kernel: str
    kind: str
    bytes: int
    block: str


class Truth(Struct):
    """The table, by line and by row; ``kernels``: those that ran on a line, as ncu has them."""

    lines: dict[Line, Counts] = field(default_factory=lambda: defaultdict(Counts))
    rows: dict[Row, Counts] = field(default_factory=lambda: defaultdict(Counts))
    kernels: dict[Line, set[str]] = field(default_factory=lambda: defaultdict(set))

    @property
    def bad(self) -> set[Line]:
        """Uncoalesced lines."""
        return {line for line, counts in self.lines.items() if counts.uncoalesced}

    @property
    def good(self) -> set[Line]:
        """Coalesced lines."""
        return {line for line, counts in self.lines.items() if counts.coalesced}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--codebase", choices=sorted(codebases()), default="cuda-samples")
    parser.add_argument("--program", nargs="+", default=[], help="only these of the table")
    parser.add_argument("--show", choices=_KINDS, nargs="+", default=[])
    parser.add_argument("--view", type=View, choices=list(View), default=View.COMPILED)
    parser.add_argument("--ptx", type=Path)
    parser.add_argument("--jobs", type=int, default=default_jobs())
    given = parser.parse_args()
    root = given.checkout.resolve()
    truth = read_truth(given.truth, given.program)
    checked = partial(check_ptx, keep=given.ptx) if given.ptx else check_sources
    report = check_programs(root, given.codebase, truth, checked, given)
    accesses, reported = accesses_of(report, root), findings_of(report, root, truth)
    spread_over_calls(truth, accesses, reported, report, root)
    spread_over_statements(truth, accesses, reported, root)
    groups = sorted_lines(truth, accesses, reported)
    groups["refuted"], groups["outside"] = contradictions(truth, report, root)
    for diagnostic in (d for file in report.files for d in file.diagnostics):
        if diagnostic.severity is Severity.ERROR:
            print(diagnostic, file=sys.stderr)
    print(summary(truth, groups))
    for kind in given.show:
        print(f"-- {kind}")
        for line in groups[kind]:
            print(told(line, accesses, truth, root))
    return 0


Checked: TypeAlias = Callable[[Sequence[str], Config, int], tuple[FileReport, ...]]


def check_sources(sources: Sequence[str], config: Config, jobs: int) -> tuple[FileReport, ...]:
    """The analysis of units, as ``drano check`` does it."""
    return check(sources, config, Processes(jobs)).files


def check_ptx(
    sources: Sequence[str], config: Config, jobs: int, keep: Path
) -> tuple[FileReport, ...]:
    """The analysis of what nvcc makes of units."""
    keep.mkdir(parents=True, exist_ok=True)
    one = partial(both_ways, options=config.compile, keep=keep, nvcc="nvcc")
    with ProcessPoolExecutor(jobs) as pool:
        found = pool.map(one, map(Path, sources))
        return tuple(reports[1] for reports in found if reports is not None)


def check_programs(
    root: Path, name: str, truth: Truth, checked: Checked, given: argparse.Namespace
) -> Report:
    """The analysis of all units beside which a measured file lies."""
    by_options = units_of(root, name, truth)
    files: list[FileReport] = []
    for options, sources in by_options.items():
        config = Config(compile=options, analysis=AnalysisOptions(view=given.view))
        files += checked(sources, config, given.jobs)
    return Report(tuple(files), "", "")


def units_of(root: Path, name: str, truth: Truth) -> dict[CompileOptions, list[str]]:
    """All units beside which a measured file lies, by how they are compiled."""
    by_options: dict[CompileOptions, list[str]] = defaultdict(list)
    if name == "rodinia":
        for program in manifest.load().programs:
            place = directory(root, program)
            for unit in program.units:
                options = unit.options(place, CompileOptions())
                by_options[options].append(str(place / unit.path))
        return by_options
    codebase = codebases()[name]
    common = codebase.options(root)
    programs = {(root / file).parent for file, _ in truth.lines}
    built: dict[Path, Make | None] = {}
    for source in codebase.sources(root):
        place = source.parent
        if not any(p.is_relative_to(place) or place.is_relative_to(p) for p in programs):
            continue
        if place not in built:
            built[place] = make_commands(place)
        make = built[place]
        if make is None or source in make.units:
            flags = make.flags if make else ()
            defines = tuple(flag[2:] for flag in flags if flag.startswith("-D"))
            includes = tuple(flag[2:] for flag in flags if flag.startswith("-I"))
            options = replace(
                common,
                defines=common.defines + defines,
                include_dirs=common.include_dirs + includes,
            )
            by_options[options].append(str(source))
    return by_options


class Make(NamedTuple):
    """What a Makefile compiles, with ``-D`` and ``-I``, whose directories are absolute."""

    units: frozenset[Path]
    flags: tuple[str, ...]


def make_commands(place: Path) -> Make | None:
    """Of the commands that make would run there; None without a Makefile, or units in them."""
    if not (place / "Makefile").is_file():
        return None
    command = ["make", "-n", "-B", "-C", str(place), "CC=nvcc"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    words = [w for line in done.stdout.splitlines() if "nvcc" in line for w in line.split()]
    units = frozenset((place / word).resolve() for word in words if word.endswith(".cu"))
    flags = [w for w in words if w.startswith("-D")]
    flags += [f"-I{(place / w[2:]).resolve()}" for w in words if w.startswith("-I") and w[2:]]
    return Make(units, tuple(dict.fromkeys(flags))) if units else None


def spread_over_calls(
    truth: Truth,
    accesses: dict[Line, list[Access]],
    reported: set[Line],
    report: Report,
    root: Path,
) -> None:
    """Give lines without an access of their own those of the functions that are inlined there, and
    uncoalesced lines their findings: counters may have an instruction at each line of its path.
    Changes both.
    """
    without = set(truth.lines) - set(accesses)
    for access in _accesses(report):
        for line in _calls(access, root) & without:
            accesses[line].append(access)
    for finding in report.findings:
        if finding.rule in _RULES and finding.access:
            kernel = finding.access.kernel
            calls = _calls(finding.access, root) & (without | truth.bad)
            reported |= {c for c in calls if not _another_instance(kernel, truth.kernels[c])}
            others = (_line(s.span.path, s.span.line, root) for s in finding.related if s.span)
            reported |= truth.bad.intersection(others)


def _calls(access: Access, root: Path) -> set[Line]:
    frames = access.location.inlined_at
    return {_line(frame.span.path, frame.span.line, root) for frame in frames}


def spread_over_statements(
    truth: Truth, accesses: dict[Line, list[Access]], reported: set[Line], root: Path
) -> None:
    """Give lines without an access those of the other lines of their statement. Changes both."""
    texts: dict[str, list[str]] = {}
    for file, number in sorted(set(truth.lines) - set(accesses)):
        lines = texts.setdefault(file, (root / file).read_text(errors="replace").splitlines())
        others = [(file, n) for n in _statement(lines, number) if (file, n) in accesses]
        for other in others:
            accesses.setdefault((file, number), []).extend(accesses[other])
            if other in reported:
                reported.add((file, number))


def _statement(lines: Sequence[str], number: int) -> range:
    """The lines, from 1, of the statement that line ``number`` is in, by their text."""
    first = last = number
    while first > 1 and not _ends(lines[first - 2]):
        first -= 1
    while last < len(lines) and not _ends(lines[last - 1]):
        last += 1
    return range(first, last + 1)


def _ends(line: str) -> bool:
    code = re.sub(r"//.*|/\*.*?\*/", "", line).strip()
    return not line.strip() or code.startswith("#") or code.endswith((";", "{", "}", ":"))


def read_truth(path: Path, programs: Sequence[str] = ()) -> Truth:
    """Loads and stores of global memory in the table, of some programs or of all."""
    truth = Truth()
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["space"] != "global" or row["kind"] not in {"load", "store"}:
                continue
            if programs and row["program"] not in programs:
                continue
            line = int(row["line"])
            if line == 0:  # the compiler's own
                continue
            truth.lines[row["file"], line].add(row)
            truth.kernels[row["file"], line].add(row["kernel"])
            key = Row(
                row["file"], line, base_name(row["kernel"]), row["kind"],
                int(row["size_bytes"]), _block(row["block"]),
            )  # fmt: skip
            truth.rows[key].add(row)
    return truth


def _block(shape: str) -> str:
    """As ``block_text`` writes it.

    >>> _block("16x16x1")
    '16x16'
    """
    return re.sub(r"(?<=\d)(x1)+$", "", shape)


def base_name(kernel: str) -> str:
    """A kernel's name without its namespace, arguments and parameters.

    >>> base_name("void a::scale<float, (int)4>(T1 *, int)")
    'scale'
    """
    found = _NAME.search(kernel)
    return found[1] if found else kernel


def sorted_lines(
    truth: Truth, accesses: Mapping[Line, Sequence[Access]], reported: set[Line]
) -> dict[str, list[Line]]:
    """Lines by what is wrong with what is said of them."""
    bad, good = truth.bad, truth.good
    return {
        "missed": sorted(bad - reported),
        "false": sorted(good & reported),
        "unknown": sorted(
            line for line in good - reported if any(map(is_unknown, accesses.get(line, ())))
        ),
        "absent": sorted(line for line in bad | good if line not in accesses),
    }


def summary(truth: Truth, groups: Mapping[str, Sequence[Line]]) -> str:
    """All shares in a sentence."""
    bad, good = len(truth.bad), len(truth.good)
    right = bad - len(groups["missed"])
    return (
        f"{bad} lines uncoalesced, {good} coalesced: recall {_share(right, bad)}, "
        f"precision {_share(right, right + len(groups['false']))}; "
        f"unknown among coalesced {_share(len(groups['unknown']), good)}, "
        f"absent {_share(len(groups['absent']), bad + good)}; "
        f"proofs refuted: {len(groups['refuted'])}, bounds: {len(groups['outside'])}"
    )


def contradictions(truth: Truth, report: Report, root: Path) -> tuple[list[Line], list[Line]]:
    """Lines with a row that refutes what is proved, and with one outside the bounds."""
    decided: dict[Row, list[Access]] = defaultdict(list)
    undecided: set[Row] = set()
    for access in _accesses(report):
        span = access.location.span
        for file, line in {_line(span.path, span.line, root), *_calls(access, root)}:
            kernel, kind = base_name(access.kernel), str(access.kind)
            any_block = Row(file, line, kernel, kind, access.bytes, "")
            if access.launch is None or not access.launch.exact:
                undecided.add(any_block)
                continue
            for row in (any_block, replace(any_block, block=block_text(access.launch.block))):
                decided[row].append(access)
    refuted, outside = set(), set()
    for row, counts in truth.rows.items():
        found = decided.get(row) if row not in undecided else None
        if found and _refutes(counts, found):
            refuted.add((row.file, row.line))
        if found and _is_outside(counts, found):
            outside.add((row.file, row.line))
    return sorted(refuted), sorted(outside)


def _refutes(counts: Counts, accesses: Sequence[Access]) -> bool:
    if any(access.judgement.condition for access in accesses):
        return False  # the table does not say what sizes the run had
    if any(access.judgement.pattern is Pattern.UNKNOWN_START for access in accesses):
        return False  # where runs start is left open by it; its bound is looked at besides
    verdicts = {access.judgement.verdict for access in accesses}
    if verdicts == {Verdict.COALESCED}:
        return counts.uncoalesced
    return verdicts == {Verdict.UNCOALESCED} and counts.coalesced


def _is_outside(counts: Counts, accesses: Sequence[Access]) -> bool:
    sectors = [access.judgement.sectors for access in accesses]
    known = [each for each in sectors if each is not None]
    if len(known) < len(sectors):
        return False
    most = max(each.maximum for each in known) * counts.requests
    least = min(each.minimum for each in known) * counts.lanes / WARP_SIZE
    return not least <= counts.sectors <= most


def is_unknown(access: Access) -> bool:
    """Whether nothing is proved of an access."""
    return access.judgement.verdict is Verdict.UNKNOWN


def told(line: Line, accesses: Mapping[Line, Sequence[Access]], truth: Truth, root: Path) -> str:
    """A line of the source with what was measured and what is said of it."""
    file, number = line
    text = (root / file).read_text(errors="replace").splitlines()[number - 1].strip()
    measured = [
        f"    measured: {row.kernel} {row.kind} {row.bytes} in {row.block or '?'}: "
        f"{counts.sectors} of {counts.requests}, ideal {counts.ideal}"
        for row, counts in sorted(truth.rows.items())
        if (row.file, row.line) == line
    ]
    said = sorted({_said(access) for access in accesses.get(line, ())})
    return "\n".join([f"{file}:{number}: {text}", *measured, *said])


def _said(access: Access) -> str:
    judgement, launch = access.judgement, access.launch
    block = "?" if launch is None else block_text(launch.block) + "~" * (not launch.exact)
    sectors = judgement.sectors
    bounds = f"{sectors.minimum}-{sectors.maximum}/{sectors.ideal}" if sectors else "-"
    return (
        f"    said: {base_name(access.kernel)} {access.kind} {access.bytes} in {block}: "
        f"{judgement.verdict} {judgement.pattern} {bounds}: {judgement.reason}"
        + (f"; if {judgement.condition}" if judgement.condition else "")
    )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f} ({part} of {whole})" if whole else "-"


def _accesses(report: Report) -> Iterable[Access]:
    """Loads and stores of what is, or may be, global memory."""
    for file in report.files:
        for access in file.accesses:
            is_global = str(access.judgement.space) in {"global", "generic"}
            if is_global and str(access.kind) != "atomic":
                yield access


def accesses_of(report: Report, root: Path) -> dict[Line, list[Access]]:
    """Accesses of global memory by line."""
    found: dict[Line, list[Access]] = defaultdict(list)
    for access in _accesses(report):
        for line in _lines(access, root):
            found[line].append(access)
    return found


def findings_of(report: Report, root: Path, truth: Truth) -> set[Line]:
    """Lines with a finding about the coalescing of an access in what ran of a kernel."""
    return {
        line
        for f in report.findings
        if f.rule in _RULES and f.access
        for line in _lines(f.access, root)
        if not _another_instance(f.access.kernel, truth.kernels[line])
    }


def _another_instance(kernel: str, ran: set[str]) -> bool:
    """Whether a kernel is an instance of a template of which only others ran, whose arguments are
    known in full.
    """
    start = kernel.partition("<")[0] + "<"
    names = {name.removeprefix("void ") for name in ran}
    whole = all(name.startswith(start) and name.endswith(">") for name in names)
    return bool(names) and whole and kernel not in names


def _lines(access: Access, root: Path) -> set[Line]:
    """All lines whose accesses it does the work of: compilers name one of them."""
    parts = access.origin.parts if access.origin else ()
    return {_line(span.path, span.line, root) for span in (access.location.span, *parts)}


def _line(path: str, line: int, root: Path) -> Line:
    place = Path(path).resolve()
    return (str(place.relative_to(root)) if place.is_relative_to(root) else path), line


if __name__ == "__main__":
    sys.exit(main())
