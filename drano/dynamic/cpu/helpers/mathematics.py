"""Arithmetic intrinsics of the GPU in terms of LLVM's own, as IR text."""

from __future__ import annotations

import re

from drano.dynamic.cpu.helpers.definition import define

_FLOATS = {
    "f": ("float", "f32"),
    "d": ("double", "f64"),
    "f32": ("float", "f32"),
    "f64": ("double", "f64"),
}
_UNARY = {
    "floor": "floor", "ceil": "ceil", "trunc": "trunc", "fabs": "fabs", "round": "roundeven",
    "sqrt.rn": "sqrt", "sqrt.approx": "sqrt", "sqrt": "sqrt", "sin.approx": "sin",
    "cos.approx": "cos", "lg2.approx": "log2", "ex2.approx": "exp2", "tanh.approx": "tanh",
}  # fmt: skip
_BINARY = {
    "add.rn": "fadd", "mul.rn": "fmul", "div.rn": "fdiv", "div.approx": "fdiv", "div.full": "fdiv",
    "sub.rn": "fsub",
}  # fmt: skip
_CONVERSION = re.compile(r"(d|f|i|ui|ll|ull)2(d|f|i|ui|ll|ull)\.(rn|rz|rm|rp)")
_TYPES = {"d": "double", "f": "float", "i": "i32", "ui": "i32", "ll": "i64", "ull": "i64"}
_ROUNDINGS = {"rn": "roundeven", "rz": "trunc", "rm": "floor", "rp": "ceil"}


def math_helper(name: str, rest: str) -> str | None:
    """The helper for ``llvm.nvvm.REST``; None when it is not arithmetic known here."""
    plain = rest.replace(".ftz", "")
    return (
        _floating(name, plain)
        or _conversion(name, plain)
        or _integers(name, plain)
        or _special(name, plain)
    )


def _floating(name: str, plain: str) -> str | None:
    operation, _, suffix = plain.rpartition(".")
    if suffix not in _FLOATS:
        return None
    type_, short = _FLOATS[suffix]
    if operation in _UNARY:
        return define(name, type_, f"{type_} %a", f"""
            %r = call {type_} @llvm.{_UNARY[operation]}.{short}({type_} %a)
            ret {type_} %r""")  # fmt: skip
    if operation in _BINARY:
        return define(name, type_, f"{type_} %a, {type_} %b", f"""
            %r = {_BINARY[operation]} {type_} %a, %b
            ret {type_} %r""")  # fmt: skip
    if operation in ("fmin", "fmax"):
        return define(name, type_, f"{type_} %a, {type_} %b", f"""
            %r = call {type_} @llvm.{operation[1:]}num.{short}({type_} %a, {type_} %b)
            ret {type_} %r""")  # fmt: skip
    if operation == "fma.rn":
        return define(name, type_, f"{type_} %a, {type_} %b, {type_} %c", f"""
            %r = call {type_} @llvm.fma.{short}({type_} %a, {type_} %b, {type_} %c)
            ret {type_} %r""")  # fmt: skip
    if operation in ("rcp.rn", "rcp.approx"):
        return define(name, type_, f"{type_} %a", f"""
            %r = fdiv {type_} 1.0, %a
            ret {type_} %r""")  # fmt: skip
    if operation == "rsqrt.approx":
        return define(name, type_, f"{type_} %a", f"""
            %s = call {type_} @llvm.sqrt.{short}({type_} %a)
            %r = fdiv {type_} 1.0, %s
            ret {type_} %r""")  # fmt: skip
    if operation == "saturate":
        return define(name, type_, f"{type_} %a", f"""
            %l = call {type_} @llvm.maxnum.{short}({type_} %a, {type_} 0.0)
            %r = call {type_} @llvm.minnum.{short}({type_} %l, {type_} 1.0)
            ret {type_} %r""")  # fmt: skip
    return None


def _conversion(name: str, plain: str) -> str | None:
    match = _CONVERSION.fullmatch(plain)
    if match is None:
        return None
    source, target, mode = match.groups()
    a, b = _TYPES[source], _TYPES[target]
    floating = ("d", "f")
    if source in floating and target in floating:
        return define(name, b, f"{a} %a", f"%r = fptrunc {a} %a to {b}\nret {b} %r")
    if source in floating:
        short = "f64" if source == "d" else "f32"
        operation = "fptoui" if target.startswith("u") else "fptosi"
        return define(name, b, f"{a} %a", f"""
            %t = call {a} @llvm.{_ROUNDINGS[mode]}.{short}({a} %a)
            %r = call {b} @llvm.{operation}.sat.{b}.{short}({a} %t)
            ret {b} %r""")  # fmt: skip
    if target in floating:
        operation = "uitofp" if source.startswith("u") else "sitofp"
        return define(name, b, f"{a} %a", f"%r = {operation} {a} %a to {b}\nret {b} %r")
    return None


