"""Which functions of a unit are read for launches: those whose text may launch, by macros too, and
what calls them.

Limits: callers are followed ``MAX_CALLERS`` levels up. What lies beyond may give a function other
arguments: ``launch_reader`` enters those whose calls are not all seen with nothing known.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from drano.frontend.text.cpp_lexer import identifiers, macros
from drano.frontend.text.text_scan import may_launch
from drano.host.unit_functions import Function

MAX_CALLERS: Final = 6

_Macro: TypeAlias = tuple[bytes, frozenset[bytes], bool]
"""A macro's name, the identifiers in its text, and whether this may launch."""


def launching_functions(
    functions: Sequence[Function], texts: Iterable[bytes], asked: Iterable[str]
) -> list[Function]:
    """Functions that launch, and what calls them, then those that call what is ``asked`` for: so
    that a question changes as little as may be about launches. ``texts``: of the user's files.
    """
    defined = [
        (macro.name, identifiers(macro.parameters + macro.body), may_launch(macro.body))
        for text in texts
        for macro in macros(text)
    ]
    launching = {name for name, _, launches in defined if launches}
    _spread(launching, defined)
    first = [f for f in functions if f.launches or not launching.isdisjoint(f.names)]
    chosen = _with_callers(first, functions, defined)
    wanted = set(map(os.fsencode, asked))
    if wanted:
        _spread(wanted, defined)
        known = {id(f) for f in chosen}
        asking = [f for f in functions if not wanted.isdisjoint(f.names)]
        more = _with_callers(asking, functions, defined)
        chosen += [f for f in more if id(f) not in known]
    return chosen


def callers_first(functions: Sequence[Function]) -> list[Function]:
    """So that what they call is entered from them, with their arguments; templates last."""
    callers: dict[bytes, set[str]] = {os.fsencode(function.name): set() for function in functions}
    for function in functions:
        for name in function.names & callers.keys():
            callers[name].add(function.name)
    called = {name: any(os.fsencode(c) != name for c in by) for name, by in callers.items()}
    return sorted(functions, key=lambda f: (f.pattern, called[os.fsencode(f.name)]))


def _with_callers(
    chosen: list[Function], functions: Sequence[Function], defined: Sequence[_Macro]
) -> list[Function]:
    """Functions and what calls them, up to ``MAX_CALLERS`` levels; who calls comes first."""
    for _ in range(MAX_CALLERS):
        names = {os.fsencode(f.name) for f in chosen if f.name != "main"}  # which nobody calls
        _spread(names, defined)
        known = {id(f) for f in chosen}
        more = [f for f in functions if id(f) not in known and not names.isdisjoint(f.names)]
        if not more:
            break
        chosen = [*more, *chosen]
    return chosen


def _spread(names: set[bytes], macros_: Sequence[_Macro]) -> None:
    """Add the macros that come to use one of the names, in the order of their definitions."""
    for name, words, _ in macros_:
        if not names.isdisjoint(words):
            names.add(name)
