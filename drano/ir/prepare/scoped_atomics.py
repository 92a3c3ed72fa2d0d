"""Scoped atomics (``atomicAdd_system`` and ``_block``) as plain ones, which the back end knows.

Means: ``call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr %p, i32 %v)`` is text of ``atomicrmw``.
What they access is the same in every scope. Clang says ``min`` and ``max`` of unsigned
numbers as of signed ones: which they are tells the mangled name of CUDA's function around them.

Atomic sums of pairs of numbers are ``atomicrmw fadd`` of two.
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

_PAIR = re.compile(
    r"^  (%\S+) = atomicrmw fadd (ptr(?: addrspace\(\d+\))? \S+), (<2 x half>|<2 x bfloat>) (\S+)"
    r'((?: syncscope\("\w+"\))?) monotonic, align 4(.*)$',
    re.MULTILINE,
)


def with_plain_atomics(ir_text: str, *, executed: bool = False) -> str:
    """``ir_text`` with such calls replaced; those of an operation not listed stay as they are.

    ``executed``: what comes out is run. Else sums of pairs are written as whole numbers' sums, as
    LLVM would make loops of them.
    """
    if " = atomicrmw fadd " in ir_text and not executed:
        ir_text = _PAIR.sub(_pair, ir_text)
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


def _pair(found: re.Match[str]) -> str:
    result, pointer, type_, value, scope, rest = found.groups()
    name = f"%drano.pair.{result.lstrip('%')}"
    return "\n".join((
        f"  {name}.by = bitcast {type_} {value} to i32{rest}",
        f"  {name} = atomicrmw add {pointer}, i32 {name}.by{scope} monotonic, align 4{rest}",
        f"  {result} = bitcast i32 {name} to {type_}{rest}",
    ))  # fmt: skip
