"""From an address per lane to a judgement: its traffic, verdict and expected cost."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from drano.analysis.access_sites import Site
from drano.analysis.points_to import Spaces, described
from drano.analysis.spaces import reported_space
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.verdict.answers import answer_of, chosen_by_data, pattern_of
from drano.analysis.warp.verdict.bank_conflicts import with_banks
from drano.analysis.warp.verdict.branches_taken import with_branches_taken
from drano.analysis.warp.verdict.by_nvcc import parted_calls, split_loops
from drano.analysis.warp.verdict.by_nvcc.joined_loads import LOADS_APART, hoisted_mask, merged_loads
from drano.analysis.warp.verdict.by_nvcc.joined_stores import (
    APART,
    beside,
    covering,
    joined_mask,
    merged_with,
)
from drano.analysis.warp.verdict.by_nvcc.merged_wavefronts import with_merged_banks
from drano.analysis.warp.verdict.conditions import (
    assumed_choices,
    both,
    condition_text,
    decided,
    enough_lanes,
    in_few_runs,
    on_condition,
    open_needs,
)
from drano.analysis.warp.verdict.likely.run_starts import by_start, moved_pointer, with_borders
from drano.analysis.warp.verdict.likely.tickets import by_rank, with_tickets_in_turn
from drano.analysis.warp.verdict.likely.unit_strides import side_by_side
from drano.analysis.warp.verdict.value_text import stride_text
from drano.ir.model import IntConst, Load, MemoryCopy, MemoryFill, Store
from drano.ir.target import POINTER_BITS, SPACES
from drano.lattice import Form, LaneOverflowError, Predicate, Shape
from drano.lattice.warp import masks
from drano.lattice.warp import operations as ops
from drano.lattice.warp.operations.level_sets import each_set, in_one_set
from drano.lattice.warp.operations.ways import chosen
from drano.lattice.warp.substitution import substitute
from drano.model.hardware import (
    COALESCED_TO,
    LINE_BYTES,
    SECTOR_BYTES,
    UNCOALESCED_FROM,
    WARP_SIZE,
)
from drano.model.judgement import (
    IN_TURN,
    PROVED,
    UNKNOWN,
    Active,
    CountRange,
    Judgement,
    Pattern,
    Space,
    Verdict,
)
from drano.model.system_headers import is_system_header
from drano.traffic.needs import Holds, Need, Neighbours, Several
from drano.traffic.phase_cases import in_known_phase
from drano.traffic.tallies import Tally, Traffic, either
from drano.traffic.transactions import count
from drano.traffic.typical_way import typically


def judge(run: WarpState, site: Site, spaces: Spaces) -> Judgement | None:
    """The answer for one site; None when no thread of this launch reaches it."""
    try:
        mask = active_at(run, site)
    except NotReadyError:
        return _unfollowed(run, site, spaces, "no path to this access was analysed")
    if mask is None or mask.lanes == 0:
        return None
    try:
        address = address_of(run, site)
    except NotReadyError:
        return _unfollowed(run, site, spaces, "no path to this access was analysed")
    if _is_uneven(run, site):
        return _unfollowed(run, site, spaces, "lanes access different numbers of bytes")
    space = _space(run, site, address, spaces)
    value = run.warp.describe(address)
    try:
        traffic = traffic_at(run, site, address, mask)
    except LaneOverflowError:
        return Judgement(
            space, Verdict.UNKNOWN, Pattern.UNKNOWN, "the address is too complex to analyse", value,
            _active(mask), weight=UNKNOWN,
        )  # fmt: skip
    judgement = _decide(run, site, address, mask, space, value, traffic)
    if space is Space.SHARED:
        judgement = _with_banks(run, site, address, mask, judgement)
    else:
        judgement = _with_branches(run, site, address, mask, judgement)
    if space is Space.GENERIC:
        return replace(judgement, origins=_origins(run, site, spaces))
    return judgement


def _origins(run: WarpState, site: Site, spaces: Spaces) -> tuple[str, ...]:
    """Where a generic pointer may point, in words; none of a pointer that a library's header makes
    for itself, as a grid's barrier does: its user can say nothing of it.
    """
    found = described(spaces.origins(run.function, site.pointer))
    place = site.location
    own = len(found) == 1 and place is not None and is_system_header(place.span.path)
    return () if own else found


def _with_banks(
    run: WarpState, site: Site, address: Form, mask: Predicate, judgement: Judgement
) -> Judgement:
    try:
        return with_banks(run, site, address, mask, judgement)
    except LaneOverflowError:
        return replace(judgement, weight=UNKNOWN)


def _with_branches(
    run: WarpState, site: Site, address: Form, mask: Predicate, judgement: Judgement
) -> Judgement:
    """What is said of a store also where it is one request with those of other branches."""
    joined = joined_mask(run, site)
    if joined is None or joined == mask:
        return judgement
    try:
        traffic = traffic_at(run, site, address, joined)
    except LaneOverflowError:
        return replace(judgement, verdict=Verdict.UNKNOWN, weight=UNKNOWN)
    other = _decide(run, site, address, joined, judgement.space, judgement.value, traffic)
    return covering(judgement, other, "stores")


def also_by_nvcc(run: WarpState, site: Site, judgement: Judgement) -> Judgement:
    """The answer for a site, so that it also holds for what nvcc may make of the code, and LLVM's
    optimiser did not: one store of several, two loops of one. What does not has a condition.
    """
    try:
        mask = active_at(run, site)
        address = address_of(run, site)
    except NotReadyError:
        return judgement  # of which nothing is said
    if mask is None or mask.lanes == 0:
        return judgement
    if judgement.space is Space.SHARED:
        try:
            judgement = with_merged_banks(run, site, address, mask, judgement)
        except (LaneOverflowError, NotReadyError):
            judgement = replace(judgement, verdict=Verdict.UNKNOWN, weight=UNKNOWN)
    else:
        judgement = _with_merged_stores(run, site, judgement)
        judgement = _with_merged_loads(run, site, address, mask, judgement)
    judgement = _with_split_loops(run, site, address, mask, judgement)
    fewer = parted_calls.after_parting_call(run, site, mask)
    if fewer is None:
        return judgement
    try:
        apart = _of_lanes(run, site, address, fewer, judgement)
    except LaneOverflowError:
        return replace(judgement, verdict=Verdict.UNKNOWN, weight=UNKNOWN)
    return parted_calls.covering(judgement, apart, parted_calls.condition_of(run))


def if_in_turn(run: WarpState, site: Site, said: Judgement) -> Judgement:
    """The answer for a site that an atomic's numbers choose, if it gives them in turn, where there
    is no other.
    """
    if said.verdict is not Verdict.UNKNOWN or said.pattern is not Pattern.DATA_DEPENDENT:
        return said
    try:
        mask = active_at(run, site)
        address = with_tickets_in_turn(run, address_of(run, site))
        if address is None or mask is None:
            return said
        lanes = by_rank(run.warp, mask)
        traffic = traffic_at(run, site, address, lanes)
    except (LaneOverflowError, NotReadyError):
        return said
    found = _decide(run, site, address, lanes, said.space, said.value, traffic)
    if said.space is Space.SHARED:
        found = _with_banks(run, site, address, lanes, found)
    if found.flagged and mask.shape in {Shape.DATA, Shape.OTHER}:
        found = replace(found, condition=both(found, condition_text(run.warp, (Several(),))))
    return on_condition(said, found, IN_TURN)


def _with_split_loops(
    run: WarpState, site: Site, address: Form, mask: Predicate, judgement: Judgement
) -> Judgement:
    """What is said also where nvcc splits a loop, so that lanes are at different iterations."""
    own = split_loops.in_any_iteration(run, site.block, address, mask)
    if own is None:
        return judgement
    address, fewer = own
    try:
        apart = _of_lanes(run, site, address, fewer, judgement)
    except LaneOverflowError:
        return replace(judgement, verdict=Verdict.UNKNOWN, weight=UNKNOWN)
    return split_loops.covering(judgement, apart, mask)


def _of_lanes(
    run: WarpState, site: Site, address: Form, lanes: Predicate, said: Judgement
) -> Judgement:
    """The answer for other lanes or another address of a site of which something is ``said``.
    Raises LaneOverflowError where an address is too complex.
    """
    traffic = traffic_at(run, site, address, lanes)
    found = _decide(run, site, address, lanes, said.space, said.value, traffic)
    return _with_banks(run, site, address, lanes, found) if said.space is Space.SHARED else found


def _with_merged_stores(run: WarpState, site: Site, judgement: Judgement) -> Judgement:
    """What is said of a store also where it is one with stores of other branches elsewhere."""
    others = merged_with(run, site)
    if not others:
        return judgement
    try:
        traffics = [traffic_at(run, site, address, mask) for address, mask in others]
    except LaneOverflowError:
        return replace(judgement, verdict=Verdict.UNKNOWN, weight=UNKNOWN)
    return beside(judgement, traffics, _most_sectors(site), APART)


def _with_merged_loads(
    run: WarpState, site: Site, address: Form, mask: Predicate, judgement: Judgement
) -> Judgement:
    """What is said of a load also where it is one with loads of other branches."""
    try:
        others = merged_loads(run, site)
        apart = [traffic_at(run, site, *other) for other in others if other[0] != address]
        hoisted = hoisted_mask(run, site, address)
        for together in (_behind(run, site) if len(apart) < len(others) else None, hoisted):
            if together is not None and together != mask:
                traffic = traffic_at(run, site, address, together)
                space, value = judgement.space, judgement.value
                joined = _decide(run, site, address, together, space, value, traffic)
                judgement = covering(judgement, joined, "loads")
    except (LaneOverflowError, NotReadyError):
        return replace(judgement, verdict=Verdict.UNKNOWN, weight=UNKNOWN)
    return beside(judgement, apart, _most_sectors(site), LOADS_APART) if apart else judgement


def _behind(run: WarpState, site: Site) -> Predicate | None:
    """The lanes that meet behind a site's block."""
    return run.masks[run.function.blocks[site.block].successors[0]]


