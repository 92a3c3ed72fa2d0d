"""Which lanes go where: the active mask of each block and edge, and what that makes divergent.

Assumption: lanes that a branch parted run together again from its post-dominator on. State is the
interpreter's: ``masks``, ``edges``, ``conditions`` and the three sets of what diverges only grow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drano.analysis.warp.state import masks
from drano.analysis.warp.state.memo import same_branch
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.ir.loops import Loop
from drano.ir.model import Block, Branch, Jump, Switch
from drano.lattice import Predicate, Shape
from drano.lattice.warp import operations as ops

if TYPE_CHECKING:
    from drano.analysis.warp.state.interpreter import WarpInterpreter


def mask_of(run: WarpInterpreter, index: int) -> Predicate | None:
    """The lanes that are active in a block; None while no way to it is known."""
    if index == 0 and 0 not in run.structure.loops:
        return run.layout.active
    loop = run.structure.loops.get(index)
    incoming = []
    for source in run.structure.predecessors[index]:
        if loop is not None and source in loop.body:
            continue
        edge = run.edges.get((source, index))
        if edge is not None:
            incoming.append(edge)
    if index == 0:
        incoming.append(run.layout.active)
    if not incoming:
        return None
    mask = _rejoined(run, index) or masks.union(run.warp, incoming, index)
    if index in run.structure.irregular:
        around = run.loops_at(index)
        return masks.weaken(run.warp, mask, Shape.OTHER, "irregular control flow", index, around)
    if index in run.divergent_loops:
        shape, reason = run.divergent_loops[index]
        around = run.loops_at(index)
        if index not in run.tangled_loops:
            around -= {index}
        return masks.weaken(run.warp, mask, shape, reason, index, around)
    return mask


def _rejoined(run: WarpInterpreter, index: int) -> Predicate | None:
    """The mask of the dominator whose threads all come here, if there is one."""
    above = run.structure.idom[index]
    here = set(run.structure.loops_of[index])
    while True:
        outer = [h for h in run.structure.loops_of[above] if h not in here]
        if not outer:
            break
        header = outer[-1]
        if run.structure.idom[header] == header:
            return None
        above = run.structure.idom[header]
    if above == index or not run.structure.post_dominates(index, above):
        return None
    return run.masks[above]


def leave(run: WarpInterpreter, block: Block, mask: Predicate) -> None:
    """Masks of the edges out of ``block``."""
    terminator = block.terminator
    out: list[tuple[int, Predicate | None]] = []
    if isinstance(terminator, Jump):
        out = [(terminator.target, mask)]
    elif isinstance(terminator, Branch):
        try:
            condition = run.predicate(terminator.condition, block.index, terminator.index)
        except NotReadyError:
            return
        run.conditions[block.index] = condition
        if same_branch(run, block.index, mask, condition):
            return
        _note_divergence(run, block.index, condition)
        if terminator.if_true == terminator.if_false:
            out = [(terminator.if_true, mask)]
        else:
            opposite = ops.negated(run.warp, condition)
            out = [
                (terminator.if_true, masks.refine(run.warp, mask, condition)),
                (terminator.if_false, masks.refine(run.warp, mask, opposite)),
            ]
    elif isinstance(terminator, Switch):
        out = _switch(run, terminator, block, mask)
    for target, edge in out:
        if edge is None or edge == run.edges.get((block.index, target)):
            continue
        run.edges[block.index, target] = edge
        run.warp.version += 1


def _switch(
    run: WarpInterpreter, switch: Switch, block: Block, mask: Predicate
) -> list[tuple[int, Predicate | None]]:
    value = run.form(switch.value, block.index, switch.bits)
    rest: Predicate | None = mask
    by_target: dict[int, list[Predicate]] = {}
    for number, (constant, target) in enumerate(switch.cases):
        if rest is None:
            break
        equal = ops.compare(
            run.warp, "eq", value, run.warp.constant(constant, switch.bits),
            ("case", switch.index, number),
        )  # fmt: skip
        _note_divergence(run, block.index, equal)
        taken = masks.refine(run.warp, rest, equal)
        if taken is not None:
            by_target.setdefault(target, []).append(taken)
        rest = masks.refine(run.warp, rest, ops.negated(run.warp, equal))
    if rest is not None:
        by_target.setdefault(switch.default, []).append(rest)
    return [
        (target, masks.union(run.warp, parts, block.index)) for target, parts in by_target.items()
    ]


def _note_divergence(run: WarpInterpreter, index: int, condition: Predicate) -> None:
    """Remember what a branch that lanes may take differently makes divergent."""
    if run.warp.is_uniform(condition):
        return
    new = run.structure.branch_joins(index) - run.divergent_joins
    heads = run.structure.header_joins(index) - run.divergent_heads
    if new or heads:
        run.divergent_joins |= new
        run.divergent_heads |= heads
        run.note_change()  # only phis depend on joins
    stop = run.structure.ipdom[index]
    for header in run.structure.loops_of[index]:
        loop = run.structure.loops[header]
        if stop not in loop.body:
            _diverge_loop(run, loop, condition)
        elif header in run.structure.goes_around(index):
            _diverge_loop(run, loop, condition)
            _tangle(run, loop)


def _diverge_loop(run: WarpInterpreter, loop: Loop, condition: Predicate) -> None:
    shape = max(condition.shape, Shape.AFFINE)
    if condition.shape is Shape.EXACT and not masks.is_contiguous(run.warp, condition):
        shape = Shape.OTHER
    old = run.divergent_loops.get(loop.header)
    if old is not None and old[0] >= shape:
        return
    run.divergent_loops[loop.header] = (shape, condition.reason)
    run.divergent_joins |= run.structure.exit_joins(loop)
    run.note_change()
    for reader in run.structure.readers_outside.get(loop.header, ()):
        run.computed_at[reader] = -1


def _tangle(run: WarpInterpreter, loop: Loop) -> None:
    """Inside ``loop``, too, lanes meet that are at different iterations of it."""
    if loop.header in run.tangled_loops:
        return
    run.tangled_loops.add(loop.header)
    run.divergent_joins |= {b for b in loop.body if len(run.structure.predecessors[b]) > 1}
    run.divergent_heads.add(loop.header)
    run.note_change()
    run.tangled_at = run.warp.version
