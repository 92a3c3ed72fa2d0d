"""Inline PTX that is one instruction: the module holds that instruction in its place."""

from __future__ import annotations

import pytest

from drano.ir.prepare.inline_assembly.inline_ptx import without_inline_ptx
from drano.ir.prepare.passes import prepare

HEAD = 'target triple = "nvptx64-nvidia-cuda"\n'


def kernel(call: str, arguments: str = "") -> str:
    """A module with a kernel that makes ``call``."""
    return (
        f"{HEAD}define ptx_kernel void @k({arguments}) {{\n  {call} #0\n  ret void\n}}\n"
        "attributes #0 = { convergent nounwind }\n"
    )


def replaced(call: str, arguments: str = "ptr %p, i32 %i, float %x, i64 %l") -> str:
    """The body of a kernel that makes ``call``, as LLVM prints it after all passes."""
    body = prepare(kernel(call, arguments), "k.ll", trusted=True).text
    return body[body.index("@k(") : body.index("ret void")]


@pytest.mark.parametrize(
    ("call", "made"),
    [
        ('%r = call i32 asm "mov.u32 $0, %laneid;", "=r"()', "@llvm.nvvm.read.ptx.sreg.laneid()"),
        ('%r = call i64 asm "mov.u64 $0, %globaltimer;", "=l"()', "sreg.globaltimer()"),
        (
            '%r = call float asm sideeffect "shfl.sync.bfly.b32 $0, $1, $2, 0x1f, 0xffffffff;",'
            ' "=f,f,r"(float %x, i32 %i)',
            "@llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %x, i32 %i, i32 31)",
        ),
        ('call void asm sideeffect "bar.sync 0;", ""()', "barrier.cta.sync.aligned.all(i32 0)"),
        (
            'call void asm sideeffect "bar.sync $0, 64;", "r"(i32 %i)',
            "barrier.cta.sync.aligned.count(i32 %i, i32 64)",
        ),
        ('call void asm sideeffect "bar.warp.sync $0;", "r"(i32 -1)', "bar.warp.sync(i32 -1)"),
        (
            'call void asm sideeffect "red.global.add.f32 [$0], $1;", "l,f"(ptr %p, float %x)',
            "atomicrmw fadd ptr addrspace(1)",
        ),
        (
            '%r = call i32 asm sideeffect "atom.global.cas.b32 $0, [$1], $2, $3;",'
            ' "=r,l,r,r"(ptr %p, i32 %i, i32 7)',
            "cmpxchg ptr addrspace(1)",
        ),
        (
            '%r = call float asm sideeffect "ld.global.cg.f32 $0, [$1+8];", "=f,l"(i64 %l)',
            "load volatile float, ptr addrspace(1)",
        ),
        (
            'call void asm sideeffect "st.global.cs.v2.s32 [$0], {$1, $2};", "l,r,r"'
            "(ptr %p, i32 %i, i32 %i)",
            "store volatile <2 x i32>",
        ),
        ('%r = call i32 asm sideeffect "activemask.b32 $0;", "=r"()', "@llvm.nvvm.activemask()"),
        (
            'call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], $2, $3;",'
            ' "r,l,n,n,~{memory}"(i32 %i, ptr %p, i32 16, i64 16)',
            "@llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3)",
        ),
        (
            'call void asm sideeffect "cp.async.ca.shared::cta.global.L2::128B [$0], [$1], 4, $2;",'
            ' "r,l,r"(i32 %i, ptr %p, i32 %i)',
            "@llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3)",
        ),
        ('call void asm sideeffect "cp.async.commit_group;", ""()', "cp.async.commit.group()"),
        ('call void asm sideeffect "cp.async.wait_group $0;", "n"(i32 1)', "wait.group(i32 1)"),
        ('call void asm sideeffect "cp.async.wait_group $0;", "n"(i8 0)', "wait.group(i32 0)"),
        ('call void asm sideeffect "cp.async.wait_all;", ""()', "cp.async.wait.all()"),
    ],
)
def test_one_instruction_becomes_that_instruction(call: str, made: str) -> None:
    body = replaced(call)
    assert made in body
    assert " asm " not in body


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("trap;", "@llvm.trap()"),
        ("exit;", "@llvm.nvvm.exit()"),
        ("{ exit; }", "@llvm.nvvm.exit()"),
    ],
)
def test_what_ends_the_thread_does_not_come_back(text: str, call: str) -> None:
    body = prepare(kernel(f'call void asm sideeffect "{text}", ""()'), "k.ll", trusted=True).text
    lines = [line.strip() for line in body[body.index("@k(") :].splitlines()]
    assert lines[lines.index(f"call void {call}") + 1] == "unreachable"


