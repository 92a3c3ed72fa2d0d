"""Phi nodes: where values of different paths meet.

At a join that lanes reach by different sides of a branch, each lane keeps the value of its own
side (exact lane selection where the masks decide it). At a join of a branch that the whole warp
takes alike, the result is one of the values, for all lanes. At the head of a loop the value is
``p + L``: ``L`` the lane pattern it enters with, ``p`` a uniform unknown for this iteration,
as long as every back edge returns the same lane pattern.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from drano.analysis.warp.state.loop_values import Mode, advances
from drano.analysis.warp.state.memo import join_inputs, joined_before
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.transfer import alike_ways, induction
from drano.analysis.warp.transfer.registry import transfer
from drano.ir.model import Block, Branch, Phi, PointerType, UndefConst
from drano.lattice import (
    Cause,
    Congruence,
    Form,
    LaneOverflowError,
    Predicate,
    Value,
    signed_range,
    unsigned_range,
)
from drano.lattice import congruence as congruences
from drano.lattice.warp import joins
from drano.lattice.warp import operations as ops


@transfer(Phi, always=True)
def _phi(state: WarpState, phi: Phi, block: Block) -> Value:
    """Value of ``phi`` from the edges that are live so far."""
    loop = state.structure.loops.get(block.index)
    entering: list[tuple[int, Value]] = []
    returning: list[Value] = []
    undefined: list[int] = []
    # several edges of one switch bring the same value
    for operand, source in dict.fromkeys(phi.incoming):
        if (source, block.index) not in state.edges:
            continue
        if isinstance(operand, UndefConst):
            undefined.append(source)  # no program may depend on an undefined value
            continue
        # seen from here: what leaves a loop by this edge, lanes left at different iterations
        value = state.value_so_far(operand, block.index)
        if value is None:
            continue
        if loop is not None and source in loop.body:
            returning.append(value)
        else:
            entering.append((source, value))
    if not entering and undefined:
        nothing = state.unknown_of(
            phi.type, ("undefined", phi.index), "undefined value", Cause.PARAMETER, varying=False
        )
        outside = [s for s in undefined if loop is None or s not in loop.body]
        entering = [(source, nothing) for source in outside]
    if not entering:
        raise NotReadyError
    if block.index in state.structure.irregular:
        at, values = _meeting(state, phi, block, entering), [value for _, value in entering]
        return joins.unlike(state.warp, at, values, "irregular control flow")
    if loop is None:
        inputs = join_inputs(state, block.index, entering)
        known = joined_before(state, phi.index, inputs)
        if known is not None:
            return known
        now = state.warp.version
        value = _join(state, phi, block, entering)
        state.recall.joins[phi.index] = inputs, now
        return value
    first = _join(state, phi, block, entering)
    if not returning:
        return _foreseen(state, phi, block, first)
    return _carried(state, phi, block, first, returning)


# --- joins -----------------------------------------------------------------------------------


def _join(state: WarpState, phi: Phi, block: Block, entering: Sequence[tuple[int, Value]]) -> Value:
    values = [value for _, value in entering]
    same = joins.equal(state.warp, values)  # most often; needs no more than the values
    if same is not None:
        return same
    counted = state.trip_counts.passed_by(block.index, entering)
    if counted is not None:
        return counted
    at = _meeting(state, phi, block, entering)
    ways = alike_ways.together(entering)
    if len(ways) < len(entering):
        condition = _separating(state, block, *(sources for sources, _ in ways))
        whole = at.divergent and alike_ways.taken_as_one(state, block.index, ways)
        if condition is not None or (whole and not joins.is_exact(state.warp, at)):
            values = [value for _, value in ways]
            at = replace(
                at, ways=tuple(sources for sources, _ in ways), condition=condition,
                divergent=at.divergent and not whole,
            )  # fmt: skip
    return joins.join(state.warp, at, values)


def _meeting(
    state: WarpState, phi: Phi, block: Block, entering: Sequence[tuple[int, Value]]
) -> joins.Meeting:
    index, sources = block.index, tuple(source for source, _ in entering)
    return joins.Meeting(
        ("phi", phi.index),
        index,
        sources,
        tuple(state.lane_runs.left_by(s, index) or state.edges[s, index] for s in sources),
        divergent=index in state.divergent_joins,
        irregular=index in state.structure.irregular,
        condition=_separating(state, block, *((source,) for source in sources)),
        loops=state.loops_at(index),
        name=state.name_of(phi.index),
        unknown=partial(state.unknown_of, phi.type),
    )


def _separating(state: WarpState, block: Block, *ways: Sequence[int]) -> Predicate | None:
    """The condition that is true on the way by the first sources and false by the second ones."""
    whole = sum(map(len, ways)) == len(state.structure.predecessors[block.index])
    if len(ways) != 2 or not whole:
        return None
    top = state.structure.idom[block.index]
    here = state.structure.loops_of[block.index]
    if any(h in state.divergent_loops and h not in here for h in state.structure.loops_of[top]):
        return None  # of the last iteration of each lane
    branch = state.function.blocks[top].terminator
    condition = state.conditions.get(top)
    if condition is None or not isinstance(branch, Branch) or branch.if_true == branch.if_false:
        return None
    sides: list[set[bool]] = []
    for sources in ways:
        sides.append(set())
        for source in sources:
            by_true = _comes_by(state, block.index, top, branch.if_true, source)
            by_false = _comes_by(state, block.index, top, branch.if_false, source)
            if by_true == by_false:
                return None
            sides[-1].add(by_true)
    if sides not in ([{True}, {False}], [{False}, {True}]):
        return None
    return condition if True in sides[0] else ops.negated(state.warp, condition)


def _comes_by(state: WarpState, join: int, top: int, side: int, source: int) -> bool:
    if source == top:
        return side == join
    return (
        side != join
        and state.structure.dominates(side, source)
        and state.structure.predecessors[side] == [top]
    )


# --- loops -----------------------------------------------------------------------------------


def _foreseen(state: WarpState, phi: Phi, block: Block, first: Value) -> Value:
    """Before the loop was state: a counter is taken for what it will be."""
    if not isinstance(first, Form) or state.phi_modes.get(phi.index, Mode.CONSTANT):
        return first
    coming = induction.foreseen(state, phi, block, first)
    if not coming:
        return first
    try:
        stepped = _uniform_step(state, phi, block, first, list(coming), at_once=True)
    except LaneOverflowError:
        return first
    if stepped is None:
        return first
    state.phi_modes[phi.index] = Mode.UNIFORM_STEP
    return stepped


def _carried(
    state: WarpState, phi: Phi, block: Block, first: Value, returning: list[Value]
) -> Value:
    key = phi.index
    mode = state.phi_modes.get(key, Mode.CONSTANT)
    if mode is Mode.CONSTANT:
        same = joins.equal(state.warp, [first, *returning])
        if same is not None:
            return same
        mode = _raise_mode(state, key, Mode.UNIFORM_STEP)
    parted = block.index in state.divergent_heads and any(v != returning[0] for v in returning)
    if isinstance(first, Predicate) or not isinstance(first, Form):
        return _carried_other(state, phi, block, [first, *returning], parted)
    forms = [value for value in returning if isinstance(value, Form)]
    if len(forms) != len(returning):
        return _carried_varying(state, phi, block, first, returning)
    for attempted, step in ((Mode.UNIFORM_STEP, _uniform_step), (Mode.LANE_STEPS, _lane_steps)):
        mode = _raise_mode(state, key, attempted)
        if mode is not attempted or (parted and attempted is Mode.UNIFORM_STEP):
            continue
        try:
            stepped = step(state, phi, block, first, forms)
        except LaneOverflowError:
            stepped = None
        if stepped is not None:
            return stepped
    _raise_mode(state, key, Mode.VARYING)
    return _carried_varying(state, phi, block, first, returning)


def _raise_mode(state: WarpState, key: int, mode: Mode) -> Mode:
    old = state.phi_modes.get(key, Mode.CONSTANT)
    if old < mode:
        state.phi_modes[key] = mode
        state.note_change()
    return max(old, mode)


def _uniform_step(
    state: WarpState,
    phi: Phi,
    block: Block,
    first: Form,
    returning: list[Form],
    *,
    at_once: bool = False,
) -> Form | None:
    """``p + lanes``; ``at_once``: with bounds as far as the loop can ever move them."""
    warp = state.warp
    _, lanes = warp.split_warp(first)
    bits = first.bits
    kept = induction.kept(state, phi, block, first)
    if kept is not None and not at_once:
        # the sums themselves: what the loop computed may have been read another way
        now = state.env[phi.index]
        sums = None
        if isinstance(now, Form):
            sums = induction.returned(state, advances(state, phi, block), now)
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
    array = state.array_name(first) if isinstance(phi.type, PointerType) else ""
    name = state.name_of(phi.index) or array or "loop counter"
    atom = warp.atom(
        ("loop", phi.index), bits, name, Cause.LOOP, varying=False, bounds=(lo, hi),
        residue=residue, loops=state.loops_at(block.index), limits=limits, likely=likely,
        space=spaces.pop() if len(spaces) == 1 else "",
    )  # fmt: skip
    result = warp.add(atom, lanes)
    return warp.build(bits, dict(result.terms), result.const, clip)


def _lane_steps(
    state: WarpState, phi: Phi, block: Block, first: Form, returning: list[Form]
) -> Form | None:
    """``lanes + m * v``: each lane takes steps of its own, all of them multiples of one number, as
    the end of a queue of each thread does in memory where the queues are interleaved.
    """
    warp = state.warp
    _, lanes = warp.split_warp(first)
    lanes = warp.build(first.bits, dict(lanes.terms), first.const)  # in all warps of the block
    every = (first, *returning)
    residue = congruences.BOTTOM
    for form in every:
        part = warp.sub(form, lanes)
        residue = congruences.join(residue, warp.congruence([*part.terms, ((), part.const)]))
    within = next(
        (
            limits
            for limits in (signed_range(first.bits), unsigned_range(first.bits))
            if all(limits[0] <= form.lo and form.hi <= limits[1] for form in every)
        ),
        None,
    )
    if within is None:
        # may wrap around: the residue is that of a power of two
        power = residue.modulus & -residue.modulus
        residue = Congruence(min(power, 1 << first.bits), residue.residue)
    if residue.modulus <= 1:
        return None
    what = _what_varies(state, phi, every)
    clip = induction.kept(state, phi, block, first)
    if within is not None and (clip is None or clip[0] < within[0] or within[1] < clip[1]):
        clip = within  # the reading of which the residue is known
    bounds = signed_range(first.bits)
    if clip is not None:
        bounds = clip[0] - lanes.hi, clip[1] - lanes.lo
    steps = warp.atom(
        ("loop", phi.index, "steps"), first.bits, what.reason, Cause.LOOP, varying=True,
        bounds=bounds, residue=residue, loops=state.loops_at(block.index), space=what.space,
        data=what.data,
    )  # fmt: skip
    result = warp.add(steps, lanes)
    return warp.build(first.bits, dict(result.terms), result.const, clip)


class _Varying(NamedTuple):
    """What is to be said of an unknown that differs from lane to lane."""

    reason: str
    data: bool
    space: str


def _what_varies(state: WarpState, phi: Phi, values: Sequence[Value]) -> _Varying:
    warp = state.warp
    name = state.name_of(phi.index)
    reason = f"{name or 'a value'} changes differently in each lane of the loop"
    for value in values:
        for atom in warp.varying_atoms(value):
            if atom.data and atom.name != reason:
                reason = atom.name
    spaces = {space for v in values if isinstance(v, Form) and (space := ops.space_of(warp, v))}
    space = spaces.pop() if len(spaces) == 1 else ""
    return _Varying(reason, any(warp.is_data(v) for v in values), space)


def _carried_varying(
    state: WarpState, phi: Phi, block: Block, first: Form, returning: list[Value]
) -> Value:
    what = _what_varies(state, phi, [first, *returning])
    return state.unknown_of(
        phi.type, ("loop", phi.index, "varying"), what.reason, Cause.LOOP, varying=True,
        loops=state.loops_at(block.index), data=what.data, space=what.space,
        bounds=induction.kept(state, phi, block, first),
    )  # fmt: skip


def _carried_other(
    state: WarpState, phi: Phi, block: Block, values: list[Value], parted: bool
) -> Value:
    """Predicates and aggregates that change in a loop."""
    warp = state.warp
    uniform = not parted and all(warp.is_uniform(v) for v in values)
    data = any(warp.is_data(v) for v in values)
    reasons = [v.reason for v in values if isinstance(v, Predicate) and v.reason]
    return state.unknown_of(
        phi.type, ("loop", phi.index), reasons[0] if reasons else "changes in the loop",
        Cause.LOOP, varying=not uniform, loops=state.loops_at(block.index), data=data,
    )  # fmt: skip
