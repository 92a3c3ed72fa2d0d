"""What PTX functions take and give, and what memory their variables need, in LLVM's types."""

from __future__ import annotations

from drano.ptx.model import Function, Variable
from drano.ptx.pointers import Pointers
from drano.ptx.types import llvm_type, register_type, type_bits
from drano.ptx.writer import pointer_type


class Signature:
    """What a function takes and gives, in LLVM's types. ``arguments``: with their attributes."""

    def __init__(self, function: Function, pointers: Pointers | None) -> None:
        self.pointing = _pointing(function, pointers)
        given = pointers.given if pointers else {}
        self.arguments = [
            pointer_type(given[p.name]) if p.name in given
            else self._argument(p, pointing=p.name in self.pointing)
            for p in function.parameters
        ]  # fmt: skip
        results = function.results
        self.result = "void"
        if len(results) == 1:
            self.result = value_type(results[0])
        elif results:
            self.result = f"{{ {', '.join(map(value_type, results))} }}"

    @staticmethod
    def _argument(p: Variable, *, pointing: bool) -> str:
        if p.count is not None or p.vector > 1:
            size = byte_size(p)
            return f"ptr byval([{size} x i8]) align {alignment(p)}"
        if pointing:
            return "ptr"
        return value_type(p)


def _pointing(function: Function, pointers: Pointers | None) -> frozenset[str]:
    """Parameters that are addresses; of functions that are not here, all that may be."""
    wide = {
        p.name for p in function.parameters
        if p.count is None and p.vector == 1 and type_bits(p.type) == 64 and p.type != "f64"
    }  # fmt: skip
    if pointers is None:
        return frozenset(wide)
    return frozenset(wide & (pointers.parameters | pointers.pointing))


def byte_size(v: Variable) -> int:
    """The size of a variable."""
    each = max(1, type_bits(v.type) // 8) * v.vector
    return each if v.count is None else max(1, each * v.count)


def alignment(v: Variable) -> int:
    """What a variable is aligned to."""
    return v.align or max(1, type_bits(v.type) // 8) * v.vector


def value_type(v: Variable) -> str:
    """The type of a whole variable."""
    if v.count is not None or v.vector > 1:
        return f"[{byte_size(v)} x i8]"
    return register_type(v.type) if v.space == "reg" else llvm_type(v.type)
