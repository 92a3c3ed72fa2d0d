"""What drano says of accesses, held against the requests that the simulator counts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from drano.model.access import Access
from drano.model.judgement import Active, Judgement, Pattern, Space, Verdict
from drano.model.settings import AnalysisOptions, Config, View
from drano.model.source_access import Fate
from drano.run.driver import check_unit
from tests.simulated.builtins import prelude
from tests.simulated.lanes import GLOBAL, STEP, Dim, Launch, Place, Request
from tests.simulated.translate import Kernel, Translator
from tests.simulated.types import Array, CType, Float, Pointer, Struct

_KERNEL = re.compile(
    r"// block (?P<block>[\dx]+)(?P<rest>[^\n]*)\n"
    r"__global__ void (?P<name>\w+)\((?P<params>[^)]*)\)"
)
_DEFAULT = (5, 64, 33)
FAR_FROM_IDEAL = 1.3
# Structures that are passed are in constant memory, and no request of theirs is simulated; clang
# has `__device__ const` there, too.
_SPACES = (Space.GLOBAL, Space.GENERIC, Space.CONSTANT)


@dataclass(frozen=True)
class Case:
    """A kernel with its launch: ``values`` of its numbers, one set a run."""

    name: str
    parameters: str
    block: Dim
    grid: Dim
    values: dict[str, tuple[int, ...]]

    @property
    def host(self) -> str:
        """The code that launches it."""
        names = ", ".join(p.split()[-1].lstrip("*") for p in self.parameters.split(",") if p)
        block, grid = (f"dim3({x}, {y}, {z})" for x, y, z in (self.block, self.grid))
        return (
            f"void go_{self.name}({self.parameters})"
            f" {{ {self.name}<<<{grid}, {block}>>>({names}); }}"
        )


def cases(text: str) -> list[Case]:
    """The kernels of a source: ``// block 32x4, grid 2, n 5 7`` stands above each."""
    found = []
    for match in _KERNEL.finditer(text):
        grid: Dim = (2, 1, 1)
        values = {}
        for part in match["rest"].split(",")[1:]:
            name, *numbers = part.split()
            if name == "grid":
                grid = _dim(numbers[0])
            else:
                values[name] = tuple(map(int, numbers))
        block = _dim(match["block"])
        found.append(Case(match["name"], match["params"], block, grid, values))
    assert len(found) == text.count("__global__"), "a kernel without its line"
    return found


def _dim(text: str) -> Dim:
    x, y, z = [*map(int, text.split("x")), 1, 1][:3]
    return x, y, z


def simulated(case: Case, kernel: Kernel, constants: dict[int, Any]) -> Iterator[list[Request]]:
    """The requests of each run."""
    runs = max((len(v) for v in case.values.values()), default=1)
    for run in range(max(runs, 2)):
        pointers = iter(range(GLOBAL, 1 << 62, STEP))

        def value(name: str, type_: CType, run: int = run, places: Iterator[int] = pointers) -> Any:
            if isinstance(type_, Pointer):
                return next(places)
            if isinstance(type_, Struct):
                return [value(f"{name}.{m.name}", m.type) for m in type_.members]
            if isinstance(type_, Array):
                return [value(name, type_.of) for _ in range(type_.count)]
            numbers = case.values.get(name, _DEFAULT)
            number = numbers[run % len(numbers)]
            return float(number) if isinstance(type_, Float) else number

        arguments = [value(n, t) for n, t in kernel.parameters]

        def start(thread: Any, arguments: list[Any] = arguments) -> Any:
            return kernel.run(thread, *arguments)

        yield Launch(start, case.grid, case.block, run, constants).run()


@dataclass
class Outcome:
    """How many ``accesses`` were held against requests, how many of these have ``exact`` counts;
    ``wrong``: what is refuted; ``unknown``: the lines without an answer.
    """

    accesses: int
    exact: int
    wrong: list[str]
    unknown: set[int]


def accesses_of(path: Path) -> int:
    """How many places of a source access memory."""
    text = path.read_text()
    translator = Translator(text)
    return sum(
        len({r.place for r in next(simulated(c, translator.kernels[c.name], translator.constants))})
        for c in cases(text)
    )


def held(path: Path, view: View, simulate: str = "") -> Outcome:
    """One source of the corpus; ``simulate``: what is executed in its place."""
    text = path.read_text()
    head, translator = prelude(text), Translator(simulate or text)
    found = cases(text)
    host = "\n".join(case.host for case in found)
    config = Config(analysis=AnalysisOptions(view=view))
    report = check_unit(str(path), config, f"{head}{text}\n{host}\n")
    assert report.status == "ok", report.diagnostics
    names = {case.name for case in found}
    before = head.count("\n")
    claims: dict[tuple[str, Place], list[Access]] = defaultdict(list)
    for access in report.accesses:
        if access.judgement.space in _SPACES:
            place = (access.location.span.line - before, str(access.kind))
            claims[access.kernel if access.kernel in names else "", place].append(access)
    outcome = Outcome(0, 0, [], set())
    for case in found:
        requests: dict[Place, list[Request]] = defaultdict(list)
        for number, run in enumerate(
            simulated(case, translator.kernels[case.name], translator.constants)
        ):
            for request in run:
                requests[request.place].append(replace(request, run=number))
        for place, group in requests.items():
            outcome.accesses += 1
            about = claims.get((case.name, place)) or claims.get(("", place), [])
            far = [a for a in about if a.judgement.space is not Space.CONSTANT]
            about = far or about
            for problem in dict.fromkeys(_problems(about, group)):
                outcome.wrong.append(
                    f"{path.name}:{place[0]}: {place[1]} in {case.name}: {problem}"
                )
            if any(a.judgement.verdict is Verdict.UNKNOWN for a in about):
                outcome.unknown.add(place[0])
            outcome.exact += all(_exact(a) for a in about)
    return outcome


