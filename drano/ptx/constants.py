"""Constant expressions: numbers with C's operators, as array sizes and initial values have them.

Limits: integers only; nesting of parentheses up to ``_DEEPEST``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Final

from drano.ptx.lexer import Tokens
from drano.ptx.model import PtxError

_DEEPEST: Final = 50
_LOOSEST: Final = 3
_WORD: Final = (1 << 64) - 1
_OPERATORS: Final[dict[str, tuple[int, Callable[[int, int], int]]]] = {
    "|": (3, operator.or_), "^": (4, operator.xor), "&": (5, operator.and_),
    "+": (8, operator.add), "-": (8, operator.sub), "*": (9, operator.mul),
    "/": (9, lambda a, b: a // b if b else 0), "%": (9, lambda a, b: a % b if b else 0),
}  # fmt: skip


def integer(token: str) -> int:
    """A literal's value: decimal, ``0x``, ``0b``, octal ``0…``.

    >>> integer("017U"), integer("0x1f")
    (15, 31)
    """
    digits = token.rstrip("U")
    octal = len(digits) > 1 and digits[0] == "0" and digits.isdecimal()
    try:
        return int(digits, 8 if octal else 0) & _WORD
    except ValueError:  # thousands of digits
        return 0


def constant(tokens: Tokens, *, behind: bool = False) -> int:
    """The expression here; ``behind``: only what is added to a name that has been read."""
    return _expression(tokens, _LOOSEST, 0, 0 if behind else None)


def _expression(tokens: Tokens, loosest: int, depth: int, left: int | None = None) -> int:
    if depth > _DEEPEST:
        raise PtxError(tokens.line, "too deeply nested: a constant expression")
    value = _unary(tokens, depth) if left is None else left
    while True:
        known = _OPERATORS.get(tokens.text)
        if known is None or known[0] < loosest:
            return value
        tokens.take()
        right = _expression(tokens, known[0] + 1, depth + 1)
        value = known[1](value, right)
        value = value if -_WORD <= value <= _WORD else value & _WORD


def _unary(tokens: Tokens, depth: int) -> int:
    if depth > _DEEPEST:
        raise PtxError(tokens.line, "too deeply nested: a constant expression")
    if tokens.accept("-"):
        return -_unary(tokens, depth + 1)
    if tokens.accept("+"):
        return _unary(tokens, depth + 1)
    if tokens.accept("~"):
        return ~_unary(tokens, depth + 1)
    if tokens.accept("!"):
        return int(not _unary(tokens, depth + 1))
    if tokens.accept("("):
        if tokens.kind == "dot" and tokens.text in (".s64", ".u64"):
            tokens.take()
            tokens.expect(")")
            return _unary(tokens, depth + 1)
        value = _expression(tokens, _LOOSEST, depth + 1)
        tokens.expect(")")
        return value
    if tokens.kind != "int":
        raise tokens.unexpected("a number")
    return integer(tokens.take())
