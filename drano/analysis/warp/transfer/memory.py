"""What loads give: a warp-uniform address gives one value to all lanes, any other address gives
values that depend on memory.

A thread's own arrays are followed where their address does not escape: see ``arrays.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drano.analysis.warp.transfer.arrays import Arrays
from drano.ir.model import (
    Atomic,
    Block,
    IntConst,
    Load,
    MemoryCopy,
    MemoryFill,
    PointerType,
    Store,
)
from drano.lattice import Cause, Congruence, Form, LaneOverflowError, Value
from drano.lattice.warp import operations as ops
from drano.model.hardware import POINTER_BITS

if TYPE_CHECKING:
    from drano.analysis.warp.state.interpreter import WarpInterpreter


class Memory:
    """Loads, stores and atomics of one interpretation."""

    def __init__(self, run: WarpInterpreter) -> None:
        self._run = run
        self.arrays = Arrays(run)
        self.local_loads: set[int] = set()

    # --- loads -------------------------------------------------------------------------------

    def load(self, i: Load, block: Block) -> Value | None:
        """Value of a load."""
        run, warp = self._run, self._run.warp
        address = run.form(i.pointer, block.index, POINTER_BITS)
        base = self.arrays.base(address)
        space = "" if base is None else warp.atoms[base].space
        if space in {"local", "param"}:
            self.local_loads.add(i.index)  # what it gives depends on the stores
        if space == "local" or (space == "param" and self.arrays.is_written(base)):
            return self.arrays.load(i.index, address, i.type, i.size, block)
        loops = run.loops_at(block.index)
        name = self._name(i, address)
        if not warp.is_uniform(address):
            return run.unknown_of(
                i.type, ("value", i.index), name, Cause.MEMORY, varying=True, loops=loops, data=True
            )
        key: object = ("value", i.index)
        if i.invariant or space in {"constant", "param"}:
            # nothing changes it while the kernel runs: equal addresses, equal values
            key = ("constant", address, i.type)
            loops = ops.loops_of(warp, (address,))
            if isinstance(i.type, PointerType) and space == "param":
                return run.unknown_of(
                    i.type, key, name, Cause.POINTER, varying=False, loops=loops, space="global",
                    residue=Congruence(run.options.pointer_alignment, 0), bounds=(0, 1 << 62),
                )  # fmt: skip
        return run.unknown_of(i.type, key, name, Cause.MEMORY, varying=False, loops=loops, space="")

    def _name(self, i: Load, address: Form) -> str:
        """A loaded value in the user's words: its variable, else the array it comes from."""
        named = self._run.name_of(i.index)
        array = self.array_name(address)
        if named:
            return named
        return f"{array}[…]" if array else "loaded value"

    def array_name(self, address: Form) -> str:
        """Name of the array that an address points into, "" when unknown."""
        base = self.arrays.base(address)
        return self._run.warp.atoms[base].name if base is not None else ""

    # --- stores ------------------------------------------------------------------------------

    def store(self, i: Store, block: Block) -> None:
        """Remember what is stored in local arrays, and what escapes."""
        value = self._run.value(i.value, block.index)
        if value is None:
            return
        try:
            address = self._run.form(i.pointer, block.index, POINTER_BITS)
            self.arrays.store(i.index, address, value, i.value_type, i.size, block)
        except LaneOverflowError:
            self.arrays.escape(value)
            self.arrays.lose()

    def transfer(self, i: MemoryCopy | MemoryFill, block: Block) -> None:
        """memcpy, memmove, memset: into local arrays; the source's address may be lane-varying."""
        try:
            self._transfer(i, block)
        except LaneOverflowError:
            self.arrays.lose()

    def _transfer(self, i: MemoryCopy | MemoryFill, block: Block) -> None:
        run, warp = self._run, self._run.warp
        address = run.form(i.pointer, block.index, POINTER_BITS)
        if isinstance(i, MemoryFill):
            value = run.value(i.value, block.index)
            if value is not None:
                self.arrays.fill(i.index, address, value, block)
            return
        source = run.form(i.source, block.index, POINTER_BITS)
        base = self.arrays.base(source)
        array = None if base is None else self.arrays.array(base)
        if array is not None:
            length = i.length.value if isinstance(i.length, IntConst) else None
            self.arrays.copy(i.index, address, source, length, block)
            return
        varying = not warp.is_uniform(source)
        content = warp.atom(
            ("value", i.index), POINTER_BITS, self.array_name(source) or "copied value",
            Cause.MEMORY, varying=varying, loops=run.loops_at(block.index), data=varying,
        )  # fmt: skip
        self.arrays.fill(i.index, address, content, block)

    def atomic(self, i: Atomic, block: Block) -> Value | None:
        """The old value an atomic returns differs between lanes, by what memory holds."""
        run = self._run
        for operand in i.operands:
            value = run.value(operand, block.index)
            if value is not None:
                self.arrays.escape(value)
        address = run.form(i.pointer, block.index, POINTER_BITS)
        name = self.array_name(address)
        return run.unknown_of(
            i.type, ("value", i.index), f"result of an atomic on {name or 'memory'}", Cause.MEMORY,
            varying=True, loops=run.loops_at(block.index), data=True,
        )  # fmt: skip

    def escape(self, value: Value) -> None:
        """A pointer handed to code that is not seen: its array may hold anything."""
        self.arrays.escape(value)
