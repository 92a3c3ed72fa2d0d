"""Instructions of PTX that only compute: a function of their operands, without any effect.

Means: ``COMPUTING`` has what each lane computes of its own operands, by opcode, and the class of
``drano.analysis.instruction_classes`` that it is of; ``TOGETHER`` what a warp's lanes compute of
the operands of all.
Assumptions: operands are registers and numbers: ``mov`` of a special register reads it; a suffix
``.cc`` writes the carry.
Limits: by allow-list: an opcode that is missing is taken to do more.
"""

from __future__ import annotations

from typing import Final

FREE: Final = "free"
"""The class of what is no machine instruction, or part of another."""
COMPUTING: Final = {
    **dict.fromkeys(("abs", "cvta", "mov", "neg"), FREE),
    **dict.fromkeys(("selp", "set", "setp", "slct"), "compare"),
    **dict.fromkeys(("cos", "ex2", "lg2", "rcp", "rsqrt", "sin", "sqrt", "tanh"), "special"),
    "cvt": "convert",
    # Arithmetic, of the class of its type.
    **dict.fromkeys((
        "add", "and", "bfe", "bfi", "bfind", "bmsk", "brev", "clz", "cnot", "copysign", "div",
        "dp2a", "dp4a", "fma", "fns", "lop3", "mad", "mad24", "max", "min", "mul", "mul24", "not",
        "or", "popc", "prmt", "rem", "sad", "shf", "shl", "shr", "sub", "szext", "testp", "xor",
        "vabsdiff", "vabsdiff2", "vabsdiff4", "vadd", "vadd2", "vadd4", "vavrg2", "vavrg4", "vmad",
        "vmax", "vmax2", "vmax4", "vmin", "vmin2", "vmin4", "vset", "vset2", "vset4", "vshl",
        "vshr", "vsub", "vsub2", "vsub4",
    ), ""),
}  # fmt: skip
TOGETHER: Final = frozenset({"mma"})