@pytest.mark.parametrize("text", ["@p exit;", "ret;", "brkpt;", "add.u32 a, b, c; exit;"])
def test_what_may_end_the_thread_may_not_come_back(text: str) -> None:
    for printed in (False, True):
        module = kernel(f'call void asm sideeffect "{text}", ""()')
        body = prepare(module, "k.ll", trusted=True, printed=printed).text
        assert body.count("call void @llvm.nvvm.exit()") == 1
        assert "br i1 %ends" in body


def test_a_vote_among_other_instructions_is_cut_out() -> None:
    body = replaced(
        '%r = call i32 asm sideeffect "{ .reg .pred p; setp.ne.u32 p, $1, 0;'
        ' vote.sync.ballot.b32 $0, p, $2; }", "=r,r,r"(i32 %i, i32 -1)'
    )
    assert "@llvm.nvvm.vote.ballot.sync(i32 -1, i1" in body
    assert "vote.sync" not in body
    assert "sideeffect" not in body


@pytest.mark.parametrize(
    ("call", "made"),
    [
        ('%r = call i32 asm "lop3.b32 $0, $1, $2, 7, 0x96;", "=r,r,r"(i32 %i, i32 %i)', "xor i32"),
        ('call void asm sideeffect "st.global.v2.u8 [$0], {$1, $2};", "l,r,r"'
         "(ptr %p, i8 %c, i8 %c)",
         "store volatile <2 x i8>"),
        ('%r = call i32 asm "ld.shared.u32 $0, [$1];", "=r,r"(i32 %i)', "ptr addrspace(3)"),
        ('call void asm sideeffect "st.shared.b32 [$0+4], $1;", "r,r"(i32 %i, i32 %i)',
         "store volatile i32 %i, ptr addrspace(3)"),
        ('%r = call i32 asm "prmt.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %i, i32 %i, i32 %i)',
         "@llvm.nvvm.prmt(i32 %i, i32 %i, i32 %i)"),
        ('%r = call i32 asm "shf.r.clamp.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %i, i32 9, i32 %i)',
         "lshr i64"),
        ('%r = call i32 asm "bfe.u32 $0, $1, $2, 4;", "=r,r,r"(i32 %i, i32 8)', "shl i32 %i, 20"),
        ('%r = call i32 asm "bfi.b32 $0, $1, $2, $3, 8;", "=r,r,r,r"(i32 %i, i32 %i, i32 %i)',
         "shl i32 %i"),
        ('%r = call i32 asm "add.u32 $0, $1, 1; add.u32 $0, $0, 1;", "=r,r"(i32 %i)', "add i32"),
        (
            '%r = call i32 asm "{ .reg .u64 a; cvta.to.shared.u64 a, $1; cvt.u32.u64 $0, a; }",'
            ' "=r,l"(ptr %p)',
            "addrspacecast ptr %p to ptr addrspace(3)",
        ),
        (
            '%r = call i32 asm sideeffect "{ st.global.u32 [$2], $1;'
            ' shfl.sync.up.b32 $0, $1, 1, 0, -1; }", "=r,r,l"(i32 %i, ptr %p)',
            "@llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %i, i32 1, i32 0)",
        ),
        (
            'call void asm sideeffect "{ .reg .u32 v; L: ld.global.u32 v, [$0]; .reg .pred p;'
            ' setp.ne.u32 p, v, 0; @p bra L; }", "l"(ptr %p)',
            "load volatile i32, ptr addrspace(1)",
        ),
        (
            'call void asm sideeffect "st.shared.u32 [$0], 1;", "r"'
            "(i32 ptrtoint (ptr addrspace(3) @s to i32))",
            "store volatile i32 1, ptr addrspace(3)",
        ),
    ],
)  # fmt: skip
def test_computing_and_shared_memory_are_known_too(call: str, made: str) -> None:
    text = f"{kernel(call, 'ptr %p, i32 %i, i8 %c')}@s = internal addrspace(3) global i32 undef\n"
    body = prepare(text, "k.ll", trusted=True).text
    body = body[body.index("@k(") :]
    assert made in body
    assert " asm " not in body