def _exact(access: Access) -> bool:
    sectors = access.judgement.sectors
    return sectors is not None and sectors.minimum == sectors.maximum


def _problems(about: list[Access], group: list[Request]) -> Iterator[str]:
    if not about:
        yield "not reported"
        return
    if _differs(about, group):
        return
    sizes = {r.size for r in group}
    if {a.bytes for a in about} != sizes:
        yield f"{ {a.bytes for a in about} } bytes, not {sizes}"
        return
    for name, unit in (("sectors", 32), ("lines", 128)):
        counts = [r.units(unit) for r in group]
        ranges = [getattr(a.judgement, name) for a in about]
        if None in ranges:
            continue
        least, most = min(r.minimum for r in ranges), max(r.maximum for r in ranges)
        if min(counts) < least or max(counts) > most:
            yield f"{min(counts)}..{max(counts)} {name}, not {least}..{most}"
    if len(about) == 1:
        yield from _single(about[0], group)


def _differs(about: list[Access], group: list[Request]) -> bool:
    """Whether compiled code asks for other things: at once, in pieces, or where lanes that the
    source has in different iterations are in different copies of a loop's body.
    """
    fates = {a.origin.fate for a in about if a.origin is not None}
    if fates & {Fate.MERGED, Fate.SPLIT, Fate.MOVED, Fate.SHARED}:
        return True
    if all(a.origin is None for a in about) and max(a.bytes for a in about) < group[0].size:
        return True  # as clang copies a structure
    return Fate.COPIED in fates and any(len(r.addresses) < r.possible for r in group)


def _single(access: Access, group: list[Request]) -> Iterator[str]:
    answer = access.judgement
    full = [r for r in group if len(r.addresses) == r.possible]
    if answer.active is Active.ALL and len(full) < len(group):
        yield "not all lanes are active"
    if answer.active is Active.AT_MOST_ONE and any(len(r.addresses) > 1 for r in group):
        yield "more than one lane is active"
    missing = {Active.ALL_OR_NONE: 0, Active.ALL_BUT_ONE: 1}.get(answer.active, 32)
    if any(r.possible - len(r.addresses) > missing for r in group):
        yield f"not {answer.active}"
    if answer.pattern is Pattern.UNIFORM and any(len(set(r.addresses.values())) > 1 for r in group):
        yield "lanes differ"
    contiguous = answer.pattern is Pattern.CONTIGUOUS and not answer.condition
    if contiguous and any(_apart(r) for r in full):
        yield "lanes are not side by side"
    if answer.condition:
        return
    bounded = answer.active is Active.WITHIN_BOUNDS and answer.verdict is Verdict.COALESCED
    if bounded and answer.pattern is not Pattern.UNKNOWN_START:
        for run in {r.run for r in group}:
            yield from _any_lanes([r for r in group if r.run == run])
    if not full or len(full) < len(group):
        return
    for run in {r.run for r in full}:
        yield from _verdict(answer, [r for r in full if r.run == run])


def _any_lanes(run: list[Request]) -> Iterator[str]:
    """What is coalesced on no condition is so for any lanes that bounds leave."""
    total = sum(r.units(32) for r in run)
    ideal = sum(r.ideal for r in run)
    if total >= FAR_FROM_IDEAL * ideal:
        yield f"coalesced, but {total} sectors for lanes that need {ideal}"


def _verdict(answer: Judgement, full: list[Request]) -> Iterator[str]:
    """Of one run, whose warps are all whole."""
    total = sum(r.units(32) for r in full)
    ideal = sum(-(-len(r.addresses) * r.size // 32) for r in full)
    if answer.verdict is Verdict.UNCOALESCED and total < FAR_FROM_IDEAL * ideal:
        yield f"uncoalesced, but {total} sectors where {ideal} would do"
    runs = len(full) if answer.pattern is not Pattern.UNKNOWN_START else total
    if answer.verdict is Verdict.COALESCED and total > max(FAR_FROM_IDEAL * ideal, ideal + runs):
        yield f"coalesced, but {total} sectors where {ideal} would do"


def _apart(request: Request) -> bool:
    """Whether sectors are touched that its bytes would not need, but for where it starts."""
    return request.units(32) > -(-len(request.addresses) * request.size // 32) + 1
