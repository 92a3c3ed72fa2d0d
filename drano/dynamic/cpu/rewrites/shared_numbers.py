"""Numbers that are addresses of shared memory, as inline PTX takes them, as real addresses.

Means: ``inttoptr i32 %x to ptr addrspace(3)`` becomes a call of ``__drano_shared_pointer``: the
place in the running block's shared memory whose address ends in the 32 bits of ``%x``. The number
came from ``__cvta_generic_to_shared`` or ``cvta.to.shared``, of an address in the same block.
"""

from __future__ import annotations

import re

SHARED_POINTER = "__drano_shared_pointer"
_FROM_NUMBER = re.compile(
    r"^  (?P<to>%\S+) = inttoptr (?P<type>i32|i64) (?P<value>[%\w.-]+) to ptr addrspace\(3\)"
    r"(?P<behind>(?:, ![\w.]+ !\d+)*)$",
    re.MULTILINE,
)


def with_shared_pointers(ir_text: str) -> str:
    """``ir_text`` with such calls; the same string where there are no such numbers."""
    text, count = _FROM_NUMBER.subn(_called, ir_text)
    if not count:
        return ir_text
    declared = f"declare ptr addrspace(3) @{SHARED_POINTER}(i64) nounwind willreturn memory(none)\n"
    return f"{text}\n{declared}"


def _called(found: re.Match[str]) -> str:
    to, type_, value, behind = found["to"], found["type"], found["value"], found["behind"]
    lines = []
    if type_ == "i32":
        lines.append(f"  {to}.wide = zext i32 {value} to i64{behind}")
        value = f"{to}.wide"
    lines.append(f"  {to} = call ptr addrspace(3) @{SHARED_POINTER}(i64 {value}){behind}")
    return "\n".join(lines)
