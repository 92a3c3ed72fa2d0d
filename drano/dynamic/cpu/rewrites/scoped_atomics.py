"""Scoped atomics (``atomicAdd_system`` and ``_block``) as plain ones, which the back end knows.

Means: ``call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr %p, i32 %v)`` becomes ``atomicrmw``. On
this machine every atomic has system scope. Clang uses the same intrinsic for ``min`` and ``max`` of
signed and unsigned numbers: the mangled name of the enclosing CUDA function tells them apart.
"""

from __future__ import annotations

import re

_OPERATIONS = {
    "add.gen.i": "add", "add.gen.f": "fadd", "exch.gen.i": "xchg", "max.gen.i": "max",
    "min.gen.i": "min", "inc.gen.i": "uinc_wrap", "dec.gen.i": "udec_wrap", "and.gen.i": "and",
    "or.gen.i": "or", "xor.gen.i": "xor", "cas.gen.i": "cmpxchg",
}  # fmt: skip
_FUNCTION = re.compile(r"^define [^\n]*@([-\w.$]+)\([^\n]*\n.*?^\}$", re.MULTILINE | re.DOTALL)
_UNSIGNED = re.compile(r"P[jmy][jmy]$")
_CALL = re.compile(
    r"^  (%[-\w.]+) = (?:tail )?call (?:[a-z]+ )*?(\w+) @llvm\.nvvm\.atomic\."
    r"(\w+\.gen\.\w)\.(?:cta|sys)"
    r"\.[\w.]+\((ptr) ([^,]+), (\w+) ([^,)]+)(?:, \w+ ([^)]+))?\)(?: #\d+)?(.*)$",
    re.MULTILINE,
)


def with_plain_atomics(ir_text: str) -> str:
    """``ir_text`` with such calls replaced; those of an operation not listed stay as they are."""
    if "@llvm.nvvm.atomic." not in ir_text:
        return ir_text
    return _FUNCTION.sub(_with_plain_calls, ir_text)


def _with_plain_calls(function: re.Match[str]) -> str:
    unsigned = _UNSIGNED.search(function[1]) is not None
    return _CALL.sub(lambda call: _plain(call, unsigned=unsigned), function[0])


def _plain(call: re.Match[str], *, unsigned: bool) -> str:
    result, type_, name, pointer_type, pointer, _, first, second, rest = call.groups()
    operation = _OPERATIONS.get(name)
    if operation is None:
        return call[0]
    if unsigned and operation in ("min", "max"):
        operation = f"u{operation}"
    pointer = pointer.rpartition(" ")[2]
    if operation != "cmpxchg":
        return (
            f"  {result} = atomicrmw {operation} {pointer_type} {pointer}, {type_} {first} "
            f"monotonic{rest}"
        )
    pair = f"%drano.pair.{result.lstrip('%')}"
    return (
        f"  {pair} = cmpxchg {pointer_type} {pointer}, {type_} {first}, {type_} {second} "
        f"monotonic monotonic{rest}\n"
        f"  {result} = extractvalue {{ {type_}, i1 }} {pair}, 0{rest}"
    )
