"""How many of the lines that are proved uncoalesced does drano mend, and do the programs agree?

    python benchmarks/fixes.py [--left] DIRECTORY-OR-FILE...
    python benchmarks/fixes.py --rodinia gpu-rodinia [--verify] [--work DIRECTORY] [--program NAME]

For each file and directory, or Rodinia's units with the manifest's flags: lines with an access that
is proved uncoalesced or in conflict (a finding that counts), how many of these have an offered fix,
safe or unsafe, and by which edit; for the others, why what was tried was refused. ``--left``: each
line without a fix, with what was refused there. ``--verify``: all offers of a program are made
together, safe and unsafe ones, and both versions are run on the CPU with the manifest's small
inputs.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from drano.fix.search import Offer, Refusal, Trials, mended, outcomes
from drano.fix.trial import Unit, analysed
from drano.fix.verify.verify import Program, Verified, verify
from drano.model.judgement import PROVED, Verdict
from drano.model.report import FileReport, FileStatus
from drano.model.settings import Config
from drano.model.system_headers import is_system_header
from drano.run.found_sources import find_sources
from rodinia.programs import inputs, manifest
from rodinia.programs.inputs import Size
from rodinia.programs.manifest import Program as Rodinia
from rodinia.programs.manifest import Run

# The same random numbers each time.
SAME_TIME = "#include <time.h>\n#define time(pointer) 7\n"
RULES = {"DRN001", "DRN004", "DRN101"}


class Tally(Struct):
    lines: set[tuple[str, int]] = field(default_factory=set)
    offered: dict[tuple[str, int], Offer] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    reasons: dict[tuple[str, int], set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, report: FileReport, found: list[Offer | Refusal]) -> None:
        for finding in report.findings:
            access = finding.access
            if finding.rule not in RULES or access is None or not finding.counts:
                continue
            judged = access.judgement
            proved = judged.verdict is Verdict.UNCOALESCED or judged.weight >= PROVED
            if proved or finding.rule == "DRN101":
                self.lines.add((finding.location.span.path, finding.location.span.line))
        for one in found:
            place = (one.finding.location.span.path, one.finding.location.span.line)
            if isinstance(one, Offer):
                self.offered.setdefault(place, one)
            else:
                reason = f"{one.fix.edit}: {one.reason.partition('(')[0].strip()}"
                self.refused[reason] += 1
                self.reasons[place].add(reason)

    def show(self, title: str) -> None:
        offered = {place: one for place, one in self.offered.items() if place in self.lines}
        share = 100 * len(offered) / len(self.lines) if self.lines else 0
        safe = sum(one.fix.safe for one in offered.values())
        print(f"{title}: {len(self.lines)} lines, {len(offered)} with a fix ({share:.0f} %),"
              f" {safe} of them safe", flush=True)  # fmt: skip
        for edit, number in Counter(one.fix.edit for one in offered.values()).most_common():
            print(f"    {edit}: {number}")

    def show_left(self) -> None:
        """Each line without a fix, with the reasons."""
        for path, line in sorted(self.lines - set(self.offered)):
            text = Path(path).read_text(encoding="utf-8", errors="replace").split("\n")[line - 1]
            reasons = self.reasons[path, line] or {"no edit is for it"}
            print(f"    {path}:{line}: {text.strip()}")
            print(f"        {'; '.join(sorted(reasons))}", flush=True)


def tried(unit: Unit, tally: Tally) -> FileReport:
    report = analysed(unit)
    if report.status is FileStatus.OK:
        tally.add(report, list(outcomes(Trials(unit, report))))
    else:
        print(f"    {unit.path}: not analysed")
    return report


def sources(paths: list[str]) -> Iterator[str]:
    for path in paths:
        place = Path(path).resolve()
        yield from find_sources(str(place)) if place.is_dir() else [str(place)]


def unit_of(home: Path, program: Rodinia, name: str) -> Unit | None:
    place = (home / program.directory).resolve()
    found = next((unit for unit in program.units if unit.path == name), None)
    if found is None:
        return None
    options = found.options(place, Config().compile)
    return Unit(str(place / name), replace(Config(), compile=options))


def program_of(home: Path, program: Rodinia, run: Run, work: Path, files: set[str]) -> Program:
    """How the manifest builds and runs it."""
    place = (home / program.directory).resolve()
    flags = program.flags
    stubs = work / "stubs" / run.name
    stubs.mkdir(parents=True, exist_ok=True)
    (stubs / "same_time.h").write_text(SAME_TIME, encoding="utf-8")
    for name, text in run.stubs.items():
        (stubs / name).parent.mkdir(parents=True, exist_ok=True)
        (stubs / name).write_text(text + "\n", encoding="utf-8")
    given = inputs.make(work / "inputs", Size.SMALL)
    words = (
        "-O3", "-w", "-include", str(stubs / "same_time.h"), f"-I{stubs}",
        *(f"-D{define}" for define in flags.defines),
        *(f"-include{header}" for header in flags.force_includes),
        *flags.flags, *run.compile, "-lm",
    )  # fmt: skip
    linked = tuple((name, str(given / name)) for name in run.inputs)
    return Program(
        tuple(str(place / source) for source in run.sources), tuple(sorted(files)), words,
        run.small, tuple(str(place / folder) for folder in flags.include_dirs),
        inputs=(*linked, ("../../data", str(given / "data"))),
        environment=(*run.environment.items(), ("DRANO_LAUNCHES", "3")),
    )  # fmt: skip


def verified(
    home: Path, program: Rodinia, run: Run, work: Path, *, singly: bool
) -> tuple[Verified | None, tuple[Offer, ...]]:
    """All offers of the sources of a run, and whether the program does the same with them.
    ``singly``: each fix is made only if the program with it, and those before, does the same.
    """
    before: dict[str, bytes] = {}
    after: dict[str, bytes] = {}
    made: tuple[Offer, ...] = ()
    files: set[str] = set()

    def compared(offers: tuple[Offer, ...], texts: Mapping[str, bytes]) -> Verified:
        unused = [name for offer in offers for name in offer.fix.unused]
        old = {path: before.get(path) or Path(path).read_bytes() for path in texts}
        relaid = [array for offer in offers for array in offer.fix.relaid]
        built = program_of(home, program, run, work, files)
        return verify(built, old, texts, unused=unused, relaid=relaid)

    def agrees(
        offers: tuple[Offer, ...],
        edited: Mapping[str, bytes],
        more: tuple[Offer, ...],
        texts: Mapping[str, bytes],
    ) -> bool:
        return not singly or compared((*offers, *more), {**edited, **texts}).agrees

    for name in dict.fromkeys((*run.sources, *(unit.path for unit in program.units))):
        unit = unit_of(home, program, name)
        report = analysed(unit.edited(after)) if unit is not None else None
        if unit is None or report is None or report.status is not FileStatus.OK:
            continue
        files |= {
            path
            for path in (*report.dependencies, *report.host_dependencies)
            if not is_system_header(path)
        }
        does_the_same = partial(agrees, made, dict(after))
        found = mended(unit.edited(after), report, unsafe=True, accepts=does_the_same)
        made = (*made, *found.made)
        for path, text in found.texts.items():
            before.setdefault(path, unit.text(path))
            after[path] = text
    return (compared(made, after), made) if after else (None, ())


def rodinia(arguments: argparse.Namespace) -> int:
    suite = manifest.load()
    home = Path(arguments.rodinia).resolve()
    cuda = home / "cuda" if (home / "cuda").is_dir() else home
    total = Tally()
    agreed: list[str] = []
    differ: list[str] = []
    for program in suite.programs:
        if arguments.program and program.name not in arguments.program:
            continue
        own = Tally()
        for unit in program.units:
            one = unit_of(cuda, program, unit.path)
            if one is not None and Path(one.path).is_file():
                tried(one, own)
        own.show(program.name)
        total.lines |= own.lines
        total.offered |= own.offered
        total.refused += own.refused
        for run in program.runs if arguments.verify and own.offered else ():
            work = Path(arguments.work).resolve()
            result, made = verified(cuda, program, run, work, singly=False)
            if result is not None and not result.agrees and len(made) > 1:
                print(
                    f"    run {run.name}: {'; '.join(result.against)}; now one by one", flush=True
                )
                result, made = verified(cuda, program, run, work, singly=True)
            if result is None:
                continue
            print(f"    made: {'; '.join(offer.fix.title for offer in made)}")
            (agreed if result.agrees else differ).append(run.name)
            print(f"    run {run.name}: {'; '.join(result.against) or 'agrees'}", flush=True)
            for row in result.rows:
                print(f"        {row.kernel}: sectors {row.sectors[0]} → {row.sectors[1]}, "
                      f"wavefronts {row.wavefronts[0]} → {row.wavefronts[1]}")  # fmt: skip
    total.show("all")
    if arguments.verify:
        print(f"{len(agreed)} of {len(agreed) + len(differ)} runs agree: {', '.join(agreed)}")
    for reason, number in total.refused.most_common(12):
        print(f"    refused {number}: {reason}")
    return 1 if differ else 0


def main() -> int:
    """Exit status 1 when a run does not agree."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--rodinia", metavar="CHECKOUT")
    parser.add_argument("--verify", action="store_true")
    parser.add_argument("--left", action="store_true")
    parser.add_argument("--program", action="append")
    parser.add_argument("--work", default="fixes-work")
    arguments = parser.parse_args()
    if arguments.rodinia:
        return rodinia(arguments)
    total = Tally()
    for path in sources(arguments.paths):
        own = Tally()
        tried(Unit(path, Config()), own)
        if own.lines:
            own.show(path)
        if arguments.left:
            own.show_left()
        total.lines |= own.lines
        total.offered |= own.offered
        total.refused += own.refused
    total.show("all")
    for reason, number in total.refused.most_common(12):
        print(f"    refused {number}: {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
