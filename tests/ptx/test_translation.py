"""What the translation makes of functions, addresses and places."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drano.frontend.text.kernel_parameters import parameter_names
from drano.model.access import Access
from drano.model.judgement import Space, Verdict
from drano.model.report import FileReport, FileStatus
from drano.model.settings import AnalysisOptions, Config, View
from drano.ptx import PtxError, translate
from drano.ptx.divisions import divisions, divisor_of
from drano.ptx.parser import parse
from drano.ptx.pointers import NUMBER, Pointers
from drano.ptx.writer import instructions
from drano.run.driver import check_unit

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n"
REGISTERS = ".reg .pred %p<9>; .reg .b32 %r<19>; .reg .b64 %d<19>; .reg .f32 %f<9>;\n"


def kernel(body: str, parameters: str = ".param .u64 a, .param .u64 b", before: str = "") -> str:
    return f"{HEAD}{before}.visible .entry k({parameters}) {{\n{REGISTERS}{body}\nret;\n}}\n"


def written(body: str, parameters: str = ".param .u64 a, .param .u64 b", before: str = "") -> str:
    ir = translate(kernel(body, parameters, before), "/x/k.ptx")
    start = ir.index("@k(")
    return ir[start : ir.index("\n}", start)]


def report_of(text: str, folder: Path, view: View = View.COMPILED) -> FileReport:
    path = folder / "k.ptx"
    path.write_text(text)
    report = check_unit(str(path), Config(analysis=AnalysisOptions(view=view)))
    assert report.status is FileStatus.OK, report.diagnostics
    return report


# --- addresses -------------------------------------------------------------------------------


def spaces(body: str, parameters: str) -> dict[str, int]:
    module = parse(kernel(body, parameters, ".shared .b8 tile[64];\n.global .b8 table[64];\n"))
    (function,) = module.functions
    found = Pointers(function.variables, {"tile": 3, "table": 1})
    found.find(instructions(function.body or ()), lambda line: None)
    return {name: found.of(name) for name in found.known}


@pytest.mark.parametrize(
    ("body", "register", "space"),
    [
        ("cvta.to.global.u64 %d1, %d2; add.s64 %d3, %d4, %d1;", "%d3", 1),
        ("mov.u64 %d1, table;", "%d1", 1),
        ("mov.u32 %r1, tile; add.s32 %r2, %r1, 4;", "%r2", 3),
        ("mov.u32 %r1, tile; cvt.u64.u32 %d1, %r1; cvta.shared.u64 %d2, %d1;", "%d1", 3),
        ("mov.u32 %r1, tile; cvt.u64.u32 %d1, %r1; cvta.shared.u64 %d2, %d1;", "%d2", 0),
        # A parameter is an address where an access is made through it, or where it says so.
        ("ld.param.u64 %d1, [a]; ld.u32 %r1, [%d1];", "%d1", 0),
        ("ld.param.u64 %d1, [a]; add.s64 %d2, %d1, 1;", "%d1", NUMBER),
        ("ld.param.u64 %d1, [c]; add.s64 %d2, %d1, 1;", "%d2", 0),
        # Of two candidates the one of which more is known; else none.
        ("ld.param.u64 %d1, [a]; ld.param.u64 %d2, [c]; add.s64 %d3, %d1, %d2; ld.u32 %r1, [%d3];",
         "%d1", NUMBER),
        ("ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; add.s64 %d3, %d1, %d2; ld.u32 %r1, [%d3];",
         "%d3", NUMBER),
        ("mov.u64 %d1, table; mov.u64 %d2, table; sub.s64 %d3, %d1, %d2;", "%d3", NUMBER),
        ("mov.u64 %d1, table; and.b64 %d1, %d1, -16;", "%d1", NUMBER),
        ("mov.u64 %d1, table; L: add.s64 %d1, %d1, 4; ld.u8 %r1, [%d1]; bra L;", "%d1", 1),
        ("ld.global.u64 %d1, [table]; ld.f32 %f1, [%d1];", "%d1", 0),
    ],
)  # fmt: skip
def test_registers_that_hold_addresses(body: str, register: str, space: int) -> None:
    found = spaces(body, ".param .u64 a, .param .u64 b, .param .u64 .ptr c")
    assert found[register] == space


def test_parameters_are_pointers_numbers_or_passed_by_value() -> None:
    text = written(
        "ld.param.u64 %d1, [a]; ld.global.u32 %r1, [%d1]; ld.param.u32 %r2, [s+4];"
        "mov.u64 %d2, s; ld.param.u32 %r3, [%d2+8];",
        ".param .u64 a, .param .u64 n, .param .align 4 .b8 s[12]",
    )
    assert text.startswith("@k(ptr %a, i64 %n, ptr byval([12 x i8]) align 4 %s)")


def test_one_instruction_is_one_access() -> None:
    text = written("ld.param.u64 %d1, [a]; ld.global.nc.v4.f32 {%f1, %f2, _, %f3}, [%d1+16];")
    assert len(re.findall(r"load <4 x float>, ptr addrspace\(1\) .*, align 16, !inv", text)) == 1


def test_a_predicate_is_a_branch() -> None:
    text = written("ld.param.u64 %d1, [a]; @!%p1 st.global.u32 [%d1], %r1;")
    assert re.search(r"xor i1 .*\n  br i1 .*\nb\d+:\n(.*\n)*.*store i32 .*\n  br label", text)


def test_back_edges_are_not_unrolled() -> None:
    text = written("L: add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 9; @%p1 bra L;")
    assert len(re.findall("llvm.loop", text)) == 1


def test_unknown_functions_are_unknown_accesses(tmp_path: Path) -> None:
    text = kernel(
        "ld.param.u64 %d1, [a];\n{ .param .b64 x; st.param.b64 [x], %d1; .param .b32 y;\n"
        "P: .callprototype (.param .b32 _) _ (.param .b64 _);\ncall (y), %d1, (x), P;\n"
        "call outside, (x); }",
        before=".extern .func outside (.param .b64 p);\n",
    )
    found = {a.location.span.line: a.judgement.reason for a in report_of(text, tmp_path).accesses}
    first = text.split("call (y)")[0].count("\n") + 1
    assert found == {
        first: "a call through a pointer",
        first + 1: "the code of `outside` is not here",
    }


def test_local_arrays_are_local(tmp_path: Path) -> None:
    text = kernel(
        ".local .align 8 .b8 own[64];\nmov.u64 %d1, own; cvta.local.u64 %d2, %d1;\n"
        "mov.u32 %r1, %tid.x; mul.wide.u32 %d3, %r1, 4; add.s64 %d4, %d2, %d3;\n"
        "st.volatile.u32 [%d4], %r1;"
    )
    (access,) = report_of(text, tmp_path).accesses
    assert access.judgement.space is Space.LOCAL


# --- divisions -------------------------------------------------------------------------------


def test_divisors_are_exact() -> None:
    """All multipliers of all shifts, for every number of 6 bits."""
    bits, found = 6, 0
    for shift in range(bits - 1):
        for multiplier in range(2, 1 << (bits + 1)):
            for free in (0, 2):
                divisor = divisor_of(multiplier, bits, shift, signed=False, free=free)
                if divisor:
                    found += 1
                    for x in range(1 << (bits - free)):
                        assert x * multiplier >> (bits + shift) == x // divisor
            divisor = divisor_of(multiplier, bits, shift, signed=True)
            if divisor and multiplier < 1 << bits:
                found += 1
                for x in range(-(1 << (bits - 1)), 1 << (bits - 1)):
                    assert (x * multiplier >> (bits + shift)) + (x < 0) == int(x / divisor)
    assert found > 300


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("mul.hi.u32 %r2, %r1, 0xAAAAAAAB; shr.u32 %r3, %r2, 1;", 1),
        ("mul.wide.u32 %d1, %r1, 0xAAAAAAAB; shr.u64 %d2, %d1, 33; cvt.u32.u64 %r3, %d2;", 1),
        ("mul.hi.u32 %r2, %r1, 0xAAAAAAAA; shr.u32 %r3, %r2, 1;", 0),  # off by one
        ("mul.hi.u32 %r2, %r1, 0xAAAAAAAB; @%p1 shr.u32 %r3, %r2, 1;", 0),
        ("mul.hi.u32 %r2, %r1, 0xAAAAAAAB; L: shr.u32 %r3, %r2, 1;", 0),  # another block
        ("mul.hi.u32 %r2, %r4, 0xAAAAAAAB; mov.u32 %r4, %r1; shr.u32 %r3, %r2, 1;", 0),
        ("L: shr.u32 %r3, %r2, 1; mul.hi.u32 %r2, %r1, 0xAAAAAAAB; bra L;", 0),  # of before
        ("mul.hi.u32 %r2, %r1, 0xAAAAAAAB; mov.u32 %r2, 5; shr.u32 %r3, %r2, 1;", 0),
        ("shr.u32 %r5, %r1, 2; mul.hi.u32 %r2, %r5, 613566757;", 1),  # 30 bits
        ("mul.hi.u32 %r2, %r1, 613566757;", 0),
    ],
)
def test_divisions_by_constants(body: str, count: int) -> None:
    (function,) = parse(kernel(f"mov.u32 %r1, %tid.x; {body}")).functions
    assert len(divisions(function.body or ())) == count


# --- places ----------------------------------------------------------------------------------

PLACES = """.file 1 "/src/a.cu"
.file 2 "/src/h.cuh"
.section .debug_str { $str: .b8 95,90,51,103,101,116,80,102,0 }
"""


def place_of(body: str, folder: Path, comment: str = "") -> Access:
    text = comment + kernel(
        f"ld.param.u64 %d1, [a]; mov.u32 %r1, %tid.x;\n{body}\nst.global.u32 [%d1], %r1;"
    )
    (access,) = report_of(text + PLACES, folder).accesses
    return access


def test_inlined_code_has_its_calls(tmp_path: Path) -> None:
    access = place_of(".loc 1 30 3\n.loc 2 7 5, function_name $str, inlined_at 1 30 3", tmp_path)
    span = access.location.span
    assert (span.path, span.line, access.location.function) == ("/src/h.cuh", 7, "get")
    assert [(f.span.path, f.span.line, f.function) for f in access.location.inlined_at] == [
        ("/src/a.cu", 30, "k")
    ]


@pytest.mark.parametrize(
    ("producer", "column"), [("", 0), ("// Generated by LLVM NVPTX Back-End\n", 3)]
)
def test_columns_are_those_of_llvm(producer: str, column: int, tmp_path: Path) -> None:
    assert place_of(".loc 1 30 3", tmp_path, producer).location.span.column == column


@pytest.mark.parametrize("loc", ["", ".loc 1 0 0"])
def test_without_a_line_of_the_source_it_is_one_of_the_ptx(loc: str, tmp_path: Path) -> None:
    span = place_of(loc, tmp_path).location.span
    assert (Path(span.path).name, span.line) == ("k.ptx", 8)


def test_an_unset_register_is_some_number() -> None:
    assert "freeze i32 poison" in written("st.global.u32 [%d1], %r1;")
    assert "freeze" not in written("mov.u32 %r1, 1; mov.u64 %d1, 8; st.global.u32 [%d1], %r1;")
    assert "freeze i32 poison" in written("@%p1 mov.u32 %r1, 1; mov.u64 %d1, 8; st.u32 [%d1], %r1;")


def test_written_and_compiled_views(tmp_path: Path) -> None:
    """A load whose value nobody needs is what PTX says, but not what is executed."""
    text = kernel("ld.param.u64 %d1, [a]; ld.global.u32 %r1, [%d1];")
    assert [a.judgement.verdict for a in report_of(text, tmp_path, View.WRITTEN).accesses] == [
        Verdict.COALESCED
    ]
    assert report_of(text, tmp_path, View.COMPILED).accesses == ()


# --- names of parameters ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("__global__ void k(const float *a, int n) {}", ("a", "n")),
        ("template <class T>\n__global__ void k(T *a, map<int, T> m /* , c */) {}", ("a", "m")),
        ("__global__ void k(float (*f)[4], int n) {}", None),
        ("__global__ void k(float, int n) {}", ("float", "n")),
        ("__global__ void k(int n, int n) {}", None),
        ("__global__ void k(int n) {}", None),
        ("#define K k(\nvoid f() { k(1, 2, 3); }", None),
        ("k(", None),
    ],
)
def test_parameters_have_the_names_of_the_source(text: str, names: tuple[str, ...] | None) -> None:
    assert parameter_names(text.encode(), "k", 1, 2) == names


def test_the_nearest_definition_counts() -> None:
    text = b"__global__ void k(int a);\n" + b"\n" * 40 + b"__global__ void k(int b) {}\n"
    assert parameter_names(text, "k", 42, 1) == ("b",)
    assert parameter_names(text, "k", 1, 1) == ("a",)
    assert parameter_names(text, "k", 999, 1) is None


def test_registers_of_vectors_are_an_error_with_a_line() -> None:
    body = ".visible .entry k() {\n.reg .v4 .b32 v;\nadd.v4.b32 v, v, v;\nret;\n}\n"
    with pytest.raises(PtxError, match="vectors are not read"):
        translate(f".version 9.0\n.target sm_90\n.address_size 64\n{body}", "k.ptx")


def test_the_zeros_behind_what_is_given_take_no_memory() -> None:
    variables = "".join(f".global .u64 x{k}[4000000] = {{1}};\n" for k in range(50))
    text = translate(f".version 9.0\n.target sm_90\n.address_size 64\n{variables}", "k.ptx")
    assert len(text) < 1 << 16


COPY = """ld.param.u64 %d1, [a];
ld.param.u32 %r4, [n];
cvta.to.global.u64 %d2, %d1;
mov.u32 %r1, %tid.x;
mul.wide.u32 %d3, %r1, 16;
add.s64 %d4, %d2, %d3;
mov.u32 %r2, tile;
shl.b32 %r5, %r1, 4;
add.s32 %r3, %r2, %r5;
setp.lt.u32 %p1, %r1, %r4;
selp.b32 %r6, 16, 0, %p1;
not.pred %p2, %p1;
"""


@pytest.mark.parametrize(
    ("size", "verdicts", "lanes"),
    [
        ("%r6", [Verdict.COALESCED], "lanes within bounds"),
        ("%p2", [Verdict.COALESCED], "lanes within bounds"),
        ("16", [Verdict.COALESCED], "all lanes"),
        ("0", [], ""),
        ("%r4", [Verdict.UNKNOWN], "unknown"),
    ],
)
def test_copies_of_as_many_bytes_as_an_operand_says(
    tmp_path: Path, size: str, verdicts: list[Verdict], lanes: str
) -> None:
    """What reads all or nothing is an access of those lanes that read."""
    body = f"{COPY}cp.async.cg.shared.global [%r3], [%d4], 16, {size};"
    before = ".shared .align 16 .b8 tile[16384];\n"
    report = report_of(kernel(body, ".param .u64 a, .param .u32 n", before), tmp_path)
    reads = [a for a in report.accesses if a.judgement.space is Space.GLOBAL]
    assert sorted(a.judgement.verdict for a in reads) == verdicts
    assert not reads or lanes in {str(a.judgement.active) for a in reads}
    stores = [a for a in report.accesses if a.judgement.space is Space.SHARED]
    assert stores
    assert all(a.bytes == 16 for a in stores)
