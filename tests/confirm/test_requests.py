"""What is read out of PTX and of nvdisasm's output: requests by function and line."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drano.confirm.ptx_requests import has_lines, is_unoptimised, ptx_functions
from drano.confirm.sass_requests import sass_functions

HEAD = ".version 8.4\n.target sm_90\n.address_size 64\n"
TAIL = """
	.file	1 "/src/a.cu"
	.file	2 "/src/a.cuh"
	.file	3 "/usr/local/cuda/include/sm_32_intrinsics.hpp"
"""


def body(*lines: str, name: str = "k") -> str:
    inner = "\n".join(f"\t{line}" for line in lines)
    return f".visible .entry {name}(\n\t.param .u64 {name}_param_0\n)\n{{\n{inner}\n\tret;\n}}\n"


@pytest.mark.parametrize(
    ("instruction", "request_"),
    [
        ("ld.global.f32 %f1, [%rd1];", ("load", 4)),
        ("@%p1 ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+16];", ("load", 16)),
        ("ld.global.nc.L1::no_allocate.L2::128B.v2.u64 {%rd1, %rd2}, [%rd3];", ("load", 16)),
        ("ld.u8 %rs1, [%rd1];", ("load", 1)),
        ("st.global.v2.b16 [%rd1], {%rs1, %rs2};", ("store", 4)),
        ("atom.global.add.noftz.f16x2 %r1, [%rd1], %r2;", ("atomic", 4)),
        ("red.global.add.u64 [%rd1], %rd2;", ("atomic", 8)),
        ("cp.async.cg.shared.global [%r1], [%rd1], 16;", ("load", 16)),
        ("cp.async.ca.shared.global.L2::128B [%r1], [%rd1], 8, %r2;", ("load", 8)),
        ("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 64, "
         "[%r2];", ("load", 0)),
        ("wmma.load.a.sync.aligned.row.m8n8k32.global.s4 {%r1}, [%rd1], %r2;", ("load", 0)),
        ("wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64 {%e1}, {%e2}, {%e3}, {%e4};", None),
        ("ld.shared.f32 %f1, [%r1];", None),
        ("st.local.u32 [%rd1], %r1;", None),
        ("ld.param.u64 %rd1, [k_param_0];", None),
        ("cp.async.commit_group;", None),
        ("prefetch.global.L2 [%rd1];", None),
    ],
)  # fmt: skip
def test_ptx_instructions(instruction: str, request_: tuple[str, int] | None) -> None:
    (found,) = ptx_functions(HEAD + body(".loc 1 7 3", instruction) + TAIL)
    expected = {} if request_ is None else {("/src/a.cu", 7): Counter([request_])}
    assert found.requests == expected


def test_fragments_are_what_lanes_ask_for() -> None:
    text = body(
        ".loc 1 7 3",
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1}, [%rd1], %r2;",
        ".loc 1 8 3",
        "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], {%f1}, %r2;",
        "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1}, [%rd1], %r2;",
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r5];",
    )
    (found,) = ptx_functions(HEAD + text + TAIL)
    stores = Counter({("store", 8): 4})
    assert found.requests == {
        ("/src/a.cu", 7): Counter({("load", 4): 4}), ("/src/a.cu", 8): stores
    }  # fmt: skip
    (found,) = ptx_functions(HEAD + text + TAIL, shared=True)
    rows = Counter({("load", 4): 4, ("load", 16): 1})
    assert found.requests["/src/a.cu", 8] == stores + rows


def test_ptx_of_inline_assembly() -> None:
    """Several instructions on a line, and predicates that the author has named."""
    text = body(
        ".loc 1 7 3",
        "{.reg .pred p; setp.ne.b32 p, %r1, 0; @p ld.global.u8 %rs1, [%rd1]; "
        "st.global.u32 [%rd2], %r1;}",
        "@!p st.global.v2.u32 [%rd2], {%r1, %r2};",
        "{ red.global.add.f32 [%rd1], %f1; }",
    )  # fmt: skip
    (found,) = ptx_functions(HEAD + text + TAIL)
    asked = [("load", 1), ("store", 4), ("store", 8), ("atomic", 4)]
    assert found.requests == {("/src/a.cu", 7): Counter(asked)}


def test_shared_memory_is_asked_for() -> None:
    text = HEAD + body(".loc 1 7 3", "ld.shared.v2.f32 {%f1, %f2}, [%r1];") + TAIL
    (found,) = ptx_functions(text, shared=True)
    assert found.requests == {("/src/a.cu", 7): Counter({("load", 8): 1})}


def test_ptx_places_are_of_the_user() -> None:
    """Of inlined code its own line, of code in the SDK's headers the line that calls it."""
    text = body(
        ".loc	1 5 3",
        ".loc	2 9 2, function_name $L__info_string0, inlined_at 1 5 3",
        "ld.global.f32 %f1, [%rd1];",
        ".loc	3 80 2, function_name $L__info_string1, inlined_at 1 6 3",
        "ld.global.nc.f32 %f2, [%rd2];",
    )
    (found,) = ptx_functions(HEAD + text + TAIL)
    assert set(found.requests) == {("/src/a.cuh", 9), ("/src/a.cu", 6)}
    assert found.whole


