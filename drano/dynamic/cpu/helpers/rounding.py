"""Arithmetic with directed rounding (``.rz``, ``.rm``, ``.rp``), as IR text.

Means: compute to nearest, and the sign of the error exactly (error-free transformations: TwoSum,
and products and quotients by fused multiply-add); then move by one unit in the last place if the
nearest value is on the wrong side. Single precision is computed in double, whose error counts too.
Limits: the error of a double-precision fma is itself rounded; overflow gives the largest number.
"""

from __future__ import annotations

import re

from drano.dynamic.cpu.helpers.definition import define

_OPERATION = re.compile(r"(add|sub|mul|fma|div|rcp|sqrt)\.(rz|rm|rp)\.(f|d)")
_NARROW = re.compile(r"d2f\.(rz|rm|rp)")
_INTEGER = re.compile(r"(i|ui|ll|ull)2(f|d)\.(rz|rm|rp)")
_ADJUST = re.compile(r"adjust\.(rz|rm|rp)\.(f|d)")
_TYPES = {"f": ("float", "i32", 1 << 31), "d": ("double", "i64", 1 << 63)}


def rounding_helper(name: str, rest: str) -> str | None:
    """The helper for ``llvm.nvvm.REST`` or ``drano.adjust.…``; None when it is none of these."""
    if match := _ADJUST.fullmatch(rest):
        return _adjust(name, *match.groups())
    if match := _OPERATION.fullmatch(rest):
        return _operation(name, *match.groups())
    if match := _NARROW.fullmatch(rest):
        return define(name, "float", "double %a", _narrow("%a", "0.0", match[1]))
    if match := _INTEGER.fullmatch(rest):
        return _integer(name, *match.groups())
    return None


def _adjust(name: str, mode: str, suffix: str) -> str:
    """``%x`` moved one step where it lies ``%above`` or ``%below`` the true value."""
    type_, int_, sign = _TYPES[suffix]
    low = sign - (1 << (sign.bit_length()))  # the sign bit as a signed number
    down = {"rm": "%above", "rp": "false", "rz": "%pd"}[mode]
    up = {"rm": "false", "rp": "%below", "rz": "%nu"}[mode]
    return define(name, type_, f"{type_} %x, i1 %above, i1 %below", f"""
        %bits = bitcast {type_} %x to {int_}
        %zero = fcmp oeq {type_} %x, 0.0
        %pos = fcmp ogt {type_} %x, 0.0
        %neg = fcmp olt {type_} %x, 0.0
        %pd = and i1 %pos, %above
        %nu = and i1 %neg, %below
        %more = add {int_} %bits, 1
        %less = sub {int_} %bits, 1
        %d0 = select i1 %pos, {int_} %less, {int_} %more
        %d = select i1 %zero, {int_} {low + 1}, {int_} %d0
        %u0 = select i1 %pos, {int_} %more, {int_} %less
        %u = select i1 %zero, {int_} 1, {int_} %u0
        %r0 = select i1 {down}, {int_} %d, {int_} %bits
        %r1 = select i1 {up}, {int_} %u, {int_} %r0
        %r = bitcast {int_} %r1 to {type_}
        ret {type_} %r""")  # fmt: skip


def _narrow(high: str, error: str, mode: str) -> str:
    """Lines that round the double ``high + error`` to single precision and return it."""
    return f"""
        %f = fptrunc double {high} to float
        %w = fpext float %f to double
        %gt = fcmp ogt double %w, {high}
        %lt = fcmp olt double %w, {high}
        %eq = fcmp oeq double %w, {high}
        %en = fcmp olt double {error}, 0.0
        %ep = fcmp ogt double {error}, 0.0
        %ea = and i1 %eq, %en
        %eb = and i1 %eq, %ep
        %above = or i1 %gt, %ea
        %below = or i1 %lt, %eb
        %r = call float @drano.adjust.{mode}.f(float %f, i1 %above, i1 %below)
        ret float %r"""


