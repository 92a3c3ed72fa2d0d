"""What is read out of PTX and of nvdisasm's output: requests by function and line."""

from __future__ import annotations

from collections import Counter

import pytest

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
        ("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1}, [%rd1], %r2;", ("load", 0)),
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
