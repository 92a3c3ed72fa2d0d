"""What loads give: a warp-uniform address gives one value to all lanes, any other address gives
values that depend on memory.

A thread's local arrays are followed when their address does not escape: a flow-insensitive
summary of all that is stored in each (uniform, or one lane pattern, or anything).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drano.ir.model import (
    Atomic,
    Block,
    Load,
    MemoryCopy,
    MemoryFill,
    Operand,
    PointerType,
    Store,
)
from drano.lattice import Cause, Congruence, Form, LaneOverflowError, Predicate, Value
from drano.lattice import warp_ops as ops

if TYPE_CHECKING:
    from drano.analysis.warp.interpreter import WarpInterpreter

POINTER_BITS = 64


class _Slot:
    """What a local array may hold: the lane pattern of everything stored so far."""

    __slots__ = ("data", "mask", "pattern", "reason", "varying")

    def __init__(self) -> None:
        self.mask: Predicate | None = None
        self.pattern: Form | None = None
        self.varying = False
        self.data = False
        self.reason = ""


class Memory:
    """Loads, stores and atomics of one interpretation."""

    def __init__(self, run: WarpInterpreter) -> None:
        self._run = run
        self._slots: dict[int, _Slot] = {}
        self._escaped: set[int] = set()
        self.local_loads: set[int] = set()
        self._written: set[int] = set()

    # --- loads -------------------------------------------------------------------------------

    def load(self, i: Load, block: Block) -> Value | None:
        """Value of a load."""
        run, warp = self._run, self._run.warp
        address = run.form(i.pointer, block.index, POINTER_BITS)
        base = self._base(address)
        if base is not None and warp.atoms[base].space == "local":
            return self._load_local(i, block, address, base)
        loops = run.loops_at(block.index)
        name = self._name(i, address)
        if not warp.is_uniform(address):
            return run.unknown_of(
                i.type, ("value", i.index), name, Cause.MEMORY, varying=True, loops=loops, data=True
            )
        key: object = ("value", i.index)
        if base is not None and warp.atoms[base].space == "param":
            self.local_loads.add(i.index)  # constant until a store to it is seen
        if self._is_constant(i, base):
            # nothing changes it while the kernel runs: equal addresses, equal values
            key = ("constant", address, i.type)
            loops = ops.loops_of(warp, (address,))
            if (
                isinstance(i.type, PointerType)
                and base is not None
                and (warp.atoms[base].space == "param")
            ):
                return run.unknown_of(
                    i.type, key, name, Cause.POINTER, varying=False, loops=loops, space="global",
                    residue=Congruence(run.options.pointer_alignment, 0), bounds=(0, 1 << 62),
                )  # fmt: skip
        return run.unknown_of(i.type, key, name, Cause.MEMORY, varying=False, loops=loops, space="")

    def _is_constant(self, i: Load, base: int | None) -> bool:
        """Whether what a load reads stays as it is while the kernel runs."""
        if base is None:
            return i.invariant
        space = self._run.warp.atoms[base].space
        return (
            i.invariant or space == "constant" or (space == "param" and base not in self._written)
        )

    def _name(self, i: Load, address: Form) -> str:
        """A loaded value in the user's words: its variable, else the array it comes from."""
        named = self._run.name_of(i.index)
        array = self.array_name(address)
        if named:
            return named
        return f"{array}[…]" if array else "loaded value"

    def array_name(self, address: Form) -> str:
        """Name of the array that an address points into, "" when unknown."""
        base = self._base(address)
        return self._run.warp.atoms[base].name if base is not None else ""

    def _base(self, address: Form) -> int | None:
        """The one pointer atom of an address."""
        found = [
            m[0]
            for m, c in address.terms
            if len(m) == 1 and c == 1 and self._run.warp.atoms[m[0]].space
        ]
        return found[0] if len(found) == 1 else None

    def _load_local(self, i: Load, block: Block, address: Form, base: int) -> Value:
        run, warp = self._run, self._run.warp
        self.local_loads.add(i.index)
        slot = self._slots.get(base)
        name = warp.atoms[base].name
        varying = base in self._escaped or not warp.is_uniform(address)
        data = not warp.is_uniform(address) and warp.is_data(address)
        reason = f"value read from local array {name}"
        pattern: Form | None = None
        if slot is not None:
            if slot.varying:
                varying, data, reason = True, data or slot.data, slot.reason or reason
            pattern = slot.pattern
            varying = varying or not self._seen_whole(slot, block)
        loops = run.loops_at(block.index)
        if varying or pattern is None:
            return run.unknown_of(
                i.type, ("value", i.index), run.name_of(i.index) if not varying else reason,
                Cause.MEMORY, varying=varying, loops=loops, data=data,
            )  # fmt: skip
        uniform = run.unknown_of(
            i.type, ("value", i.index), run.name_of(i.index) or f"{name}[…]", Cause.MEMORY,
            varying=False, loops=loops,
        )  # fmt: skip
        if not isinstance(uniform, Form) or uniform.bits != pattern.bits:
            whole = warp.is_uniform(pattern)
            return run.unknown_of(
                i.type, ("value", i.index), reason, Cause.MEMORY, varying=not whole, loops=loops
            )
        _, lanes = warp.split_warp(pattern)
        return warp.add(uniform, lanes)

    # --- stores ------------------------------------------------------------------------------

    def store(self, i: Store, block: Block) -> None:
        """Remember what is stored in local arrays, and what escapes."""
        value = self._run.value(i.value, block.index)
        if value is None:
            return
        self._note_escape(value)
        self._put(i.pointer, block, value)

    def _put(self, pointer: Operand, block: Block, value: Value) -> None:
        run, warp = self._run, self._run.warp
        address = run.form(pointer, block.index, POINTER_BITS)
        base = self._base(address)
        if base is None:
            return
        if base not in self._written:
            self._written.add(base)
            run.note_change()
        if warp.atoms[base].space != "local":
            return
        slot = self._slots.setdefault(base, _Slot())
        if slot.varying:
            return
        moving = ops.loops_of(warp, (value, address)).intersection(run.loops_at(block.index))
        # lanes that leave a loop earlier keep what an earlier iteration stored
        steady = moving.isdisjoint(run.divergent_loops)
        if steady and self._fits(slot, value, address, block):
            if slot.pattern is None:
                slot.pattern = value if isinstance(value, Form) else warp.constant(0, 64)
                slot.mask = run.masks[block.index]
                run.note_change()
            return
        slot.varying = True
        slot.data = warp.is_data(value)
        slot.reason = ops.reason_of(warp.varying_atoms(value))
        run.note_change()

    def _fits(self, slot: _Slot, value: Value, address: Form, block: Block) -> bool:
        """Whether all elements still hold one lane pattern when ``value`` is stored too."""
        warp = self._run.warp
        if not warp.is_uniform(address):
            return False
        # a store that only some lanes make leaves the other lanes with the old content
        if slot.pattern is not None and slot.mask != self._run.masks[block.index]:
            return False
        if not isinstance(value, Form):
            return warp.is_uniform(value) and (
                slot.pattern is None or warp.is_uniform(slot.pattern)
            )
        if slot.pattern is None:
            return True
        if value.bits != slot.pattern.bits:
            return warp.is_uniform(value) and warp.is_uniform(slot.pattern)
        try:
            return warp.same_lanes(value, slot.pattern)
        except LaneOverflowError:
            return False

    def _seen_whole(self, slot: _Slot, block: Block) -> bool:
        """Whether every lane that reads in ``block`` took part in the stores."""
        run = self._run
        at = block.index
        while True:
            if run.masks[at] == slot.mask:
                return True
            above = run.structure.idom[at]
            if above in {at, -1}:
                return False
            at = above

    def transfer(self, i: MemoryCopy | MemoryFill, block: Block) -> None:
        """memcpy, memmove, memset: into local arrays; the source's address may be lane-varying."""
        run, warp = self._run, self._run.warp
        if isinstance(i, MemoryFill):
            value = run.value(i.value, block.index)
            if value is not None:
                self._put(i.pointer, block, value)
            return
        source = run.form(i.source, block.index, POINTER_BITS)
        base = self._base(source)
        loops = run.loops_at(block.index)
        key = ("value", i.index)
        if base is not None and warp.atoms[base].space == "local":
            slot = self._slots.get(base)
            varying = base in self._escaped or (slot is not None and slot.varying)
            pattern = slot.pattern if slot is not None else None
            if pattern is not None and not varying:
                self._put(i.pointer, block, pattern)
                return
            data = slot is not None and slot.data
        else:
            varying = data = not warp.is_uniform(source)
        content = warp.atom(
            key, 64, self.array_name(source) or "copied value", Cause.MEMORY, varying=varying,
            loops=loops, data=data,
        )  # fmt: skip
        self._put(i.pointer, block, content)

    def atomic(self, i: Atomic, block: Block) -> Value | None:
        """The old value an atomic returns differs between lanes, by what memory holds."""
        run = self._run
        for operand in i.operands:
            value = run.value(operand, block.index)
            if value is not None:
                self._note_escape(value)
        address = run.form(i.pointer, block.index, POINTER_BITS)
        name = self.array_name(address)
        return run.unknown_of(
            i.type, ("value", i.index), f"result of an atomic on {name or 'memory'}", Cause.MEMORY,
            varying=True, loops=run.loops_at(block.index), data=True,
        )  # fmt: skip

    def escape(self, value: Value) -> None:
        """A pointer handed to code that is not seen: its array may hold anything."""
        self._note_escape(value)

    def _note_escape(self, value: Value) -> None:
        if not isinstance(value, Form):
            return
        warp = self._run.warp
        for monomial, _ in value.terms:
            for number in monomial:
                if warp.atoms[number].space in {"local", "param"} and number not in self._escaped:
                    self._escaped.add(number)
                    self._written.add(number)
                    self._run.note_change()
