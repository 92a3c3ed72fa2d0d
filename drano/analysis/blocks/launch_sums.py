"""Sums of products over what a launch gives: does a value change when only the block's size does?

Along each axis a thread has a *global* number, ``blockIdx * blockDim + threadIdx``, and there are
``gridDim * blockDim`` of them in all. Two launches with as many threads in all differ in
``blockIdx``, ``blockDim`` and ``gridDim``: these *move*; the global number and the total *stay*.
``threadIdx`` is written as the global number less ``blockIdx * blockDim``, so that what moves
cancels where it does in the program.

A ``Sum`` stands for its value modulo 2**bits; its unknowns are integers. ``exact``: the value, read
as a signed integer, *is* the sum; ``natural``: and it is not negative. Only then can it be extended
to more bits term by term. Assumption, stated in the documentation: a launch has fewer than 2**31
threads along each axis.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from msgspec import Struct

AXES = "xyz"
_MAX_TERMS = 24
_MAX_DEGREE = 4

# ("global" | "total" | "block" | "size" | "grid", axis), or ("value", number of an instruction)
Unknown: TypeAlias = tuple[str, str | int]
Product: TypeAlias = tuple[Unknown, ...]
_MOVING = frozenset({"block", "size", "grid"})


class TooLargeError(Exception):
    """A sum that is not worth following."""


class Sum(Struct, frozen=True):
    """``names``: special registers that went into it, for messages."""

    terms: tuple[tuple[Product, int], ...]
    exact: bool = False
    natural: bool = False
    names: frozenset[str] = frozenset()

    @property
    def axes(self) -> frozenset[str]:
        """Axes along which it changes with the block's size; none: it stays."""
        return frozenset(
            str(which) for product, _ in self.terms for kind, which in product if kind in _MOVING
        )


class Moving(Struct, frozen=True):
    """A value that is not known to stay, along ``axes``; ``reason``: what it depends on;
    ``shared``: which is shared memory.
    """

    axes: frozenset[str]
    reason: str
    shared: bool = False


Value: TypeAlias = Sum | Moving


def constant(value: int) -> Sum:
    """A known signed integer."""
    terms = (((), value),) if value else ()
    return Sum(terms, exact=True, natural=value >= 0)


def opaque(index: int) -> Sum:
    """What instruction ``index`` gives, when that stays."""
    return Sum(((((("value", index),)), 1),), exact=True)


def register(kind: str, axis: str) -> Sum | None:
    """``register("tid", "x")`` is threadIdx.x; None for what is none of the launch's numbers."""
    name = _NAMES.get(kind)
    if name is None or axis not in AXES:
        return None
    names = frozenset({f"{name}.{axis}"})
    if kind == "tid":
        return Sum(_thread(axis), exact=True, natural=True, names=names)
    unknown = {"ntid": "size", "ctaid": "block", "nctaid": "grid"}[kind]
    return Sum(((((unknown, axis),), 1),), exact=True, natural=True, names=names)


_NAMES = {"tid": "threadIdx", "ntid": "blockDim", "ctaid": "blockIdx", "nctaid": "gridDim"}


def _thread(axis: str) -> tuple[tuple[Product, int], ...]:
    start = _ordered((("block", axis), ("size", axis)))
    return tuple(sorted(((start, -1), ((("global", axis),), 1)), key=repr))


def _ordered(product: Iterable[Unknown]) -> Product:
    return tuple(sorted(product, key=repr))


# --- arithmetic ------------------------------------------------------------------------------


def add(a: Sum, b: Sum, *, sign: int = 1, wraps: bool = True) -> Sum:
    """``a + sign * b``; ``wraps``: unless the program says that it does not."""
    terms = dict(a.terms)
    for product, factor in b.terms:
        terms[product] = terms.get(product, 0) + sign * factor
    natural = a.natural and b.natural and sign > 0
    return _sum(terms, a, b, exact=not wraps, natural=natural)


def multiply(a: Sum, b: Sum, *, wraps: bool = True) -> Sum:
    """``a * b``. Raises TooLargeError."""
    terms: dict[Product, int] = {}
    for first, factor in a.terms:
        for second, other in b.terms:
            product = _product(first, second)
            terms[product] = terms.get(product, 0) + factor * other
    return _sum(terms, a, b, exact=not wraps, natural=a.natural and b.natural)


def _product(first: Product, second: Product) -> Product:
    """The product of two; gridDim times blockDim is the total, which stays."""
    unknowns = [*first, *second]
    for axis in AXES:
        pair = [("size", axis), ("grid", axis)]
        while all(unknown in unknowns for unknown in pair):
            for unknown in pair:
                unknowns.remove(unknown)
            unknowns.append(("total", axis))
    if len(unknowns) > _MAX_DEGREE:
        raise TooLargeError
    return _ordered(unknowns)


def _sum(terms: Mapping[Product, int], a: Sum, b: Sum, *, exact: bool, natural: bool) -> Sum:
    kept = tuple(sorted(((p, f) for p, f in terms.items() if f), key=repr))
    if len(kept) > _MAX_TERMS:
        raise TooLargeError
    exact = exact and a.exact and b.exact
    if kept in _COUNTS:
        exact = natural = True
    return Sum(kept, exact, exact and natural, a.names | b.names)


def _counts(axis: str) -> tuple[tuple[tuple[Product, int], ...], ...]:
    """Sums that a launch bounds below 2**31: of a thread in its block, of a thread, of all threads,
    of the threads before a block.
    """
    alone = ((("global", axis),), (("total", axis),), _ordered((("block", axis), ("size", axis))))
    return (_thread(axis), *(((product, 1),) for product in alone))


_COUNTS = frozenset(terms for axis in AXES for terms in _counts(axis))
