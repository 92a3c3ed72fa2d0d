"""What loads give: a warp-uniform address gives one value to all lanes, any other address gives
values that depend on memory.

A thread's own arrays are followed where their address does not escape: see ``state/arrays.py``.
"""

from __future__ import annotations

from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.transfer.registry import transfer
from drano.analysis.warp.transfer.tables import from_table
from drano.ir.model import (
    Alloca,
    Atomic,
    Block,
    IntConst,
    Load,
    MemoryCopy,
    MemoryFill,
    PointerType,
    Store,
    Type,
    VectorType,
)
from drano.ir.target import POINTER_BITS
from drano.ir.type_layout import alloc_size
from drano.lattice import Aggregate, Cause, Congruence, Form, LaneOverflowError, Value
from drano.lattice.warp import operations as ops

_MOST_ELEMENTS = 32


@transfer(Alloca)
def _alloca(state: WarpState, i: Alloca, block: Block) -> Value:
    array = state.warp.atom(
        ("alloca", i.index), POINTER_BITS, state.name_of(i.index) or "local array", Cause.POINTER,
        varying=False, bounds=(1, 1 << 62), residue=Congruence(max(i.align, 1), 0), space="local",
    )  # fmt: skip
    state.arrays.declare(array, size=i.size)
    return array


# --- loads -----------------------------------------------------------------------------------


@transfer(Load, keeps_addresses=True)
def _load(state: WarpState, i: Load, block: Block) -> Value:
    warp, arrays = state.warp, state.arrays
    address = state.form(i.pointer, block.index, POINTER_BITS)
    base = arrays.base(address)
    space = "" if base is None else warp.atoms[base].space
    if space in {"local", "param"}:
        state.local_loads.add(i.index)
    if space == "local" or (space == "param" and arrays.is_written(base)):
        return state.array_loads.load(i.index, address, i.type, i.size, block)
    if space in {"constant", "global"}:
        number = from_table(state, i, address, block)
        if number is not None:
            return number
    if space == "shared":
        state.local_loads.add(i.index)
        number = state.staged.load(i, address, block)
        if number is not None:
            return number
    loops = state.loops_at(block.index)
    name = _name(state, i, address)
    if not warp.is_uniform(address):
        return state.unknown_of(
            i.type, ("value", i.index), name, Cause.MEMORY, varying=True, loops=loops, data=True
        )
    if space != "param" and arrays.any_known:
        state.local_loads.add(i.index)
        if arrays.may_be_own(address):
            return state.unknown_of(
                i.type, ("value", i.index), "value that may be of the thread's own memory",
                Cause.MEMORY, varying=True, loops=loops, data=True,
            )  # fmt: skip
    if not (i.invariant or space in {"constant", "param"}):
        return state.unknown_of(
            i.type, ("value", i.index), name, Cause.MEMORY, varying=False, loops=loops
        )
    in_parameter = space == "param"
    whole = _in_elements(i)
    if whole is None:
        return _constant(state, i.type, address, name, in_parameter=in_parameter)
    size = i.size // whole.count
    offsets = (warp.constant(n * size, POINTER_BITS) for n in range(whole.count))
    parts = [warp.add(address, offset) for offset in offsets]
    names = [_name_at(state, part, size) for part in parts]
    return Aggregate(
        tuple(
            _constant(state, whole.element, part, own, in_parameter=in_parameter)
            for part, own in zip(parts, names, strict=True)
        )
    )


def _in_elements(i: Load) -> VectorType | None:
    """The type of a load of several elements side by side, as members of a structure are merged."""
    if not isinstance(i.type, VectorType) or i.type.count > _MOST_ELEMENTS:
        return None
    return i.type if i.type.count * alloc_size(i.type.element) == i.size else None


def _constant(
    state: WarpState, type_: Type, address: Form, name: str, *, in_parameter: bool
) -> Value:
    """What nothing changes while the kernel runs: equal addresses, equal values."""
    key = ("constant", address, type_)
    loops = ops.loops_of(state.warp, (address,))
    if not (in_parameter and isinstance(type_, PointerType)):
        return state.unknown_of(type_, key, name, Cause.MEMORY, varying=False, loops=loops)
    aligned, likely = state.arguments.pointer_in(state.arrays.base(address))
    return state.unknown_of(
        type_, key, name, Cause.POINTER, varying=False, loops=loops, space="global",
        residue=aligned, bounds=(0, 1 << 62), likely=likely,
    )  # fmt: skip


