"""What the control flow of one function says, whatever the values: loops, joins, dominance.

Shared by both domains. *Sync dependence* is LLVM's (``SyncDependenceAnalysis``): the blocks where
threads that took different sides of a branch may meet, so that a phi there may hold a different
value in each thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from drano.ir import cfg
from drano.ir.loops import Loop, loop_nest, weak_topological_order
from drano.ir.model import Function, Instruction, Local, Operand, Unreachable
from drano.ir.uses import operands_of


def _possible(function: Function) -> list[tuple[int, ...]]:
    """Each block's successors but those that do nothing but be unreachable, as a switch over all
    that can be has one: lanes that part meet again whatever such a block would do.
    """
    dead = {
        block.index
        for block in function.blocks
        if all(isinstance(i, Unreachable) for i in block.instructions)
    }
    return [tuple(t for t in block.successors if t not in dead) for block in function.blocks]


class Structure:
    """Computed once per function; every query is remembered."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self.successors: list[tuple[int, ...]] = [b.successors for b in function.blocks]
        self.predecessors = cfg.reverse(self.successors)
        self.order = cfg.reverse_postorder(self.successors)
        self.rank = {block: n for n, block in enumerate(self.order)}
        self.idom = cfg.dominators(self.successors)
        self.ipdom = cfg.post_dominators(_possible(function))
        self._dominance = cfg.DominatorTree.from_idom(self.idom)
        self._around: dict[int, frozenset[int]] = {}
        self._operands: dict[int, tuple[Operand, ...]] = {}
        self._edges_from: dict[tuple[int, int], frozenset[int]] = {}
        self._joins: dict[tuple[tuple[int, int], ...], frozenset[int]] = {}
        nest = loop_nest(self.successors)
        self.loops = {loop.header: loop for loop in nest.loops}
        self.loops_of = [
            tuple(loop.header for loop in nest.containing(block))
            for block in range(len(self.successors))
        ]
        self.retreating = frozenset(
            (source, target)
            for source in self.order
            for target in self.successors[source]
            if self.rank[target] <= self.rank[source]
        )
        self.schedule = weak_topological_order(self.successors)
        # Where a cycle can be entered besides at its header.
        self.irregular = frozenset(
            target
            for source, target in self.retreating
            if target not in self.loops or self.loops[target].irreducible
        )

    @cached_property
    def readers_outside(self) -> dict[int, list[int]]:
        """Per loop header: what reads, outside of the loop, a value computed in it."""
        home = {i.index: block.index for block in self._function.blocks for i in block.instructions}
        found: dict[int, list[int]] = {}
        for block in self._function.blocks:
            here = self.loops_of[block.index]
            for reader in block.instructions:
                for operand in self.operands(reader):
                    if not isinstance(operand, Local) or operand.index not in home:
                        continue
                    for header in self.loops_of[home[operand.index]]:
                        if header not in here:
                            found.setdefault(header, []).append(reader.index)
        return found

    def operands(self, instruction: Instruction) -> tuple[Operand, ...]:
        """What an instruction of this function reads."""
        found = self._operands.get(instruction.index)
        if found is None:
            found = self._operands[instruction.index] = operands_of(instruction)
        return found

    def dominates(self, above: int, below: int) -> bool:
        """Whether every path to ``below`` passes ``above``."""
        return self._dominance.dominates(above, below)

    @cached_property
    def _post_dominance(self) -> cfg.DominatorTree:
        exit_node = len(self.successors)
        return cfg.DominatorTree.from_idom([*self.ipdom, exit_node])

    def post_dominates(self, below: int, above: int) -> bool:
        """Whether every path from ``above`` to an exit passes ``below``."""
        return self._post_dominance.dominates(below, above)

    def branch_joins(self, branch: int) -> frozenset[int]:
        """Blocks where threads that part at the end of ``branch`` may meet again."""
        edges = [(branch, t) for t in dict.fromkeys(self.successors[branch])]
        return self.joins(edges, self.ipdom[branch])

    def edges_from(self, branch: int, join: int) -> frozenset[int]:
        """Sources of the edges by which a thread may come from the end of ``branch`` to ``join``
        before it comes to the branch's post-dominator.
        """
        known = self._edges_from.get((branch, join))
        if known is None:
            stops, found = {join, self.ipdom[branch]}, set()
            seen, pending = {branch}, [branch]
            while pending:
                block = pending.pop()
                for target in self.successors[block]:
                    if target == join:
                        found.add(block)
                    if target not in stops and target not in seen:
                        seen.add(target)
                        pending.append(target)
            known = self._edges_from[branch, join] = frozenset(found)
        return known

    def header_joins(self, branch: int) -> frozenset[int]:
        """Loop headers where threads that part at the end of ``branch`` may meet again, having
        come by different back edges (``continue``): phis there mix what their latches bring.
        """
        around = self.loops_of[branch]
        if all(len(self.loops[header].latches) < 2 for header in around):
            return frozenset()
        stop = self.ipdom[branch]
        arriving: dict[int, set[int]] = {}
        seen: set[int] = set()
        pending = [branch]
        while pending:
            block = pending.pop()
            for target in self.successors[block]:
                if (block, target) in self.retreating:
                    arriving.setdefault(target, set()).add(block)
                elif target != stop and target not in seen:
                    seen.add(target)
                    pending.append(target)
        return frozenset(
            header
            for header, sources in arriving.items()
            if header in around and (len(sources) > 1 or header != stop)
        )

    def goes_around(self, branch: int) -> frozenset[int]:
        """Headers of loops around ``branch`` that a thread may come by again before it meets, at
        the branch's post-dominator, the threads that went the other way.

        In ``while (a || b)`` threads for which ``a`` holds go round before they come to ``b``.
        """
        known = self._around.get(branch)
        if known is None:
            stop = self.ipdom[branch]
            seen: set[int] = set()
            pending = [branch]
            while pending:
                for target in self.successors[pending.pop()]:
                    if target != stop and target not in seen:
                        seen.add(target)
                        pending.append(target)
            known = self._around[branch] = frozenset(seen.intersection(self.loops_of[branch]))
        return known

    def exit_joins(self, loop: Loop) -> frozenset[int]:
        """Blocks where threads that leave ``loop`` by different exits may meet again."""
        return self.joins(loop.exits, len(self.successors))

    def joins(self, edges: Sequence[tuple[int, int]], stop: int) -> frozenset[int]:
        """Blocks that two different ``edges`` reach by disjoint paths; back edges not followed."""
        key = tuple(edges)
        known = self._joins.get(key)
        if known is None:
            known = self._joins[key] = self._compute_joins(key, stop)
        return known

    def _compute_joins(self, edges: Iterable[tuple[int, int]], stop: int) -> frozenset[int]:
        label: dict[int, int] = {}
        joined: set[int] = set()
        for number, (source, target) in enumerate(edges):
            if (source, target) in self.retreating:
                continue
            if target in label:
                joined.add(target)
                label[target] = -1 - target
            else:
                label[target] = number + len(self.successors)
        if not label:
            return frozenset()
        start = min(self.rank[block] for block in label)
        stop_rank = self.rank.get(stop, len(self.order))
        for block in self.order[start : stop_rank + 1]:
            mine = label.get(block)
            if mine is None or block == stop:
                continue
            for target in self.successors[block]:
                if (block, target) in self.retreating:
                    continue
                old = label.get(target)
                if old is None:
                    label[target] = mine
                elif old != mine and target not in joined:
                    joined.add(target)
                    label[target] = -1 - target
        return frozenset(joined)