_HIGH = {"mulhi.i": (32, "sext"), "mulhi.ui": (32, "zext"), "mulhi.ll": (64, "sext"),
         "mulhi.ull": (64, "zext"), "mulhi.s": (16, "sext"), "mulhi.us": (16, "zext")}  # fmt: skip


def _integers(name: str, plain: str) -> str | None:
    if plain in _HIGH:
        bits, extend = _HIGH[plain]
        t, wide = f"i{bits}", f"i{2 * bits}"
        return define(name, t, f"{t} %a, {t} %b", f"""
            %x = {extend} {t} %a to {wide}
            %y = {extend} {t} %b to {wide}
            %m = mul {wide} %x, %y
            %h = lshr {wide} %m, {bits}
            %r = trunc {wide} %h to {t}
            ret {t} %r""")  # fmt: skip
    if plain in ("sad.i", "sad.ui"):
        predicate = "sgt" if plain == "sad.i" else "ugt"
        return define(name, "i32", "i32 %a, i32 %b, i32 %c", f"""
            %g = icmp {predicate} i32 %a, %b
            %p = sub i32 %a, %b
            %n = sub i32 %b, %a
            %d = select i1 %g, i32 %p, i32 %n
            %r = add i32 %d, %c
            ret i32 %r""")  # fmt: skip
    if plain == "prmt":
        return _permute(name)
    return None


def _permute(name: str) -> str:
    """Byte permute: four nibbles of the selector; bit 3 of a nibble spreads the byte's sign."""
    lines = [
        "%lo = zext i32 %a to i64", "%hi = zext i32 %b to i64", "%hs = shl i64 %hi, 32",
        "%all = or i64 %lo, %hs",
    ]  # fmt: skip
    total = "0"
    for k in range(4):
        lines += [
            f"%n{k} = lshr i32 %s, {4 * k}", f"%i{k} = and i32 %n{k}, 7",
            f"%t{k} = shl i32 %i{k}, 3", f"%w{k} = zext i32 %t{k} to i64",
            f"%q{k} = lshr i64 %all, %w{k}", f"%b{k} = trunc i64 %q{k} to i8",
            f"%g{k} = ashr i8 %b{k}, 7", f"%m{k} = and i32 %n{k}, 8",
            f"%c{k} = icmp ne i32 %m{k}, 0", f"%v{k} = select i1 %c{k}, i8 %g{k}, i8 %b{k}",
            f"%z{k} = zext i8 %v{k} to i32", f"%p{k} = shl i32 %z{k}, {8 * k}",
            f"%o{k} = or i32 {total}, %p{k}",
        ]  # fmt: skip
        total = f"%o{k}"
    return define(name, "i32", "i32 %a, i32 %b, i32 %s", "\n".join([*lines, f"ret i32 {total}"]))


def _special(name: str, plain: str) -> str | None:
    if plain == "lohi.i2d":
        return define(name, "double", "i32 %l, i32 %h", """
            %a = zext i32 %l to i64
            %b = zext i32 %h to i64
            %c = shl i64 %b, 32
            %d = or i64 %a, %c
            %r = bitcast i64 %d to double
            ret double %r""")  # fmt: skip
    if plain in ("d2i.lo", "d2i.hi"):
        shift = 32 if plain == "d2i.hi" else 0
        return define(name, "i32", "double %a", f"""
            %b = bitcast double %a to i64
            %c = lshr i64 %b, {shift}
            %r = trunc i64 %c to i32
            ret i32 %r""")  # fmt: skip
    if plain == "f2h.rn":
        return define(name, "i16", "float %a", """
            %h = fptrunc float %a to half
            %r = bitcast half %h to i16
            ret i16 %r""")  # fmt: skip
    bits = {"f2i": ("float", "i32"), "i2f": ("i32", "float"), "ll2d": ("i64", "double"),
            "d2ll": ("double", "i64")}  # fmt: skip
    if plain.startswith("bitcast.") and plain[8:] in bits:
        a, b = bits[plain[8:]]
        return define(name, b, f"{a} %a", f"%r = bitcast {a} %a to {b}\nret {b} %r")
    return None
