"""Which sources beside a unit seem to define functions that it lacks, told by their text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from drano.frontend.text.cpp_lexer import NOT_CODE, blanked
from drano.model.symbols import plain_symbol
from drano.run.other_units.function_mentions import defines
from drano.support.input_files import CUDA_SOURCES, MAX_BYTES
from drano.support.regular_files import regular_or_empty

_LOOKED_AT: Final = 256


def definers_beside(path: str, symbols: Iterable[str]) -> Mapping[str, str]:
    """Sources in the directory of the unit at ``path`` whose text seems to define functions, by
    their mangled names.
    """
    names = {symbol: os.fsencode(plain_symbol(symbol)) for symbol in symbols}
    if not names:
        return {}
    try:
        beside = sorted(p for p in Path(path).parent.iterdir() if p.name.endswith(CUDA_SOURCES))
    except OSError:
        return {}
    found: dict[str, str] = {}
    for other in beside[:_LOOKED_AT]:
        if str(other) == path:
            continue
        text = regular_or_empty(str(other), MAX_BYTES)
        named = [s for s, name in names.items() if s not in found and name in text]
        code = blanked(text, NOT_CODE) if named else b""
        found |= {symbol: str(other) for symbol in named if defines(names[symbol], code)}
    return found
