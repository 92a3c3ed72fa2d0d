"""Where the address of each access comes from: the kernel's parameters, or a variable.

Means: an address is followed back through offsets, casts and joins to its root. The root says which
array is accessed once the parameters' values are known, as they are at each launch. A pointer in a
structure passed by value is part of a parameter, unless the kernel may write to that structure.
Assumptions: an address stays in the array that it was made from. Limits: no roots are given where
one may be anything else, such as a pointer that was read from memory.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from drano.analysis.access_sites import memory_sites
from drano.ir import model as m
from drano.ir.target import AddressSpace

_MOST_ROOTS = 8
_MOST_STEPS = 256


class Root(Struct, frozen=True, order=True):
    """``parameter``: its number, the pointer being at ``offset`` in it; or a ``variable``."""

    parameter: int = -1
    offset: int = 0
    variable: str = ""


def roots_of(module: m.Module) -> dict[tuple[str, int], tuple[Root, ...]]:
    """Roots of the kernels' accesses, by kernel and ordinal; without those that are not known."""
    found: dict[tuple[str, int], tuple[Root, ...]] = {}
    for kernel in module.kernels:
        known = KernelRoots(module, kernel)
        for site in memory_sites(kernel):
            roots = known.of(site.pointer)
            if roots:
                found[kernel.name, site.ordinal] = roots
    return found


class KernelRoots:
    """Roots of any address in one kernel."""

    def __init__(self, module: m.Module, kernel: m.Function) -> None:
        shared = AddressSpace.SHARED
        self._own = frozenset(name for name, v in module.globals.items() if v.space == shared)
        self._definitions = {i.index: i for block in kernel.blocks for i in block.instructions}
        self._changed = _changed(self._definitions, kernel)
        self._kernel = kernel

    def of(self, pointer: m.Operand) -> tuple[Root, ...]:
        """None where they are not known, or memory is a thread's own or the block's."""
        return _roots(pointer, self._definitions, self._kernel, self._own, self._changed)

    def is_private(self, pointer: m.Operand) -> bool:
        """Whether the address surely is in memory of the thread or of the block."""
        pending, seen = [pointer], set[int]()
        while pending:
            operand = pending.pop()
            if isinstance(operand, m.Local):
                if operand.index in seen:
                    continue
                seen.add(operand.index)
            if _is_of_no_array(operand, self._definitions, self._own):
                continue
            more = _sources(operand, self._definitions)
            if more is None:
                return False
            pending += more
        return True


def _roots(
    pointer: m.Operand,
    definitions: Mapping[int, m.Instruction],
    kernel: m.Function,
    own: frozenset[str],
    changed: frozenset[int],
) -> tuple[Root, ...]:
    """``own``: variables in shared memory. Accesses of that, and of a thread's own, are of none.
    ``changed``: see ``_changed``.
    """
    roots: dict[Root, None] = {}
    seen: set[int] = set()
    pending = [pointer]
    while pending:
        operand = pending.pop()
        number = operand.index if isinstance(operand, m.Local) else None
        if number in seen or _is_of_no_array(operand, definitions, own):
            continue
        if number is not None:
            seen.add(number)
        more = _sources(operand, definitions)
        if more is not None:
            pending += more
        else:
            root = _root(operand, definitions, kernel, changed)
            if root is None:
                return ()
            roots[root] = None
        if len(roots) > _MOST_ROOTS or len(seen) > _MOST_STEPS:
            return ()
    return tuple(roots)


def _is_of_no_array(
    operand: m.Operand, definitions: Mapping[int, m.Instruction], own: frozenset[str]
) -> bool:
    match operand:
        case m.Local(index=index):
            return isinstance(definitions.get(index), m.Alloca)
        case m.GlobalAddress(name=name):
            return name in own
    return isinstance(operand, m.UndefConst)


def _sources(
    operand: m.Operand, definitions: Mapping[int, m.Instruction]
) -> list[m.Operand] | None:
    """What the address is made from; None where it begins."""
    match definitions.get(operand.index) if isinstance(operand, m.Local) else None:
        case m.Gep(base=base):
            return [base]
        case m.Cast(op="addrspacecast" | "bitcast", value=value) | m.Freeze(value=value):
            return [value]
        case m.Select(if_true=one, if_false=other):
            return [one, other]
        case m.Phi(incoming=incoming):
            return [value for value, _ in incoming]
    return None


def _changed(definitions: Mapping[int, m.Instruction], kernel: m.Function) -> frozenset[int]:
    """Parameters by value that the kernel may write to, or whose address goes elsewhere."""
    by_value = {k for k, argument in enumerate(kernel.args) if argument.byval_size}
    pending: list[m.Operand] = []
    for instruction in definitions.values() if by_value else ():
        match instruction:
            case m.Store():
                pending += [instruction.pointer, instruction.value]
            case m.Atomic() | m.MemoryCopy() | m.MemoryFill():
                pending.append(instruction.pointer)
            case m.Call():
                pending += instruction.args
    seen: set[int] = set()
    while pending:
        operand = pending.pop()
        if isinstance(operand, m.Local) and operand.index not in seen:
            seen.add(operand.index)
            pending += _sources(operand, definitions) or []
    return frozenset(by_value & seen)


def _root(
    operand: m.Operand,
    definitions: Mapping[int, m.Instruction],
    kernel: m.Function,
    changed: frozenset[int],
) -> Root | None:
    if isinstance(operand, m.GlobalAddress):
        return Root(variable=operand.name)
    if not isinstance(operand, m.Local):
        return None
    found = definitions.get(operand.index)
    if found is None:
        return None if kernel.args[operand.index].byval_size else Root(operand.index)
    if not isinstance(found, m.Load):
        return None
    offset = 0
    pointer = found.pointer
    while isinstance(pointer, m.Local):
        step = definitions.get(pointer.index)
        if step is None:
            part = kernel.args[pointer.index].byval_size > offset >= 0
            part = part and pointer.index not in changed
            return Root(pointer.index, offset) if part else None
        if isinstance(step, m.Gep) and not step.steps:
            offset += step.offset
            pointer = step.base
        elif isinstance(step, m.Cast) and step.op in {"addrspacecast", "bitcast"}:
            pointer = step.value
        else:
            return None
    return None
