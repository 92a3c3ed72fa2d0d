"""Accesses of memory for all active lanes at once, as IR text: one function for each width.

Means: addresses and values are arrays of 32 elements. Neighbouring lanes that access neighbouring
elements, the common case, are one copy; all other cases go lane by lane, in the order of lanes,
as does every atomic.
"""

from __future__ import annotations

import re

ACCESS_SIZES = frozenset({1, 2, 4, 8, 16})
_FLOATING = frozenset({"float", "double", "half", "bfloat"})
_OPERATIONS = frozenset(
    {
        "xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin", "fadd",
        "fsub", "fmax", "fmin", "uinc_wrap", "udec_wrap",
    }
)  # fmt: skip
_NAME = re.compile(r"(load|store|atomic|cmpxchg)\.(.*)")
_STEPS = ", ".join(f"i64 {k}" for k in range(32))


def memory_helper(name: str, rest: str) -> str | None:
    """The helper ``drano.REST``; None when it is none of these."""
    match = _NAME.fullmatch(rest)
    if match is None:
        return None
    if match[1] in ("load", "store"):
        size = int(match[2]) if match[2].isdigit() else 0
        return _access(name, match[1], size) if size in ACCESS_SIZES else None
    if match[1] == "cmpxchg":
        return _compare_exchange(name, match[2])
    operation, _, type_ = match[2].partition(".")
    return _atomic(name, operation, type_) if operation in _OPERATIONS else None


def _access(name: str, kind: str, size: int) -> str:
    type_ = f"i{8 * size}"
    if kind == "load":
        parameters = "ptr %addresses, ptr %values, i32 %mask"
        block = f"""  %data = load <32 x {type_}>, ptr %first, align 1
  store <32 x {type_}> %data, ptr %values, align 16"""
        lane = f"""  %value = load {type_}, ptr %address, align 1
  store {type_} %value, ptr %place, align {size}"""
    else:
        parameters = "ptr %addresses, ptr %values, i32 %mask"
        block = f"""  %data = load <32 x {type_}>, ptr %values, align 16
  store <32 x {type_}> %data, ptr %first, align 1"""
        lane = f"""  %value = load {type_}, ptr %place, align {size}
  store {type_} %value, ptr %address, align 1"""
    return f"""define internal void @{name}({parameters}) noinline nounwind {{
entry:
  %all = icmp eq i32 %mask, -1
  br i1 %all, label %look, label %head
look:
  %every = load <32 x i64>, ptr %addresses, align 64
  %one = extractelement <32 x i64> %every, i64 0
  %base0 = insertelement <32 x i64> poison, i64 %one, i64 0
  %base = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %steps = mul <32 x i64> < {_STEPS} >, splat (i64 {size})
  %ideal = add <32 x i64> %base, %steps
  %differ = icmp ne <32 x i64> %every, %ideal
  %bits = bitcast <32 x i1> %differ to i32
  %row = icmp eq i32 %bits, 0
  br i1 %row, label %block, label %head
block:
  %first = inttoptr i64 %one to ptr
{block}
  ret void
head:
  %none = icmp eq i32 %mask, 0
  br i1 %none, label %exit, label %lane
lane:
  %rest = phi i32 [ %mask, %head ], [ %rest.next, %lane ]
  %k = call i32 @llvm.cttz.i32(i32 %rest, i1 true)
  %lane64 = zext i32 %k to i64
  %from = getelementptr inbounds ptr, ptr %addresses, i64 %lane64
  %address = load ptr, ptr %from, align 8
  %place = getelementptr inbounds {type_}, ptr %values, i64 %lane64
{lane}
  %less = sub i32 %rest, 1
  %rest.next = and i32 %rest, %less
  %more = icmp ne i32 %rest.next, 0
  br i1 %more, label %lane, label %exit
exit:
  ret void
}}
"""


def _by_lane(name: str, parameters: str, body: str) -> str:
    """A function that does ``body`` for each active lane: ``%address`` is the lane's."""
    return f"""define internal void @{name}({parameters}) noinline nounwind {{
entry:
  %none = icmp eq i32 %mask, 0
  br i1 %none, label %exit, label %lane
lane:
  %rest = phi i32 [ %mask, %entry ], [ %rest.next, %lane ]
  %k = call i32 @llvm.cttz.i32(i32 %rest, i1 true)
  %lane64 = zext i32 %k to i64
  %from = getelementptr inbounds ptr, ptr %addresses, i64 %lane64
  %address = load ptr, ptr %from, align 8
{body}
  %less = sub i32 %rest, 1
  %rest.next = and i32 %rest, %less
  %more = icmp ne i32 %rest.next, 0
  br i1 %more, label %lane, label %exit
exit:
  ret void
}}
"""


def _bytes(type_: str) -> int:
    sizes = {"float": 4, "double": 8, "half": 2, "bfloat": 2, "ptr": 8}
    return sizes.get(type_) or int(type_[1:]) // 8


def _atomic(name: str, operation: str, type_: str) -> str | None:
    if type_ not in _FLOATING and type_ != "ptr" and not re.fullmatch(r"i(8|16|32|64|128)", type_):
        return None
    parameters = "ptr %addresses, ptr %operands, ptr %results, i32 %mask"
    body = f"""
  %at = getelementptr inbounds {type_}, ptr %operands, i64 %lane64
  %operand = load {type_}, ptr %at, align {_bytes(type_)}
  %old = atomicrmw {operation} ptr %address, {type_} %operand monotonic, align {_bytes(type_)}
  %to = getelementptr inbounds {type_}, ptr %results, i64 %lane64
  store {type_} %old, ptr %to, align {_bytes(type_)}"""
    return _by_lane(name, parameters, body.lstrip("\n"))


def _compare_exchange(name: str, type_: str) -> str | None:
    if type_ != "ptr" and not re.fullmatch(r"i(8|16|32|64|128)", type_):
        return None
    size = _bytes(type_)
    parameters = "ptr %addresses, ptr %expected, ptr %desired, ptr %results, i32 %mask"
    body = f"""
  %at = getelementptr inbounds {type_}, ptr %expected, i64 %lane64
  %compare = load {type_}, ptr %at, align {size}
  %by = getelementptr inbounds {type_}, ptr %desired, i64 %lane64
  %new = load {type_}, ptr %by, align {size}
  %old = cmpxchg ptr %address, {type_} %compare, {type_} %new seq_cst seq_cst, align {size}
  %to = getelementptr inbounds {{ {type_}, i1 }}, ptr %results, i64 %lane64
  store {{ {type_}, i1 }} %old, ptr %to, align {size}"""
    return _by_lane(name, parameters, body.lstrip("\n"))
