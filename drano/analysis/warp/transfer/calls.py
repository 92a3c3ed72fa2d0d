"""Calls that remain after inlining: special registers, warp intrinsics, mathematics, the rest.

One table (``ir.intrinsics``) gives the meaning of each known callee, one function here the result
of each meaning. An unknown callee may return anything, and may keep or change what its pointer
arguments reach.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

import numpy as np

from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.transfer import known_lanes
from drano.analysis.warp.transfer.borders import held_at_borders
from drano.analysis.warp.transfer.registry import transfer
from drano.analysis.warp.transfer.scalars import function_of
from drano.ir.computing_asm import only_computes
from drano.ir.intrinsics import IntegerFunction, Meaning, intrinsic, short_name
from drano.ir.model import Block, Call, IntType, VoidType
from drano.lattice import (
    Aggregate,
    Cause,
    Coefficient,
    Form,
    LaneOverflowError,
    Predicate,
    Shape,
    Value,
)
from drano.lattice.warp import operations as ops
from drano.model.hardware import WARP_SIZE

_AXES = {"x": 0, "y": 1, "z": 2}


Function: TypeAlias = Callable[[WarpState, Call, Block], Value | None]
BY_MEANING: Final[dict[Meaning, Function]] = {}


def means(*meanings: Meaning) -> Callable[[Function], Function]:
    """Make a function the one for calls of these meanings."""

    def register(function: Function) -> Function:
        BY_MEANING.update(dict.fromkeys(meanings, function))
        return function

    return register


@transfer(Call)
def _call(state: WarpState, call: Call, block: Block) -> Value | None:
    """Result of a call; None for void."""
    known = intrinsic(call.callee or "")
    if known.register:
        return _special_register(state, call, known.register)
    if known.integer is not None:
        return INTEGER_FUNCTIONS[known.integer](state, call, block)
    found = known_lanes.computed(state, call, block) or known_lanes.voted(state, call, block)
    return BY_MEANING[known.meaning](state, call, block) if found is None else found


@means(Meaning.NOTHING)
def _nothing(state: WarpState, call: Call, block: Block) -> Value | None:
    """No effect on values; of a result, as of ``mbarrier.arrive``, nothing is known."""
    return _any_result(state, call, block, short_name(call.callee or ""), varying=True)


@means(Meaning.SAME_POINTER)
def _same_pointer(state: WarpState, call: Call, block: Block) -> Value:
    return state.value(call.args[0], block.index)


@means(Meaning.PURE)
def _pure(state: WarpState, call: Call, block: Block) -> Value:
    name = call.callee or ""
    for argument in call.args:  # libdevice's sincos and its like write through pointers
        value = state.value(argument, block.index)
        if isinstance(value, Form):
            state.arrays.escape(value)
    return function_of(state, call, block, f"result of {short_name(name)}")


@means(Meaning.VARYING, Meaning.THREAD_INDEX, Meaning.LANE)
def _varying(state: WarpState, call: Call, block: Block) -> Value | None:
    return _any_result(state, call, block, short_name(call.callee or ""), varying=True)


def _special_register(state: WarpState, call: Call, name: str) -> Value:
    layout = state.layout
    kind, _, axis = name.partition(".")
    tables = {
        "tid": layout.thread, "ntid": layout.block_dim, "ctaid": layout.block,
        "nctaid": layout.grid_dim,
    }  # fmt: skip
    if kind in tables and axis in _AXES:
        return tables[kind][_AXES[axis]]
    if kind == "laneid":
        return layout.lane
    if kind == "warpsize":
        return state.warp.constant(WARP_SIZE, 32)
    if kind == "lanemask":
        return _lane_mask(state, axis)
    if kind == "warpid":  # PTX calls it volatile: uniform, but not tid / 32
        return state.warp.atom(("sreg", name), 32, "%warpid", Cause.INDEX, varying=False)
    return state.unknown_of(call.type, ("value", call.index), name, Cause.CALL, varying=False)


def _lane_mask(state: WarpState, kind: str) -> Value:
    lane = np.arange(WARP_SIZE, dtype=np.int64)
    below = (np.int64(1) << lane) - 1
    masks = {
        "eq": below + 1, "lt": below, "le": 2 * below + 1,
        "gt": 0xFFFFFFFF - (2 * below + 1), "ge": 0xFFFFFFFF - below,
    }  # fmt: skip
    return state.warp.lanes(state.warp.space.intern(masks.get(kind, lane)), 32)


def _any_result(
    state: WarpState, call: Call, block: Block, reason: str, *, varying: bool,
    data: bool = False,
) -> Value | None:  # fmt: skip
    if isinstance(call.type, VoidType):
        return None
    return state.unknown_of(
        call.type, ("value", call.index), state.name_of(call.index) if not varying else reason,
        Cause.CALL, varying=varying, loops=state.loops_at(block.index), data=data,
    )  # fmt: skip


@means(Meaning.UNIFORM)
def _warp_wide(state: WarpState, call: Call, block: Block) -> Value | None:
    """A vote or a reduction: one result for the lanes of one member mask, so for the whole warp
    only where all lanes name the same members (those of a tile of 8 name eight).
    """
    position = intrinsic(call.callee or "").members
    if position is None or position >= len(call.args):
        return _any_result(state, call, block, "warp-wide result", varying=False)
    values = [state.value(argument, block.index) for argument in call.args]
    varying = not state.warp.is_uniform(values[position])
    data = varying and any(map(state.warp.is_data, values))
    return _any_result(
        state, call, block, "result of some lanes of the warp", varying=varying, data=data
    )


@means(Meaning.UNKNOWN)
def _unknown(state: WarpState, call: Call, block: Block) -> Value | None:
    name = call.callee or ""
    if name == "asm" and not isinstance(call.type, VoidType) and only_computes(call.text):
        for argument in call.args:
            state.arrays.escape(state.value(argument, block.index))
        return function_of(state, call, block, "inline assembly")
    data = False
    for argument in call.args:
        value = state.value(argument, block.index)
        state.arrays.escape(value)
        data = data or state.warp.is_data(value)
    if name == "asm":
        reason = "inline assembly"
    else:
        target = state.module.functions.get(name)
        reason = f"result of calling {target.display if target else name or 'a pointer'}"
    return _any_result(state, call, block, reason, varying=True, data=data)


@means(Meaning.LOAD)
def _cached_load(state: WarpState, call: Call, block: Block) -> Value | None:
    """``__ldg`` as an intrinsic: a load from global memory."""
    address = state.form(call.args[0], block.index, 64)
    varying = not state.warp.is_uniform(address)
    name = state.array_name(address)
    return _any_result(
        state, call, block, f"{name}[…]" if name else "loaded value", varying=varying, data=varying
    )


@means(Meaning.TEXTURE)
def _texture(state: WarpState, call: Call, block: Block) -> Value | None:
    values = [state.value(argument, block.index) for argument in call.args]
    varying = not all(map(state.warp.is_uniform, values))
    return _any_result(state, call, block, "texture fetch", varying=varying, data=varying)


def _extremum(state: WarpState, call: Call, block: Block, *, signed: bool, smaller: bool) -> Value:
    if not isinstance(call.type, IntType):
        return function_of(state, call, block, "vector minimum")
    warp, bits = state.warp, call.type.bits
    a = state.form(call.args[0], block.index, bits)
    b = state.form(call.args[1], block.index, bits)
    exact = warp.as_signed if signed else warp.as_unsigned
    left, right = exact(a), exact(b)
    if left is not None and right is not None:
        a, b = left, right
    less = ops.compare(warp, "slt" if signed else "ult", a, b, ("less", call.index))
    result = held_at_borders(state, less, *((a, b) if smaller else (b, a)), smaller=smaller)
    if left is not None and right is not None:
        pick = min if smaller else max
        bounds = (pick(left.lo, right.lo), pick(left.hi, right.hi))
        result = warp.build(bits, dict(result.terms), result.const, bounds)
    return result


def _saturating_difference(state: WarpState, call: Call, block: Block) -> Value:
    """``a > b ? a - b : 0`` of unsigned numbers, as LLVM writes distances that loops go."""
    if not isinstance(call.type, IntType):
        return function_of(state, call, block, "vector difference")
    warp, bits = state.warp, call.type.bits
    a, b = (state.form(argument, block.index, bits) for argument in call.args[:2])
    left, right = warp.as_unsigned(a), warp.as_unsigned(b)
    exact = left is not None and right is not None
    if left is not None and right is not None:
        a, b = left, right
    difference = warp.sub(a, b)
    less = ops.compare(warp, "ult", a, b, ("less", call.index))
    result = held_at_borders(state, less, warp.constant(0, bits), difference, smaller=False)
    if not exact:
        return result
    bounds = (max(a.lo - b.hi, 0), max(a.hi - b.lo, 0))
    return warp.build(bits, dict(result.terms), result.const, bounds)


def _three_way(state: WarpState, call: Call, block: Block, *, signed: bool) -> Value:
    """``(a > b) - (a < b)``."""
    width = (call.callee or "").rpartition(".i")[2]  # llvm.scmp.i8.i32
    if not isinstance(call.type, IntType) or not width.isdecimal():
        return function_of(state, call, block, "vector comparison")
    warp, bits = state.warp, call.type.bits
    a, b = (state.form(argument, block.index, int(width)) for argument in call.args[:2])
    sides = []
    for name in ("gt", "lt"):
        compared = ops.compare(warp, f"{'s' if signed else 'u'}{name}", a, b, (name, call.index))
        sides.append(ops.choice(warp, compared, bits))
    difference = warp.sub(*sides)
    return warp.build(bits, dict(difference.terms), difference.const, (-1, 1))


def _mul24(state: WarpState, call: Call, block: Block, *, signed: bool) -> Value:
    """``__mul24``: product of the low 24 bits of each, the low 32 bits of it (CUDA guide)."""
    factors = []
    for argument in call.args[:2]:
        narrow = ops.truncate(state.warp, state.form(argument, block.index, 32), 24)
        factors.append(ops.extend(state.warp, narrow, 32, signed=signed))
    return state.warp.mul(*factors)


def _mulhi(state: WarpState, call: Call, block: Block, *, signed: bool) -> Value:
    """``__umulhi``: the high half of a product (CUDA guide), as divisions by known sizes use it."""
    if not isinstance(call.type, IntType):
        return function_of(state, call, block, "high half of a product")
    bits = call.type.bits
    factors = [
        ops.extend(state.warp, state.form(argument, block.index, bits), 2 * bits, signed=signed)
        for argument in call.args[:2]
    ]
    product = state.warp.mul(*factors)
    return ops.truncate(state.warp, ops.floordiv(state.warp, product, 1 << bits), bits)


def _absolute(state: WarpState, call: Call, block: Block) -> Value:
    if not isinstance(call.type, IntType):
        return function_of(state, call, block, "absolute value")
    form = state.form(call.args[0], block.index, call.type.bits)
    exact = state.warp.as_signed(form)
    if exact is not None and exact.lo >= 0:
        return exact
    negative = ops.compare(
        state.warp, "slt", form, state.warp.constant(0, form.bits), ("negative", call.index)
    )
    return ops.select(state.warp, negative, state.warp.neg(form), form)


INTEGER_FUNCTIONS: Final[dict[IntegerFunction, Function]] = {
    IntegerFunction.SMIN: partial(_extremum, signed=True, smaller=True),
    IntegerFunction.SMAX: partial(_extremum, signed=True, smaller=False),
    IntegerFunction.UMIN: partial(_extremum, signed=False, smaller=True),
    IntegerFunction.UMAX: partial(_extremum, signed=False, smaller=False),
    IntegerFunction.ABS: _absolute,
    IntegerFunction.SMUL24: partial(_mul24, signed=True),
    IntegerFunction.UMUL24: partial(_mul24, signed=False),
    IntegerFunction.SMULHI: partial(_mulhi, signed=True),
    IntegerFunction.UMULHI: partial(_mulhi, signed=False),
    IntegerFunction.USUB_SAT: _saturating_difference,
    IntegerFunction.SCMP: partial(_three_way, signed=True),
    IntegerFunction.UCMP: partial(_three_way, signed=False),
}


@means(Meaning.SHUFFLE)
def _shuffle(state: WarpState, call: Call, block: Block) -> Value:
    """``shfl.sync``: another lane's value. Known source lanes permute the lane pattern."""
    parts = (call.callee or "").removeprefix("llvm.nvvm.shfl.").split(".")
    offset = 1 if parts[0] == "sync" else 0
    mode = parts[offset]
    value = state.value(call.args[offset], block.index)
    source = state.value(call.args[offset + 1], block.index)
    clamp = state.value(call.args[offset + 2], block.index)
    result: Value | None = _shuffled(state, mode, value, source, clamp)
    if result is None:
        warp = state.warp
        broadcast = mode == "idx" and warp.is_uniform(source) and _full_width(clamp)
        uniform = warp.is_uniform(value) or broadcast
        data = not uniform and (warp.is_data(value) or warp.is_data(source))
        result = state.unknown_of(
            _scalar_type(call), ("value", call.index), "shuffled value", Cause.CALL,
            varying=not uniform, loops=state.loops_at(block.index), data=data,
        )  # fmt: skip
    if parts[-1].endswith("p"):
        happened = Predicate(2, Shape.OTHER, ("shuffled", call.index))
        return Aggregate((result, happened))
    return result


