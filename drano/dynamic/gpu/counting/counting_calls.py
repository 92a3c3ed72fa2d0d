"""From counting calls before accesses to those of the GPU's counting library.

Means: ``instrument`` has put ``@__drano_access`` before each access. Here the accesses of a segment
are counted together at its end (``segments``) and those of some loops on entry (``trips``); copies,
and accesses whose memory only the run can tell, are counted one by one. Sums of segments that
repeat are variables of the thread, added to the counters where the kernel returns. A kernel with
proofs is generated twice: as it is, with everything measured, and as ``K_drano_proved``, which the
run-time library launches where the proofs hold.
Assumptions: the text is what ``instrument`` wrote; the library is ``runtime/gpu/counting.cu``.
Limits: at most ``segment_sums.MAX_SUMS`` entries of a kernel have sums, as all are added up at its
end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from drano.dynamic.gpu.counting.counted_body import CALLED, COUNTER_SET, CountedBody
from drano.dynamic.gpu.counting.counting_library import LIBRARY
from drano.dynamic.gpu.counting.loop_forms import irregular_sites, loops_of
from drano.dynamic.gpu.counting.proved_costs import known_cost
from drano.dynamic.gpu.counting.segment_code import table_definitions
from drano.dynamic.gpu.counting.segment_sums import CountedUnit
from drano.dynamic.gpu.counting.segments import (
    Place,
    Proofs,
    is_generic,
)
from drano.dynamic.gpu.counting.trip_code import (
    LoopText,
    loop_text,
)
from drano.dynamic.gpu.counting.trips import trips_of
from drano.dynamic.instrument.measured_sites import DeviceSite
from drano.dynamic.instrument.printed_instructions import header_arguments, with_argument
from drano.dynamic.instrument.proved_patterns import Block
from drano.ir import model as m
from drano.ir.prepare.inlining import FunctionText, split_module
from drano.ir.target import AddressSpace

PROVED = "_drano_proved"
MOST_SHARED = 40 << 10
_PLACE = re.compile(r", !dbg !\d+| !dbg !\d+")
_COMDAT = re.compile(r" comdat(?:\([^)]*\))?")
NAME = re.compile(r'@(?:"[^"]*"|[-\w.$]+)')
_DECLARED = f"declare void {CALLED}"


class Choices(Struct, frozen=True):
    """``sums``: whether segments that repeat keep sums; ``words``: whether blocks add up in shared
    memory what their warps add; ``sets``: whether kernels are told which counters to use;
    ``histogram``: how many requests had how many lines, for which each access is counted alone;
    ``repeats``: whether launches like one that was counted are not; ``replays``: whether the
    host counts launches, where it can; ``trips``: whether accesses of loops are counted where these
    are entered, if that is possible.
    """

    sums: bool = True
    words: bool = True
    sets: bool = True
    histogram: bool = False
    repeats: bool = True
    replays: bool = True
    trips: bool = True


class SlotRange(Struct, frozen=True):
    """Slots of a kernel, from ``first`` on; and how many ``parameters`` of its own it has: another
    one follows, a number that its launch adds to its slots. -1: there is none.
    """

    parameters: int
    first: int
    count: int


class CountedModule(Struct, frozen=True):
    """``text``: with calls of the library; ``places``: where each site's counts are, in kernels as
    they are and in their second forms; ``proofs``: of the kernels that have one; ``slots``: how
    many there are; ``ranges``: of each kernel.
    """

    text: str
    places: tuple[list[Place], list[Place]]
    proofs: Mapping[str, Proofs]
    slots: int
    ranges: Mapping[str, SlotRange]


def with_gpu_calls(
    text: str, sites: Sequence[DeviceSite], module: m.Module, choices: Choices
) -> CountedModule:
    """The instrumented module ``text`` with calls of the GPU's counting library."""
    split = split_module(text)
    irregular: set[tuple[str, int | None]] = set()
    for kernel in module.kernels:
        irregular |= {(kernel.name, number) for number in irregular_sites(kernel, module.globals)}
    places = [{site.number: Place() for site in sites} for _ in range(2)]
    unit = CountedUnit(sites, places[0], places[1], irregular, choices.histogram)
    shared = sum(v.size for v in module.globals.values() if v.space == AddressSpace.SHARED)
    words = choices.words and shared <= MOST_SHARED
    proofs = _proofs(sites)
    ranges: dict[str, SlotRange] = {}
    lines: list[str] = []
    for name, function in split.functions.items():
        body = list(function.body)
        header = function.header
        if any("@__drano_access" in line for line in body):
            loops = loops_of(module.functions.get(name)) if choices.sums else {}
            own = function
            first = unit.following
            of_block = words and function.is_kernel
            if choices.sets and function.is_kernel:
                own = with_argument(function, f"i32 {COUNTER_SET}")
            trips: list[LoopText] = []
            if choices.trips and not choices.histogram and name in module.functions:
                model = module.functions[name]
                found = trips_of(model, module.globals)
                trips = [loop_text(trip, function, model) for trip in found]
            body = CountedBody(own, unit, loops, None, trips, words=of_block).rewritten()
            header = own.header
            if name in proofs:
                second = renamed(own, name + PROVED)
                proved = CountedBody(
                    second, unit, loops, proofs[name], trips, words=of_block
                ).rewritten()
                lines += [second.header, *proved, "}"]
            if function.is_kernel:
                parameters = -1 if own is function else len(header_arguments(function))
                ranges[name] = SlotRange(parameters, first, unit.following - first)
        lines += [header, *body, "}"]
    rest = [line for line in split.rest if not line.startswith(_DECLARED)]
    rest += table_definitions(unit.tables)
    whole = "\n".join([*rest, *lines, *unit.functions, LIBRARY, ""])
    of_sites = [
        [places[site.number] for site in sites] for places in (unit.places, unit.proved_places)
    ]
    return CountedModule(whole, (of_sites[0], of_sites[1]), proofs, unit.following, ranges)


def _proofs(sites: Sequence[DeviceSite]) -> dict[str, Proofs]:
    """What is relied on in the second form of each kernel: the shape of block of most proofs."""
    shapes: dict[str, Counter[Block | None]] = {}
    for site in sites:
        useful = {
            p.block for p in site.patterns if not is_generic(site) and known_cost(site, p.block)
        }
        if useful:
            shapes.setdefault(site.kernel, Counter()).update(useful)
    return {kernel: Proofs(found.most_common(1)[0][0]) for kernel, found in shapes.items()}


def renamed(function: FunctionText, name: str) -> FunctionText:
    """A copy, without what says where it is in the source: that belongs to one function alone."""
    header = NAME.sub(lambda _: f'@"{name}"', _PLACE.sub("", function.header), count=1)
    header = _COMDAT.sub("", header)
    body = (line for line in function.body if not line.lstrip().startswith("#dbg_"))
    return FunctionText(name, header, tuple(_PLACE.sub("", line) for line in body))
