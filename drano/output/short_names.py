"""Names of functions as one can read them: template arguments are left out, the innermost first.

Limits: for eyes only; formats for programs, and ``-v``, have the whole name.
"""

from __future__ import annotations

import re
from typing import Final

MOST: Final = 80
"""Characters that a name may have whole."""
_DEEPEST: Final = 6
# Namespaces that a library's release or architecture is told by.
_RELEASES: Final = re.compile(r"\b(?:(?:CUB|THRUST)_\d\w*|__\d+|__cxx11)::")
_TOKEN: Final = re.compile(
    r"operator\s*(?:<=>|<<=?|>>=?|<=?|>=?|->\*?)|->|[<>]|[^<>o-]+|.", re.DOTALL
)


def short_name(name: str) -> str:
    """The name, or as many levels of its template arguments as fit.

    >>> short_name("k<float, 4>")
    'k<float, 4>'
    >>> short_name(f"k<a::pair<{'long' * 20}, b>, 4>")
    'k<a::pair<…>, 4>'
    >>> short_name("cub::CUB_300001_SM_900::f<cuda::std::__4::tuple<int> >")
    'cub::f<cuda::std::tuple<int> >'
    """
    name = _RELEASES.sub("", name)
    shown = name
    for depth in range(_DEEPEST, -1, -1):
        if len(shown) <= MOST:
            break
        shown = _without_below(name, depth)
    return shown


def _without_below(name: str, most: int) -> str:
    """Arguments within ``most`` others are left out."""
    kept: list[str] = []
    depth = 0
    for token in _TOKEN.findall(name):
        if token == ">":
            depth -= 1
        if depth <= most:
            kept.append(token)
        if token == "<":
            depth += 1
            if depth == most + 1:
                kept.append("…")
    return re.sub("…+", "…", "".join(kept)) if depth == 0 else name
