"""What the functions of a unit share: where shared memory, parameters and local arrays lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from drano.dynamic.simt import abi
from drano.dynamic.simt.plan import Plan
from drano.dynamic.simt.source import FunctionSource
from drano.ir import model as m
from drano.ir.layout import alignment, alloc_size


@dataclass(frozen=True, slots=True)
class SharedVariable:
    """``offset`` in the block's static shared memory; ``dynamic``: it begins behind all of that."""

    number: int
    offset: int
    dynamic: bool


@dataclass(frozen=True)
class UnitContext:
    """``renamed``: symbols that go by another name in native code, with ``@``."""

    path: str
    module: m.Module
    renamed: Mapping[str, str]

    def symbol(self, token: str) -> str:
        """The native name of a global, both as printed."""
        return self.renamed.get(token, token)


@dataclass(frozen=True, slots=True)
class Parameter:
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


@dataclass(frozen=True)
class FunctionContext:
    """One function's lowering. ``symbol``: prefix of its native functions, without ``@``."""

    unit: UnitContext
    source: FunctionSource
    plan: Plan
    symbol: str
    shared: Mapping[str, SharedVariable]

    def argument_lines(self, value: int, name: str) -> list[str]:
        """Instructions that give argument ``value`` the name ``name``."""
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
        """Instructions that make the warp's local memory and its bytes per lane available."""
        return [
            f"%local.at = getelementptr inbounds i8, ptr %w, i64 {abi.WARP_LOCAL}",
            "%local = load ptr, ptr %local.at, align 8",
            f"%local.bytes = add i64 0, {self.plan.local_bytes}",
        ]
