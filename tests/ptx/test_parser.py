"""The grammar: what is read, and the line and reason of what is not."""

from __future__ import annotations

import time

import pytest

from drano.ptx.model import (
    Address,
    Float,
    Instruction,
    Int,
    Label,
    Name,
    Not,
    Pair,
    PtxError,
    Reference,
    Sum,
    Vector,
)
from drano.ptx.parser import parse

HEAD = ".version 9.0\n.target sm_90, debug\n.address_size 64\n"


def instructions(body: str) -> list[Instruction]:
    module = parse(f"{HEAD}.entry k() {{\n.reg .b32 %r<9>;\n{body}\n}}")
    return [s for s in module.functions[0].body or () if isinstance(s, Instruction)]


@pytest.mark.parametrize(
    ("text", "operands"),
    [
        ("x %r1, -4;", (Name("%r1"), Int(-4))),
        ("x 0x1F, 017, 0b101, 12U;", (Int(31), Int(15), Int(5), Int(12))),
        ("x (4+4)*2, ~0;", (Int(16), Int(-1))),
        ("x 0f3F800000, 0dBFF0000000000000;", (Float(0x3F800000, 32), Float(0xBFF << 52, 64))),
        ("x -0f3F800000, 1.5;", (Float(0xBF800000, 32), Float(0x3FF8 << 48, 64))),
        ("x [%r1+-8], [12];", (Address(Name("%r1"), -8), Address(Int(12)))),
        ("x {%r1, _}, !%r2;", (Vector((Name("%r1"), Name("_"))), Not(Name("%r2")))),
        ("x %r1|%r2, table+16;", (Pair(Name("%r1"), Name("%r2")), Sum("table", 16))),
        ("x [%r1, {%r2, %r3}];", (Address(Name("%r1"), 0, (Vector((Name("%r2"), Name("%r3"))),)),)),
        ("x;", ()),
    ],
)  # fmt: skip
def test_operands(text: str, operands: tuple[object, ...]) -> None:
    assert instructions(text)[0].operands == operands


def test_names_guards_and_lines() -> None:
    found = instructions("@!%r1 ld.global.L1::no_allocate.v2.f32 {%r1, %r2},\n [%r3];\n\n  ret;")
    assert found[0].name == "ld.global.L1::no_allocate.v2.f32"
    assert found[0].modifiers == ("global", "L1::no_allocate", "v2", "f32")
    assert found[0].guard == Not(Name("%r1"))
    assert [i.line for i in found] == [6, 9]


def test_blocks_have_names_of_their_own() -> None:
    module = parse(
        f"{HEAD}.entry k() {{ .reg .b32 a, %r<2>; x a, %r1; {{ .reg .b32 a; L: x a, %r1; bra L; }}"
        " { L: bra L; } x a; }"
    )
    uses = [s.operands for s in module.functions[0].body or () if isinstance(s, Instruction)]
    outer, inner = uses[0][0], uses[1][0]
    assert outer == Name("a") == uses[4][0] and inner != outer
    assert uses[0][1] == uses[1][1] == Name("%r1")
    labels = [s.name for s in module.functions[0].body or () if isinstance(s, Label)]
    assert len(set(labels)) == 2
    assert [uses[2][0], uses[3][0]] == [Name(label) for label in labels]


def test_declarations() -> None:
    module = parse(
        HEAD + ".extern .shared .align 16 .b8 dynamic[];\n"
        ".const .align 8 .f64 coefs[2] = {0d3FF0000000000000, -1.0};\n"
        ".global .u64 ptrs[] = {generic(coefs), k, 7};\n.global .attribute(.managed) .u32 m = 3;\n"
        ".visible .entry k(.param .u64 .ptr .global .align 8 p, .param .align 4 .b8 s[12])\n"
        ".reqntid 32, 4\n.minnctapersm 2 { ret; }\n.alias other, k;\n"
    )
    variables = {v.name: v for v in module.variables}
    assert (variables["dynamic"].external, variables["dynamic"].count) == (True, 0)
    assert variables["coefs"].initial == (0x3FF << 52, 0xBFF << 52)
    assert variables["ptrs"].initial == (Reference("coefs", 0, True), Reference("k"), 7)
    assert variables["ptrs"].count == 3
    (kernel,) = module.functions
    assert (kernel.kernel, kernel.shapes["reqntid"]) == (True, (32, 4))
    assert [(p.name, p.pointer, p.count) for p in kernel.parameters] == [
        ("p", True, None), ("s", False, 12),
    ]  # fmt: skip
    assert module.aliases == {"other": "k"}


