"""What the functions of a unit share: the layout of shared memory, parameters and local arrays."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from drano.dynamic.cpu import abi
from drano.dynamic.cpu.device_function import FunctionSource
from drano.dynamic.cpu.plan import STACK_BYTES, Plan
from drano.dynamic.cpu.recipes import Role
from drano.ir import model as m
from drano.ir.type_layout import alignment, alloc_size


class SharedVariable(Struct, frozen=True):
    """``offset`` in the block's static shared memory; ``dynamic``: it begins behind all of that."""

    number: int
    offset: int
    dynamic: bool


class UnitContext(Struct, frozen=True):
    """``renamed``: symbols that go by another name in native code, with ``@``."""

    path: str
    module: m.Module
    renamed: Mapping[str, str]

    def symbol(self, token: str) -> str:
        """The native name of a global, both as printed."""
        return self.renamed.get(token, token)


class Parameter(Struct, frozen=True):
    """Place of one kernel parameter in the buffer."""

    offset: int
    bytes: int


def parameters(function: m.Function) -> tuple[tuple[Parameter, ...], int]:
    """The kernel's parameter buffer, as CUDA lays it out: in order, each at its alignment."""
    places = []
    end = 0
    for argument in function.args:
        size = argument.byval_size or alloc_size(argument.type)
        align = max(1, argument.align if argument.byval_size else alignment(argument.type))
        offset = -(-end // align) * align
        places.append(Parameter(offset, size))
        end = offset + size
    return tuple(places), end


class FunctionContext(Struct, frozen=True):
    """One function's lowering. ``symbol``: prefix of its native functions, without ``@``;
    ``first_block``: number of its entry among the unit's blocks of code.
    """

    unit: UnitContext
    source: FunctionSource
    plan: Plan
    symbol: str
    shared: Mapping[str, SharedVariable]
    first_block: int = 0
    fresh: Iterator[int] = field(default_factory=itertools.count)
    """Numbers that no name of the function has yet: several writers may write one function."""

    @property
    def is_kernel(self) -> bool:
        """Whether arguments come from a parameter buffer; else there is one array for each."""
        return self.source.function.is_kernel

    def argument_lines(self, value: int, name: str) -> list[str]:
        """Instructions that give argument ``value`` (not a kernel's: its array) that name."""
        if not self.is_kernel:
            return self.table_lines(value, name)
        place = parameters(self.source.function)[0][value]
        lines = [
            "%params = load ptr, ptr %w, align 8",
            f"{name}.at = getelementptr inbounds i8, ptr %params, i64 {place.offset}",
        ]
        if self.source.function.args[value].byval_size:
            lines[-1] = lines[-1].replace(f"{name}.at", name)
            return lines
        type_ = self.source.type_text(value)
        return [*lines, f"{name} = load {type_}, ptr {name}.at, align 1"]

    def table_lines(self, number: int, name: str) -> list[str]:
        """Instructions that name an entry of a called function's table: the arrays of its
        arguments, of its result, then the place and the stride of its local memory.
        """
        return [
            f"{name}.at = getelementptr inbounds ptr, ptr %table, i64 {number}",
            f"{name} = load ptr, ptr {name}.at, align 8",
        ]

    def shared_lines(self, variable: str, name: str) -> list[str]:
        """Instructions that give the address of a shared variable the name ``name``."""
        place = self.shared[variable]
        lines = [
            f"%block.at = getelementptr inbounds i8, ptr %w, i64 {abi.WARP_BLOCK}",
            "%block = load ptr, ptr %block.at, align 8",
            f"%shared.at = getelementptr inbounds i8, ptr %block, i64 {abi.BLOCK_SHARED}",
            "%shared = load ptr, ptr %shared.at, align 8",
        ]
        if not place.dynamic:
            return [*lines, f"{name} = getelementptr inbounds i8, ptr %shared, i64 {place.offset}"]
        return [
            *lines,
            f"%dynamic.at = getelementptr inbounds i8, ptr %block, i64 {abi.BLOCK_DYNAMIC_OFFSET}",
            "%dynamic.32 = load i32, ptr %dynamic.at, align 4",
            "%dynamic = zext i32 %dynamic.32 to i64",
            f"{name} = getelementptr inbounds i8, ptr %shared, i64 %dynamic",
        ]

    def local_lines(self) -> list[str]:
        """Instructions that make the function's local memory and its bytes per lane available."""
        lines = [
            f"%local.at = getelementptr inbounds i8, ptr %w, i64 {abi.WARP_LOCAL}",
            "%local.all = load ptr, ptr %local.at, align 8",
        ]
        if self.is_kernel:
            return [
                *lines,
                "%local = getelementptr inbounds i8, ptr %local.all, i64 0",
                f"%local.bytes = add i64 0, {self.local_bytes}",
            ]
        count = len(self.source.function.args)
        return [
            *lines,
            *self.table_lines(count + 1, "%local.place"),
            "%local.offset = ptrtoint ptr %local.place to i64",
            "%local = getelementptr inbounds i8, ptr %local.all, i64 %local.offset",
            *self.table_lines(count + 2, "%local.stride"),
            "%local.bytes = ptrtoint ptr %local.stride to i64",
        ]

    @property
    def local_bytes(self) -> int:
        """A kernel's local memory of one lane, with room for the functions it calls."""
        calls = any(
            isinstance(i, m.Call) and self.plan.recipes[i.index].role is Role.MEMORY
            for i in self.source.definitions.values()
        )
        return self.plan.local_bytes + STACK_BYTES * calls
