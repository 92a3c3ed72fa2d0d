"""How likely a block is to be executed, from the branches above it.

The chance of a block is that of its immediate dominator, times that of the side that leads to it.
Conditions that lanes decide by their number are in the active masks, which count warps exactly;
a test of bounds (its other side does nothing) holds; what ends a loop is in the loop's trips. The
rest are the usual heuristics: equality is rare, a side with work is likelier than one without
(Ball and Larus, "Branch Prediction for Free", 1993).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from drano.analysis.control_structure import Structure
from drano.analysis.cost import defaults
from drano.analysis.cost.amounts import Amount, Number
from drano.analysis.cost.operand_amounts import Amounts
from drano.analysis.definitions import Definitions
from drano.ir.model import Branch, Compare, Function, Instruction, Operand, Switch

_BELOW = {"lt": True, "le": True, "gt": False, "ge": False}


class Kind(Enum):
    """What a condition depends on."""

    LANES = auto()  # known by lane: the mask says it all
    BOUNDS = auto()  # an affine bound cuts the lanes
    UNIFORM = auto()  # the same in all lanes
    OTHER = auto()  # arithmetic that is not followed
    DATA = auto()  # memory


Conditions = Callable[[int], Kind]
Axis = Callable[[Operand], int | None]


@dataclass(frozen=True, slots=True)
class Chance:
    """The share of executions that come by a branch; ``branch``: its terminator; ``lanes``: of
    lanes, rather than of warps.
    """

    share: float
    branch: Instruction
    lanes: bool


@dataclass(frozen=True, slots=True)
class Bound:
    """Only threads whose number in the grid, along ``axis``, is below ``end`` come by."""

    axis: int
    end: Amount


class Branches:
    """Chances of one function's blocks. ``busy``: blocks with accesses; ``kinds``: of the
    condition at the end of a block. ``axis``: of operands that are the thread's number in the
    grid, along which one.
    """

    def __init__(
        self,
        function: Function,
        structure: Structure,
        definitions: Definitions,
        busy: frozenset[int],
        kinds: Conditions,
        axis: Axis,
        amounts: Amounts,
    ) -> None:
        self._function = function
        self._structure = structure
        self._definitions = definitions
        self._busy = busy
        self._kinds = kinds
        self._axis = axis
        self._amounts = amounts
        self._above: dict[int, tuple[Chance | Bound, ...]] = {}
        self._idle: dict[int, bool] = {}

    def above(self, block: int) -> tuple[Chance | Bound, ...]:
        """The branches that decide about a block, outermost first, without the certain ones."""
        chain: list[int] = []
        at = block
        while at not in self._above:
            chain.append(at)
            above = self._structure.idom[at]
            if above in (at, -1):
                self._above[at] = ()
                chain.pop()
                break
            at = above
        for inner in reversed(chain):
            outer = self._structure.idom[inner]
            own = self._chance(outer, inner)
            self._above[inner] = (*self._above[outer], own) if own else self._above[outer]
        return self._above[block]

    def _chance(self, branch: int, block: int) -> Chance | Bound | None:
        """Of coming from the end of ``branch`` to ``block``, which it dominates; None: certain."""
        structure = self._structure
        targets = tuple(dict.fromkeys(structure.successors[branch]))
        if len(targets) < 2 or structure.post_dominates(block, branch):
            return None
        side = next((t for t in targets if self._leads(branch, t, block)), None)
        if side is None:  # several sides come here
            return None
        for header in structure.loops_of[branch]:
            body = structure.loops[header].body
            if any(t not in body for t in targets):
                return None
        terminator = self._function.blocks[branch].terminator
        if isinstance(terminator, Switch):
            return Chance(1.0 / len(targets), terminator, self._kinds(branch) is Kind.DATA)
        if not isinstance(terminator, Branch):
            return None
        bound = self._bound(terminator, side)
        if bound is not None:
            return bound
        other = next(t for t in targets if t != side)
        share = self._share(terminator, branch, side, other)
        if share == 1.0:
            return None
        return Chance(share, terminator, self._kinds(branch) is Kind.DATA)

    def _leads(self, branch: int, target: int, block: int) -> bool:
        alone = tuple(self._structure.predecessors[target]) == (branch,)
        return alone and self._structure.dominates(target, block)

    def _bound(self, branch: Branch, side: int) -> Bound | None:
        """``if (i < n)``, ``i`` being the thread's number in the grid, where it holds."""
        compare = self._definitions.of(branch.condition)
        if not isinstance(compare, Compare):
            return None
        if compare.predicate in {"eq", "ne"}:
            axis = self._axis(compare.lhs)
            one = (compare.predicate == "eq") == (side == branch.if_true)
            return Bound(axis, Number(1.0)) if axis is not None and one else None
        if compare.predicate[1:] not in _BELOW:
            return None
        for tested, end, below in (
            (compare.lhs, compare.rhs, _BELOW[compare.predicate[1:]]),
            (compare.rhs, compare.lhs, not _BELOW[compare.predicate[1:]]),
        ):
            axis = self._axis(tested)
            if axis is None or below != (side == branch.if_true):
                continue
            amount = self._amounts.of(end)
            if amount is not None:
                return Bound(axis, amount)
        return None

    def _share(self, branch: Branch, block: int, side: int, other: int) -> float:
        kind = self._kinds(block)
        if kind is Kind.LANES:
            return 1.0
        idle = self._is_idle(block, other)
        compare = self._definitions.of(branch.condition)
        if isinstance(compare, Compare) and not compare.floating:
            ordered = compare.predicate not in {"eq", "ne"}
            if idle and ordered and kind in {Kind.BOUNDS, Kind.UNIFORM}:
                return 1.0
            equal = compare.predicate == "eq"
            if equal or compare.predicate == "ne":
                holds = (side == branch.if_true) == equal
                return defaults.EQUAL if holds else 1.0 - defaults.EQUAL
        return defaults.MAIN if idle and kind is Kind.UNIFORM else defaults.EVEN

    def _is_idle(self, branch: int, side: int) -> bool:
        """Whether nothing is accessed on one side of a branch only."""
        known = self._idle.get(side)
        if known is None:
            known = self._idle[side] = not any(
                self._leads(branch, side, block) for block in self._busy
            )
        return known
