"""Names of kernels and arrays for people, from those in profiles."""

from __future__ import annotations

import re

_CAST = re.compile(r"\A\s*\([^()]*\)\s*(?=[&\w(*])")
_NUMBER = re.compile(r"\d+")


def kernel_name(symbol: str) -> str:
    """The name within a mangled one, with its namespaces, without its types.

    >>> kernel_name("_Z5saxpyiPf"), kernel_name("_ZN2ns3addIfEEvPT_"), kernel_name("main")
    ('saxpy', 'ns::add', 'main')
    """
    if not symbol.startswith("_Z"):
        return symbol
    nested = symbol.startswith("_ZN")
    at = 3 if nested else 2
    parts: list[str] = []
    while at < len(symbol):
        if symbol[at] == "L" and not parts:
            at += 1
            continue
        found = _NUMBER.match(symbol, at)
        if found is None:
            break
        length = int(found[0][:6])
        at = found.end() + length
        parts.append(symbol[found.end() : at])
        if not nested:
            break
    named = [part for part in parts if part and not part.startswith("_GLOBAL__N")]
    return "::".join(named) or symbol


def first_argument(text: str) -> str:
    """The first of a call's arguments, without casts and ``&``.

    >>> first_argument("(void **)&d_a, n * sizeof(int)"), first_argument("&p->cells[f(a, b)], 4")
    ('d_a', 'p->cells[f(a, b)]')
    """
    depth = 0
    for at, letter in enumerate(text):
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "," and depth == 0:
            text = text[:at]
            break
    while (cast := _CAST.match(text)) is not None:
        text = text[cast.end() :]
    return text.strip().removeprefix("&").strip()
