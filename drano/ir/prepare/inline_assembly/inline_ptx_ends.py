"""Inline PTX that ends threads: ``exit``, ``trap``, and code that may come to such an instruction.

Means: a call of a function that is expanded like any other and does not come back, or may not, so
that the control flow shows what the text of an ``asm`` hides. What is only possible depends on a
number that PTX makes: no analysis takes it for known, and at run time it is always zero.
"""

from __future__ import annotations

import re
from typing import Final

ENDS: Final = "drano.ptx.ends."
_ENDING: Final = re.compile(r"(?<![.\w])(?:exit|trap|ret|brkpt)\b(?!\s*:)")
_NUMBER: Final = '%number = call i32 asm sideeffect "", "=r,0"(i32 0)'
_DEFINITIONS: Final = {
    "exit": ("  call void @llvm.nvvm.exit()", "  unreachable"),
    "trap": ("  call void @llvm.trap()", "  unreachable"),
    "may": (
        f"  {_NUMBER}",
        "  %ends = icmp ne i32 %number, 0",
        "  br i1 %ends, label %end, label %on",
        "end:",
        "  call void @llvm.nvvm.exit()",
        "  unreachable",
        "on:",
        "  ret void",
    ),
}
_DECLARATIONS: Final = ("llvm.nvvm.exit", "llvm.trap")


def may_end(template: str) -> bool:
    """Whether a thread may end in the text of an ``asm``.

    >>> may_end("@p exit;"), may_end("mov.u32 $0, 1;")
    (True, False)
    """
    return _ENDING.search(template) is not None


def call_of(how: str) -> str:
    """The instruction that ends a thread: ``how`` is "exit", "trap", or "may"."""
    return f"call void @{ENDS}{how}()"


def with_definitions(text: str) -> str:
    """A module with the functions that ``call_of`` calls."""
    called = [how for how in _DEFINITIONS if f"@{ENDS}{how}()" in text]
    missing = [how for how in called if f"define internal void @{ENDS}{how}()" not in text]
    if not missing:
        return text
    lines = []
    for how in missing:
        lines += [f"define internal void @{ENDS}{how}() {{", *_DEFINITIONS[how], "}"]
    whole = "\n".join([text, *lines, ""])
    declared = [
        f"declare void @{name}()"
        for name in _DECLARATIONS
        if f"@{name}()" in whole and f"declare void @{name}()" not in whole
    ]
    return "\n".join([whole, *declared, ""])
