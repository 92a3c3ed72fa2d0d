"""Accesses in loops that nvcc may split, whose lanes may then be at different iterations.

What all lanes have in common in one iteration differs between the lanes that make a request there.
So what is said of an access holds for lanes that are in the same iteration, and its bounds for
lanes in any: ``a[j]`` is at one address, and may be at 32. See ``state.loop_splits`` for which
loops these are.
"""

from __future__ import annotations

from msgspec.structs import replace

from drano.analysis.warp.state.warp_state import WarpState
from drano.lattice import Atom, Cause, Congruence, Form, Predicate, Shape, Warp
from drano.lattice.warp import masks
from drano.lattice.warp.forms import Monomial, tightened
from drano.lattice.warp.lanes import Coefficient
from drano.model.judgement import UNKNOWN, CountRange, Judgement, Verdict

CONDITION = "nvcc does not split the loop"
"""What a verdict rests on that holds for lanes in the same iteration only."""

_UNKNOWN_LANES = frozenset({Shape.OTHER, Shape.DATA})


def in_any_iteration(
    run: WarpState, block: int, address: Form, mask: Predicate
) -> tuple[Form, Predicate] | None:
    """An address and the lanes that access it, where each lane may be in another iteration of the
    loops that nvcc may split; None where there are none, or where it is the same in all.

    ``a + 4*j`` becomes ``a + 4*?j``, and all lanes of the mask only may be on.
    """
    loops = run.loop_splits.around(block)
    if not loops:
        return None
    reason = "nvcc may split the loop, so that lanes are at different iterations"
    fewer = masks.weaken(run.warp, mask, Shape.OTHER, reason, block, loops)
    if loops & mask.loops:  # lanes of one iteration share a number
        fewer = replace(fewer, shape=max(fewer.shape, Shape.OTHER), levels=(None, None))
    return _apart(run.warp, address, loops, reason), fewer


def _apart(warp: Warp, form: Form, loops: frozenset[int], reason: str) -> Form:
    """``form`` with what changes in the loops different in each lane."""
    terms: dict[Monomial, Coefficient] = {}
    for monomial, coefficient in form.terms:
        changed = tuple(sorted(_own(warp, number, form.bits, loops, reason) for number in monomial))
        old = terms.get(changed)
        terms[changed] = coefficient if old is None else warp.space.add(old, coefficient)
    return tightened(warp.build(form.bits, terms, form.const), form.lo, form.hi)


def _own(warp: Warp, number: int, bits: int, loops: frozenset[int], reason: str) -> int:
    """The atom, or another one in its place of which each lane has its own value."""
    atom = warp.atoms[number]
    if not loops & atom.loops or _is_own(atom):
        return number
    own = warp.atom(
        ("own iteration", number), bits, reason, Cause.LOOP, varying=True,
        bounds=(atom.lo, atom.hi), residue=Congruence(atom.modulus, atom.residue),
        loops=atom.loops, space=atom.space, data=atom.data,
    )  # fmt: skip
    return own.terms[0][0][0]


def _is_own(atom: Atom) -> bool:
    """Whether each lane has its own value, of which the others' tell nothing."""
    if atom.predicate is not None and atom.predicate.shape not in _UNKNOWN_LANES:
        return False
    parts = (atom.steps, atom.phased, atom.wrapped, atom.rest_of, atom.bit_of)
    return atom.varying and all(part is None for part in parts)


def covering(together: Judgement, apart: Judgement, mask: Predicate) -> Judgement:
    """What is said of lanes in the same iteration, with the bounds of those in any; where these
    are not sure to say the same, on the condition that nvcc keeps the loop whole.

    Lanes of different iterations that data choose come together by chance only: of those too few
    may be left for an access to be uncoalesced. ``mask``: the lanes in the same iteration.
    """
    found = with_bounds_of(together, apart)
    if together.verdict is Verdict.UNKNOWN:
        return found
    same = apart.verdict is together.verdict and apart.flagged == together.flagged
    if same and not (together.flagged and mask.shape in _UNKNOWN_LANES):
        return found
    condition = " and ".join(filter(None, (together.condition, CONDITION)))
    weight = UNKNOWN + 1 if together.flagged else together.weight
    return replace(found, condition=condition, weight=weight)


def with_bounds_of(together: Judgement, apart: Judgement) -> Judgement:
    """The same with bounds that hold of both."""
    return replace(
        together,
        lines=_hull(together.lines, apart.lines),
        sectors=_hull(together.sectors, apart.sectors),
        wavefronts=_hull(together.wavefronts, apart.wavefronts),
    )


def _hull(together: CountRange | None, apart: CountRange | None) -> CountRange | None:
    if together is None or apart is None:
        return together
    least = min(together.minimum, apart.minimum)
    most = max(together.maximum, apart.maximum)
    return replace(together, minimum=least, maximum=most)