def _finish(mode: str) -> str:
    """Lines that correct the double ``%h`` by the sign of its error ``%e`` and return it."""
    return f"""
        %above = fcmp olt double %e, 0.0
        %below = fcmp ogt double %e, 0.0
        %r = call double @drano.adjust.{mode}.d(double %h, i1 %above, i1 %below)
        ret double %r"""


_TWO_SUM = """
    %h = fadd double %p, %q
    %bb = fsub double %h, %p
    %aa = fsub double %h, %bb
    %db = fsub double %q, %bb
    %da = fsub double %p, %aa
    %e = fadd double %da, %db"""
_QUOTIENT = """
    %h = fdiv double %p, %q
    %nh = fneg double %h
    %rem = call double @llvm.fma.f64(double %nh, double %q, double %p)
    %e = call double @llvm.copysign.f64(double 1.0, double %q)
    %e2 = fmul double %rem, %e"""


def _operation(name: str, operation: str, mode: str, suffix: str) -> str:
    type_ = _TYPES[suffix][0]
    count = {"fma": 3, "rcp": 1, "sqrt": 1}.get(operation, 2)
    letters = "abc"[:count]
    parameters = ", ".join(f"{type_} %{letter}" for letter in letters)
    if suffix == "f":
        wide = "".join(f"%x{letter} = fpext float %{letter} to double\n" for letter in letters)
    else:
        wide = "".join(f"%x{letter} = fadd double %{letter}, -0.0\n" for letter in letters)
    error = "%e"
    match operation:
        case "add":
            body = "%p = fadd double %xa, -0.0\n%q = fadd double %xb, -0.0" + _TWO_SUM
        case "sub":
            body = "%p = fadd double %xa, -0.0\n%q = fneg double %xb" + _TWO_SUM
        case "mul":
            body = """%h = fmul double %xa, %xb
                %nh = fneg double %h
                %e = call double @llvm.fma.f64(double %xa, double %xb, double %nh)"""
        case "fma" if suffix == "f":
            body = "%p = fmul double %xa, %xb\n%q = fadd double %xc, -0.0" + _TWO_SUM
        case "fma":
            body = """%h = call double @llvm.fma.f64(double %xa, double %xb, double %xc)
                %p = fmul double %xa, %xb
                %np = fneg double %p
                %pe = call double @llvm.fma.f64(double %xa, double %xb, double %np)
                %s = fsub double %h, %xc
                %t = fsub double %p, %s
                %e = fadd double %t, %pe"""
        case "div":
            body = "%p = fadd double %xa, -0.0\n%q = fadd double %xb, -0.0" + _QUOTIENT
            error = "%e2"
        case "rcp":
            body = "%p = fadd double 1.0, -0.0\n%q = fadd double %xa, -0.0" + _QUOTIENT
            error = "%e2"
        case _:
            body = """%h = call double @llvm.sqrt.f64(double %xa)
                %nh = fneg double %h
                %e = call double @llvm.fma.f64(double %nh, double %h, double %xa)"""
    end = _narrow("%h", error, mode) if suffix == "f" else _finish(mode).replace("%e,", f"{error},")
    return define(name, type_, parameters, wide + body + end)


def _integer(name: str, source: str, target: str, mode: str) -> str:
    bits = "i64" if source.endswith("ll") else "i32"
    signed = not source.startswith("u")
    to, back = ("sitofp", "fptosi") if signed else ("uitofp", "fptoui")
    body = f"""%h = {to} {bits} %a to double
        %b = call {bits} @llvm.{back}.sat.{bits}.f64(double %h)
        %d = sub {bits} %a, %b
        %e = sitofp {bits} %d to double"""
    if target == "f":
        return define(name, "float", f"{bits} %a", body + _narrow("%h", "%e", mode))
    return define(name, "double", f"{bits} %a", body + _finish(mode))
