"""Functions of the mathematics library as calls, their bodies left out.

What they compute is known by name (``ir/intrinsics.py``), and how they do it, with tables in memory
for large arguments, is nothing that their caller can change. Short ones stay: an optimiser makes
more of ``max`` than of a call.

Assumptions: the text is LLVM's own printing. libdevice's functions read no memory but their own
tables, and write none but through their pointers (NVIDIA's libdevice user's guide).
"""

from __future__ import annotations

import re
from typing import Final

from drano.ir.intrinsics import LIBRARY_PREFIX
from drano.ir.prepare.inlining import TINY

_HEADER = re.compile(r"define (?:internal |linkonce_odr |weak_odr |hidden |dso_local )*(.*\)).*\{")
_PURE: Final = "nounwind willreturn memory(none)"
_THROUGH_POINTERS: Final = "nounwind willreturn memory(argmem: readwrite)"


def without_library_bodies(text: str) -> str:
    """The module with the library's longer functions declared only."""
    if f"@{LIBRARY_PREFIX}" not in text:
        return text
    lines = text.split("\n")
    written: list[str] = []
    position = 0
    while position < len(lines):
        line = lines[position]
        header = _HEADER.fullmatch(line) if f"@{LIBRARY_PREFIX}" in line else None
        end = lines.index("}", position) if header else position
        if header and end - position > TINY:
            signature = header[1]
            effects = _THROUGH_POINTERS if "(ptr" in signature or ", ptr" in signature else _PURE
            written.append(f"declare {signature} {effects}")
        else:
            written += lines[position : end + 1]
        position = end + 1
    return "\n".join(written)
