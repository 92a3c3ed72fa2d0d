"""The laws that every abstract domain is run through, whatever its elements are.

A domain is described by one ``Domain``: its lattice, how to draw or list elements, how to draw an
element together with a concrete value it contains, and ``contains``. Its transfer functions are
described by ``Transfer``: abstract function, concrete function (None: no result, as in a division
by zero). In a test file:

    @pytest.mark.parametrize("law", laws.LAWS, ids=laws.name_of)
    def test_laws(law):
        law(DOMAIN)

Domains with few elements list them (``elements``) and get every law on every tuple of elements;
others give a strategy and get Hypothesis examples. With a finite ``universe`` of concrete values
as well, ``check_exhaustively`` tries a transfer on every member of every argument, and counts how
often its answer is the best one possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any, Generic, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct, field

from drano.lattice.base import ContractError, Lattice

T = TypeVar("T")
C = TypeVar("C")

EXAMPLES = 150
EXAMPLES_OF_ALL_TRANSFERS = 1500
LONGEST_CHAIN = 200


class Transfer(Struct, frozen=True):
    """``strict``: ⊥ for any argument gives ⊥. ``result`` names another domain's lattice and
    ``contains`` where the result is of another kind than the arguments.
    """

    abstract: Callable[..., Any]
    concrete: Callable[..., Any]
    arity: int = 2
    strict: bool = True
    result: Domain[Any, Any] | None = None


class Domain(Struct, Generic[T, C], frozen=True, eq=False):
    """``pairs`` draws (element, concrete value in it); ``abstract`` is the least element that
    contains one concrete value; ``names`` is what ``repr`` of an element may refer to.
    """

    lattice: Lattice[T]
    pairs: st.SearchStrategy[tuple[T, C]]
    contains: Callable[[T, C], bool]
    abstract: Callable[[C], T]
    names: Mapping[str, Any]
    elements: Sequence[T] = ()
    strategy: st.SearchStrategy[T] | None = None
    universe: Sequence[C] = ()
    transfers: Mapping[str, Transfer] = field(default_factory=dict)
    empty_bottom: bool = True

    def drawn(self) -> st.SearchStrategy[T]:
        return self.strategy if self.strategy is not None else st.sampled_from(self.elements)


def name_of(law: Callable[..., object]) -> str:
    return law.__name__


def _forall(
    domain: Domain[T, C], count: int, check: Callable[..., None], examples: int = EXAMPLES
) -> None:
    if domain.elements and len(domain.elements) ** count <= 2000:
        for arguments in product(domain.elements, repeat=count):
            check(*arguments)
        return
    _hypothesis(st.tuples(*[domain.drawn()] * count), check, examples)


def _examples(domain: Domain[T, C]) -> int:
    """Per transfer: many functions share the time of a few."""
    return max(20, min(EXAMPLES, EXAMPLES_OF_ALL_TRANSFERS // max(1, len(domain.transfers))))


def _hypothesis(
    strategy: st.SearchStrategy[Any], check: Callable[..., None], examples: int = EXAMPLES
) -> None:
    @settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    @given(strategy)
    def run(arguments: tuple[Any, ...]) -> None:
        check(*arguments)

    run()


# --- order -----------------------------------------------------------------------------------


def partial_order(domain: Domain[T, C]) -> None:
    leq = domain.lattice.leq

    def check(a: T, b: T, c: T) -> None:
        assert leq(a, a)
        if leq(a, b) and leq(b, a):
            assert a == b
        if leq(a, b) and leq(b, c):
            assert leq(a, c)

    _forall(domain, 3, check)


def join_is_least_upper_bound(domain: Domain[T, C]) -> None:
    leq, join = domain.lattice.leq, domain.lattice.join

    def check(a: T, b: T, c: T) -> None:
        bound = join(a, b)
        assert leq(a, bound), (a, b, bound)
        assert leq(b, bound), (a, b, bound)
        if leq(a, c) and leq(b, c):
            assert leq(bound, c), (a, b, c, bound)

    _forall(domain, 3, check)


def meet_is_greatest_lower_bound(domain: Domain[T, C]) -> None:
    leq, meet = domain.lattice.leq, domain.lattice.meet

    def check(a: T, b: T, c: T) -> None:
        bound = meet(a, b)
        assert leq(bound, a), (a, b, bound)
        assert leq(bound, b), (a, b, bound)
        if leq(c, a) and leq(c, b):
            assert leq(c, bound), (a, b, c, bound)

    _forall(domain, 3, check)


def algebra(domain: Domain[T, C]) -> None:
    join, meet = domain.lattice.join, domain.lattice.meet

    def check(a: T, b: T, c: T) -> None:
        for op in (join, meet):
            assert op(a, a) == a
            assert op(a, b) == op(b, a)
            assert op(a, op(b, c)) == op(op(a, b), c)
        assert join(a, meet(a, b)) == a
        assert meet(a, join(a, b)) == a
        assert domain.lattice.leq(a, b) == (join(a, b) == b) == (meet(a, b) == a)

    _forall(domain, 3, check)


def bottom_and_top(domain: Domain[T, C]) -> None:
    lattice = domain.lattice
    bottom, top = lattice.bottom, lattice.top
    assert bottom != top
    assert not lattice.leq(top, bottom)
    assert lattice.join_all(()) == bottom

    def check(a: T) -> None:
        assert lattice.leq(bottom, a)
        assert lattice.leq(a, top)
        assert lattice.join(bottom, a) == a == lattice.meet(top, a)
        assert lattice.join(top, a) == top
        assert lattice.meet(bottom, a) == bottom
        assert lattice.join_all((a, bottom)) == a

    _forall(domain, 1, check)


def widening(domain: Domain[T, C]) -> None:
    lattice = domain.lattice
    with pytest.raises(ContractError):
        lattice.widen(lattice.top, lattice.bottom)

    def check(a: T, b: T) -> None:
        new = lattice.join(a, b)
        assert lattice.leq(new, lattice.widen(a, new))
        if not lattice.leq(a, b):
            with pytest.raises(ContractError):
                lattice.widen(a, b)

    _forall(domain, 2, check)
    _hypothesis(st.tuples(st.lists(domain.drawn(), max_size=30)), lambda x: _climb(lattice, x))


def _climb(lattice: Lattice[T], arrivals: list[T]) -> None:
    """However the new values arrive, over and over, the chain stops."""
    value = lattice.bottom
    for _ in range(LONGEST_CHAIN):
        before = value
        for arrival in arrivals:
            value = lattice.widen(value, lattice.join(value, arrival))
        if value == before:
            return
    raise AssertionError(f"no fixpoint after {LONGEST_CHAIN} rounds of {arrivals}")


def constructor_expressions(domain: Domain[T, C]) -> None:
    def check(a: T) -> None:
        assert eval(repr(a), dict(domain.names)) == a
        assert str(a)

    _forall(domain, 1, check)
    assert str(domain.lattice.bottom) != str(domain.lattice.top)


def elements_are_hashable_values(domain: Domain[T, C]) -> None:
    def check(a: T, b: T) -> None:
        if a == b:
            assert hash(a) == hash(b)

    _forall(domain, 2, check)


# --- meaning ---------------------------------------------------------------------------------


def concretisation_follows_order(domain: Domain[T, C]) -> None:
    lattice, contains = domain.lattice, domain.contains

    def check(pair: tuple[T, C], other: T) -> None:
        a, concrete = pair
        assert contains(a, concrete)
        assert contains(lattice.join(a, other), concrete)
        assert contains(lattice.top, concrete)
        assert contains(lattice.meet(a, other), concrete) == contains(other, concrete)
        if domain.empty_bottom:
            assert not contains(lattice.bottom, concrete)
        if lattice.leq(a, other):
            assert contains(other, concrete)
        least = domain.abstract(concrete)
        assert contains(least, concrete)
        assert lattice.leq(least, a)

    _hypothesis(st.tuples(domain.pairs, domain.drawn()), check)


def transfers_are_monotone(domain: Domain[T, C]) -> None:
    leq, join = domain.lattice.leq, domain.lattice.join
    for name, transfer in domain.transfers.items():
        result = (transfer.result or domain).lattice

        def check(
            *arguments: T,
            name: str = name,
            transfer: Transfer = transfer,
            result: Lattice[Any] = result,
        ) -> None:
            half = len(arguments) // 2
            small = arguments[:half]
            large = tuple(join(a, b) for a, b in zip(small, arguments[half:], strict=True))
            assert all(leq(a, b) for a, b in zip(small, large, strict=True))
            lower, upper = transfer.abstract(*small), transfer.abstract(*large)
            assert result.leq(lower, upper), (name, small, lower, large, upper)

        _forall(domain, 2 * transfer.arity, check, _examples(domain))


def transfers_are_strict(domain: Domain[T, C]) -> None:
    for name, transfer in domain.transfers.items():
        if not transfer.strict:
            continue
        result = (transfer.result or domain).lattice

        def check(
            *arguments: T,
            name: str = name,
            transfer: Transfer = transfer,
            result: Lattice[Any] = result,
        ) -> None:
            for place in range(transfer.arity):
                values = list(arguments)
                values[place] = domain.lattice.bottom
                assert transfer.abstract(*values) == result.bottom, (name, values)

        _forall(domain, transfer.arity, check, _examples(domain))


def transfers_are_sound(domain: Domain[T, C]) -> None:
    """Hypothesis draws the elements and a member of each."""
    for name, transfer in domain.transfers.items():
        target = transfer.result or domain

        def check(
            *pairs: tuple[T, C],
            name: str = name,
            transfer: Transfer = transfer,
            target: Domain[Any, Any] = target,
        ) -> None:
            found = transfer.concrete(*(concrete for _, concrete in pairs))
            if found is None:
                return
            answer = transfer.abstract(*(element for element, _ in pairs))
            assert target.contains(answer, found), (name, pairs, answer, found)

        _hypothesis(st.tuples(*[domain.pairs] * transfer.arity), check, _examples(domain))


LAWS: tuple[Callable[[Domain[Any, Any]], None], ...] = (
    partial_order,
    join_is_least_upper_bound,
    meet_is_greatest_lower_bound,
    algebra,
    bottom_and_top,
    widening,
    constructor_expressions,
    elements_are_hashable_values,
    concretisation_follows_order,
    transfers_are_monotone,
    transfers_are_strict,
    transfers_are_sound,
)

# --- exhaustive soundness and precision ------------------------------------------------------


class Precision(Struct, frozen=True):
    """Of ``cases`` tuples of elements that have a concrete result (or a ⊥ among them), ``exact``
    got the least element that is sound.
    """

    exact: int
    cases: int


def check_exhaustively(
    domain: Domain[T, C], transfer: Transfer, limit: int | None = None
) -> Precision:
    """Every tuple of elements, every tuple of their members: sound or AssertionError.

    Stops looking at a tuple of elements once the best answer is known to be ⊤ *and* the answer
    was ⊤. ``limit`` bounds the members tried per tuple of elements (None: all of them).
    """
    target = transfer.result or domain
    members = members_of(domain)
    exact = cases = 0
    for arguments in product(domain.elements, repeat=transfer.arity):
        answer = transfer.abstract(*arguments)
        best = _best(target, transfer, answer, _tuples([members[a] for a in arguments], limit))
        assert target.lattice.leq(best, answer), (arguments, answer, best)
        if best == target.lattice.bottom and domain.lattice.bottom not in arguments:
            continue  # undefined throughout, such as a shift by more than the width
        cases += 1
        exact += best == answer
    return Precision(exact, cases)


@cache
def members_of(domain: Domain[T, C]) -> dict[T, list[C]]:
    """γ of every listed element, within the universe."""
    return {a: [c for c in domain.universe if domain.contains(a, c)] for a in domain.elements}


def _tuples(columns: list[list[C]], limit: int | None) -> Iterator[tuple[C, ...]]:
    for number, concretes in enumerate(product(*columns)):
        if limit is not None and number >= limit:
            return
        yield concretes


def _best(
    target: Domain[Any, Any],
    transfer: Transfer,
    answer: Any,
    tuples: Iterator[tuple[Any, ...]],
) -> Any:
    lattice = target.lattice
    best = lattice.bottom
    for concretes in tuples:
        found = transfer.concrete(*concretes)
        if found is None:
            continue
        assert target.contains(answer, found), (answer, concretes, found)
        if target.contains(best, found):
            continue
        best = lattice.join(best, target.abstract(found))
        if best == lattice.top:
            return best
    return best
