"""Names of functions in compiled code, whoever has compiled it."""

from __future__ import annotations

import re
from functools import lru_cache

_UNNAMED = re.compile(r"(\d{1,4})_GLOBAL__N_")
_SOURCE_NAME = re.compile(r"L?(\d{1,4})")
_NESTED = re.compile(r"_ZN[rVK]*|_ZL?")


@lru_cache(maxsize=4096)
def common_symbol(symbol: str) -> str:
    """A function's symbol as all compilers have it: clang marks what is `static`, and nvcc puts the
    unit's name into that of an unnamed namespace.

    >>> common_symbol("_ZL1kPf"), common_symbol("_ZN2nsL1kEPf")
    ('_Z1kPf', '_ZN2ns1kEPf')
    >>> common_symbol("_ZN35_GLOBAL__N__9c009d1e_5_st_cu__Z1fPf1mEPf")
    '_ZN_GLOBAL_1mEPf'
    >>> common_symbol("_ZN12_GLOBAL__N_11mEPf")
    '_ZN_GLOBAL_1mEPf'
    """
    done, rest = "", symbol
    while (match := _UNNAMED.search(rest)) and match.start(1) + int(match[1]) <= len(rest):
        done += f"{rest[: match.start()]}_GLOBAL_"
        rest = rest[match.end(1) + int(match[1]) :]
    return _without_static(done + rest)


def _without_static(symbol: str) -> str:
    """Without an `L` before the names that the symbol begins with."""
    if not symbol.startswith("_Z"):
        return symbol
    at = 3 if symbol.startswith("_ZN") else 2
    done = symbol[:at]
    while match := _SOURCE_NAME.match(symbol, at):
        end = match.end() + int(match[1])
        done += symbol[match.start(1) : end]
        at = end
    return done + symbol[at:]


def plain_symbol(symbol: str) -> str:
    """The last identifier of an Itanium-mangled name, for want of debug information:
    ``_ZN2ns3fooEPi`` is ``foo``, ``main`` is ``main``. The symbol itself where in doubt.
    """
    match = _NESTED.match(symbol)
    if match is None:
        return symbol
    nested = match[0].startswith("_ZN")
    rest = symbol[match.end() :]
    name = symbol
    while length := re.match(r"\d{1,4}", rest):
        end = length.end() + int(length[0])
        if end > len(rest):
            return symbol
        name = rest[length.end() : end]
        rest = rest[end:]
        if not nested:
            break
    return name