def test_a_statement_begins_where_the_compiler_says() -> None:
    (found,) = ptx_functions(HEAD + body(".loc 1 3 1", ".loc 1 7 1") + TAIL)
    places = [found.statement(("/src/a.cu", line)) for line in (2, 3, 5, 9)]
    assert [line for _, line in places] == [2, 3, 3, 7]
    assert found.statement(("/src/other.cu", 5)) == ("/src/other.cu", 5)


@pytest.mark.parametrize(
    ("call", "whole"),
    [
        ("call.uni (retval0), vprintf, (param0, param1);", True),
        ("call.uni (retval0), \n\tdevice, \n\t(\n\tparam0\n\t);", False),
        ("call %rd4, (param0), prototype_0;", False),
    ],
)
def test_calls_of_code_that_is_there(call: str, whole: bool) -> None:
    device = ".func  (.param .b32 func_retval0) device(\n.param .b64 p\n)\n{\n.loc 1 2 1\nret;\n}\n"
    extern = ".extern .func  (.param .b32 func_retval0) vprintf\n(\n.param .b64 a\n)\n;\n"
    found = ptx_functions(HEAD + extern + device + body(".loc 1 7 3", call) + TAIL)
    assert {code.symbol: code.whole for code in found} == {"device": True, "k": whole}


def test_kinds_of_ptx() -> None:
    assert has_lines(HEAD + body(".loc 1 7 3") + TAIL)
    assert not has_lines(HEAD + body())
    assert is_unoptimised(HEAD.replace("sm_90", "sm_90, debug"))
    assert not is_unoptimised(HEAD)


SASS = """\
	.section	.text.k,"ax",@progbits
        .global         k
.text.k:
	//## File "/src/a.cu", line 4
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/              @!P0 LDG.E.128.CONSTANT R4, desc[UR4][R2.64] ;
	//## File "/src/a.cuh", line 14 inlined at "/src/a.cu", line 18
	//## File "/src/a.cu", line 18
        /*0020*/                   LDG.E.U16 R0, desc[UR4][R2.64+0x4] ;
        /*0030*/                   LDS.64 R0, [R2] ;
	//## File "/usr/local/cuda/include/a.hpp", line 2 inlined at "/src/a.cu", line 20
	//## File "/src/a.cu", line 20
        /*0040*/                   REDG.E.ADD.64.STRONG.GPU desc[UR6][R6.64], R10 ;
        /*0050*/                   CALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_s64) ;
        /*0060*/                   STG.E desc[UR4][R4.64], R13 ;
        /*0070*/                   LDGSTS.E.BYPASS.128 [R3], desc[UR4][R4.64] ;
	.section	.text.other,"ax",@progbits
.text.other:
	//## File "/src/a.cu", line 30
        /*0000*/                   CALL.REL.NOINC `($other$_Z1fPf) ;
        /*0010*/                   UBLKCP [UR8], [UR4], UR6 ;
"""


