"""How likely a block is to be executed, from the branches above it.

The chance of a block is that of its immediate dominator, times that of the side that leads to it.
Conditions that lanes decide by their number are in the active masks, which count warps exactly;
a test of bounds (its other side does nothing) holds; what ends a loop is in the loop's trips. The
rest are the usual heuristics: equality is rare, a side with work is likelier than one without
(Ball and Larus, "Branch Prediction for Free", 1993).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto

from msgspec import Struct

from drano.analysis.control_structure import Structure
from drano.analysis.cost import defaults
from drano.analysis.cost.amounts import Amount, Number
from drano.analysis.cost.operand_amounts import Amounts
from drano.analysis.definitions import Definitions
from drano.ir.model import (
    Binary,
    Branch,
    Compare,
    Function,
    Instruction,
    IntConst,
    Operand,
    Phi,
    Select,
    Switch,
)

_MOST_PARTS = 8
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


class Chance(Struct, frozen=True):
    """The share of executions that come by a branch; ``branch``: its terminator; ``lanes``: of
    lanes, rather than of warps; ``once``: the header of a loop in each run of which the branch is
    taken once at the most, whatever the share.
    """

    share: float
    branch: Instruction
    lanes: bool
    once: int | None = None


class Bound(Struct, frozen=True):
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
            self._above[inner] = (*self._above[outer], *self._chances(outer, inner))
        return self._above[block]

    def _chances(self, branch: int, block: int) -> tuple[Chance | Bound, ...]:
        """Of coming from the end of ``branch`` to ``block``, which it dominates; none: certain."""
        structure = self._structure
        targets = tuple(dict.fromkeys(structure.successors[branch]))
        if len(targets) < 2 or structure.post_dominates(block, branch):
            return ()
        side = next((t for t in targets if self._leads(branch, t, block)), None)
        if side is None:  # several sides come here
            return ()
        for header in structure.loops_of[branch]:
            body = structure.loops[header].body
            if any(t not in body for t in targets):
                return ()
        terminator = self._function.blocks[branch].terminator
        lanes = self._kinds(branch) is Kind.DATA
        if isinstance(terminator, Switch):
            return (Chance(1.0 / len(targets), terminator, lanes),)
        if not isinstance(terminator, Branch):
            return ()
        holds = side == terminator.if_true
        other = next(t for t in targets if t != side)
        bounds: list[Chance | Bound] = []
        share = 1.0
        parts = self._parts(terminator.condition, holds)
        kind = self._kinds(branch)
        if len(parts) > 1 and kind is Kind.OTHER:  # one bound for each of several axes
            kind = Kind.BOUNDS
        for part in parts:
            bound = self._bound(part, holds)
            if bound is not None:
                bounds.append(bound)
            else:
                share *= self._share(part, kind, holds, self._is_idle(branch, other))
        if share >= 1.0:
            return tuple(bounds)
        return (*bounds, Chance(share, terminator, lanes, self._once(branch, parts, holds)))

    def _once(self, branch: int, parts: list[Operand], holds: bool) -> int | None:
        """The loop whose counter has to equal what does not change in it: ``if (k == 0)``."""
        if self._kinds(branch) is not Kind.UNIFORM:  # else another lane may be on each time
            return None
        compares = (self._definitions.of(part) for part in parts)
        wanted = "eq" if holds else "ne"
        for compare in compares:
            if not isinstance(compare, Compare) or compare.predicate != wanted:
                continue
            for tested, end in ((compare.lhs, compare.rhs), (compare.rhs, compare.lhs)):
                header = self._counted(tested)
                if header in self._structure.loops_of[branch] and self._is_fixed(end, header):
                    return header
        return None

    def _counted(self, operand: Operand) -> int:
        """The header of the loop that an operand counts, by steps of one known number; else -1."""
        phi = self._definitions.of(self._definitions.source(operand))
        if not isinstance(phi, Phi):
            return -1
        header = self._definitions.block(phi)
        loop = self._structure.loops.get(header)
        if loop is None:
            return -1
        steps = [value for value, origin in phi.incoming if origin in loop.body]
        return header if steps and all(self._is_step(step, phi) for step in steps) else -1

    def _is_step(self, operand: Operand, phi: Phi) -> bool:
        step = self._definitions.of(operand)
        if not isinstance(step, Binary) or step.op not in {"add", "sub"}:
            return False
        known = isinstance(step.rhs, IntConst) and step.rhs.value != 0
        return known and self._definitions.of(step.lhs) is phi

    def _is_fixed(self, operand: Operand, header: int) -> bool:
        """Whether a value is made outside of a loop."""
        made = self._definitions.of(operand)
        body = self._structure.loops[header].body
        return made is None or self._definitions.block(made) not in body

    def _parts(self, condition: Operand, holds: bool) -> list[Operand]:
        """What all hold, or all do not, where the condition does: as of ``a && b``."""
        parts: list[Operand] = []
        pending = [condition]
        while pending:
            part = pending.pop()
            i = self._definitions.of(part)
            several: tuple[Operand, Operand] | None = None
            match i:
                case Binary(op="and") if holds:
                    several = i.lhs, i.rhs
                case Binary(op="or") if not holds:
                    several = i.lhs, i.rhs
                case Select(if_false=IntConst(value=0)) if holds:
                    several = i.condition, i.if_true
                case Select(if_true=IntConst(value=1 | -1)) if not holds:
                    several = i.condition, i.if_false
                case _:
                    pass
            if several is None or len(parts) + len(pending) >= _MOST_PARTS:
                parts.append(part)
            else:
                pending += reversed(several)
        return parts

    def _leads(self, branch: int, target: int, block: int) -> bool:
        alone = tuple(self._structure.predecessors[target]) == (branch,)
        return alone and self._structure.dominates(target, block)

    def _bound(self, condition: Operand, holds: bool) -> Bound | None:
        """``if (i < n)``, ``i`` being the thread's number in the grid."""
        compare = self._definitions.of(condition)
        if not isinstance(compare, Compare):
            return None
        if compare.predicate in {"eq", "ne"}:
            axis = self._axis(compare.lhs)
            one = (compare.predicate == "eq") == holds
            return Bound(axis, Number(1.0)) if axis is not None and one else None
        if compare.predicate[1:] not in _BELOW:
            return None
        for tested, end, below in (
            (compare.lhs, compare.rhs, _BELOW[compare.predicate[1:]]),
            (compare.rhs, compare.lhs, not _BELOW[compare.predicate[1:]]),
        ):
            axis = self._axis(tested)
            if axis is None or below != holds:
                continue
            amount = self._amounts.of(end)
            if amount is not None:
                return Bound(axis, amount)
        return None

    def _share(self, condition: Operand, kind: Kind, holds: bool, idle: bool) -> float:
        if kind is Kind.LANES:
            return 1.0
        compare = self._definitions.of(condition)
        if isinstance(compare, Compare) and not compare.floating:
            ordered = compare.predicate not in {"eq", "ne"}
            if idle and ordered and kind in {Kind.BOUNDS, Kind.UNIFORM}:
                return 1.0
            equal = compare.predicate == "eq"
            if equal or compare.predicate == "ne":
                return defaults.EQUAL if holds == equal else 1.0 - defaults.EQUAL
        return defaults.MAIN if idle and kind is Kind.UNIFORM else defaults.EVEN

    def _is_idle(self, branch: int, side: int) -> bool:
        """Whether nothing is accessed on one side of a branch only."""
        known = self._idle.get(side)
        if known is None:
            known = self._idle[side] = not any(
                self._leads(branch, side, block) for block in self._busy
            )
        return known
