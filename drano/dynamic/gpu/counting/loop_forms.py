"""Loops of a kernel, as far as they decide how accesses in them are counted.

Means: in a loop with many iterations a request mostly costs what the last one did, so it pays to
compare. It does not pay in loops with barriers, which seldom iterate often, nor for accesses whose
address depends on what the loop has read: those are counted each time.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from drano.analysis.access_sites import memory_sites
from drano.dynamic.instrument.measured_sites import pointer_space
from drano.ir import loops as ir_loops
from drano.ir import model as m
from drano.ir.cfg import reverse, strongly_connected_components
from drano.ir.loops import loop_nest
from drano.ir.target import AddressSpace
from drano.ir.uses import operands_of
from drano.model.hardware import LINE_BYTES

_MOST_STEPS = 100
_READ, _UNKNOWN = "read", "unknown"


class Loop(Struct, frozen=True):
    """The innermost loop of a block: how many it is in, and whether there is no barrier in it."""

    depth: int
    plain: bool


def loops_of(function: m.Function | None) -> dict[str, Loop]:
    """Blocks of a kernel that may run more than once in a thread, by name."""
    if function is None or not function.is_kernel:
        return {}
    blocks = function.blocks
    graph = [list(block.successors) for block in blocks]
    before = reverse(graph)
    waits = {n for n, block in enumerate(blocks) if _has_barrier(block)}
    found: dict[str, Loop] = {}
    pending = [(list(range(len(blocks))), 1)]
    while pending:
        nodes, depth = pending.pop()
        for component in strongly_connected_components(graph, nodes):
            inside = set(component)
            if len(component) == 1 and component[0] not in graph[component[0]]:
                continue
            loop = Loop(depth, not waits & inside)
            found.update((blocks[node].name, loop) for node in component)
            # Without the blocks that it is entered by, only the loops within it are left.
            entered = {n for n in component if n == 0 or not inside.issuperset(before[n])}
            pending.append(([n for n in component if n not in entered], depth + 1))
    return found


def _has_barrier(block: m.Block) -> bool:
    calls = (i for i in block.instructions if isinstance(i, m.Call))
    return any("bar" in (call.callee or "") for call in calls)


def irregular_sites(
    function: m.Function | None, variables: Mapping[str, m.GlobalVariable]
) -> frozenset[int]:
    """Ordinals of the accesses in loops whose requests seldom cost what the last one did: the
    address depends on a value that was read as deep in loops, from another place each time; or it
    moves on by less than a line.
    """
    if function is None or not function.is_kernel:
        return frozenset()
    nest = loop_nest([list(block.successors) for block in function.blocks])
    home = {i.index: b.index for b in function.blocks for i in b.instructions}
    definitions = {i.index: i for b in function.blocks for i in b.instructions}
    found = set()
    for site in memory_sites(function):
        loop = next(nest.containing(home[site.instruction.index]), None)
        if loop is None:
            continue
        step = _Steps(definitions, home, loop).of(site.pointer)
        small = isinstance(step, int) and step % LINE_BYTES != 0
        if small:
            space = pointer_space(site.pointer, definitions, function, variables)
            small = space != AddressSpace.SHARED
        if small or step == _READ:
            found.add(site.ordinal)
    return frozenset(found)


class _Steps:
    """By how many bytes (or what else they count) values of a loop move in each iteration."""

    def __init__(
        self, definitions: Mapping[int, m.Instruction], home: Mapping[int, int], loop: ir_loops.Loop
    ) -> None:
        self.definitions, self.home, self.loop = definitions, home, loop
        self.known: dict[int, int | str] = {}

    def of(self, operand: m.Operand) -> int | str:
        """0: it stays; ``_READ``: it was read from another place; ``_UNKNOWN``."""
        if not isinstance(operand, m.Local) or self.home.get(operand.index) not in self.loop.body:
            return 0
        if operand.index not in self.known:
            over = len(self.known) >= _MOST_STEPS
            self.known[operand.index] = _UNKNOWN  # where it depends on itself
            if not over:
                self.known[operand.index] = self._of(self.definitions[operand.index])
        return self.known[operand.index]

    def _of(self, i: m.Instruction) -> int | str:
        match i:
            case m.Gep(base=base, steps=steps):
                return _sum(self.of(base), *(_times(self.of(s.index), s.stride) for s in steps))
            case m.Binary(op="add", lhs=lhs, rhs=rhs) | m.Binary(op="or", lhs=lhs, rhs=rhs):
                return _sum(self.of(lhs), self.of(rhs))
            case m.Binary(op="sub", lhs=lhs, rhs=rhs):
                return _sum(self.of(lhs), _times(self.of(rhs), -1))
            case m.Binary(op="mul", lhs=lhs, rhs=m.IntConst(value=factor)):
                return _times(self.of(lhs), factor)
            case m.Binary(op="shl", lhs=lhs, rhs=m.IntConst(value=bits)) if 0 <= bits < 32:
                return _times(self.of(lhs), 1 << bits)
            case m.Cast(value=value) | m.Freeze(value=value):
                return self.of(value)
            case m.Phi():
                return self._of_phi(i)
            case m.Load(pointer=pointer):
                return 0 if self.of(pointer) == 0 else _READ
        steps_of = [self.of(o) for o in operands_of(i)]
        if _READ in steps_of or isinstance(i, m.Atomic):
            return _READ
        return 0 if all(step == 0 for step in steps_of) else _UNKNOWN

    def _of_phi(self, phi: m.Phi) -> int | str:
        if self.home[phi.index] != self.loop.header:
            steps = {self.of(value) for value, _ in phi.incoming}
            return _READ if _READ in steps else steps.pop() if len(steps) == 1 else _UNKNOWN
        steps = {self._from(phi, value) for value, block in phi.incoming if block in self.loop.body}
        return _READ if _READ in steps else steps.pop() if len(steps) == 1 else _UNKNOWN

    def _from(self, phi: m.Phi, value: m.Operand) -> int | str:
        """How far ``value`` is from ``phi``."""
        away = 0
        for _ in range(_MOST_STEPS):
            if value == m.Local(phi.index):
                return away
            found = self.definitions.get(value.index) if isinstance(value, m.Local) else None
            match found:
                case m.Binary(op="add", lhs=other, rhs=m.IntConst(value=more)):
                    away += more
                case m.Binary(op="sub", lhs=other, rhs=m.IntConst(value=less)):
                    away -= less
                case m.Gep(base=other, offset=offset, steps=()):
                    away += offset
                case m.Cast(value=other) | m.Freeze(value=other):
                    pass
                case m.Load():
                    return _READ if self.of(found.pointer) != 0 else _UNKNOWN
                case _:
                    return _UNKNOWN
            value = other
        return _UNKNOWN


def _sum(*steps: int | str) -> int | str:
    if _READ in steps:
        return _READ
    numbers = [step for step in steps if isinstance(step, int)]
    return sum(numbers) if len(numbers) == len(steps) else _UNKNOWN


def _times(step: int | str, factor: int) -> int | str:
    return step * factor if isinstance(step, int) else step
