"""What a launch looks like in libclang's trees, and which kernel it names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from drano.frontend.libclang import Kind, Node
from drano.host.function_bodies import HANDLES, plain_children, preorder, strip

_CONFIGURE: Final = frozenset({"__cudaPushCallConfiguration", "cudaConfigureCall"})
_LAUNCH_CALLS: Final = frozenset({"cudaLaunchKernel", "cudaLaunchCooperativeKernel"})
_CONFIGURED_CALLS: Final = frozenset({"cudaLaunchKernelEx", "cudaLaunchKernelExC"})
_DRIVER_CALLS: Final = frozenset({"cuLaunchKernel", "cuLaunchCooperativeKernel"})
_STUB: Final = "__device_stub__"


class LaunchParts(Struct, frozen=True):
    """``kernel``: its declaration, None where ``callee``, the expression that stands for it, names
    none; ``arguments``: () where they are taken by their addresses. ``config``: whether ``grid``
    and ``block`` are one expression, the address of a ``cudaLaunchConfig_t``. ``addresses``: the
    array of these addresses. ``handle``: whether the driver launches, and ``callee`` is its handle;
    then ``sizes`` are the grid's and the block's, one by one, unless they are in ``config``.
    """

    kernel: Any
    callee: Node
    grid: Node
    block: Node
    arguments: tuple[Node, ...]
    config: bool = False
    addresses: Node | None = None
    handle: bool = False
    sizes: tuple[Node, ...] = ()


def launch_parts(node: Node) -> LaunchParts | None:
    """The parts of a call that launches a kernel; None of anything else."""
    inner = plain_children(node)
    if len(inner) >= 2 and inner[1].kind == Kind.CALL:
        configuration = plain_children(inner[1])
        if inner[1].spelling in _CONFIGURE and len(configuration) >= 3:
            kernel, grid, block = inner[0], configuration[1], configuration[2]
            return LaunchParts(named_function(kernel), kernel, grid, block, tuple(inner[2:]))
    name = node.spelling
    if name in _LAUNCH_CALLS and len(inner) >= 4:
        array = inner[4] if len(inner) > 4 else None
        named = named_function(inner[1])
        return LaunchParts(named, inner[1], inner[2], inner[3], (), addresses=array)
    if name in _CONFIGURED_CALLS and len(inner) >= 3:
        by_value = name == "cudaLaunchKernelEx"
        given = tuple(inner[3:]) if by_value else ()
        array = inner[3] if len(inner) > 3 and not by_value else None
        kernel, config = inner[2], inner[1]
        return LaunchParts(
            named_function(kernel), kernel, config, config, given, config=True, addresses=array
        )
    return _by_driver(name.removesuffix("_ptsz"), inner)


def _by_driver(name: str, inner: Sequence[Node]) -> LaunchParts | None:
    """``inner``: the parts of a call. What the driver launches has no declaration here."""
    if name in _DRIVER_CALLS and len(inner) >= 8:
        sizes, array = tuple(inner[2:8]), inner[10] if len(inner) > 10 else None
        return LaunchParts(
            None, inner[1], inner[2], inner[5], (), addresses=array, handle=True, sizes=sizes
        )
    if name == "cuLaunchKernelEx" and len(inner) >= 3:
        array = inner[3] if len(inner) > 3 else None
        config = inner[1]
        return LaunchParts(
            None, inner[2], config, config, (), config=True, addresses=array, handle=True
        )
    return None


def handle_name(node: Node) -> str | None:
    """The name in such a call, where it is a literal."""
    inner = plain_children(node)
    literal = strip(inner[3]) if len(inner) == 4 else node
    text = literal.spelling if literal.kind == Kind.STRING else ""
    plain = len(text) > 2 and text[0] == text[-1] == '"' and "\\" not in text
    return text[1:-1] if plain else None


def takes_handle(node: Node) -> bool:
    """Whether a call asks the driver for a kernel by its name."""
    return node.kind == Kind.CALL and node.spelling in HANDLES


def addressed(array: Node, root: Node) -> list[Node]:
    """What the addresses in an array are of: ``p`` and ``n`` of ``void* args[] = {&p, &n}`` in the
    function ``root``; [] where that is not seen, or the array is used otherwise than to launch.
    """
    name = strip(array)
    variable = name.key if name.kind == Kind.DECL_REF else 0
    if _is_used_otherwise(variable, root):
        return []
    for node in preorder(root) if variable else ():
        inner = plain_children(node)
        if node.kind != Kind.VAR or node.key != variable or not inner:
            continue
        parts = [strip(part) for part in plain_children(inner[-1])]
        taken = [plain_children(p)[:1] if p.kind == Kind.UNARY else [] for p in parts]
        return [part for (part,) in taken] if all(taken) else []
    return []


def _is_used_otherwise(variable: int, root: Node) -> bool:
    launching: set[int] = set()
    for node in preorder(root):
        parts = launch_parts(node) if node.kind == Kind.CALL else None
        if parts is not None and parts.addresses is not None:
            launching.add(id(strip(parts.addresses)))
        if node.kind == Kind.DECL_REF and node.key == variable and id(node) not in launching:
            return True
    return False


def named_function(node: Node) -> Any | None:
    """The one function that an expression names: ``(void*)kernel``, ``&kernel``, ``k<4>``."""
    node = strip(node)
    if node.kind == Kind.UNARY:
        inner = plain_children(node)
        node = strip(inner[0]) if inner else node
    if node.kind != Kind.DECL_REF:
        return None
    declared = node.declared()
    if declared is not None and declared._kind_id == Kind.FUNCTION:
        return declared
    for child in node.children:
        if child.kind == Kind.OVERLOADED_REF:
            return child.cursor
    return None


def symbol(kernel: Any) -> str:
    """Mangled name on the device; libclang gives that of the host's launching stub."""
    if kernel._kind_id != Kind.FUNCTION:
        return ""
    mangled = str(kernel.mangled_name).removeprefix(_STUB)
    name = str(kernel.spelling)
    stub = f"{len(_STUB) + len(name)}{_STUB}{name}"  # a digit may stand before its length
    return mangled.replace(stub, f"{len(name)}{name}", 1)