def test_an_instruction_that_is_not_known_stays_beside_a_known_access() -> None:
    text = kernel(
        'call void asm sideeffect "st.global.u32 [$0], 1; discard.global.L2 [$0], 128;", "l"'
        "(ptr %p)", "ptr %p",
    )  # fmt: skip
    body = without_inline_ptx(text)
    assert 'asm sideeffect "discard.global.L2 [$0], 128;", "l,~{memory}"' in body
    assert "store volatile i32 1" in body
    alone = text.replace("st.global.u32 [$0], 1;", "fence.sc.gpu;")
    assert without_inline_ptx(alone) == alone
    assert "membar.gl" in without_inline_ptx(alone, executed=True)


@pytest.mark.parametrize(
    "call",
    [
        'call void asm sideeffect "cp.async.bulk.commit_group;", ""()',
        '%r = call i32 asm "mov.u32 $0, %nothing;", "=r"()',
        'call void asm sideeffect "red.global.add.f32 [$0], $1;", "l,r"(i32 %i, i32 %i)',
        '%r = call float asm "ld.global.v2.f32 $0, [$1];", "=f,l"(ptr %p)',
        'call void asm sideeffect "", ""()',
    ],
)
def test_others_stay(call: str) -> None:
    text = f"{HEAD}define void @k() {{\n  {call}\n  ret void\n}}\n"
    assert without_inline_ptx(text) is text or without_inline_ptx(text) == text


def test_intrinsics_are_declared_once() -> None:
    call = 'asm "mov.u32 $0, %laneid;", "=r"()'
    text = f"{HEAD}define void @k() {{\n  %1 = call i32 {call}\n  %2 = call i32 {call}\n}}\n"
    assert without_inline_ptx(text).count("declare i32 @llvm.nvvm.read.ptx.sreg.laneid()") == 1


def test_an_asynchronous_copy_of_another_width_stays() -> None:
    for modifiers, width in (("cg", 8), ("ca", 3), ("ca", 32)):
        call = (
            f'call void asm sideeffect "cp.async.{modifiers}.shared.global [$0], [$1], {width};",'
            ' "r,l"(i32 %i, ptr %p)'
        )
        assert " asm " in replaced(call)


def test_addresses_of_one_space_are_numbers() -> None:
    text = (
        f"{HEAD}define ptx_kernel void @k(ptr %p, i64 %l) {{\n"
        "  %a = call noundef i64 @__nv_cvta_generic_to_shared_impl(ptr noundef %p)\n"
        "  %b = call ptr @__nv_cvta_shared_to_generic_impl(i64 %a)\n"
        "  store i32 1, ptr %b, align 4\n  ret void\n}\n"
        "declare i64 @__nv_cvta_generic_to_shared_impl(ptr)\n"
        "declare ptr @__nv_cvta_shared_to_generic_impl(i64)\n"
    )
    body = prepare(text, "k.ll", trusted=True).text
    body = body[body.index("@k(") : body.index("ret void")]
    assert "call" not in body
    assert "addrspacecast ptr %p to ptr addrspace(3)" in body
