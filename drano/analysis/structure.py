"""What the control flow of one function says, whatever the values: loops, joins, dominance.

Shared by both domains. *Sync dependence* is LLVM's (``SyncDependenceAnalysis``): the blocks where
threads that took different sides of a branch may meet, so that a phi there may hold a different
value in each thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from drano.analysis.fixpoint import Component, Element
from drano.ir import cfg
from drano.ir.model import Function


@dataclass(frozen=True, slots=True)
class Loop:
    """A natural loop: its blocks, the edges out of it, the sources of its back edges."""

    header: int
    blocks: frozenset[int]
    latches: tuple[int, ...]
    exits: tuple[tuple[int, int], ...]


class Structure:
    """Computed once per function; every query is remembered."""

    def __init__(self, function: Function) -> None:
        self.successors: list[tuple[int, ...]] = [b.successors for b in function.blocks]
        self.predecessors = cfg.reverse(self.successors)
        self.order = cfg.reverse_postorder(self.successors)
        self.rank = {block: n for n, block in enumerate(self.order)}
        self.idom = cfg.dominators(self.successors)
        self.ipdom = cfg.post_dominators(self.successors)
        self._dominance = cfg.DominatorTree.from_idom(self.idom)
        self._joins: dict[tuple[tuple[int, int], ...], frozenset[int]] = {}
        self.loops = self._find_loops()
        self.loops_of: list[tuple[int, ...]] = self._nests()
        self.retreating = frozenset(
            (source, target)
            for source in self.order
            for target in self.successors[source]
            if self.rank[target] <= self.rank[source]
        )
        self.schedule = self._schedule()
        self.irregular = frozenset(t for _, t in self.retreating if t not in self.loops)

    def dominates(self, above: int, below: int) -> bool:
        """Whether every path to ``below`` passes ``above``."""
        return self._dominance.dominates(above, below)

    def _find_loops(self) -> dict[int, Loop]:
        found: dict[int, set[int]] = {}
        latches: dict[int, list[int]] = {}
        for source in self.order:
            for header in self.successors[source]:
                if self.rank[header] > self.rank[source] or not self.dominates(header, source):
                    continue
                latches.setdefault(header, []).append(source)
                body = found.setdefault(header, {header})
                pending = [source]
                while pending:
                    block = pending.pop()
                    if block in body or block not in self.rank:
                        continue
                    body.add(block)
                    pending.extend(self.predecessors[block])
        loops = {}
        for header, body in found.items():
            exits = tuple(
                (block, target)
                for block in sorted(body)
                for target in self.successors[block]
                if target not in body
            )
            loops[header] = Loop(header, frozenset(body), tuple(latches[header]), exits)
        return loops

    def _nests(self) -> list[tuple[int, ...]]:
        """For each block the headers of the loops around it, innermost first."""
        nests: list[list[int]] = [[] for _ in self.successors]
        for header in sorted(self.loops, key=lambda h: len(self.loops[h].blocks)):
            for block in self.loops[header].blocks:
                nests[block].append(header)
        return [tuple(nest) for nest in nests]

    def _schedule(self) -> tuple[Element, ...]:
        """A weak topological order: each loop in one piece at its header's place."""
        direct: dict[int | None, list[int]] = {}
        for block in self.order:
            nest = self.loops_of[block]
            if block in self.loops:
                outer = nest[1] if len(nest) > 1 else None
                direct.setdefault(outer, []).append(block)
            else:
                direct.setdefault(nest[0] if nest else None, []).append(block)
        components: dict[int, Component] = {}
        for header in sorted(self.loops, key=lambda h: len(self.loops[h].blocks)):
            body = [components.get(block, block) for block in direct.get(header, [])]
            components[header] = Component((header, *body))
        return tuple(components.get(block, block) for block in direct.get(None, []))

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

    def exit_joins(self, loop: Loop) -> frozenset[int]:
        """Blocks where threads that leave ``loop`` by different exits may meet again."""
        return self.joins(loop.exits, len(self.successors))

    def joins(self, edges: Sequence[tuple[int, int]], stop: int) -> frozenset[int]:
        """Blocks reached from two different ``edges`` by disjoint paths; back edges not followed."""
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
