"""Inline PTX that only computes: each lane's results are a function of its own operands.

Assumption: the text as LLVM has it, ``{ cvt.f32.f16 $0, $1; }``. Limits: what has a label, a
special register, or an instruction that is not listed (or adds a carry) is taken to do more.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from drano.ptx.opcodes import COMPUTING

_STATEMENT: Final = re.compile(r"(?:@!?[\w$%]+\s+)?([a-z]\w*)\b(?!\s*:)")
_REGISTERS: Final = re.compile(r"\.reg\s*(?:\.\w+\s*)+([^;]+)")
_NAME: Final = re.compile(r"%[\w$]+")
_ESCAPE: Final = re.compile(r"\\([0-9A-Fa-f]{2})")
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@lru_cache(maxsize=1024)
def only_computes(text: str) -> bool:
    """Whether the inline PTX has no effect, and reads nothing, but its operands.

    >>> only_computes("{ cvt.f32.f16 $0, $1; }"), only_computes("mov.u32 $0, %laneid;")
    (True, False)
    """
    code = _ESCAPE.sub(lambda m: chr(int(m[1], 16)), text)
    code = _COMMENT.sub(" ", code)
    declared = tuple(
        name.partition("<")[0].strip()
        for found in _REGISTERS.finditer(code)
        for name in found[1].split(",")
    )
    if any(not _is_of(name, declared) for name in _NAME.findall(code)):
        return False
    statements = [part.strip() for part in re.split(r"[;{}]", _REGISTERS.sub(" ", code))]
    computed = [_STATEMENT.match(part) for part in statements if part]
    return bool(computed) and all(match and match[1] in COMPUTING for match in computed)


def _is_of(name: str, declared: tuple[str, ...]) -> bool:
    """Whether a register is declared, by itself or as one of several: ``.reg .b32 %r<4>``."""
    return name in declared or name.rstrip("0123456789") in declared
