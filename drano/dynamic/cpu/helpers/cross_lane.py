"""Cross-lane intrinsics: shuffles, votes, matches, reductions, as IR text.

Means: the operand that other lanes read is an array in the warp's frame, filled by an earlier loop
over the lanes; predicates are byte arrays. An inactive lane holds what it last computed: hardware
leaves that undefined.
"""

from __future__ import annotations

import re

from drano.dynamic.cpu.helpers.definition import CONTEXT, define

_SHUFFLE = re.compile(r"shfl\.sync\.(idx|up|down|bfly)\.(i32|f32)(p?)")
_VOTE = re.compile(r"vote\.(all|any|uni|ballot)(?:\.sync)?")
_MATCH = re.compile(r"match\.(any|all)\.sync\.(i32|i64)(p?)")
_REDUX = re.compile(r"redux\.sync\.(add|min|max|umin|umax|and|or|xor)")


def cross_helper(name: str, rest: str) -> str | None:
    """The helper for ``llvm.nvvm.REST``; None when it is no cross-lane operation known here."""
    if rest == "activemask":
        return define(name, "i32", CONTEXT, "ret i32 %mask")
    if rest == "bar.warp.sync":
        return define(name, "void", f"{CONTEXT}, i32 %m", "ret void")
    if match := _SHUFFLE.fullmatch(rest):
        return _shuffle(name, *match.groups())
    if match := _VOTE.fullmatch(rest):
        return _vote(name, match[1])
    if match := _MATCH.fullmatch(rest):
        return _match(name, *match.groups())
    if match := _REDUX.fullmatch(rest):
        return _redux(name, match[1])
    return None


_SOURCE_LANE = {
    # PTX ISA, shfl.sync: bval is %b & 31, the segment mask %s, the clamp %c; %ok: in range.
    "idx": """
        %nots = xor i32 %s, -1
        %low = and i32 %bv, %nots
        %j = or i32 %minlane, %low
        %ok = icmp sle i32 %j, %maxlane""",
    "up": """
        %j = sub i32 %l, %bv
        %ok = icmp sge i32 %j, %maxlane""",
    "down": """
        %j = add i32 %l, %bv
        %ok = icmp sle i32 %j, %maxlane""",
    "bfly": """
        %j = xor i32 %l, %bv
        %ok = icmp sle i32 %j, %maxlane""",
}


def _shuffle(name: str, mode: str, short: str, predicate: str) -> str:
    type_ = "i32" if short == "i32" else "float"
    head = f"""
        %l = trunc i64 %lane to i32
        %bv = and i32 %b, 31
        %c5 = lshr i32 %c, 8
        %s = and i32 %c5, 31
        %cv = and i32 %c, 31
        %ns = xor i32 %s, -1
        %ls = and i32 %l, %s
        %cn = and i32 %cv, %ns
        %maxlane = or i32 %ls, %cn
        %minlane = and i32 %l, %s
        {_SOURCE_LANE[mode]}
        %k = select i1 %ok, i32 %j, i32 %l
        %k31 = and i32 %k, 31
        %k64 = zext i32 %k31 to i64
        %at = getelementptr {type_}, ptr %array, i64 %k64
        %v = load {type_}, ptr %at, align 4"""
    parameters = f"{CONTEXT}, i32 %m, ptr %array, i32 %b, i32 %c"
    if not predicate:
        return define(name, type_, parameters, f"{head}\nret {type_} %v")
    pair = f"{{ {type_}, i1 }}"
    return define(name, pair, parameters, f"""{head}
        %p = insertvalue {pair} poison, {type_} %v, 0
        %r = insertvalue {pair} %p, i1 %ok, 1
        ret {pair} %r""")  # fmt: skip


def _vote(name: str, mode: str) -> str:
    head = """
        %word = call i32 @drano.ballot(ptr %array)
        %in = and i32 %m, %mask
        %yes = and i32 %word, %in"""
    ends = {
        "ballot": "ret i32 %yes",
        "any": "%r = icmp ne i32 %yes, 0\nret i1 %r",
        "all": "%r = icmp eq i32 %yes, %in\nret i1 %r",
        "uni": "%a = icmp eq i32 %yes, %in\n%n = icmp eq i32 %yes, 0\n%r = or i1 %a, %n\nret i1 %r",
    }
    result = "i32" if mode == "ballot" else "i1"
    return define(name, result, f"{CONTEXT}, i32 %m, ptr %array", f"{head}\n{ends[mode]}")


def _match(name: str, mode: str, type_: str, predicate: str) -> str:
    wide = f"<32 x {type_}>"
    lines = f"""
        %in = and i32 %m, %mask
        %at = getelementptr {type_}, ptr %array, i64 %lane
        %mine = load {type_}, ptr %at, align 4
        %first = insertelement <32 x {type_}> poison, {type_} %mine, i64 0
        %splat = shufflevector {wide} %first, {wide} poison, <32 x i32> zeroinitializer
        %all = load <32 x {type_}>, ptr %array, align 8
        %eq = icmp eq <32 x {type_}> %all, %splat
        %bits = bitcast <32 x i1> %eq to i32
        %same = and i32 %bits, %in"""
    parameters = f"{CONTEXT}, i32 %m, ptr %array"
    if mode == "any":
        return define(name, "i32", parameters, f"{lines}\nret i32 %same")
    lines += """
        %ok = icmp eq i32 %same, %in
        %v = select i1 %ok, i32 %in, i32 0"""
    if not predicate:
        return define(name, "i32", parameters, f"{lines}\nret i32 %v")
    return define(name, "{ i32, i1 }", parameters, f"""{lines}
        %p = insertvalue {{ i32, i1 }} poison, i32 %v, 0
        %r = insertvalue {{ i32, i1 }} %p, i1 %ok, 1
        ret {{ i32, i1 }} %r""")  # fmt: skip


_NEUTRAL = {"add": 0, "or": 0, "xor": 0, "and": -1, "umax": 0, "umin": -1,
            "max": -(1 << 31), "min": (1 << 31) - 1}  # fmt: skip


def _redux(name: str, operation: str) -> str:
    reduction = {"min": "smin", "max": "smax"}.get(operation, operation)
    return define(name, "i32", f"{CONTEXT}, ptr %array, i32 %m", f"""
        %in = and i32 %m, %mask
        %bits = bitcast i32 %in to <32 x i1>
        %all = load <32 x i32>, ptr %array, align 8
        %n0 = insertelement <32 x i32> poison, i32 {_NEUTRAL[operation]}, i64 0
        %n = shufflevector <32 x i32> %n0, <32 x i32> poison, <32 x i32> zeroinitializer
        %v = select <32 x i1> %bits, <32 x i32> %all, <32 x i32> %n
        %r = call i32 @llvm.vector.reduce.{reduction}.v32i32(<32 x i32> %v)
        ret i32 %r""")  # fmt: skip
