"""One unit among those that are linked with it: what it lacks and offers, what others ask of it,
and its device code with theirs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct, field

from drano.host.cross_unit import Told
from drano.ir.prepare.linking.unit_linking import UnitCode, code_of, linked
from drano.ir.prepare.linking.unit_symbols import UnitSymbols, unit_symbols
from drano.model.finding import Severity
from drano.model.report import Diagnostic, GivenCode
from drano.model.symbols import plain_symbol
from drano.support.errors import IRError

_NAMED: Final = 3


class JoinedCode(Struct, frozen=True):
    """``ir``: with the code of other units; ``absent``: why code of symbols is not here;
    ``files``: of other units, on which that depends.
    """

    ir: str
    symbols: UnitSymbols = field(default_factory=UnitSymbols)
    given: GivenCode | None = None
    absent: tuple[tuple[str, str], ...] = ()
    files: tuple[str, ...] = ()


def joined_code(path: str, ir: str, told: Told, source: bytes) -> JoinedCode:
    """The device code ``ir`` of the unit at ``path``, whose text is ``source``, with what it is
    told.
    """
    symbols = unit_symbols(ir, source)
    text, failed = ir, dict[str, str]()
    if told.code:
        parts = [UnitCode(code.path, code.symbols, code.text) for code in told.code]
        text, failed = linked(ir, parts, path)
    absent = tuple(sorted({**dict(told.absent), **failed}.items()))
    files = dict.fromkeys(f for code in told.code for f in code.files if f != path)
    return JoinedCode(text, symbols, given_code(path, ir, told), absent, tuple(files))


def not_followed(path: str, absent: Iterable[tuple[str, str]]) -> tuple[Diagnostic, ...]:
    """Notes of the functions and variables that kernels need and nobody gave, by the reason."""
    by_reason: dict[str, list[str]] = {}
    for symbol, reason in absent:
        by_reason.setdefault(reason, []).append(f"`{plain_symbol(symbol)}`")
    return tuple(
        Diagnostic(path, 0, 0, Severity.NOTE, f"{_listed(names)} not followed: {reason}")
        for reason, names in by_reason.items()
    )


def _listed(names: list[str]) -> str:
    more = len(names) - _NAMED
    shown = ", ".join(names[:_NAMED])
    return (
        f"{shown} and {more} more are"
        if more > 0
        else f"{shown} {'is' if len(names) == 1 else 'are'}"
    )


def given_code(path: str, ir: str, told: Told) -> GivenCode | None:
    """What others want of the unit; None where they want nothing."""
    if not told.wanted:
        return None
    try:
        return GivenCode(told.wanted, code_of(ir, told.wanted, path))
    except IRError:
        return GivenCode(told.wanted, "")
