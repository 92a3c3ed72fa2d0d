"""Which lanes go where: the active mask of each block and edge, and what diverges as a result.

Assumption: lanes that a branch separates run together again from its post-dominator on. What is
kept here, ``masks``, ``edges``, ``conditions`` and the three sets of what diverges, only grows.
"""

from __future__ import annotations

from collections.abc import Set

from drano.analysis.warp.state.memo import same_branch
from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.transfer.registry import transfer
from drano.ir.loops import Loop
from drano.ir.model import Block, Branch, Jump, Return, Switch, Unreachable
from drano.lattice import Predicate, Shape
from drano.lattice.warp import masks
from drano.lattice.warp import operations as ops


def mask_of(state: WarpState, index: int) -> Predicate | None:
    """The lanes that are active in a block; None while no way to it is known."""
    if index == 0 and 0 not in state.structure.loops:
        return state.layout.active
    loop = state.structure.loops.get(index)
    if loop is not None:
        state.lane_runs.recheck(index)
        state.trip_counts.recheck(index)
    incoming = []
    for source in state.structure.predecessors[index]:
        if loop is not None and source in loop.body:
            continue
        edge = state.edges.get((source, index))
        if edge is not None:
            incoming.append(edge)
    if index == 0:
        incoming.append(state.layout.active)
    if not incoming:
        return None
    mask = _rejoined(state, index) or masks.union(state.warp, incoming, index)
    if index in state.structure.irregular:
        around = state.loops_at(index)
        return masks.weaken(state.warp, mask, Shape.OTHER, "irregular control flow", index, around)
    if index in state.divergent_loops:
        shape, reason = state.divergent_loops[index]
        around = state.loops_at(index)
        if index not in state.tangled_loops:
            around -= {index}
        cut = _cut_of(state, index)
        return masks.weaken(state.warp, mask, shape, reason, index, around, cut)
    return mask


def _rejoined(state: WarpState, index: int) -> Predicate | None:
    """The mask of the dominator whose threads all come here, if there is one."""
    above = state.structure.idom[index]
    here = set(state.structure.loops_of[index])
    while True:
        outer = [h for h in state.structure.loops_of[above] if h not in here]
        if not outer:
            break
        header = outer[-1]
        if state.structure.idom[header] == header:
            return None
        above = state.structure.idom[header]
    if above == index or not state.structure.post_dominates(index, above):
        return None
    return state.masks[above]


# --- terminators -----------------------------------------------------------------------------


@transfer(Return, always=True)
def _return(state: WarpState, i: Return, block: Block) -> None:
    """No edge."""


@transfer(Unreachable, always=True)
def _unreachable(state: WarpState, i: Unreachable, block: Block) -> None:
    """No edge."""


@transfer(Jump, always=True)
def _jump(state: WarpState, i: Jump, block: Block) -> None:
    _set_edge(state, block, i.target, _mask(state, block))


@transfer(Branch, always=True)
def _branch(state: WarpState, i: Branch, block: Block) -> None:
    mask = _mask(state, block)
    condition = state.predicate(i.condition, block.index, i.index)
    known = state.conditions.get(block.index)
    state.conditions[block.index] = condition
    if condition != known:
        state.ways_changed(block.index)
    if same_branch(state, block.index, mask, condition):
        return
    _note_divergence(state, block.index, condition)
    if i.if_true == i.if_false:
        _set_edge(state, block, i.if_true, mask)
        return
    opposite = ops.negated(state.warp, condition)
    taken = masks.refine(state.warp, mask, condition)
    left = masks.refine(state.warp, mask, opposite)
    _set_edge(state, block, i.if_true, taken)
    _set_edge(state, block, i.if_false, left)


@transfer(Switch, always=True)
def _switch(state: WarpState, switch: Switch, block: Block) -> None:
    value = state.form(switch.value, block.index, switch.bits)
    rest: Predicate | None = _mask(state, block)
    by_target: dict[int, list[Predicate]] = {}
    for number, (constant, target) in enumerate(switch.cases):
        if rest is None:
            break
        equal = ops.compare(
            state.warp, "eq", value, state.warp.constant(constant, switch.bits),
            ("case", switch.index, number),
        )  # fmt: skip
        _note_divergence(state, block.index, equal)
        taken = masks.refine(state.warp, rest, equal)
        if taken is not None:
            by_target.setdefault(target, []).append(taken)
        rest = masks.refine(state.warp, rest, ops.negated(state.warp, equal))
    if rest is not None:
        by_target.setdefault(switch.default, []).append(rest)
    for target, parts in by_target.items():
        _set_edge(state, block, target, masks.union(state.warp, parts, block.index))


