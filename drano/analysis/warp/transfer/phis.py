"""Phi nodes: where values of different paths meet.

At a join that lanes reach by different sides of a branch, each lane keeps the value of its own
side (exact lane selection where the masks decide it). At a join of a branch that the whole warp
takes alike, the result is one of the values, for all lanes. At the head of a loop the value is
``p + L``: ``L`` the lane pattern it enters with, ``p`` a uniform unknown for this iteration,
as long as every back edge returns the same lane pattern.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from drano.analysis.warp.state.memo import join_inputs, joined_before
from drano.analysis.warp.transfer import induction
from drano.ir.model import Block, Branch, Phi, UndefConst
from drano.lattice import (
    Aggregate,
    Cause,
    Congruence,
    Form,
    LaneOverflowError,
    Predicate,
    Shape,
    Value,
    signed_range,
    unsigned_range,
)
from drano.lattice import congruence as congruences
from drano.lattice.warp import operations as ops

if TYPE_CHECKING:
    from drano.analysis.warp.state.interpreter import WarpInterpreter

_MAX_ALTERNATIVES = 4


class Mode(IntEnum):
    """How a loop-carried value moves; only ever increases."""

    CONSTANT = 0
    UNIFORM_STEP = 1
    VARYING = 2


def evaluate(run: WarpInterpreter, phi: Phi, block: Block) -> Value | None:
    """Value of ``phi`` from the edges that are live so far."""
    loop = run.structure.loops.get(block.index)
    entering: list[tuple[int, Value]] = []
    returning: list[Value] = []
    undefined: list[int] = []
    # several edges of one switch bring the same value
    for operand, source in dict.fromkeys(phi.incoming):
        if (source, block.index) not in run.edges:
            continue
        if isinstance(operand, UndefConst):
            undefined.append(source)  # no program may depend on an undefined value
            continue
        # seen from here: what leaves a loop by this edge, lanes left at different iterations
        value = run.value(operand, block.index)
        if value is None:
            continue
        if loop is not None and source in loop.body:
            returning.append(value)
        else:
            entering.append((source, value))
    if not entering and undefined:
        nothing = run.unknown_of(
            phi.type, ("undefined", phi.index), "undefined value", Cause.PARAMETER, varying=False
        )
        outside = [s for s in undefined if loop is None or s not in loop.body]
        entering = [(source, nothing) for source in outside]
    if not entering:
        return None
    if block.index in run.structure.irregular:
        return _varying(run, phi, block, [v for _, v in entering], "irregular control flow")
    if loop is None:
        inputs = join_inputs(run, block.index, entering)
        known = joined_before(run, phi.index, inputs)
        if known is not None:
            return known
        now = run.warp.version
        value = _join(run, phi, block, entering)
        run.recall.joins[phi.index] = inputs, now
        return value
    first = _join(run, phi, block, entering)
    if not returning:
        return _foreseen(run, phi, block, first)
    return _carried(run, phi, block, first, returning)


# --- joins -----------------------------------------------------------------------------------


def _join(run: WarpInterpreter, phi: Phi, block: Block, entering: list[tuple[int, Value]]) -> Value:
    values = [value for _, value in entering]
    first = values[0]
    if all(value == first for value in values):
        return _hull(run, values)
    divergent = block.index in run.divergent_joins
    if all(isinstance(value, Aggregate) for value in values):
        return _join_aggregates(run, phi, block, entering)
    if any(isinstance(value, Predicate) for value in values):
        return _join_predicates(run, phi, block, entering, divergent)
    forms = [value for value in values if isinstance(value, Form)]
    if len(forms) != len(values):
        return _varying(run, phi, block, values, "values of different kinds meet")
    try:
        tied = _tied_select(run, block, entering)
        if tied is not None:
            return tied
        sources = [source for source, _ in entering]
        if not divergent:
            return _join_uniform(run, phi, block, sources, forms)
        return _join_divergent(run, phi, block, sources, forms)
    except LaneOverflowError:
        return _varying(run, phi, block, values, "too many different indices meet here")


def _hull(run: WarpInterpreter, values: Sequence[Value]) -> Value:
    """One of several equal values, with the range of all."""
    forms = [value for value in values if isinstance(value, Form)]
    return run.warp.hull(forms) if forms else values[0]


def _join_aggregates(
    run: WarpInterpreter, phi: Phi, block: Block, entering: list[tuple[int, Value]]
) -> Value:
    rows = [value.elements for _, value in entering if isinstance(value, Aggregate)]
    if len({len(row) for row in rows}) != 1:
        return _varying(run, phi, block, [v for _, v in entering], "aggregates of different size")
    same = all(row == rows[0] for row in rows)
    if same:
        return entering[0][1]
    values = [value for _, value in entering]
    divergent = block.index in run.divergent_joins
    varying = divergent or not all(run.warp.is_uniform(v) for v in values)
    return run.unknown_of(
        phi.type, ("phi", phi.index), "values merged from different paths", Cause.CHOICE,
        varying=varying, loops=run.loops_at(block.index), data=any(map(run.warp.is_data, values)),
    )  # fmt: skip


def _join_predicates(
    run: WarpInterpreter,
    phi: Phi,
    block: Block,
    entering: list[tuple[int, Value]],
    divergent: bool,
) -> Value:
    """Short-circuit conditions: ``a && b`` is a phi of false and b."""
    condition = _separating(run, block, [source for source, _ in entering])
    predicates = [value for _, value in entering if isinstance(value, Predicate)]
    if len(predicates) != len(entering):
        return _varying(run, phi, block, [v for _, v in entering], "values of different kinds meet")
    key = ("phi", phi.index)
    if condition is not None and len(predicates) == 2:
        return select_predicate(run, condition, predicates[0], predicates[1], key)
    uniform = not divergent and all(run.warp.is_uniform(p) for p in predicates)
    loops = frozenset[int]().union(*(p.loops for p in predicates)) | run.loops_at(block.index)
    if uniform:
        return Predicate(2, Shape.UNIFORM, key, "", loops)
    shape = max(Shape.OTHER, *(p.shape for p in predicates))
    for source, _ in entering:
        shape = max(shape, run.edges[source, block.index].shape)
    reason = next((p.reason for p in predicates if p.reason), "")
    return Predicate(2, shape, key, reason, loops)


def select_predicate(
    run: WarpInterpreter, condition: Predicate, yes: Predicate, no: Predicate, key: object
) -> Predicate:
    """``condition ? yes : no`` as ``(c && yes) || (!c && no)``."""
    warp = run.warp
    if yes == no:
        return yes
    one = ops.conjunction(warp, condition, yes, (key, 1))
    other = ops.conjunction(warp, ops.negated(warp, condition), no, (key, 2))
    return ops.disjunction(warp, one, other, key)


def _tied_select(
    run: WarpInterpreter, block: Block, entering: list[tuple[int, Value]]
) -> Value | None:
    """The join of one two-way branch as ``condition ? a : b``, tied to the condition itself."""
    condition = _separating(run, block, [source for source, _ in entering])
    if condition is None:
        return None
    yes, no = entering[0][1], entering[1][1]
    if not isinstance(yes, Form) or not isinstance(no, Form):
        return None
    return ops.select(run.warp, condition, yes, no)


def _separating(run: WarpInterpreter, block: Block, sources: Sequence[int]) -> Predicate | None:
    """The condition that is true on the way by the first source and false by the second."""
    if len(sources) != 2 or len(run.structure.predecessors[block.index]) != 2:
        return None
    top = run.structure.idom[block.index]
    here = run.structure.loops_of[block.index]
    if any(h in run.divergent_loops and h not in here for h in run.structure.loops_of[top]):
        return None  # of the last iteration of each lane
    branch = run.function.blocks[top].terminator
    condition = run.conditions.get(top)
    if condition is None or not isinstance(branch, Branch) or branch.if_true == branch.if_false:
        return None
    sides = []
    for source in sources:
        by_true = _comes_by(run, block.index, top, branch.if_true, source)
        by_false = _comes_by(run, block.index, top, branch.if_false, source)
        if by_true == by_false:
            return None
        sides.append(by_true)
    if sides[0] == sides[1]:
        return None
    return condition if sides[0] else ops.negated(run.warp, condition)


def _comes_by(run: WarpInterpreter, join: int, top: int, side: int, source: int) -> bool:
    if source == top:
        return side == join
    return (
        side != join
        and run.structure.dominates(side, source)
        and run.structure.predecessors[side] == [top]
    )


def _join_uniform(
    run: WarpInterpreter, phi: Phi, block: Block, sources: list[int], forms: list[Form]
) -> Value:
    warp = run.warp
    first = forms[0]
    if all(warp.same_lanes(first, other) for other in forms[1:]):
        loops = run.loops_at(block.index)
        return ops.merge_uniform(warp, ("phi", phi.index), tuple(forms), loops)
    if len(forms) > _MAX_ALTERNATIVES:
        return _varying(run, phi, block, list(forms), "too many different indices meet here")
    return _mixture(run, block, sources, forms, Shape.UNIFORM, "")


def _join_divergent(
    run: WarpInterpreter, phi: Phi, block: Block, sources: list[int], forms: list[Form]
) -> Value:
    """Per lane the value of the edge that the lane may come by."""
    warp = run.warp
    masks = [run.edges[source, block.index] for source in sources]
    lanes = np.stack([warp.space.array(mask.lanes) for mask in masks])
    if ((lanes != 0).sum(axis=0) <= 1).all():
        result = forms[0]
        for mask, form in zip(masks[1:], forms[1:], strict=True):
            chosen = warp.space.intern((warp.space.array(mask.lanes) != 0).astype(np.int64))
            result = ops.select_lanes(warp, chosen, form, result)
        return result
    if len(forms) > _MAX_ALTERNATIVES:
        return _varying(run, phi, block, list(forms), "too many different indices meet here")
    shape = max(Shape.AFFINE, *(mask.shape for mask in masks))
    if shape is Shape.AFFINE and len(forms) > 2:
        shape = Shape.OTHER
    reason = next((mask.reason for mask in masks if mask.reason), "")
    return _mixture(run, block, sources, forms, shape, reason)


def _mixture(
    run: WarpInterpreter,
    block: Block,
    sources: list[int],
    forms: list[Form],
    shape: Shape,
    reason: str,
) -> Form:
    """``last + sum(c_i * (form_i - last))``; the 0/1 unknowns ("came by this edge") are shared by
    all phis of the block.
    """
    warp = run.warp
    result = last = forms[-1]
    for source, form in zip(sources[:-1], forms[:-1], strict=True):
        picked = warp.atom(
            ("join", block.index, source), form.bits, reason or "path taken", Cause.CHOICE,
            varying=shape is not Shape.UNIFORM, bounds=(0, 1), loops=run.loops_at(block.index),
            shape=shape, data=shape is Shape.DATA,
        )  # fmt: skip
        result = warp.add(result, warp.mul(picked, warp.sub(form, last)))
    lo, hi = min(f.lo for f in forms), max(f.hi for f in forms)
    return warp.build(result.bits, dict(result.terms), result.const, (lo, hi))


def _varying(
    run: WarpInterpreter, phi: Phi, block: Block, values: list[Value], reason: str
) -> Value:
    warp = run.warp
    divergent = block.index in run.divergent_joins
    varying = divergent or not all(warp.is_uniform(v) for v in values)
    if not varying and block.index not in run.structure.irregular:
        return run.unknown_of(
            phi.type, ("phi", phi.index, "any"), run.name_of(phi.index) or "merged value",
            Cause.CHOICE, varying=False, loops=run.loops_at(block.index),
        )  # fmt: skip
    data = any(warp.is_data(v) for v in values)
    for value in values:
        for atom in warp.varying_atoms(value):
            if atom.data:
                reason = atom.name
    spaces = {ops.space_of(warp, v) for v in values if isinstance(v, Form)}
    return run.unknown_of(
        phi.type, ("phi", phi.index, "any"), reason, Cause.CHOICE, varying=True,
        loops=run.loops_at(block.index), data=data,
        space=spaces.pop() if len(spaces) == 1 else "",
    )  # fmt: skip


# --- loops -----------------------------------------------------------------------------------


def _foreseen(run: WarpInterpreter, phi: Phi, block: Block, first: Value) -> Value:
    """Before the loop was run: a counter is taken for what it will be."""
    if not isinstance(first, Form) or run.phi_modes.get(phi.index, Mode.CONSTANT):
        return first
    coming = induction.foreseen(run, phi, block, first)
    if not coming:
        return first
    try:
        stepped = _uniform_step(run, phi, block, first, list(coming), at_once=True)
    except LaneOverflowError:
        return first
    if stepped is None:
        return first
    run.phi_modes[phi.index] = Mode.UNIFORM_STEP
    return stepped


def _carried(
    run: WarpInterpreter, phi: Phi, block: Block, first: Value, returning: list[Value]
) -> Value:
    key = phi.index
    mode = run.phi_modes.get(key, Mode.CONSTANT)
    if mode is Mode.CONSTANT:
        if all(value == first for value in returning):
            return _hull(run, [first, *returning])
        mode = _raise_mode(run, key, Mode.UNIFORM_STEP)
    parted = block.index in run.divergent_heads and any(v != returning[0] for v in returning)
    if isinstance(first, Predicate) or not isinstance(first, Form):
        return _carried_other(run, phi, block, [first, *returning], parted)
    forms = [value for value in returning if isinstance(value, Form)]
    if len(forms) != len(returning):
        return _carried_varying(run, phi, block, first, returning)
    if mode is Mode.UNIFORM_STEP and not parted:
        try:
            stepped = _uniform_step(run, phi, block, first, forms)
        except LaneOverflowError:
            stepped = None
        if stepped is not None:
            return stepped
        _raise_mode(run, key, Mode.VARYING)
    return _carried_varying(run, phi, block, first, returning)


def _raise_mode(run: WarpInterpreter, key: int, mode: Mode) -> Mode:
    run.phi_modes[key] = mode
    run.note_change()
    return mode


def _uniform_step(
    run: WarpInterpreter,
    phi: Phi,
    block: Block,
    first: Form,
    returning: list[Form],
    *,
    at_once: bool = False,
) -> Form | None:
    """``p + lanes``; ``at_once``: with bounds as far as the loop can ever move them."""
    warp = run.warp
    _, lanes = warp.split_warp(first)
    bits = first.bits
    kept = induction.kept(run, phi, block, first)
    if kept is not None and not at_once:
        # the sums themselves: what the loop computed may have been read another way
        now = run.env[phi.index]
        sums = None
        if isinstance(now, Form):
            sums = induction.returned(run, induction.advances(run, phi, block), now)
        if sums is None:
            kept = None
        else:
            returning = list(sums)
    uniform_parts = [warp.sub(form, lanes) for form in (first, *returning)]
    if not all(warp.is_uniform(part) for part in uniform_parts):
        return None
    residue: Congruence | None = None
    likely: Congruence | None = None
    for part in uniform_parts:
        terms = [*part.terms, ((), part.const)]
        known = warp.congruence(terms)
        residue = known if residue is None else congruences.join(residue, known)
        known = warp.congruence(terms, likely=True)
        likely = known if likely is None else congruences.join(likely, known)
    lo = min(part.lo for part in uniform_parts)
    hi = max(part.hi for part in uniform_parts)
    spaces = {ops.space_of(warp, form) for form in (first, *returning)}
    every = (first, *returning)
    clip = kept
    for limits in (signed_range(bits), unsigned_range(bits)):
        if clip is None and all(limits[0] <= f.lo and f.hi <= limits[1] for f in every):
            clip = limits
    if clip is None:
        # may wrap: take the signed reading, of which only the low bits' residue is known
        limits = lo, hi = signed_range(bits)
        power = residue.modulus & -residue.modulus if residue and residue.modulus else 1
        modulus = min(power, 1 << bits)
        residue = Congruence(modulus, residue.residue % modulus if residue else 0)
    else:
        limits = (clip[0] - lanes.hi, clip[1] - lanes.lo)
        if at_once:
            forward = returning[0].hi > first.hi
            lo, hi = (lo, limits[1]) if forward else (limits[0], hi)
        lo, hi = max(lo, limits[0]), min(hi, limits[1])
    name = run.name_of(phi.index) or "loop counter"
    atom = warp.atom(
        ("loop", phi.index), bits, name, Cause.LOOP, varying=False, bounds=(lo, hi),
        residue=residue, loops=run.loops_at(block.index), limits=limits, likely=likely,
        space=spaces.pop() if len(spaces) == 1 else "",
    )  # fmt: skip
    result = warp.add(atom, lanes)
    return warp.build(bits, dict(result.terms), result.const, clip)


def _carried_varying(
    run: WarpInterpreter, phi: Phi, block: Block, first: Form, returning: list[Value]
) -> Value:
    warp = run.warp
    values: list[Value] = [first, *returning]
    data = any(warp.is_data(v) for v in values)
    name = run.name_of(phi.index)
    reason = f"{name or 'a value'} changes differently in each lane of the loop"
    own = ("loop", phi.index, "varying")
    kept = induction.kept(run, phi, block, first)
    for value in values:
        for atom in warp.varying_atoms(value):
            if atom.data and atom.name != reason:
                reason = atom.name
    spaces = {space for v in values if isinstance(v, Form) and (space := ops.space_of(warp, v))}
    return run.unknown_of(
        phi.type, own, reason, Cause.LOOP, varying=True, loops=run.loops_at(block.index),
        data=data, space=spaces.pop() if len(spaces) == 1 else "", bounds=kept,
    )  # fmt: skip


def _carried_other(
    run: WarpInterpreter, phi: Phi, block: Block, values: list[Value], parted: bool
) -> Value:
    """Predicates and aggregates that change in a loop."""
    warp = run.warp
    uniform = not parted and all(warp.is_uniform(v) for v in values)
    data = any(warp.is_data(v) for v in values)
    reasons = [v.reason for v in values if isinstance(v, Predicate) and v.reason]
    return run.unknown_of(
        phi.type, ("loop", phi.index), reasons[0] if reasons else "changes in the loop",
        Cause.LOOP, varying=not uniform, loops=run.loops_at(block.index), data=data,
    )  # fmt: skip
