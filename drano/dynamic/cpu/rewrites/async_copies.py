"""Copies from global to shared memory that need no register (``cp.async``), done at once.

Means: ``@llvm.nvvm.cp.async.…`` becomes a function of the module that is inlined like any other:
one load and one store of each lane, so that both are counted and checked; with a size, bytes beyond
it are zero and are not read. Waiting for such copies, and committing them, then do nothing. That is
an order which CUDA allows.
"""

from __future__ import annotations

import re

_NAME = (
    r"(?:c[ag]\.shared\.global\.(?P<bytes>4|8|16)(?P<sized>\.s)?|commit\.group|wait\.(?:group|all))"
)
_DECLARED = re.compile(
    rf"^declare [^@\n]*@llvm\.nvvm\.(?P<name>cp\.async\.{_NAME})\([^\n]*$", re.MULTILINE
)
_TYPES = {4: "i32", 8: "<2 x i32>", 16: "<4 x i32>"}


def with_async_copies(ir_text: str) -> str:
    """``ir_text`` with such functions defined."""
    if "cp.async." not in ir_text:
        return ir_text
    text = ir_text
    written = {match["name"]: _definition(match) for match in _DECLARED.finditer(text)}
    text = _DECLARED.sub("", text)
    for name in sorted(written, key=len, reverse=True):
        text = re.sub(rf"@llvm\.nvvm\.{re.escape(name)}(?=\()", f"@drano.{name}", text)
    return "\n".join([text, *written.values()])


def _definition(found: re.Match[str]) -> str:
    name = found["name"]
    if not found["bytes"]:
        parameters = "i32 %0" if name.endswith("wait.group") else ""
        return f"define internal void @drano.{name}({parameters}) {{\n  ret void\n}}\n"
    size = int(found["bytes"])
    type_ = _TYPES[size]
    parameters = "ptr addrspace(3) %to, ptr addrspace(1) %from"
    if not found["sized"]:
        lines = [f"  %v = load volatile {type_}, ptr addrspace(1) %from, align {size}",
                 f"  store volatile {type_} %v, ptr addrspace(3) %to, align {size}",
                 "  ret void"]  # fmt: skip
    else:
        parameters += ", i32 %size"
        lines = [
            "  %some = icmp ne i32 %size, 0",
            "  br i1 %some, label %read, label %write",
            "read:",
            f"  %full = icmp uge i32 %size, {size}",
            "  br i1 %full, label %whole, label %part",
            "whole:",
            f"  %all = load volatile {type_}, ptr addrspace(1) %from, align {size}",
            "  br label %write",
            "part:",
            "  %k = phi i32 [ 0, %read ], [ %next, %part ]",
            "  %old = phi i256 [ 0, %read ], [ %new, %part ]",
            "  %at = getelementptr i8, ptr addrspace(1) %from, i32 %k",
            "  %byte = load volatile i8, ptr addrspace(1) %at",
            "  %wide = zext i8 %byte to i256",
            "  %bits = shl i32 %k, 3",
            "  %far = zext i32 %bits to i256",
            "  %moved = shl i256 %wide, %far",
            "  %new = or i256 %old, %moved",
            "  %next = add i32 %k, 1",
            "  %more = icmp ult i32 %next, %size",
            "  br i1 %more, label %part, label %packed",
            "packed:",
            f"  %narrow = trunc i256 %new to i{8 * size}",
            f"  %some.of = bitcast i{8 * size} %narrow to {type_}",
            "  br label %write",
            "write:",
            f"  %v = phi {type_} [ %all, %whole ], [ %some.of, %packed ], [ zeroinitializer, %0 ]",
            f"  store volatile {type_} %v, ptr addrspace(3) %to, align {size}",
            "  ret void",
        ]
    return "\n".join([f"define internal void @drano.{name}({parameters}) {{", *lines, "}", ""])