def leave_unknown(state: WarpState, block: Block) -> None:
    """Any lanes go to any of the blocks that come next."""
    anything = Predicate(2, Shape.OTHER, ("leaves", block.index), "unsupported control flow")
    _note_divergence(state, block.index, anything)
    for target in block.successors:
        _set_edge(state, block, target, masks.refine(state.warp, _mask(state, block), anything))


def _mask(state: WarpState, block: Block) -> Predicate:
    mask = state.masks[block.index]
    assert mask is not None, "a block that is executed has lanes"
    return mask


def _set_edge(state: WarpState, block: Block, target: int, mask: Predicate | None) -> None:
    """The lanes that go from ``block`` to ``target``; None: none do."""
    if mask is not None and mask != state.edges.get((block.index, target)):
        state.edges[block.index, target] = mask
        state.note_change()
        state.ways_changed(block.index)


def _note_divergence(state: WarpState, index: int, condition: Predicate) -> None:
    """Remember what a branch that lanes may take differently makes divergent."""
    if state.warp.is_uniform(condition):
        return
    new = index not in state.divergent_branches
    heads = state.structure.header_joins(index) - state.divergent_heads
    if new or heads:
        state.divergent_branches.add(index)
        state.divergent_joins |= state.structure.branch_joins(index)
        state.divergent_heads |= heads
        state.note_change()  # only phis depend on joins
    stop = state.structure.ipdom[index]
    for header in state.structure.loops_of[index]:
        loop = state.structure.loops[header]
        if stop not in loop.body:
            _diverge_loop(state, loop, condition, index)
        elif header in state.structure.goes_around(index):
            _diverge_loop(state, loop, condition, index)
            _tangle(state, loop)


def _cut_of(state: WarpState, header: int) -> frozenset[int]:
    """Between the breaks of which atoms the lanes that are still in a loop are one run; none where
    they may be any.
    """
    cuts = state.loop_cuts.get(header, {}).values()
    return frozenset[int]().union(*cuts) if all(cuts) else frozenset()


def _note_cut(
    state: WarpState, loop: Loop, condition: Predicate, shape: Shape, branch: int
) -> None:
    """Lanes that a branch takes out of a loop, in this or an earlier iteration, leave one run in
    each segment, if the segments are the same in all of them, but for where an index wraps around.
    """
    if shape <= Shape.AFFINE:
        return
    # Of ``i == n``, those that stay may be two.
    known = condition.shape is Shape.OTHER and condition.cut and condition.off_cut
    cut = condition.cut | condition.off_cut if known else frozenset[int]()
    atoms = [state.warp.atoms[number] for number in cut]
    if any(loop.header in a.loops and not (a.steps and a.steps.rare) for a in atoms):
        cut = frozenset()
    cuts = state.loop_cuts.setdefault(loop.header, {})
    if cuts.get(branch) != cut:
        cuts[branch] = cut
        state.note_change()


def _diverge_loop(state: WarpState, loop: Loop, condition: Predicate, branch: int) -> None:
    shape = max(condition.shape, Shape.AFFINE)
    if condition.shape is Shape.EXACT and not masks.is_contiguous(state.warp, condition):
        shape = Shape.OTHER
    _note_cut(state, loop, condition, shape, branch)
    old = state.divergent_loops.get(loop.header)
    if old is not None and old[0] >= shape:
        return
    state.divergent_loops[loop.header] = (shape, condition.reason)
    _meet_of_loop(state, state.structure.exit_joins(loop))
    state.note_change()
    for reader in state.structure.readers_outside.get(loop.header, ()):
        state.computed_at[reader] = -1


def _tangle(state: WarpState, loop: Loop) -> None:
    """Inside ``loop``, too, lanes meet that are at different iterations of it."""
    if loop.header in state.tangled_loops:
        return
    state.tangled_loops.add(loop.header)
    _meet_of_loop(state, {b for b in loop.body if len(state.structure.predecessors[b]) > 1})
    state.divergent_heads.add(loop.header)
    state.note_change()
    state.tangled_at = state.warp.version


def _meet_of_loop(state: WarpState, blocks: Set[int]) -> None:
    state.divergent_joins |= blocks
    state.joins_of_loops |= blocks