def test_places_with_the_calls_that_were_inlined() -> None:
    module = parse(
        HEAD + '.file 1 "a.cu", 123, 456\n.file 2 "/usr" "h.cuh"\n.entry k() {\n.loc 1 5 2\n'
        ".loc 2 7 3, function_name $str, inlined_at 1 5 2\nx;\n"
        ".loc 2 9 1, function_name $str+4, inlined_at 2 7 3\ny; ret;\n}\n"
        ".section .debug_str { $str: .b8 102,111,111,0\n.b8 98,0 }\n"
    )
    assert module.files == {1: "a.cu", 2: "/usr/h.cuh"}
    assert module.strings == {"$str": b"foo\0b\0"}
    deepest = instructions_of(module)[1].place
    lines = []
    while deepest is not None:
        lines.append((deepest.file, deepest.line, deepest.function))
        deepest = deepest.inlined_at
    assert lines == [(2, 9, ("$str", 4)), (2, 7, ("$str", 0)), (1, 5, ("", 0))]


def instructions_of(module: object) -> list[Instruction]:
    body = module.functions[0].body  # type: ignore[attr-defined]
    return [s for s in body if isinstance(s, Instruction)]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "no .version"),
        ("hello", 1, "does not begin with .version"),
        ("\n\n\x01", 3, "unexpected"),
        (".version x", 1, "no number"),
        (".version 9.0\n.address_size 32", 2, "32-bit addresses"),
        (HEAD + ".frob x;", 4, "unknown directive '.frob'"),
        (HEAD + ".entry k(", 4, "expected a state space, found the end"),
        (HEAD + ".entry k() {\nx", 5, "found the end of the file"),
        (HEAD + ".entry k() {\nld.u32 ;;\n", 6, "expected"),
        (HEAD + ".entry k() {\nL:\nL:\n}", 6, "declared twice"),
        (HEAD + ".entry k() {}\n.entry k() {}", 5, "defined twice"),
        (HEAD + ".global .u33 x;", 4, "unknown type '.u33'"),
        (HEAD + ".global .align 3 .u32 x;", 4, "alignment of 3"),
        (HEAD + ".global .u32 x[99999999999999];", 4, "an array of"),
        (HEAD + ".global .u32 x = " + "(" * 1000, 4, "too deeply nested"),
        (HEAD + ".entry k() {" + "{" * 1000, 4, "too deeply nested"),
        (HEAD + ".entry k() { x " + "{" * 1000, 4, "too deeply nested"),
        (HEAD + ".entry k() { x " + "r," * 1000 + "r; }", 4, "operands"),
        (HEAD + ".entry k() { x [[[[[[[[[a]", 4, "too deeply nested"),
        (HEAD + ".entry k() { x !!!!a;", 4, "expected a predicate"),
        (HEAD + ".loc 1", 4, "expected a number"),
        (HEAD + ".section .debug_str { a: .b8 1", 4, "the end of the file"),
    ],
)
def test_what_is_no_ptx_is_refused_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(PtxError) as raised:
        parse(text)
    assert raised.value.line == line
    assert reason in raised.value.reason


def test_time_is_limited() -> None:
    text = HEAD + ".entry k() {\n" + "add.u32 a, b, c;\n" * 100_000
    with pytest.raises(PtxError, match="longer than"):
        parse(text, time.monotonic() - 1)
