"""Loops of a kernel, as far as they decide how accesses in them are counted.

Means: in a loop that comes round often, a request mostly costs what the last one did, and it pays
to look whether it does. It does not pay in loops with barriers, which seldom come round often, nor
for accesses whose address hangs on what the loop has read: those are counted each time.
"""

from __future__ import annotations

from dataclasses import dataclass

from drano.analysis.sites import memory_sites
from drano.ir import model as m
from drano.ir.cfg import reverse, strongly_connected_components
from drano.ir.uses import operands_of

_MOST_STEPS = 256


@dataclass(frozen=True, slots=True)
class Loop:
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


def irregular_sites(function: m.Function | None) -> frozenset[int]:
    """Ordinals of the accesses in loops whose address hangs on a value that was read as deep in
    loops.
    """
    loops = loops_of(function)
    if function is None or not loops:
        return frozenset()
    blocks = [(b, loops[b.name].depth) for b in function.blocks if b.name in loops]
    definitions = {i.index: (i, depth) for b, depth in blocks for i in b.instructions}
    found = set()
    for site in memory_sites(function):
        own = definitions.get(site.instruction.index)
        pending = [site.pointer] if own else []
        seen: set[int] = set()
        while pending and len(seen) < _MOST_STEPS:
            operand = pending.pop()
            if not isinstance(operand, m.Local) or operand.index in seen:
                continue
            seen.add(operand.index)
            instruction, depth = definitions.get(operand.index, (None, 0))
            if isinstance(instruction, m.Load) and own and depth >= own[1]:
                found.add(site.ordinal)
                break
            if instruction is not None and not isinstance(instruction, m.Load):
                pending += operands_of(instruction)
    return frozenset(found)
