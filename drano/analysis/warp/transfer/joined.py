"""Instructions in which an optimiser, or the source, has joined what is decided one by one.

``(a | b) < 256u`` asks for two bounds at once. ``(x >> n) << (n + 1) | x & (1 << n) - 1`` makes
room for a bit at place ``n`` of an index, as butterflies and simulated qubits do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from drano.analysis.warp.state.warp_state import WarpState
from drano.ir.model import Binary, Block, Cast, Compare, IntConst, Local, Operand
from drano.lattice import Form, Predicate
from drano.lattice.warp import operations as ops

_MOST_PARTS = 8


class _Opened(NamedTuple):
    """``value``: an index without its bits below a place, perhaps further up; ``power``: two to the
    power of this place, uniform. ``free``: the bit at the place is 0, too.
    """

    value: Form
    power: Form
    free: bool


def opened_at_a_bit(state: WarpState, i: Binary, block: Block, bits: int) -> Form | None:
    """``(x >> n) << (n + c)`` with a uniform ``n``; None where it is something else."""
    found = _opened(state, i, block, bits)
    return None if found is None else found.value


def with_bits_below(state: WarpState, i: Binary, block: Block, bits: int) -> Form | None:
    """``or`` of an index opened at a bit, what is below the bit, and the bit: their sum. None where
    it is of something else.
    """
    loops = state.structure.loops_of[block.index]
    parts = [part for each in (i.lhs, i.rhs) for part in _parts_of_or(state, each, loops)]
    steps = [_computed(state, part, loops) for part in parts]
    for place, step in enumerate(steps):
        found = None if step is None else _opened(state, step, block, bits)
        if found is None:
            continue
        one = state.warp.constant(1, bits)
        below = state.warp.sub(found.power, one)
        total, free = found.value, {"bit", "below"} if found.free else {"below"}
        for other, part in enumerate(parts):
            if other == place:
                continue
            form = state.form(part, block.index, bits)
            kind = "bit" if form == found.power else "below"
            if kind not in free or not (kind == "bit" or _is_masked(state, steps[other], below)):
                return None
            free.remove(kind)
            total = state.warp.add(total, form, nsw=True, nuw=True)
        return total
    return None


def _is_masked(state: WarpState, step: Binary | None, mask: Form) -> bool:
    """Whether a value is ``and`` of something and ``mask``, or of a number that is not negative and
    what has the mask's bits as far up as the number goes.
    """
    if step is None or step.op != "and":
        return False
    block = state.block_of[step.index]
    for x, side in ((step.lhs, step.rhs), (step.rhs, step.lhs)):
        more = state.warp.sub(state.form(side, block, mask.bits), mask)
        number = state.form(x, block, mask.bits)
        if more.terms or not isinstance(more.const, int):
            continue
        if more.const == 0 or (number.lo >= 0 and more.const % (1 << number.hi.bit_length()) == 0):
            return True
    return False


def _opened(state: WarpState, i: Binary, block: Block, bits: int) -> _Opened | None:
    loops = state.structure.loops_of[block.index]
    if i.op != "shl":
        return None
    shifted = _shifted_back(state, i, loops)
    if shifted is None and isinstance(i.rhs, IntConst):
        kept = _computed(state, i.lhs, loops)
        below = None if kept is None else _without_lowest(state, kept, loops, bits)
        shifted = None if below is None else (*below, i.rhs.value)
    if shifted is None or not 0 <= shifted[2] < bits:
        return None
    x, place, more = shifted
    warp = state.warp
    places = state.form(place, block.index, bits)
    if not warp.is_uniform(places) or not places.terms:
        return None
    index, one = state.form(x, block.index, bits), warp.constant(1, bits)
    power = ops.shift_left(warp, one, places, nsw=False, nuw=False, key=("power", i.index))
    lowest = ops.bitwise(warp, "and", index, warp.sub(power, one), key=("lowest", i.index))
    rest = warp.sub(index, lowest, nsw=True)
    value = warp.mul(rest, warp.constant(1 << more, bits), nsw=i.nsw, nuw=i.nuw)
    return _Opened(value, power, more > 0)


def _shifted_back(
    state: WarpState, i: Binary, loops: Sequence[int]
) -> tuple[Operand, Operand, int] | None:
    """``x``, ``n`` and ``c`` of ``(x >> n) << (n + c)``."""
    right = _computed(state, i.lhs, loops)
    if right is None or right.op not in {"lshr", "ashr"}:
        return None
    if i.rhs == right.rhs:
        return right.lhs, right.rhs, 0
    count = _computed(state, _widened(state, i.rhs), loops)
    if count is None or count.op != "add" or count.lhs != _widened(state, right.rhs):
        return None
    more = count.rhs
    return (right.lhs, right.rhs, more.value) if isinstance(more, IntConst) else None


def _without_lowest(
    state: WarpState, kept: Binary, loops: Sequence[int], bits: int
) -> tuple[Operand, Operand] | None:
    """``x`` and ``n`` of ``x & (-1 << n)``, or of ``(x >> n) << n``."""
    if kept.op == "shl":
        shifted = _shifted_back(state, kept, loops)
        return shifted[:2] if shifted is not None and shifted[2] == 0 else None
    if kept.op != "and":
        return None
    for x, side in ((kept.lhs, kept.rhs), (kept.rhs, kept.lhs)):
        mask = _computed(state, side, loops)
        if mask is not None and mask.op == "shl" and _is_all_ones(mask.lhs, bits):
            return x, mask.rhs
    return None


def _widened(state: WarpState, operand: Operand) -> Operand:
    """What an operand is of more bits of; itself where it is not. A count of places is not
    negative: a shift by as many would be poison.
    """
    if isinstance(operand, Local) and operand.index in state.block_of:
        step = state.definition(operand.index)
        if isinstance(step, Cast) and step.op in {"zext", "sext"}:
            return step.value
    return operand


def _is_all_ones(operand: Operand, bits: int) -> bool:
    return isinstance(operand, IntConst) and operand.value & (1 << bits) - 1 == (1 << bits) - 1


def all_together(state: WarpState, i: Compare, block: Block, bits: int) -> Predicate | None:
    """``(a | b) == 0``, ``(a | b) > -1`` and ``(a | b) < 256u``, as which an optimiser writes
    ``a == 0 && b == 0``, ``a >= 0 && b >= 0`` and ``a < 256u && b < 256u``; and their opposites.
    """
    if not isinstance(i.rhs, IntConst):
        return None
    bound = _bound_of_all(i.predicate, i.rhs.value & ((1 << bits) - 1), bits)
    if bound is None:
        return None
    of_all, number, holds = bound
    key = ("value", i.index)
    parts = _parts_of_or(state, i.lhs, state.structure.loops_of[block.index])
    if len(parts) == 1:
        return None
    limit = state.warp.constant(number, bits)
    forms = [state.form(part, block.index, bits) for part in parts]
    every = ops.constant_predicate(True)
    for place, form in enumerate(forms):
        one = ops.compare(state.warp, of_all, form, limit, (key, place))
        every = ops.conjunction(state.warp, every, one, (key, place, "and"))
    return every if holds else ops.negated(state.warp, every)


def more_than_kept(state: WarpState, i: Compare, block: Block, bits: int) -> Predicate | None:
    """``x + 4 > n`` of a signed sum that does not overflow: compared as ``x`` is, and 4 more, so
    that what wraps around in ``x`` is one unknown in ``x < n`` as well.
    """
    loops = state.structure.loops_of[block.index]
    sides = [_read_as_more(state, side, block, bits, loops) for side in (i.lhs, i.rhs)]
    if i.predicate[0] != "s" or not any(kept for _, kept in sides):
        return None
    left, right = (form for form, _ in sides)
    if left is None or right is None:
        return None
    return ops.compare(state.warp, i.predicate, left, right, ("value", i.index))


def _read_as_more(
    state: WarpState, side: Operand, block: Block, bits: int, loops: Sequence[int]
) -> tuple[Form | None, bool]:
    """A signed number in twice as many bits, None if it is not known; and whether it was read as
    so much more than another one.
    """
    warp, step = state.warp, _computed(state, side, loops)
    form, more = state.form(side, block.index, bits), 0
    match step:
        case Binary(op="add", nsw=True, rhs=IntConst(value=more)) if warp.as_signed(form) is None:
            form, kept = state.form(step.lhs, block.index, bits), True
        case _:
            kept = False
    whole = ops.read_signed(warp, form)
    if whole is None:
        return None, kept
    whole = ops.extend(warp, whole, 2 * bits, signed=True)
    return warp.add(whole, warp.constant(more, 2 * bits)), kept


def _bound_of_all(predicate: str, number: int, bits: int) -> tuple[str, int, bool] | None:
    """The relation to a number that all parts of an ``or`` must have for the ``or`` to be in
    ``predicate`` to ``number``, or (False) not to be; None where it is not one of all parts.
    """
    sign = 1 << (bits - 1)
    match predicate:
        case "eq" | "ne" if number == 0:
            return "eq", 0, predicate == "eq"
        case "sgt" if number == 2 * sign - 1:
            return "sgt", -1, True
        case "slt" if number == 0:
            return "sgt", -1, False
        case "ult" if number.bit_count() == 1:
            return "ult", number, True
        case "ugt" if (number + 1).bit_count() == 1 and number < 2 * sign - 1:
            return "ult", number + 1, False
        case _:
            return None


def _parts_of_or(state: WarpState, operand: Operand, loops: Sequence[int]) -> list[Operand]:
    """What is combined into a value by ``or``s in the same ``loops``; itself where that is not so:
    lanes may have left other loops at different iterations.
    """
    parts: list[Operand] = []
    pending = [operand]
    while pending:
        part = pending.pop()
        step = _computed(state, part, loops)
        if step is not None and step.op == "or" and len(parts) + len(pending) < _MOST_PARTS:
            pending += [step.rhs, step.lhs]
        else:
            parts.append(part)
    return parts


def _computed(state: WarpState, operand: Operand, loops: Sequence[int]) -> Binary | None:
    """The arithmetic in these ``loops`` that an operand comes from, if it does."""
    if not isinstance(operand, Local) or operand.index not in state.block_of:
        return None
    if tuple(state.structure.loops_of[state.block_of[operand.index]]) != tuple(loops):
        return None
    step = state.definition(operand.index)
    return step if isinstance(step, Binary) else None
