"""What launches and calls are given: shapes, loops around them, pointers that are moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from drano.frontend.libclang import Kind, Node
from drano.host.arithmetic import UNKNOWN_DIM, Dim, Record, Value
from drano.host.cross_unit import Given
from drano.host.evaluator import Around
from drano.host.function_bodies import preorder
from drano.host.pointers.pointer_syntax import pointee_size
from drano.model.translation_unit import HostLoop, Shifted


def members(config: Value, name: str) -> Dim:
    """The sizes of a ``CUlaunchConfig``: ``gridDimX`` and so on."""
    if not isinstance(config, Record):
        return UNKNOWN_DIM
    x, y, z = (_size(config.get(f"{name}{axis}")) for axis in "XYZ")
    return x, y, z


def _size(value: Value) -> int | None:
    return value if isinstance(value, int) else None


def anywhere(cursor: Any) -> list[Shifted | None]:
    """Arguments of which nothing is known: pointers among them may be moved, but nothing tells that
    they are.
    """
    sizes = (pointee_size(parameter) for parameter in cursor.get_arguments())
    return [None if size is None else Shifted(size, likely_start=True) for size in sizes]


def moved(root: Node, arguments: Sequence[Given]) -> dict[int, Shifted]:
    """Parameters of a function that it is given moved pointers for."""
    parameters = (child.key for child in root.children if child.kind == Kind.PARM)
    pairs = zip(parameters, arguments, strict=False)
    return {parameter: given for parameter, given in pairs if isinstance(given, Shifted)}


def as_dim(value: Value) -> Dim:
    """A number or a ``dim3`` as sizes; unknown where it is neither."""
    if isinstance(value, int):
        return (value, 1, 1)
    return value if isinstance(value, tuple) else UNKNOWN_DIM


def loops(around: Sequence[Around], grid: Sequence[Node]) -> Iterator[HostLoop]:
    """The loops around a launch, with what they do to its grid."""
    nodes = (node for size in grid for node in preorder(size))
    named = {node.key for node in nodes if node.kind == Kind.DECL_REF}
    for each in around:
        yield replace(each.loop, spent=not named.isdisjoint(each.shrinking))
