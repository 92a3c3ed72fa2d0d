"""Inline PTX that only computes: each lane's results are a function of its own operands.

Assumption: the text as LLVM has it, ``{ cvt.f32.f16 $0, $1; }``. Limits: what has a label, a
special register, or an instruction that is not listed (or adds a carry) is taken to do more.
"""

from __future__ import annotations

from functools import lru_cache

from drano.ir.llvm_text import unescape
from drano.ptx.fragments import fragment
from drano.ptx.model import Instruction, PtxError, Statement
from drano.ptx.opcodes import COMPUTING
from drano.ptx.operands import names


@lru_cache(maxsize=1024)
def only_computes(text: str) -> bool:
    """Whether the inline PTX has no effect, and reads nothing, but its operands.

    >>> only_computes("{ cvt.f32.f16 $0, $1; }"), only_computes("mov.u32 $0, %laneid;")
    (True, False)
    """
    try:
        function = fragment(unescape(text), (), (), {}).function
    except PtxError:
        return False
    declared = function.variables

    def computes(statement: Statement) -> bool:
        if not isinstance(statement, Instruction) or statement.opcode not in COMPUTING:
            return False
        guard = () if statement.guard is None else (statement.guard,)
        found = [name for operand in (*statement.operands, *guard) for name in names(operand)]
        return all(name in declared for name in found if name.startswith("%"))

    return bool(function.body) and all(map(computes, function.body or ()))
