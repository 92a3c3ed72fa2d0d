"""C's conversions as text, numbers that it counts at compile time, and what it leaves undefined."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from tests.simulated.types import BOOL, Array, CType, Float, Int, Pointer, Struct, Void


class CorpusError(Exception):
    """What the simulator does not read, or C leaves undefined."""


def number(node: c_ast.Node) -> int:
    if isinstance(node, c_ast.UnaryOp) and node.op == "-":
        return -number(node.expr)
    if isinstance(node, c_ast.BinaryOp):
        a, b = number(node.left), number(node.right)
        return {"+": a + b, "*": a * b, "-": a - b, "/": a // b if b else 0}[node.op]
    if isinstance(node, c_ast.Constant):
        if node.type == "char":
            return ord(node.value[1])
        return int(node.value.rstrip("uUlL"), 0)
    raise CorpusError(f"{node.coord}: not a number")


def listed(node: c_ast.Node | None) -> list[int]:
    if node is None:
        return []
    if isinstance(node, c_ast.InitList):
        return [n for e in node.exprs for n in listed(e)]
    return [number(node)]


def element(type_: CType) -> CType:
    if isinstance(type_, Pointer):
        return type_.to
    assert isinstance(type_, Array)
    return type_.of


def bits(type_: CType) -> int:
    assert isinstance(type_, Int)
    return type_.bits


def wrap(text: str, type_: CType) -> str:
    return f"W({text}, {type_.bits}, {type_.signed})" if isinstance(type_, Int) else text


def convert(text: str, from_: CType, to: CType) -> str:
    if from_ == to or isinstance(to, Struct | Void):
        return text
    if isinstance(to, Float):
        return f"float({text})"
    if to == BOOL:
        return f"int(bool({text}))"
    if isinstance(to, Int):
        return wrap(f"int({text})" if isinstance(from_, Float) else text, to)
    return text


def in_range(value: int, bits: int) -> int:
    if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
        raise CorpusError(f"signed overflow: {value}")
    return value


def shift(op: str, value: int, count: int, bits: int) -> int:
    if not 0 <= count < bits:
        raise CorpusError(f"shift by {count}")
    return value << count if op == "<<" else value >> count


def set_item(container: list[Any], index: int, value: Any) -> Any:
    if not 0 <= index < len(container):
        raise CorpusError(f"index {index} past the end")
    container[index] = value
    return value


def get_item(container: list[Any], index: int) -> Any:
    if not 0 <= index < len(container) or container[index] is None:
        raise CorpusError(f"index {index}: past the end, or nothing there")
    return container[index]


def holds(truth: int) -> None:
    if not truth:
        raise CorpusError("an assumption does not hold")
