"""Amounts: numbers that may depend on what the source leaves open, in the user's names.

``text`` prints one ("(n - 1)/32"), ``evaluate`` gives its number under assumptions (``n=4096``)
and, where there is none, under each name's default. Amounts count things: none is negative.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import log2
from typing import TypeAlias, assert_never

from msgspec import Struct

_HALF = 0.5  # of what it is subtracted from


class Number(Struct, frozen=True):
    """A known number."""

    value: float


class Name(Struct, frozen=True):
    """An unknown of the source, and the value assumed for it. ``size``: how large something is, so
    that what is subtracted from another unknown is smaller; ``loaded``: data, of any size.
    """

    text: str
    default: float
    size: bool = True
    loaded: bool = False


class Product(Struct, frozen=True):
    """A number times other amounts; the number may be negative within a sum."""

    factor: float
    of: tuple[Amount, ...]


class Sum(Struct, frozen=True):
    """Terms, of which some may be products with a negative factor."""

    terms: tuple[Amount, ...]


class Quotient(Struct, frozen=True):
    """How often ``under`` goes into ``over``."""

    over: Amount
    under: Amount


class Steps(Struct, frozen=True):
    """How often ``over`` can be divided by ``base`` before it is below ``end``."""

    over: Amount
    end: Amount
    base: float


Amount: TypeAlias = Number | Name | Product | Sum | Quotient | Steps


def number_text(value: float) -> str:
    """A number with few digits.

    >>> number_text(28.0), number_text(3.14159), number_text(1234567.0)
    ('28', '3.14', '1234567')
    """
    return str(int(value)) if value == int(value) else f"{value:.3g}"


def text(amount: Amount) -> str:
    """The amount as a formula.

    >>> n, one = Name("n", 1024.0), Number(1.0)
    >>> text(Quotient(Sum((n, Product(-1.0, (one,)))), Number(32.0)))
    '(n - 1)/32'
    >>> text(Steps(n, one, 2.0))
    'log2(n)'
    """
    match amount:
        case Number(value):
            return number_text(value)
        case Name(name):
            return name
        case Product(factor, of):
            parts = [_bracketed(part) for part in of]
            if factor == -1.0:
                return "-" + "*".join(parts)
            return "*".join(parts if factor == 1.0 else [number_text(factor), *parts])
        case Sum(terms):
            return " + ".join(map(text, terms)).replace("+ -", "- ")
        case Quotient(over, under):
            return f"{_bracketed(over)}/{_bracketed(under, strict=True)}"
        case Steps(over, end, base):
            inside = text(over) if end == Number(1.0) else text(Quotient(over, end))
            return f"log{number_text(base)}({inside})"
        case _:
            assert_never(amount)


def _bracketed(amount: Amount, *, strict: bool = False) -> str:
    said = text(amount)
    compound = isinstance(amount, Sum) or (strict and isinstance(amount, Product | Quotient))
    plain = isinstance(amount, Name) and any(sign in said for sign in "+-/% ")
    return f"({said})" if compound or plain else said


def evaluate(amount: Amount, assumed: Mapping[str, float]) -> float:
    """The number it stands for.

    >>> n = Name("n", 1024.0)
    >>> evaluate(Quotient(n, Number(32.0)), {}), evaluate(Quotient(n, Number(32.0)), {"n": 64})
    (32.0, 2.0)
    """
    match amount:
        case Number(value):
            return value
        case Name(name, default):
            return assumed.get(name, default)
        case Product(factor, of):
            result = factor
            for part in of:
                result *= evaluate(part, assumed)
            return result
        case Sum(terms):
            return _sum([_term(term, assumed) for term in terms])
        case Quotient(over, under):
            return evaluate(over, assumed) / max(evaluate(under, assumed), 1.0)
        case Steps(over, end, base):
            ratio = evaluate(over, assumed) / max(evaluate(end, assumed), 1.0)
            return log2(max(ratio, 1.0)) / log2(base)
        case _:
            assert_never(amount)


def _sum(values: list[float]) -> float:
    """At least half of what is added: defaults that contradict each other are no reason for 0."""
    plus = sum(value for value in values if value > 0)
    return max(sum(values), plus * _HALF if sum(values) <= 0 else 0.0)


def _term(term: Amount, assumed: Mapping[str, float]) -> float:
    """A term of a sum: an unknown that is subtracted is smaller than what it is taken from."""
    value = evaluate(term, assumed)
    unknown = value < 0 and any(n.size and n.text not in assumed for n in names(term))
    return value * _HALF if unknown else value


def names(amount: Amount) -> Iterator[Name]:
    """The unknowns of an amount."""
    match amount:
        case Number():
            return
        case Name():
            yield amount
        case Product(_, parts) | Sum(parts):
            for part in parts:
                yield from names(part)
        case Quotient(over, under) | Steps(over, under):
            yield from names(over)
            yield from names(under)
        case _:
            assert_never(amount)


def product(*amounts: Amount) -> Amount:
    """The product, with its numbers multiplied out."""
    factor = 1.0
    rest: list[Amount] = []
    for amount in amounts:
        match amount:
            case Number(value):
                factor *= value
            case Product(number, of):
                factor *= number
                rest += of
            case _:
                rest.append(amount)
    if not rest:
        return Number(factor)
    return rest[0] if factor == 1.0 and len(rest) == 1 else Product(factor, tuple(rest))


def difference(plus: Amount, minus: Amount) -> Amount:
    """``plus - minus``, with equal terms cancelled."""
    constant = 0.0
    parts: dict[Product, float] = {}
    for sign, amount in ((1.0, plus), (-1.0, minus)):
        for term in amount.terms if isinstance(amount, Sum) else (amount,):
            if isinstance(term, Number):
                constant += sign * term.value
                continue
            if isinstance(term, Product) and all(isinstance(part, Number) for part in term.of):
                constant += sign * evaluate(term, {})
                continue
            factor = term.factor if isinstance(term, Product) else 1.0
            bare = Product(1.0, term.of) if isinstance(term, Product) else Product(1.0, (term,))
            parts[bare] = parts.get(bare, 0.0) + sign * factor
    terms = [_scaled(bare, n) for bare, n in parts.items() if n]
    return total(terms, constant)


def _scaled(bare: Product, factor: float) -> Amount:
    return product(Number(factor), *bare.of)


def total(terms: list[Amount], constant: float = 0.0) -> Amount:
    """A sum; what is subtracted comes last."""
    ordered = sorted(terms, key=lambda t: isinstance(t, Product) and t.factor < 0)
    if not ordered:
        return Number(constant)
    if constant:
        ordered.append(Product(-1.0, (Number(-constant),)) if constant < 0 else Number(constant))
    return ordered[0] if len(ordered) == 1 else Sum(tuple(ordered))


def quotient(over: Amount, under: Amount) -> Amount:
    """``over / under``; a known one is a number."""
    if isinstance(under, Number) and under.value == 1.0:
        return over
    if isinstance(over, Number) and isinstance(under, Number) and under.value:
        return Number(over.value / under.value)
    return Quotient(over, under)
