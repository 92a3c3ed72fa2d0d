"""Where threads part and where they meet again: facts that only ever grow during the fixpoint.

A branch *diverges* when several threads are active and its condition is not the same in all. Then
the blocks where its sides meet are *joins* (what the sides assigned is ⊤ there), and the loops it
can leave are left by different threads at different iterations (*temporal divergence*: values of
the loop are ⊤ after it).

Assumption: threads that parted run together again from the branch's post-dominator on. Where
control flow is irreducible nothing is assumed: every phi and mask in such a cycle is ⊤.
"""

from __future__ import annotations

from drano.analysis.control_structure import Structure
from drano.ir import cfg


class Divergence:
    """``note`` mutates: it adds a branch and all that follows from it."""

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self.branches: set[int] = set()
        self.joins: set[int] = set()
        self.header_joins: set[int] = set()
        self.loops: set[int] = set()
        self.tangled = _tangled(structure)

    def note(self, branch: int) -> bool:
        """A branch diverges; whether that is news."""
        if branch in self.branches:
            return False
        structure = self._structure
        self.branches.add(branch)
        self.joins |= structure.branch_joins(branch)
        self.header_joins |= structure.header_joins(branch)
        stop = structure.ipdom[branch]
        for header in structure.loops_of[branch]:
            loop = structure.loops[header]
            if stop not in loop.body and header not in self.loops:
                self.loops.add(header)
                self.joins |= structure.exit_joins(loop)
        return True

    def meeting_point(self, index: int) -> int | None:
        """The dominator whose threads are exactly those that come to ``index``, if there is one."""
        structure = self._structure
        above = structure.idom[index]
        here = structure.loops_of[index]
        while True:
            outer = [header for header in structure.loops_of[above] if header not in here]
            if not outer:
                break
            above = structure.idom[outer[-1]]
            if above == outer[-1]:
                return None
        if above == index or not structure.post_dominates(index, above):
            return None
        return above


def _tangled(structure: Structure) -> frozenset[int]:
    """Blocks of irreducible cycles."""
    if not structure.irregular:
        return frozenset()
    found: set[int] = set()
    for component in cfg.strongly_connected_components(structure.successors):
        if not structure.irregular.isdisjoint(component):
            found |= set(component)
    return frozenset(found)
