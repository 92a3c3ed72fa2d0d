"""Where threads of a block diverge: branches whose sides one warp executes one after the other, and
barriers that some threads of the block never reach.

Means: the conditions and masks of a finished interpretation. The *region* of a branch is the code
between it and its immediate post-dominator; a barrier there is reached only by threads that the
branch sends to it. Barriers do not wait for threads that have ended, so a side that does nothing
more is harmless. Limits: a condition that is uniform in a warp is known to differ between warps
only where its lanes are known; conditions on data, and those on which lanes only disagree where
their numbers wrap around, are no proof and are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from drano.analysis.warp.state.warp_state import WarpState
from drano.ir.intrinsics import Barrier, intrinsic
from drano.ir.model import Atomic, Block, Branch, Call, Load, MemoryCopy, MemoryFill, Store
from drano.lattice import Predicate, Shape
from drano.model.finding import ControlFact, ControlKind
from drano.model.span import Span
from drano.model.system_headers import user_location

_EFFECTS = (Load, Store, Atomic, MemoryCopy, MemoryFill)


def control_facts(run: WarpState) -> Iterator[ControlFact]:
    """The divergent branches, then the barriers in divergent code, of one interpretation."""
    for index in sorted(run.conditions):
        fact = _branch(run, index)
        if fact is not None:
            yield fact
    partings = _partings(run)
    for block in run.function.blocks if partings else ():
        if run.masks[block.index] is None:
            continue
        for instruction in block.instructions:
            if isinstance(instruction, Call) and stops_block(instruction):
                fact = _barrier(run, block.index, instruction, partings)
                if fact is not None:
                    yield fact


def stops_block(call: Call) -> bool:
    """Whether all threads of a block have to come to this call."""
    return intrinsic(call.callee or "").barrier is Barrier.BLOCK


def region(run: WarpState, branch: int, first: int) -> set[int]:
    """Blocks between the edge ``branch`` to ``first`` and the branch's post-dominator."""
    return _reachable(run, first, run.structure.ipdom[branch])


def _reachable(run: WarpState, first: int, stop: int) -> set[int]:
    seen: set[int] = set()
    pending = [first]
    while pending:
        block = pending.pop()
        if block == stop or block in seen or block >= len(run.function.blocks):
            continue
        seen.add(block)
        pending.extend(run.structure.successors[block])
    return seen


def _split(run: WarpState, index: int) -> tuple[int, int, bool]:
    """Warps in which lanes surely go both ways, warps of the block, and whether two threads of the
    block surely go different ways.
    """
    mask, condition = run.masks[index], run.conditions[index]
    if mask is None or isinstance(condition.lanes, int):
        return 0, 0, False
    array = run.warp.space.array
    on = array(mask.lanes) == 1
    truth = array(condition.lanes)
    yes, no = on & (truth == 1), on & (truth == 0)
    both = int((yes.any(axis=1) & no.any(axis=1)).sum())
    warps = int((array(run.layout.active.lanes) != 0).any(axis=1).sum())
    return both, warps, bool(yes.any() and no.any())


def _branch(run: WarpState, index: int) -> ControlFact | None:
    """A branch that parts most warps of the block, when both sides have something to do."""
    terminator = run.function.blocks[index].terminator
    if not isinstance(terminator, Branch) or terminator.location is None:
        return None
    both, warps, _ = _split(run, index)
    if not both or 2 * both < warps:
        return None
    sides = [region(run, index, t) for t in (terminator.if_true, terminator.if_false)]
    if sides[0] & sides[1]:
        return None  # a loop's test, or paths that meet before the post-dominator
    costs = [sum(len(run.function.blocks[b].instructions) - 1 for b in side) for side in sides]
    return ControlFact(
        ControlKind.BRANCH, user_location(terminator.location), run.function.display,
        proved=True, branch=None, costs=(costs[0], costs[1]), launch=run.layout.launch,
    )  # fmt: skip


class _Parting(Struct, frozen=True):
    """A branch that threads may take differently. ``inside, outside``: first blocks and regions of
    the way that is taken to come to a barrier, and of the other, on which a thread does something.
    """

    proved: bool
    place: Span | None
    target: int
    inside: frozenset[int]
    outside: frozenset[int]


def _partings(run: WarpState) -> list[_Parting]:
    found = []
    doing = {block.index for block in run.function.blocks if _does_something(block)}
    for index, condition in sorted(run.conditions.items()):
        terminator = run.function.blocks[index].terminator
        if not isinstance(terminator, Branch) or run.masks[index] is None:
            continue
        _, _, proved = _split(run, index)
        if not (proved or _may_part(run, condition)):
            continue
        place = terminator.location.span if terminator.location is not None else None
        targets = (terminator.if_true, terminator.if_false)
        ways = [(target, frozenset(region(run, index, target))) for target in targets]
        for (target, inside), (other, outside) in (ways, ways[::-1]):
            if inside - outside and _comes_to(run, other, doing):
                found.append(_Parting(proved, place, target, inside, outside))
    return found


def _may_part(run: WarpState, condition: Predicate) -> bool:
    """Whether lanes may disagree on a condition, as far as numbers that are followed tell: not
    ``t + lane < end + lane``, though one of these may wrap around in some lanes.
    """
    if run.warp.is_uniform(condition) or condition.shape is Shape.DATA:
        return False
    if condition.below is None:
        return True
    kept = {
        monomial: coefficient
        for monomial, coefficient in condition.below.terms
        if not any(run.warp.atoms[number].wrapped for number in monomial)
    }
    return not run.warp.is_uniform(
        run.warp.build(condition.below.bits, kept, condition.below.const)
    )


def _barrier(
    run: WarpState, block: int, call: Call, partings: Sequence[_Parting]
) -> ControlFact | None:
    """The branch that surely keeps threads from the barrier, else one that may."""
    parting = [p for p in partings if block in p.inside and block not in p.outside]
    if call.location is None or not parting:
        return None
    sure = [p for p in parting if p.proved and _for_good(run, p, block)]
    return ControlFact(
        ControlKind.BARRIER, user_location(call.location), run.function.display,
        proved=bool(sure), branch=(sure or parting)[0].place, costs=(0, 0),
        launch=run.layout.launch,
    )  # fmt: skip


def _for_good(run: WarpState, parting: _Parting, barrier: int) -> bool:
    """Whether threads that went past come neither to this barrier nor to another that the hardware
    might count in its place, and the others surely come to it.
    """
    if run.structure.loops_of[barrier] or not run.structure.post_dominates(barrier, parting.target):
        return False
    calls = (i for b in parting.outside for i in run.function.blocks[b].instructions)
    return not any(isinstance(i, Call) and stops_block(i) for i in calls)


def _comes_to(run: WarpState, first: int, blocks: set[int]) -> bool:
    """Whether a thread that goes to ``first`` may come to one of the ``blocks`` before it ends."""
    seen = {first}
    pending = [first]
    while pending:
        block = pending.pop()
        if block in blocks:
            return True
        new = [target for target in run.structure.successors[block] if target not in seen]
        seen.update(new)
        pending += new
    return False


def _does_something(block: Block) -> bool:
    """Whether memory is accessed in a block, or waited in it."""
    return any(
        isinstance(i, _EFFECTS) or (isinstance(i, Call) and stops_block(i))
        for i in block.instructions
    )
