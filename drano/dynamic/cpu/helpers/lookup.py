"""The functions that stand for GPU intrinsics in native code, as LLVM IR text.

Means: ``helper_text(name)`` is the definition of ``@name``; every helper is small and inlined. A
first parameter ``ptr %w`` means that the helper takes the context: the warp, the lane (i64) and the
mask of active lanes. Parameters called ``%array`` are arrays of all lanes' values.
Assumptions: ``drano_abi.h`` as numbered in ``abi.py``.
Limits: ``.ftz`` variants keep denormals, as CUDA does by default; ``.approx`` functions are as
exact as the C library's, and so more exact than the GPU's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from drano.dynamic.cpu import abi
from drano.dynamic.cpu.helpers.cross_lane import cross_helper
from drano.dynamic.cpu.helpers.definition import CONTEXT, define
from drano.dynamic.cpu.helpers.mathematics import math_helper
from drano.dynamic.cpu.helpers.memory import memory_helper
from drano.dynamic.cpu.helpers.nested_launches import NESTED_CALLS
from drano.dynamic.cpu.helpers.rounding import rounding_helper

_NAME = re.compile(r"@(drano\.[\w.]+)")


@cache
def helper_text(name: str) -> str | None:
    """The definition of helper ``name``; None when there is none."""
    family, _, rest = name.removeprefix("drano.").partition(".")
    match family:
        case "sreg":
            return _register(name, rest)
        case "nvvm":
            return (
                rounding_helper(name, rest.replace(".ftz", ""))
                or math_helper(name, rest)
                or cross_helper(name, rest)
                or _FENCES.get(name)
            )
        case "adjust":
            return rounding_helper(name, f"adjust.{rest}")
        case "int":
            return _integer(name, rest)
        case "call":
            return _CALLS.get(rest) or NESTED_CALLS.get(rest)
        case _:
            return _GENERAL.get(name) or memory_helper(name, f"{family}.{rest}")


def has_helper(name: str) -> bool:
    """Whether there is a helper of that name."""
    return helper_text(name) is not None


def needs_context(name: str) -> bool:
    """Whether helper ``name`` takes warp, lane and mask first."""
    if name.startswith(("drano.asm.", "drano.local.")):
        return True
    text = helper_text(name)
    return text is not None and "(ptr %w, " in text.partition("\n")[0]


def closure(text: str, more: Mapping[str, str]) -> list[str]:
    """Definitions of all helpers, and of those in ``more``, that ``text`` mentions, and of those
    that they mention.
    """
    found: dict[str, str] = {}
    pending = [text]
    while pending:
        for name in dict.fromkeys(_NAME.findall(pending.pop())):
            definition = None if name in found else more.get(name) or helper_text(name)
            if definition is not None:
                found[name] = definition
                pending.append(definition)
    return list(found.values())


# --- special registers -----------------------------------------------------------------------

_AXES = {"x": 0, "y": 4, "z": 8}
_BLOCK_REGISTERS = {"ntid": abi.BLOCK_DIM, "ctaid": abi.BLOCK_IDX, "nctaid": abi.GRID_DIM}
_LANE_MASKS = {
    "eq": "%r = shl i32 1, %l",
    "lt": "%b = shl i32 1, %l\n%r = sub i32 %b, 1",
    "le": "%b = shl i32 2, %l\n%r = sub i32 %b, 1",
    "gt": "%b = shl i32 -2, %l\n%r = add i32 %b, 0",
    "ge": "%b = shl i32 -1, %l\n%r = add i32 %b, 0",
}
_CONSTANT_REGISTERS = {
    "envreg1": 1, "envreg2": 1, "warpsize": 32, "smid": 0, "nsmid": 1, "gridid": 1, "nwarpid": 64,
}  # fmt: skip


def _register(name: str, register: str) -> str | None:
    base, _, axis = register.partition(".")
    if base == "tid" and axis in _AXES:
        offset = abi.TID_X + 128 * "xyz".index(axis)
        return define(name, "i32", CONTEXT, f"""
            %base = getelementptr i8, ptr %w, i64 {offset}
            %at = getelementptr i32, ptr %base, i64 %lane
            %r = load i32, ptr %at, align 4, !invariant.load !9
            ret i32 %r""")  # fmt: skip
    if base in _BLOCK_REGISTERS and axis in _AXES:
        return define(name, "i32", CONTEXT, f"""
            %b = getelementptr i8, ptr %w, i64 {abi.WARP_BLOCK}
            %block = load ptr, ptr %b, align 8, !invariant.load !9
            %at = getelementptr i8, ptr %block, i64 {_BLOCK_REGISTERS[base] + _AXES[axis]}
            %r = load i32, ptr %at, align 4, !invariant.load !9
            ret i32 %r""")  # fmt: skip
    if register == "laneid":
        return define(name, "i32", CONTEXT, "%r = trunc i64 %lane to i32\nret i32 %r")
    if register == "warpid":
        return define(name, "i32", CONTEXT, f"""
            %at = getelementptr i8, ptr %w, i64 {abi.WARP_ID}
            %r = load i32, ptr %at, align 4, !invariant.load !9
            ret i32 %r""")  # fmt: skip
    if base == "lanemask" and axis in _LANE_MASKS:
        return define(
            name, "i32", CONTEXT, f"%l = trunc i64 %lane to i32\n{_LANE_MASKS[axis]}\nret i32 %r"
        )
    if register in ("clock", "clock64", "clock.hi", "globaltimer", "globaltimer.lo"):
        return _clock(name, register)
    if register in ("dynamic.smem.size", "total.smem.size"):
        return _shared_size(name, register)
    if register in _CONSTANT_REGISTERS:
        return define(name, "i32", CONTEXT, f"ret i32 {_CONSTANT_REGISTERS[register]}")
    return None


def _clock(name: str, register: str) -> str:
    if register in ("clock64", "globaltimer"):
        return define(name, "i64", CONTEXT, "%r = call i64 @llvm.readcyclecounter()\nret i64 %r")
    shift = 32 if register.endswith("hi") else 0
    return define(name, "i32", CONTEXT, f"""
        %c = call i64 @llvm.readcyclecounter()
        %s = lshr i64 %c, {shift}
        %r = trunc i64 %s to i32
        ret i32 %r""")  # fmt: skip


def _shared_size(name: str, register: str) -> str:
    taken = "%o" if register.startswith("dynamic") else "0"
    return define(name, "i32", CONTEXT, f"""
        %b = getelementptr i8, ptr %w, i64 {abi.WARP_BLOCK}
        %block = load ptr, ptr %b, align 8
        %at = getelementptr i8, ptr %block, i64 {abi.BLOCK_SHARED_BYTES}
        %all = load i32, ptr %at, align 4
        %ot = getelementptr i8, ptr %block, i64 {abi.BLOCK_DYNAMIC_OFFSET}
        %o = load i32, ptr %ot, align 4
        %r = sub i32 %all, {taken}
        ret i32 %r""")  # fmt: skip


# --- integers that must not trap -------------------------------------------------------------


def _integer(name: str, rest: str) -> str | None:
    """``sdiv.i32``: as the GPU divides: by zero all ones (the dividend for a remainder)."""
    operation, _, type_ = rest.partition(".")
    if not re.fullmatch(r"i\d+", type_):
        return None
    bits = int(type_[1:])
    pair = f"{type_} %a, {type_} %b"
    if operation in ("udiv", "urem"):
        zero = "-1" if operation == "udiv" else "%a"
        return define(name, type_, pair, f"""
            %z = icmp eq {type_} %b, 0
            %d = select i1 %z, {type_} 1, {type_} %b
            %q = {operation} {type_} %a, %d
            %r = select i1 %z, {type_} {zero}, {type_} %q
            ret {type_} %r""")  # fmt: skip
    if operation in ("sdiv", "srem"):
        zero = "-1" if operation == "sdiv" else "%a"
        by_minus_one = "%n" if operation == "sdiv" else "0"
        return define(name, type_, pair, f"""
            %z = icmp eq {type_} %b, 0
            %m = icmp eq {type_} %b, -1
            %zm = or i1 %z, %m
            %d = select i1 %zm, {type_} 1, {type_} %b
            %q = {operation} {type_} %a, %d
            %n = sub {type_} 0, %a
            %s = select i1 %m, {type_} {by_minus_one}, {type_} %q
            %r = select i1 %z, {type_} {zero}, {type_} %s
            ret {type_} %r""")  # fmt: skip
    if operation in ("shl", "lshr"):
        return define(name, type_, pair, f"""
            %in = icmp ult {type_} %b, {bits}
            %c = select i1 %in, {type_} %b, {type_} 0
            %q = {operation} {type_} %a, %c
            %r = select i1 %in, {type_} %q, {type_} 0
            ret {type_} %r""")  # fmt: skip
    if operation == "ashr":
        return define(name, type_, pair, f"""
            %c = call {type_} @llvm.umin.{type_}({type_} %b, {type_} {bits - 1})
            %r = ashr {type_} %a, %c
            ret {type_} %r""")  # fmt: skip
    return None


_FENCES = {
    f"drano.nvvm.{name}": define(f"drano.nvvm.{name}", "void", "", "fence seq_cst\nret void")
    for name in ("membar.gl", "membar.cta", "membar.sys", "fence.sc.cluster")
}

_GENERAL = {
    "drano.ballot": define("drano.ballot", "i32", "ptr %array", """
        %v = load <32 x i8>, ptr %array, align 32
        %b = icmp ne <32 x i8> %v, zeroinitializer
        %r = bitcast <32 x i1> %b to i32
        ret i32 %r"""),
}  # fmt: skip

_GENERAL["drano.unite"] = define(
    "drano.unite",
    "i32",
    "ptr %array, i32 %mask",
    """
    %all = load <32 x i32>, ptr %array, align 64
    %bits = bitcast i32 %mask to <32 x i1>
    %in = select <32 x i1> %bits, <32 x i32> %all, <32 x i32> zeroinitializer
    %r = call i32 @llvm.vector.reduce.or.v32i32(<32 x i32> %in)
    ret i32 %r""",
)
for _type in ("i8", "i32"):
    _vector = f"<32 x {_type}>"
    _name = f"drano.spread.{_type}"
    _GENERAL[_name] = define(_name, "void", f"ptr %array, i32 %mask, {_type} %value", f"""
        %old = load {_vector}, ptr %array, align 32
        %bits = bitcast i32 %mask to <32 x i1>
        %first = insertelement {_vector} poison, {_type} %value, i64 0
        %all = shufflevector {_vector} %first, {_vector} poison, <32 x i32> zeroinitializer
        %new = select <32 x i1> %bits, {_vector} %all, {_vector} %old
        store {_vector} %new, ptr %array, align 32
        ret void""")  # fmt: skip
_GENERAL["drano.range"] = """define internal i32 @drano.range(ptr %w, i32 %site, i32 %mask, \
ptr %addresses, ptr %lengths, i64 %chunk) nounwind {
entry:
  %buffer = alloca <32 x i64>, align 64
  %bases = load <32 x i64>, ptr %addresses, align 64
  %ends = load <32 x i64>, ptr %lengths, align 64
  br label %loop
loop:
  %offset = phi i64 [ 0, %entry ], [ %next, %on ]
  %first = insertelement <32 x i64> poison, i64 %offset, i64 0
  %all = shufflevector <32 x i64> %first, <32 x i64> poison, <32 x i32> zeroinitializer
  %inside = icmp ugt <32 x i64> %ends, %all
  %bits = bitcast <32 x i1> %inside to i32
  %lanes = and i32 %bits, %mask
  %none = icmp eq i32 %lanes, 0
  br i1 %none, label %done, label %count
count:
  %here = add <32 x i64> %bases, %all
  store <32 x i64> %here, ptr %buffer, align 64
  %bad = call i32 @drano_access(ptr %w, ptr @drano.unit, i32 %site, i32 %lanes, ptr %buffer)
  %fails = icmp ne i32 %bad, 0
  br i1 %fails, label %fault, label %on
on:
  %next = add i64 %offset, %chunk
  br label %loop
done:
  ret i32 0
fault:
  ret i32 1
}
""".replace("\\\n", "")

_GENERAL["drano.copies"] = """define internal void @drano.copies(ptr %to, ptr %from, \
i64 %bytes, i64 %stride) nounwind {
entry:
  br label %loop
loop:
  %lane = phi i64 [ 0, %entry ], [ %next, %loop ]
  %offset = mul i64 %lane, %stride
  %place = getelementptr i8, ptr %to, i64 %offset
  call void @llvm.memcpy.p0.p0.i64(ptr %place, ptr %from, i64 %bytes, i1 false)
  %next = add i64 %lane, 1
  %more = icmp ult i64 %next, 32
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
""".replace("\\\n", "")

_GENERAL["drano.copy.each"] = """define internal void @drano.copy.each(ptr %to, ptr %from, \
i64 %bytes, i64 %stride, i32 %mask) nounwind {
entry:
  br label %loop
loop:
  %rest = phi i32 [ %mask, %entry ], [ %next, %loop ]
  %k = call i32 @llvm.cttz.i32(i32 %rest, i1 true)
  %lane = zext i32 %k to i64
  %offset = mul i64 %lane, %stride
  %place = getelementptr i8, ptr %to, i64 %offset
  %at = getelementptr ptr, ptr %from, i64 %lane
  %source = load ptr, ptr %at, align 8
  call void @llvm.memmove.p0.p0.i64(ptr %place, ptr %source, i64 %bytes, i1 false)
  %less = sub i32 %rest, 1
  %next = and i32 %rest, %less
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
"""
_GENERAL["drano.indirect"] = """define internal i32 @drano.indirect(ptr %w, i32 %mask, \
ptr %targets, ptr %table, i64 %stack) nounwind {
entry:
  %all = load <32 x ptr>, ptr %targets, align 64
  br label %loop
loop:
  %rest = phi i32 [ %mask, %entry ], [ %next, %on ]
  %k = call i32 @llvm.cttz.i32(i32 %rest, i1 true)
  %at = getelementptr ptr, ptr %targets, i32 %k
  %target = load ptr, ptr %at, align 8
  %first = insertelement <32 x ptr> poison, ptr %target, i64 0
  %each = shufflevector <32 x ptr> %first, <32 x ptr> poison, <32 x i32> zeroinitializer
  %same = icmp eq <32 x ptr> %all, %each
  %bits = bitcast <32 x i1> %same to i32
  %lanes = and i32 %bits, %rest
  %null = icmp eq ptr %target, null
  br i1 %null, label %fault, label %call
call:
  %bad = call i32 %target(ptr %w, i32 %lanes, ptr %table, i64 %stack)
  %fails = icmp ne i32 %bad, 0
  br i1 %fails, label %end, label %on
on:
  %next = xor i32 %rest, %lanes
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %exit
fault:
  call void @drano_fault(ptr %w, ptr @drano.unit, i32 -1, i32 %lanes, ptr @drano.text.null)
  br label %end
end:
  ret i32 1
exit:
  ret i32 0
}
"""

_HANDLE = "drano.nvvm.texsurf.handle.internal.p1"
_FENCES[_HANDLE] = define(
    _HANDLE,
    "i64",
    "ptr %reference",
    """
    %r = load i64, ptr %reference, align 1
    ret i64 %r""",
)

for _number, _space in enumerate(("global", "shared", "local")):  # drano_abi.h: drano_space
    _NAMED = f"drano.nvvm.isspacep.{_space}"
    _FENCES[_NAMED] = define(
        _NAMED,
        "i1",
        f"{CONTEXT}, ptr %p",
        f"""
        %s = call i32 @drano_space(ptr %w, ptr %p)
        %r = icmp eq i32 %s, {_number}
        ret i1 %r""",
    )

_CALLS = {
    "vprintf": define("drano.call.vprintf", "i32", f"{CONTEXT}, ptr %f, ptr %a", """
        %l = trunc i64 %lane to i32
        %r = call i32 @drano_vprintf(ptr %w, i32 %l, ptr %f, ptr %a)
        ret i32 %r"""),
    "malloc": define("drano.call.malloc", "ptr", "i64 %n", """
        %r = call ptr @drano_device_malloc(i64 %n)
        ret ptr %r"""),
    "__drano_shared_pointer": define(
        "drano.call.__drano_shared_pointer", "ptr", f"{CONTEXT}, i64 %number", f"""
        %b = getelementptr i8, ptr %w, i64 {abi.WARP_BLOCK}
        %block = load ptr, ptr %b, align 8, !invariant.load !9
        %at = getelementptr i8, ptr %block, i64 {abi.BLOCK_SHARED}
        %first = load ptr, ptr %at, align 8
        %start = ptrtoint ptr %first to i64
        %far = sub i64 %number, %start
        %low = trunc i64 %far to i32
        %offset = sext i32 %low to i64
        %r = getelementptr i8, ptr %first, i64 %offset
        ret ptr %r"""),
    "cudaGraphSetConditional": define(
        "drano.call.cudaGraphSetConditional", "void", "i64 %handle, i32 %value", """
        call void @drano_set_condition(i64 %handle, i32 %value)
        ret void"""),
    "_ZL3nanPKc": define(  # CUDA's nan and nanf, which clang's headers only declare
        "drano.call._ZL3nanPKc", "double", "ptr %text", "ret double 0x7FF8000000000000"
    ),
    "_ZL4nanfPKc": define(
        "drano.call._ZL4nanfPKc", "float", "ptr %text", "ret float 0x7FFFFFFFE0000000"
    ),
    "free": define("drano.call.free", "void", "ptr %p", """
        call void @drano_device_free(ptr %p)
        ret void"""),
}  # fmt: skip