def _most_sectors(site: Site) -> int:
    """That all lanes of a warp can touch."""
    return WARP_SIZE * max(1, -(-site.bytes // SECTOR_BYTES))


def active_at(run: WarpState, site: Site) -> Predicate | None:
    """The lanes that access memory at a site; None where none do. Raises NotReadyError where that
    is not known yet.
    """
    mask = run.masks[site.block]
    if mask is None or site.only_where is None:
        return mask
    condition = run.predicate(site.only_where, site.block, site.instruction.index)
    return masks.refine(run.warp, mask, condition)


def address_of(run: WarpState, site: Site) -> Form:
    """What a site accesses, with conditions as the branches to it and what is assumed of names have
    them, and strides as ``unit_strides`` has them. Raises NotReadyError where that is not known.
    """
    if site.ordinal not in run.addresses:
        address = run.form(site.pointer, site.block, POINTER_BITS)
        address = with_branches_taken(run, site.block, address)
        address = assumed_choices(run.warp, address, dict(run.options.assume))
        run.addresses[site.ordinal], assumed = side_by_side(run, address)
        if assumed:
            run.unit_strides[site.ordinal] = assumed
    return run.addresses[site.ordinal]


def judge_where(run: WarpState, site: Site, said: Judgement, sizes: Mapping[int, int]) -> Judgement:
    """The answer for a site of which ``said`` was the answer, where atoms have these values."""
    mask = active_at(run, site)
    assert mask is not None  # the site was judged
    address = address_of(run, site)
    for number, size in sizes.items():
        address = substitute(run.warp, address, number, size)
    traffic = traffic_at(run, site, address, mask)
    found = _decide(run, site, address, mask, said.space, said.value, traffic)
    return replace(found, origins=said.origins)


def _is_uneven(run: WarpState, site: Site) -> bool:
    """Whether lanes copy or fill more bytes than others, or none."""
    if not isinstance(site.instruction, MemoryCopy | MemoryFill):
        return False
    return not run.warp.is_uniform(run.value(site.instruction.length, site.block))


def judge_unreached(run: WarpState, site: Site, spaces: Spaces) -> Judgement:
    """The answer for a site that no thread of the *assumed* launch reaches: of another one, some
    may.
    """
    return _unfollowed(
        run, site, spaces, "only blocks of a different shape than assumed reach this access"
    )


def judge_unseen(space: Space, reason: str) -> Judgement:
    """The answer for what may access memory, but is not followed."""
    return Judgement(
        space, Verdict.UNKNOWN, Pattern.UNKNOWN, reason, "not computed", Active.UNKNOWN,
        weight=UNKNOWN,
    )  # fmt: skip


def judge_bulk(space: Space, reason: str, condition: str) -> Judgement:
    """The answer for bytes that the hardware moves side by side, whichever lanes ask for it."""
    return Judgement(
        space, Verdict.COALESCED, Pattern.CONTIGUOUS, reason, "not computed", Active.UNKNOWN,
        condition=condition,
    )  # fmt: skip


def _unfollowed(run: WarpState, site: Site, spaces: Spaces, reason: str) -> Judgement:
    """The answer for a site whose address was not computed."""
    static = SPACES.get(site.static_space)
    space = reported_space(static or str(spaces.space(run.function, site.pointer, site.block)))
    return Judgement(
        space, Verdict.UNKNOWN, Pattern.UNKNOWN, reason, "not computed", Active.UNKNOWN,
        weight=UNKNOWN,
    )  # fmt: skip


def traffic_at(
    run: WarpState, site: Site, address: Form, mask: Predicate, *, likely: bool = False
) -> Traffic:
    """Of any request of the site: a copy of memory makes one for each part of it, and so does an
    access that is not aligned to its size.
    """
    found: Traffic | None = None
    for part in range(_parts(site)):
        skipped = run.warp.constant(part * site.bytes, POINTER_BITS)
        place = run.warp.add(address, skipped) if part else address
        one = count(run.warp, place, site.bytes, mask, align=site.align, likely=likely)
        found = one if found is None else either(found, one)
        if one.unknown:
            return one  # anywhere at all: bounds that hold for every part
    assert found is not None
    return found


def _parts(site: Site) -> int:
    """Requests at different places in a line that an access may take."""
    most = max(1, LINE_BYTES // max(site.bytes, 1))
    match site.instruction:
        case Load() | Store():
            return min(most, max(1, -(-site.instruction.size // max(site.bytes, 1))))
        case MemoryCopy() | MemoryFill():
            length = site.instruction.length
            known = length.value if isinstance(length, IntConst) else LINE_BYTES
            return min(most, max(1, -(-known // site.bytes)))
        case _:
            return 1


def _space(run: WarpState, site: Site, address: Form, spaces: Spaces) -> Space:
    known = SPACES.get(site.static_space) or ops.space_of(run.warp, address)
    if not known:  # of all the module's pointers, and only then: it takes longer
        known = str(spaces.space(run.function, site.pointer, site.block))
    return reported_space(known)


def _decide(
    run: WarpState,
    site: Site,
    address: Form,
    mask: Predicate,
    space: Space,
    value: str,
    traffic: Traffic,
) -> Judgement:
    active = _active(mask)
    choices = [need for need in traffic.needs if isinstance(need, Holds)]
    address = chosen(run.warp, address, {need.number: int(need.value) for need in choices})
    address, counted = typically(run.warp, address), mask
    if traffic.by_phase and mask.phased is not None:
        mask = in_known_phase(mask, 0)  # as good as known: what it chooses is counted
    shown = address
    if traffic.by_set:
        shown, mask = in_one_set(run.warp, mask, address), each_set(run.warp, mask)[0]
    pattern = pattern_of(run.warp, shown, traffic, site.bytes)
    ideal = max(traffic.ideal_total, 1)
    best = traffic.sectors.typical_least / ideal
    worst = traffic.sectors.typical_most / ideal
    answer = answer_of(run.warp, shown, mask, traffic, pattern)
    needs: tuple[Need, ...] = ()
    settled, breaks = in_few_runs(run.warp, mask)
    if answer.verdict is Verdict.UNKNOWN and settled is not mask:
        instead = answer_of(run.warp, shown, settled, traffic, pattern)
        if instead.verdict is not Verdict.UNKNOWN:
            answer, mask, needs = instead, settled, breaks
    if answer.verdict is Verdict.UNKNOWN and space is not Space.SHARED and _may_be_a_run(mask):
        instead = answer_of(run.warp, shown, replace(mask, shape=Shape.AFFINE), traffic, pattern)
        if instead.verdict is Verdict.COALESCED:
            reason = instead.reason
            if mask.shape is Shape.DATA:
                reason = chosen_by_data(instead.reason, mask, traffic)
            answer, needs = instead._replace(reason=reason), (Neighbours(),)
    verdict, pattern, reason, says_stride = answer
    likely = traffic
    if not traffic.aligned or pattern is Pattern.UNKNOWN_START:
        likely = traffic_at(run, site, with_borders(run.warp, address), counted, likely=True)
    if pattern is Pattern.CONTIGUOUS:
        expected = likely.sectors.typical_most / ideal
        if expected > COALESCED_TO and traffic.aligned:
            pattern = Pattern.UNALIGNED
            says_stride = False
            reason = "runs of consecutive lanes do not start on sector boundaries"
    if pattern is Pattern.UNKNOWN_START:
        if verdict is Verdict.COALESCED:
            # rows of a usual pitch may start inside sectors, too: then more are to be expected
            inside = likely.sectors.typical_most >= ideal * UNCOALESCED_FROM
            verdict, reason, starts = by_start(run, address, inside=inside)
            needs += starts
        reason += moved_pointer(run, address)
    elif verdict is Verdict.COALESCED:
        needs += enough_lanes(mask, traffic, site.bytes)
    needs = tuple(dict.fromkeys((*open_needs(verdict, mask, traffic), *needs)))
    needs, wrong = decided(run.warp, needs, dict(run.options.assume))
    if wrong:
        verdict, reason, says_stride = Verdict.UNKNOWN, wrong, False
        if pattern is not Pattern.UNKNOWN_START:
            pattern = Pattern.UNKNOWN
    weight = worst if pattern is Pattern.UNKNOWN_START else best
    if verdict is not Verdict.COALESCED:
        proved = verdict is Verdict.UNCOALESCED and best >= UNCOALESCED_FROM and not choices
        weight = PROVED + best if proved else UNKNOWN + worst
    return Judgement(
        space, verdict, pattern, reason, value, active,
        stride=stride_text(run.warp, shown), array=run.array_name(address),
        lines=_range(
            _at_most(traffic.lines, traffic.sectors), traffic.ideal_lines,
            None if traffic.unknown else likely.lines, traffic.warps,
        ),
        sectors=_range(
            traffic.sectors, traffic.ideal_sectors, None if traffic.unknown else likely.sectors,
            traffic.warps,
        ),
        lanes=traffic.offsets, weight=weight, says_stride=says_stride,
        condition=condition_text(run.warp, needs),
    )  # fmt: skip


def _may_be_a_run(mask: Predicate) -> bool:
    """Whether the lanes are likely to be neighbours. Where sizes choose, they do it by bounds as a
    rule; what these leave out lies apart, at the borders. Data are often alike in a whole warp.
    """
    return mask.shape is Shape.DATA or (mask.shape is Shape.OTHER and not masks.is_union(mask))


def _at_most(lines: Tally, sectors: Tally) -> Tally:
    """A line that is touched has a sector that is."""
    return replace(lines, most=min(lines.most, sectors.most))


def _range(tally: Tally, ideal: int, likely: Tally | None, warps: int) -> CountRange:
    most = max(tally.most, 1)
    expected = None if likely is None or not warps else likely.typical_most / warps
    if expected is not None:  # what is likely of each part need not be so of all at once
        expected = min(round(expected, 2), most)
    return CountRange(min(tally.least, most), most, max(1, min(ideal, most)), expected)


def _active(mask: Predicate) -> Active:
    if mask.shape is Shape.EXACT:
        lanes = mask.lanes
        if lanes == 1:
            return Active.ALL
        return Active.KNOWN
    # What a shape says is of the lanes that are not known.
    if mask.shape is Shape.ONE and not ops.at_most_one(mask):
        return Active.OTHER
    if mask.shape in {Shape.UNIFORM, Shape.ALL_BUT_ONE} and ops.has_lane(mask.lanes, 0):
        return Active.WITHIN_BOUNDS if mask.shape is Shape.UNIFORM else Active.OTHER
    return {
        Shape.UNIFORM: Active.ALL_OR_NONE,
        Shape.ONE: Active.AT_MOST_ONE,
        Shape.ALL_BUT_ONE: Active.ALL_BUT_ONE,
        Shape.AFFINE: Active.WITHIN_BOUNDS,
        Shape.WITHIN: Active.WITHIN_BOUNDS,
        Shape.OUTSIDE: Active.OTHER,
        Shape.OTHER: Active.OTHER,
        Shape.DATA: Active.CHOSEN_BY_DATA,
    }[mask.shape]