def _name(state: WarpState, i: Load, address: Form) -> str:
    """A loaded value in the user's words: its variable, else what it comes from."""
    return state.name_of(i.index) or _name_at(state, address, i.size)


def _name_at(state: WarpState, address: Form, size: int) -> str:
    """What is in memory in the user's words: a parameter's member, else a part of an array."""
    array = state.array_name(address)
    return state.arguments.member_at(address, size) or (f"{array}[…]" if array else "loaded value")


# --- stores ----------------------------------------------------------------------------------


@transfer(Store, always=True, keeps_addresses=True)
def _store(state: WarpState, i: Store, block: Block) -> None:
    """Remember what is stored in local arrays, and what escapes."""
    value = state.value(i.value, block.index)
    try:
        address = state.form(i.pointer, block.index, POINTER_BITS)
        state.arrays.store(i.index, address, value, i.value_type, i.size, block)
        state.staged.store(i, address, value, block)
    except LaneOverflowError:
        state.arrays.escape(value)
        state.arrays.lose()


@transfer(MemoryFill, always=True, keeps_addresses=True)
def _fill(state: WarpState, i: MemoryFill, block: Block) -> None:
    try:
        address = state.form(i.pointer, block.index, POINTER_BITS)
        length = state.value(i.length, block.index)
        state.arrays.fill(i.index, address, state.value(i.value, block.index), length, block)
    except LaneOverflowError:
        state.arrays.lose()


@transfer(MemoryCopy, always=True, keeps_addresses=True)
def _copy(state: WarpState, i: MemoryCopy, block: Block) -> None:
    """Into local arrays; the source's address may be lane-varying."""
    try:
        _copied(state, i, block)
    except LaneOverflowError:
        state.arrays.lose()


def _copied(state: WarpState, i: MemoryCopy, block: Block) -> None:
    warp, arrays = state.warp, state.arrays
    address = state.form(i.pointer, block.index, POINTER_BITS)
    source = state.form(i.source, block.index, POINTER_BITS)
    length = state.value(i.length, block.index)
    base = arrays.base(source)
    array = None if base is None else arrays.array(base)
    if array is not None:
        known = i.length.value if isinstance(i.length, IntConst) else None
        arrays.copy(i.index, address, source, length, known, block)
        return
    varying = not warp.is_uniform(source)
    content = warp.atom(
        ("value", i.index), POINTER_BITS, state.array_name(source) or "copied value",
        Cause.MEMORY, varying=varying, loops=state.loops_at(block.index), data=varying,
    )  # fmt: skip
    arrays.fill(i.index, address, content, length, block)


@transfer(Atomic, keeps_addresses=True)
def _atomic(state: WarpState, i: Atomic, block: Block) -> Value:
    """The old value an atomic returns differs between lanes, by what memory holds."""
    for operand in i.operands:
        state.arrays.escape(state.value(operand, block.index))
    address = state.form(i.pointer, block.index, POINTER_BITS)
    name = state.array_name(address)
    given = state.unknown_of(
        i.type, ("value", i.index), f"result of an atomic on {name or 'memory'}", Cause.MEMORY,
        varying=True, loops=state.loops_at(block.index), data=True,
    )  # fmt: skip
    if i.op in {"add", "sub"} and isinstance(given, Form):
        added = state.value(i.operands[0], block.index)
        _note_ticket(state, given, address, added, downwards=i.op == "sub")
    return given


def _note_ticket(
    state: WarpState, given: Form, counter: Form, added: Value, *, downwards: bool
) -> None:
    """The counter and how far apart the numbers are that an atomic gives, where all lanes have the
    same.
    """
    (numbers, _), *_ = given.terms
    together = state.warp.is_uniform(counter) and state.warp.is_uniform(added)
    if not together or not isinstance(added, Form):
        state.tickets.pop(numbers[0], None)
    else:
        step = state.warp.neg(added) if downwards else added
        state.tickets[numbers[0]] = counter, step
