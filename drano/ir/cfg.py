"""Graph algorithms over control flow: orders, dominators, loops, control dependence.

Means: a graph is an adjacency list, ``successors[n]`` the nodes that ``n`` may go to; node 0 is
the entry. Nothing here knows IR.
Assumptions: edges name existing nodes; parallel edges and self-loops are fine.
Limits: nodes that the entry does not reach have no dominator (-1) and are in no order.
All is iterative, so graphs may be deep, and near linear, so they may be large.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

Graph: TypeAlias = Sequence[Sequence[int]]

NONE = -1
"""No node: the dominator of an unreachable node, the parent of an outermost loop."""


def reverse(successors: Graph) -> list[list[int]]:
    """The predecessors of each node, without repetition, in ascending order."""
    predecessors: list[list[int]] = [[] for _ in successors]
    for node, targets in enumerate(successors):
        for target in targets:
            known = predecessors[target]
            if not known or known[-1] != node:
                known.append(node)
    return predecessors


def postorder(successors: Graph, root: int = 0) -> list[int]:
    """Nodes reachable from ``root``, each after its successors but for back edges."""
    if not successors:
        return []
    seen = bytearray(len(successors))
    seen[root] = 1
    order: list[int] = []
    stack: list[tuple[int, Iterator[int]]] = [(root, iter(successors[root]))]
    while stack:
        node, pending = stack[-1]
        target = next((t for t in pending if not seen[t]), NONE)
        if target == NONE:
            order.append(node)
            stack.pop()
            continue
        seen[target] = 1
        stack.append((target, iter(successors[target])))
    return order


def reverse_postorder(successors: Graph, root: int = 0) -> list[int]:
    """Nodes reachable from ``root``, each before its successors but for back edges."""
    order = postorder(successors, root)
    order.reverse()
    return order


# --- dominance -------------------------------------------------------------------------------


def dominators(successors: Graph, root: int = 0) -> list[int]:
    """Immediate dominator of every node; the root's is itself, an unreachable node's is -1.

    Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
    ``dominators([[1, 2], [3], [3], []]) == [0, 0, 0, 0]``.
    """
    order = reverse_postorder(successors, root)
    rank = [NONE] * len(successors)
    for position, node in enumerate(order):
        rank[node] = position
    predecessors = reverse(successors)
    above = [NONE] * len(order)  # in ranks, so that climbing compares plain numbers
    if order:
        above[0] = 0
    changed = True
    while changed:
        changed = False
        for position in range(1, len(order)):
            best = NONE
            for predecessor in predecessors[order[position]]:
                other = rank[predecessor]
                if other == NONE or above[other] == NONE:
                    continue
                best = other if best == NONE else _meet(above, best, other)
            if above[position] != best:
                above[position] = best
                changed = True
    result = [NONE] * len(successors)
    for position, node in enumerate(order):
        result[node] = order[above[position]]
    return result


def _meet(above: list[int], left: int, right: int) -> int:
    while left != right:
        if left > right:
            left = above[left]
        else:
            right = above[right]
    return left


class DominatorTree(Struct, frozen=True):
    """Answers "does a dominate b" in constant time, from intervals over the tree."""

    idom: tuple[int, ...]
    enter: tuple[int, ...]
    leave: tuple[int, ...]

    @classmethod
    def from_idom(cls, idom: Sequence[int]) -> DominatorTree:
        """Number the tree that ``idom`` (as ``dominators`` gives it) describes."""
        children: list[list[int]] = [[] for _ in idom]
        roots = [n for n, parent in enumerate(idom) if parent == n]
        for node, parent in enumerate(idom):
            if parent not in (NONE, node):
                children[parent].append(node)
        enter, leave = [NONE] * len(idom), [NONE] * len(idom)
        clock = 0
        for root in roots:
            stack = [root]
            while stack:
                node = stack.pop()
                if node < 0:
                    leave[~node] = clock
                    continue
                enter[node] = clock
                clock += 1
                stack.append(~node)
                stack.extend(children[node])
        return cls(tuple(idom), tuple(enter), tuple(leave))

    def dominates(self, above: int, below: int) -> bool:
        """Whether every path from the root to ``below`` passes ``above``. Reflexive; False for
        nodes out of the tree.
        """
        if self.enter[above] == NONE or self.enter[below] == NONE:
            return False
        return self.enter[above] <= self.enter[below] < self.leave[above]


def post_dominators(successors: Graph) -> list[int]:
    """Immediate post-dominator of every node; ``len(successors)`` is the virtual exit.

    The exit follows every node without successors, and one node of each part of the graph that
    cannot leave (an infinite loop), so that every node has a post-dominator.
    """
    exit_node = len(successors)
    leaving = _leaving(successors)
    backward = reverse([*successors, []])
    backward[exit_node] = leaving
    result = dominators(backward, exit_node)
    return result[:exit_node]


def _leaving(successors: Graph) -> list[int]:
    """Nodes with an edge to the virtual exit: those without successors, and the first node of
    each final component that has none of them.
    """
    ends = []
    component_of = [NONE] * len(successors)
    components = strongly_connected_components(successors)
    for number, component in enumerate(components):
        for node in component:
            component_of[node] = number
    for number, component in enumerate(components):
        final = all(component_of[t] == number for n in component for t in successors[n])
        if final:
            ends.append(min(component))
    return sorted(ends)


# --- components and loops --------------------------------------------------------------------


def strongly_connected_components(
    successors: Graph, nodes: Sequence[int] | None = None
) -> list[list[int]]:
    """Tarjan's components, each after all components that it reaches.

    ``nodes`` limits the graph to a subset. ``[[1], [0, 2], []]`` gives ``[[2], [1, 0]]``.
    """
    inside = range(len(successors)) if nodes is None else nodes
    number = dict.fromkeys(inside, 0)
    low: dict[int, int] = {}
    on_stack: set[int] = set()
    stack: list[int] = []
    components: list[list[int]] = []
    clock = 0
    for root in inside:
        if number[root]:
            continue
        work: list[tuple[int, Iterator[int]]] = [(root, iter(successors[root]))]
        clock += 1
        number[root] = low[root] = clock
        stack.append(root)
        on_stack.add(root)
        while work:
            node, pending = work[-1]
            for target in pending:
                if target not in number:
                    continue
                if not number[target]:
                    clock += 1
                    number[target] = low[target] = clock
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(successors[target])))
                    break
                if target in on_stack:
                    low[node] = min(low[node], number[target])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == number[node]:
                    component = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        component.append(member)
                        if member == node:
                            break
                    components.append(component)
    return components
