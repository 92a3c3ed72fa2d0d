"""Results within one interpretation that are kept while their inputs stay the same.

Means: the inputs of the masks of a branch's edges, and of the value of a join, are kept and
compared. A join also depends on what is known of its atoms: on when that last changed.
Assumption: edges' masks and joins are functions of what is compared here; making atoms again with
what is known of them changes nothing. Limits: values at loop heads, which depend on more, are not
kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field

from drano.lattice import Aggregate, Atom, Form, Predicate, Value, same_bound

if TYPE_CHECKING:
    from drano.analysis.warp.state.warp_state import WarpState


class JoinInputs(Struct, frozen=True):
    """What the value of a phi that is no loop's head is made of. ``arrived``: by each edge;
    ``masks``: of the edges; ``condition``: that the edges' sources depend on; ``divergent``:
    whether lanes meet here; ``loops``, ``branches``: how many diverge.
    """

    arrived: tuple[tuple[int, Value], ...]
    masks: tuple[Predicate, ...]
    condition: Predicate | None
    divergent: bool
    loops: int
    branches: int

    def same(self, other: JoinInputs) -> bool:
        """Whether the two are alike in all that is known."""
        return (
            self.divergent == other.divergent
            and self.loops == other.loops
            and self.branches == other.branches
            and self.condition is other.condition
            and len(self.arrived) == len(other.arrived)
            and all(map(_same_arrival, self.arrived, other.arrived))
            and all(a is b for a, b in zip(self.masks, other.masks, strict=True))
        )


class Recall(Struct):
    """Mutable: takes what was computed. ``joins``: by phi, what its value was made of and when;
    ``branches``: by block, the mask and the condition that its edges' masks were made of.
    """

    joins: dict[int, tuple[JoinInputs, int]] = field(default_factory=dict)
    branches: dict[int, tuple[Predicate, Predicate]] = field(default_factory=dict)


def same_branch(state: WarpState, block: int, mask: Predicate, condition: Predicate) -> bool:
    """Whether the masks of the edges out of ``block`` were made of the same; notes of what."""
    known = state.recall.branches.get(block)
    same = known == (mask, condition) and all(map(same_bound, known, (mask, condition)))
    state.recall.branches[block] = mask, condition
    return same


def join_inputs(state: WarpState, block: int, arrived: Sequence[tuple[int, Value]]) -> JoinInputs:
    """What the phis of ``block`` are made of now."""
    return JoinInputs(
        tuple(arrived),
        tuple(state.edges[source, block] for source, _ in arrived),
        state.conditions.get(state.structure.idom[block]),
        block in state.divergent_joins,
        len(state.divergent_loops),
        len(state.divergent_branches),
    )


def joined_before(state: WarpState, phi: int, inputs: JoinInputs) -> Value | None:
    """The value that a phi has, if it would be made of the same again."""
    known = state.recall.joins.get(phi)
    value = state.env[phi]
    if known is None or value is None or not inputs.same(known[0]):
        return None
    stamp = known[1]
    values = [value, *(each for _, each in inputs.arrived)]
    if inputs.condition is not None:
        values.append(inputs.condition)
    if any(atom.changed_at > stamp for each in values for atom in _atoms(state, each)):
        return None
    return value


def _same_arrival(a: tuple[int, Value], b: tuple[int, Value]) -> bool:
    return a[0] == b[0] and _same_value(a[1], b[1])


def _same_value(a: Value, b: Value) -> bool:
    if a is b:
        return True
    if not isinstance(a, Form) or not isinstance(b, Form):
        return False
    return a == b and a.lo == b.lo and a.hi == b.hi


def _atoms(state: WarpState, value: Value) -> list[Atom]:
    """All atoms that a value speaks of, in what is known of a condition, too."""
    atoms = state.warp.atoms
    if isinstance(value, Form):
        return [atoms[n] for monomial, _ in value.terms for n in monomial]
    parts: Sequence[Value | None]
    parts = value.elements if isinstance(value, Aggregate) else (*value.zero_if, value.below)
    return [atom for part in parts if part is not None for atom in _atoms(state, part)]