def _scalar_type(call: Call) -> IntType:
    return call.type if isinstance(call.type, IntType) else IntType(32)


def _full_width(clamp: Value) -> bool:
    """The last operand of shfl: bits 0-4 the clamp, bits 8-12 the segment mask (PTX ISA)."""
    return (
        isinstance(clamp, Form)
        and clamp.terms == ()
        and (isinstance(clamp.const, int) and (clamp.const >> 8) & 31 == 0)
    )


def _shuffled(
    state: WarpState, mode: str, value: Value, source: Value, clamp: Value
) -> Form | None:
    warp = state.warp
    if not isinstance(value, Form) or not isinstance(source, Form) or not isinstance(clamp, Form):
        return None
    if warp.is_uniform(value):
        return value
    if source.terms or clamp.terms or not isinstance(clamp.const, int):
        return None
    if warp.varying_atoms(value):
        return None
    lane = np.arange(WARP_SIZE)
    limit, segment = clamp.const & 31, (clamp.const >> 8) & 31
    at = warp.space.array(source.const) & 31  # PTX ISA: bits 0-4 count
    low = lane & segment
    top = low | (limit & ~segment)
    if mode == "idx":
        picked = low | (at & ~segment & 31)
        inside = picked <= top
    elif mode == "up":
        picked = lane - at
        inside = picked >= top
    elif mode == "down":
        picked = lane + at
        inside = picked <= top
    else:
        picked = lane ^ at
        inside = picked <= top
    index = np.where(inside, picked, lane) & 31

    def permute(coefficient: Coefficient) -> Coefficient:
        if isinstance(coefficient, int):
            return coefficient
        return warp.space.intern(np.take_along_axis(coefficient.data, index, axis=1))

    try:
        terms = {m: permute(c) for m, c in value.terms}
        return warp.build(value.bits, terms, permute(value.const), (value.lo, value.hi))
    except LaneOverflowError:
        return None
