"""Memory accesses of all active lanes at once, as IR text: one function for each width.

Means: addresses and values are arrays of 32 elements. The common cases, half warps that access
neighbouring elements or a single one, are copies. All others go lane by lane, in the order of
lanes, as does every atomic. A full warp's lanes are visited without testing the mask.
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
_HALVES = ", ".join(f"i32 {k // 16 * 16}" for k in range(32))


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
    half = f"<16 x {type_}>"
    if kind == "load":
        block = "\n".join(
            f"""  %data.{k} = load {half}, ptr %first.{k}, align 1
  store {half} %data.{k}, ptr %half.{k}, align 16"""
            for k in (0, 1)
        )
        same = "\n".join(
            f"""  %only.{k} = load {type_}, ptr %first.{k}, align 1
  %put.{k} = insertelement {half} poison, {type_} %only.{k}, i64 0
  %all.{k} = shufflevector {half} %put.{k}, {half} poison, <16 x i32> zeroinitializer
  store {half} %all.{k}, ptr %half.{k}, align 16"""
            for k in (0, 1)
        )
        lane = f"""  %value = load {type_}, ptr %address, align 1
  store {type_} %value, ptr %place, align {size}"""
    else:
        block = "\n".join(
            f"""  %data.{k} = load {half}, ptr %half.{k}, align 16
  store {half} %data.{k}, ptr %first.{k}, align 1"""
            for k in (0, 1)
        )
        same = "\n".join(  # the last lane's remains
            f"""  %last.{k} = getelementptr inbounds {type_}, ptr %half.{k}, i64 15
  %only.{k} = load {type_}, ptr %last.{k}, align {size}
  store {type_} %only.{k}, ptr %first.{k}, align 1"""
            for k in (0, 1)
        )
        lane = f"""  %value = load {type_}, ptr %place, align {size}
  store {type_} %value, ptr %address, align 1"""
    each = lane.replace("%address", "%each.address").replace("%place", "%each.place")
    each = each.replace("%value", "%each.value")
    parameters = "ptr %addresses, ptr %values, i32 %mask"
    return f"""define internal void @{name}({parameters}) noinline nounwind {{
entry:
  %all = icmp eq i32 %mask, -1
  br i1 %all, label %look, label %head
look:
  %every = load <32 x i64>, ptr %addresses, align 64
  %one.0 = extractelement <32 x i64> %every, i64 0
  %one.1 = extractelement <32 x i64> %every, i64 16
  %base = shufflevector <32 x i64> %every, <32 x i64> poison, <32 x i32> < {_HALVES} >
  %away = sub <32 x i64> %every, %base
  %differ = icmp ne <32 x i64> %away, < {_steps(size)} >
  %bits = bitcast <32 x i1> %differ to i32
  %rows = icmp eq i32 %bits, 0
  %first.0 = inttoptr i64 %one.0 to ptr
  %first.1 = inttoptr i64 %one.1 to ptr
  %half.0 = getelementptr inbounds {type_}, ptr %values, i64 0
  %half.1 = getelementptr inbounds {type_}, ptr %values, i64 16
  br i1 %rows, label %block, label %again
block:
{block}
  ret void
again:
  %differ2 = icmp ne <32 x i64> %away, zeroinitializer
  %bits2 = bitcast <32 x i1> %differ2 to i32
  %uniform = icmp eq i32 %bits2, 0
  br i1 %uniform, label %same, label %each
same:
{same}
  ret void
each:
  %n = phi i64 [ 0, %again ], [ %n.next, %each ]
  %each.from = getelementptr inbounds ptr, ptr %addresses, i64 %n
  %each.address = load ptr, ptr %each.from, align 8
  %each.place = getelementptr inbounds {type_}, ptr %values, i64 %n
{each}
  %n.next = add nuw nsw i64 %n, 1
  %each.more = icmp ult i64 %n.next, 32
  br i1 %each.more, label %each, label %exit, !llvm.loop !10
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


def _steps(size: int) -> str:
    """How far each lane is from the first one of its half, in a row."""
    return ", ".join(f"i64 {k % 16 * size}" for k in range(32))


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
