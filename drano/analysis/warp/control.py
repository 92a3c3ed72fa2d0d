"""Where threads of a block part: branches whose sides one warp executes one after the other, and
barriers that some threads of the block never come to.

Means: the conditions and masks of a finished interpretation. The *region* of a branch is what lies
between it and its immediate post-dominator; a barrier there is met only by threads that a branch
sends to it. A thread that has ended is not waited for, so a side that does nothing more is no
harm. Limits: a condition that one warp agrees on is known to differ between warps only where its
lanes are known; data that decides is no proof and is not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from drano.analysis.warp.interpreter import WarpInterpreter
from drano.finding import ControlFact, ControlKind
from drano.ir.model import Atomic, Branch, Call, Load, MemoryCopy, MemoryFill, Store
from drano.ir.system import user_location
from drano.lattice import Predicate, Shape

_BARRIERS = (
    "llvm.nvvm.barrier0", "llvm.nvvm.barrier.cta.sync.aligned.all", "llvm.nvvm.bar.sync",
    "llvm.nvvm.barrier.cta.red.",
)  # fmt: skip
_EFFECTS = (Load, Store, Atomic, MemoryCopy, MemoryFill)


def control_facts(run: WarpInterpreter) -> Iterator[ControlFact]:
    """The divergent branches, then the barriers in divergent code, of one interpretation."""
    for index in sorted(run.conditions):
        fact = _branch(run, index)
        if fact is not None:
            yield fact
    for block in run.function.blocks:
        if run.masks[block.index] is None:
            continue
        for instruction in block.instructions:
            if isinstance(instruction, Call) and is_barrier(instruction):
                fact = _barrier(run, block.index, instruction)
                if fact is not None:
                    yield fact


def is_barrier(call: Call) -> bool:
    """Whether all threads of a block have to come to this call."""
    return (call.callee or "").startswith(_BARRIERS)


def region(run: WarpInterpreter, branch: int, first: int) -> set[int]:
    """Blocks between the edge ``branch`` to ``first`` and the branch's post-dominator."""
    return _reachable(run, first, run.structure.ipdom[branch])


def _reachable(run: WarpInterpreter, first: int, stop: int) -> set[int]:
    seen: set[int] = set()
    pending = [first]
    while pending:
        block = pending.pop()
        if block == stop or block in seen or block >= len(run.function.blocks):
            continue
        seen.add(block)
        pending.extend(run.structure.successors[block])
    return seen


def _split(run: WarpInterpreter, index: int) -> tuple[int, int, bool]:
    """Warps in which lanes surely go both ways, warps that come there, and whether two threads of
    the block surely go different ways.
    """
    mask, condition = run.masks[index], run.conditions[index]
    if mask is None:
        return 0, 0, False
    array = run.warp.space.array
    on = array(mask.lanes) == 1
    truth = array(condition.lanes)
    yes, no = on & (truth == 1), on & (truth == 0)
    both = int((yes.any(axis=1) & no.any(axis=1)).sum())
    return both, int((array(mask.lanes) != 0).any(axis=1).sum()), bool(yes.any() and no.any())


def _branch(run: WarpInterpreter, index: int) -> ControlFact | None:
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
        proved=True, reason="", costs=(costs[0], costs[1]), launch=run.layout.launch,
    )  # fmt: skip


def _barrier(run: WarpInterpreter, block: int, call: Call) -> ControlFact | None:
    found: ControlFact | None = None
    for index, condition in sorted(run.conditions.items()):
        terminator = run.function.blocks[index].terminator
        if call.location is None or not isinstance(terminator, Branch):
            continue
        if not _skips(run, index, terminator, block):
            continue
        _, _, proved = _split(run, index)
        if not proved and (run.warp.is_uniform(condition) or _by_data(condition)):
            continue
        line = terminator.location.span.line if terminator.location is not None else 0
        reason = f"the branch of line {line}" if line else "a branch"
        fact = ControlFact(
            ControlKind.BARRIER, user_location(call.location), run.function.display,
            proved=proved and not _may_come_back(run, index, terminator, block), reason=reason,
            costs=(0, 0), launch=run.layout.launch,
        )  # fmt: skip
        if found is None or (fact.proved and not found.proved):
            found = fact
    return found


def _by_data(condition: Predicate) -> bool:
    return condition.shape is Shape.DATA


def _skips(run: WarpInterpreter, index: int, branch: Branch, barrier: int) -> bool:
    """Whether one way from the branch comes to the barrier, and the other may go past it and do
    something else.
    """
    sides = [region(run, index, target) for target in (branch.if_true, branch.if_false)]
    if barrier not in sides[0] | sides[1]:
        return False
    for target, side in zip((branch.if_true, branch.if_false), sides, strict=True):
        if barrier not in side:
            return _does_something(run, target)
    # Both ways come there: in a loop, by going round once more.
    return False


def _may_come_back(run: WarpInterpreter, index: int, branch: Branch, barrier: int) -> bool:
    """Whether threads that went past may still come to this or another barrier of the region, so
    that the hardware may count them: no proof then.
    """
    for target in (branch.if_true, branch.if_false):
        side = region(run, index, target)
        if barrier in side:
            if not run.structure.post_dominates(barrier, target):
                return True
            continue
        calls = (i for b in side for i in run.function.blocks[b].instructions)
        if any(isinstance(i, Call) and is_barrier(i) for i in calls):
            return True
    return bool(run.structure.loops_of[barrier])


def _does_something(run: WarpInterpreter, first: int) -> bool:
    """Whether a thread that goes to ``first`` accesses memory or waits before it ends."""
    blocks = _reachable(run, first, len(run.function.blocks))
    instructions = (i for b in blocks for i in run.function.blocks[b].instructions)
    return any(
        isinstance(i, _EFFECTS) or (isinstance(i, Call) and is_barrier(i)) for i in instructions
    )
