"""Loops of a control-flow graph: natural loops, irreducible regions, weak topological order.

Means: as in ``cfg.py``, a graph is an adjacency list whose node 0 is the entry.
Assumptions: none on the graph; what the entry does not reach is in no loop.
Limits: an irreducible region (a cycle with several entries) is one loop whose header is its first
node in reverse postorder and whose ``irreducible`` is True; its inner loops are those that remain
without that node. Time grows with the depth of nesting.
All is iterative, so graphs may be deep.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct

from drano.ir.cfg import (
    NONE,
    DominatorTree,
    Graph,
    dominators,
    reverse,
    reverse_postorder,
    strongly_connected_components,
)


class Loop(Struct, frozen=True):
    """``body``: its nodes, header included; ``latches``: nodes with an edge back to the header;
    ``exits``: edges (inside, outside), sorted; ``parent``: index of the loop around it, or -1;
    ``depth``: 1 for an outermost loop.
    """

    header: int
    body: frozenset[int]
    latches: tuple[int, ...]
    exits: tuple[tuple[int, int], ...]
    parent: int
    depth: int
    irreducible: bool


class LoopNest(Struct, frozen=True):
    """``loops``: outer before inner; ``innermost``: for each node the index of its innermost loop,
    or -1.
    """

    loops: tuple[Loop, ...]
    innermost: tuple[int, ...]

    def containing(self, node: int) -> Iterator[Loop]:
        """The loops around ``node``, innermost first."""
        index = self.innermost[node]
        while index != NONE:
            yield self.loops[index]
            index = self.loops[index].parent


def loop_nest(successors: Graph) -> LoopNest:
    """All loops, by components: each strongly connected component with a cycle is a loop; without
    its header (or, for an irreducible one, its back edges) it falls apart into the inner loops.

    ``while (a) while (b);`` as ``[[1], [2, 3], [2, 1], []]`` has the loops {1, 2} and {2}.
    """
    order = reverse_postorder(successors)
    rank = {node: position for position, node in enumerate(order)}
    tree = DominatorTree.from_idom(dominators(successors))
    predecessors = reverse(successors)
    loops: list[Loop] = []
    innermost = [NONE] * len(successors)
    pending: list[tuple[list[int], int]] = [(order, NONE)]
    while pending:
        nodes, parent = pending.pop()
        # ``nodes`` lacks the header of the loop around, so the edges that close it do not count.
        for component in strongly_connected_components(successors, nodes):
            head = component[0]
            if len(component) == 1 and head not in successors[head]:
                continue
            body = frozenset(component)
            header = min(component, key=rank.__getitem__)
            irreducible = not all(tree.dominates(header, node) for node in component)
            loops.append(
                Loop(
                    header=header,
                    body=body,
                    latches=tuple(p for p in predecessors[header] if p in body),
                    exits=tuple(
                        sorted({(n, t) for n in body for t in successors[n] if t not in body})
                    ),
                    parent=parent,
                    depth=1 if parent == NONE else loops[parent].depth + 1,
                    irreducible=irreducible,
                )
            )
            for node in component:
                innermost[node] = len(loops) - 1
            inner = sorted((n for n in component if n != header), key=rank.__getitem__)
            if inner:
                pending.append((inner, len(loops) - 1))
    return LoopNest(tuple(loops), tuple(innermost))


# --- weak topological order ------------------------------------------------------------------


class Component(Struct, frozen=True):
    """A cycle of a weak topological order: ``head``, then ``body``, again and again."""

    head: int
    body: Order


Order: TypeAlias = tuple["int | Component", ...]
"""A hierarchical order: plain nodes, and components to be iterated until stable."""


def weak_topological_order(successors: Graph, root: int = 0) -> Order:
    """Bourdoncle's order ("Efficient chaotic iteration strategies with widenings", 1993): every
    cycle has its head in a component, heads come before the rest of their component, and an edge
    that goes backwards in the order leads to the head of a component around its source.

    ``[[1], [2], [1, 3], []]`` gives ``(0, Component(1, (2,)), 3)``.
    """
    if not successors:
        return ()
    order = reverse_postorder(successors, root)
    rank = {node: position for position, node in enumerate(order)}
    # Recursion over the depth of nesting, unrolled. A frame's components are taken from the end:
    # Tarjan gives them last first.
    output: list[int | Component] = []
    frames = [_Frame(NONE, strongly_connected_components(successors, order), output)]
    while True:
        frame = frames[-1]
        if not frame.pending:
            frames.pop()
            if not frames:
                return tuple(output)
            frames[-1].output.append(Component(frame.head, tuple(frame.output)))
            continue
        component = frame.pending.pop()
        first = min(component, key=rank.__getitem__)
        if len(component) == 1 and first not in successors[first]:
            frame.output.append(first)
            continue
        rest = sorted((n for n in component if n != first), key=rank.__getitem__)
        frames.append(_Frame(first, strongly_connected_components(successors, rest), []))


class _Frame(Struct, frozen=True):
    head: int
    pending: list[list[int]]
    output: list[int | Component]