def test_sass() -> None:
    first, second = sass_functions(SASS)
    assert first.requests == {
        ("/src/a.cu", 4): Counter({("load", 16): 1}),
        ("/src/a.cuh", 14): Counter({("load", 2): 1}),
        ("/src/a.cu", 20): Counter({("atomic", 8): 1, ("store", 4): 1, ("load", 16): 1}),
    }
    assert (first.symbol, first.whole) == ("k", True)
    assert (second.symbol, second.whole) == ("other", False)
    assert second.requests == {("/src/a.cu", 30): Counter({("load", 0): 1})}


@pytest.mark.parametrize(
    ("instruction", "request_"),
    [
        ("LDG.E.ENL2.256 R12, R8, desc[UR4][R2.64]", ("load", 32)),
        ("LDG.E.U8.CONSTANT R3, desc[UR4][R2.64]", ("load", 1)),
        ("LD.E R3, desc[UR4][R2.64]", ("load", 4)),
        ("REDG.E.ADD.F64.RN.STRONG.GPU desc[UR4][R2.64], R4", ("atomic", 8)),
        ("ATOMG.E.MIN.S64.STRONG.GPU PT, R2, desc[UR4][R2.64], R4", ("atomic", 8)),
        ("REDG.E.ADD.F32x4.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R4", ("atomic", 16)),
        ("REDG.E.ADD.BF16x4.RN.STRONG.GPU desc[UR4][R2.64], R6", ("atomic", 8)),
        ("RED.E.ADD.F16x2.RN.STRONG.GPU desc[UR4][R2.64], R7", ("atomic", 4)),
        ("@!UP0 STG.E.128 desc[UR4][R2.64], R4", ("store", 16)),
        ("CCTL.E.PF2 [R2]", None),
        ("STL.64 [R1], R2", None),
    ],
)
def test_sass_instructions(instruction: str, request_: tuple[str, int] | None) -> None:
    text = printed([("k", [(("/src/a.cu", 7), instruction)])])
    (found,) = sass_functions(text)
    expected = {} if request_ is None else {("/src/a.cu", 7): Counter([request_])}
    assert found.requests == expected


def printed(functions: list[tuple[str, list[tuple[tuple[str, int], str]]]]) -> str:
    """As nvdisasm prints instructions of places, each place where it changes."""
    lines, last = [], None
    for name, body in functions:
        lines += [f'\t.section\t.text.{name},"ax",@progbits', f".text.{name}:"]
        for number, (place, instruction) in enumerate(body):
            if place != last:
                lines.append(f'\t//## File "{place[0]}", line {place[1]}')
            last = place
            lines.append(f"        /*{16 * number:04x}*/                   {instruction} ;")
    return "\n".join(lines) + "\n"


PLACES = st.tuples(st.sampled_from(["/src/a.cu", "/src/a.cuh"]), st.integers(1, 4))
INSTRUCTIONS = {
    "LDG.E.64 R2, desc[UR4][R2.64]": ("load", 8),
    "@P1 LDG.E.U16 R2, desc[UR4][R2.64]": ("load", 2),
    "STG.E desc[UR4][R2.64], R4": ("store", 4),
    "REDG.E.ADD.F64.RN desc[UR4][R2.64], R4": ("atomic", 8),
    "LDS.128 R4, [R2]": None,
}


@given(
    st.lists(
        st.lists(st.tuples(PLACES, st.sampled_from(sorted(INSTRUCTIONS))), max_size=6), max_size=4
    )
)
def test_no_request_of_machine_code_is_lost(
    bodies: list[list[tuple[tuple[str, int], str]]],
) -> None:
    """Each is of its own function, and of its line, or of none where nothing names it."""
    functions = [(f"k{number}", body) for number, body in enumerate(bodies)]
    found = {code.symbol: code for code in sass_functions(printed(functions))}
    last = None
    for name, body in functions:
        known = False
        expected: dict[tuple[str, int], Counter[tuple[str, int]]] = {}
        for place, instruction in body:
            known = known or place != last
            last = place
            if request_ := INSTRUCTIONS[instruction]:
                expected.setdefault(place if known else ("", 0), Counter())[request_] += 1
        if known:
            assert found[name].requests == expected
        else:
            assert name not in found


def test_machine_code_without_lines_says_nothing() -> None:
    bare = [line for line in SASS.splitlines() if "//##" not in line]
    assert sass_functions("\n".join(bare)) == ()
