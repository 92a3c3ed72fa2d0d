"""Accesses under a predicate as Triton writes them: branches, one request each."""

from __future__ import annotations

import re

import pytest

from drano.ir.prepare.inline_assembly.inline_ptx import without_inline_ptx
from drano.ir.prepare.passes import prepare
from drano.model.settings import View

HEAD = 'target triple = "nvptx64-nvidia-cuda"\n'
G = "ptr addrspace(1)"


def module(call: str, before: str = "") -> str:
    return (
        f"{HEAD}define ptx_kernel void @k({G} %p, i1 %m, i32 %v, i64 %w, ptr addrspace(3) %s) {{\n"
        f"{before}  {call}\n  ret void\n}}\n"
    )


LOAD = (
    '%r = tail call i32 asm sideeffect "mov.u32 $0, 0x7;\\0A\\09@$2 ld.global.b32 { $0 }, '
    f'[ $1 + 4 ];", "=r,l,b"({G} %p, i1 %m) #2'
)
PAIR = (
    '%r = tail call { i32, i32 } asm sideeffect "mov.u32 $0, $4;\\0A\\09mov.u32 $1, 0xffffffff;'
    f'\\0A\\09@$3 ld.global.v2.b32 {{ $0, $1 }}, [ $2 + 0 ];", "=r,=r,l,b,r"({G} %p, i1 %m, i32 %v)'
)
STORE = (
    'tail call void asm sideeffect "@!$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"'
    f"(i32 %v, {G} %p, i1 %m) #2"
)
PLAIN = (
    f'tail call void asm sideeffect "st.global.b32 [ $1 + 8 ], {{ $0 }};", "r,l"(i32 %v, {G} %p)'
)
ATOMIC = (
    '%r = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\\0A\\09@$3 '
    "atom.global.gpu.acq_rel.add.u32 "
    f'$0, [ $1 + 0 ], $2;", "=r,l,r,b"({G} %p, i32 %v, i1 %m)'
)
HINTED = (
    '%r = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\\0A\\09@$3 '
    'ld.global.L1::evict_last.L2::cache_hint.b32 { $0 }, [ $1 + 0 ], $2;", "=r,l,l,b"'
    f"({G} %p, i64 %w, i1 %m)"
)
COPY = (
    'tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", '
    f'"r,l,r"(ptr addrspace(3) %s, {G} %p, i32 %size)'
)


OWN = (
    'call void asm sideeffect "{{\\0A .reg .pred p;\\0A setp.{}.b32 p, $0, 0;\\0A {} '
    'cp.async.cg.shared.global.L2::128B [$1], [$2], $3;\\0A}}\\0A", "r,r,l,n,~{{memory}}"'
    "(i32 %v, i32 %v, ptr %q, i32 16) #2"
)
TAKEN = 'call void asm sideeffect "{}", "r,r,l"(i32 %v, i32 %v, ptr %q)'


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (LOAD, ["br i1", "load volatile i32, ptr addrspace(1)", "phi i32", "[ 7, %"]),
        (PAIR, ["br i1", "load volatile <2 x i32>, ptr addrspace(1)", "-1"]),
        (STORE, ["br i1", "store volatile i32", "ptr addrspace(1) %p"]),
        (PLAIN, ["store volatile i32", "i64 8"]),
        (ATOMIC, ["br i1", "atomicrmw add ptr addrspace(1) %p, i32 %v"]),
        (HINTED, ["br i1", "load volatile i32, ptr addrspace(1) %p"]),
    ],
)
def test_become_branches_around_one_access(call: str, expected: list[str]) -> None:
    prepared = prepare(module(call), "k.llir", trusted=True)
    for text in expected:
        assert text in prepared.text, prepared.text
    assert " asm " not in prepared.text
    assert ("br i1" in prepared.text) == ("br i1" in expected)


def test_a_negated_guard_parts_the_other_way() -> None:
    text = without_inline_ptx(module(STORE))
    assert re.search(r"(%v\d+) = xor i1 %v\d+, true\n  br i1 \1, label ", text)


def test_copies_that_read_all_or_nothing() -> None:
    chosen = "  %size = select i1 %m, i32 16, i32 0\n"
    text = prepare(module(COPY, chosen), "k.llir", trusted=True).text
    assert "%size = select i1 %m, i32 16, i32 0" in text
    assert re.search(r"cp\.async\.cg\.shared\.global\.16\.s\(.*, i32 %size\)", text)
    part = "  %size = select i1 %m, i32 12, i32 0\n"
    text = prepare(module(COPY, part), "k.llir", trusted=True).text
    assert "cp.async.cg.shared.global.16.s(" in text
    whole = prepare(module(COPY.replace("%size", "16")), "k.llir", trusted=True).text
    assert "cp.async.cg.shared.global.16(" in whole
    assert "br i1" not in whole


def test_copied_registers_are_values() -> None:
    call = '%r = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %v)'
    text = without_inline_ptx(module(call))
    assert "%r = freeze i32 %v" in text


@pytest.mark.parametrize(
    "call",
    [
        LOAD.replace("ld.global", "bar.sync"),
        LOAD.replace("@$2", "@$7"),
        LOAD.replace("=r,l,b", "=r,l,b,r"),
        LOAD.replace("ld.global", "multimem.ld_reduce.global.add"),
    ],
)
def test_all_else_stays_as_it_is(call: str) -> None:
    text = module(call)
    changed = without_inline_ptx(text)
    assert " asm " in changed
    assert "load volatile" not in changed


def test_the_same_code_is_one_function() -> None:
    text = without_inline_ptx(module(f"{LOAD}\n  {LOAD.replace('%r =', '%q =')}"))
    assert text.count("define internal") == 1


@pytest.mark.parametrize(
    ("relation", "guard", "on"),
    [("ne", "@p", True), ("ne", "@!p", False), ("eq", "@p", False), ("eq", "@!p", True)],
)
def test_a_predicate_that_the_asm_sets_is_a_branch(relation: str, guard: str, on: bool) -> None:
    text = module(OWN.format(relation, guard)).replace("i64 %w", "i64 %w, ptr %q")
    prepared = prepare(text, "k.ll", trusted=True, view=View.COMPILED).text
    test = re.search(r"icmp (eq|ne) i32 %v, 0", prepared)
    taken = re.search(r"br i1 %\S+, label %(\S+), label %(\S+)", prepared)
    assert test is not None
    assert taken is not None
    goes = taken[1 if (test[1] == "ne") == on else 2]
    behind = prepared[prepared.index(f"\n{goes}:") :]
    assert "call void @llvm.nvvm.cp.async.cg.shared.global.16(" in behind.split("\n\n")[0]
    assert " asm " not in prepared


@pytest.mark.parametrize(
    ("template", "accesses"),
    [
        (".reg .pred p; setp.lt.s32 p, $0, 0; @p cp.async.cg.shared.global [$1], [$2], 16;", 1),
        (".reg .pred p; setp.ne.b32 p, $0, 0; cp.async.cg.shared.global [$1], [$2], 16;", 1),
        (
            ".reg .pred p; setp.ne.b32 p, $0, 0; @p bra L;"
            " @!p cp.async.cg.shared.global [$1], [$2], 16; L: st.shared.b32 [$1], $0;",
            2,
        ),
        (".reg .pred p; setp.ne.b32 p, $0, 0; @p st.shared.u32 [$1+4], $0; "
         "@!p st.global.u32 [$2], $0;", 2),
        (".reg .pred p, q; setp.ne.b32 p|q, $0, 0; @q ld.global.u32 $0, [$2];", 1),
    ],
)  # fmt: skip
def test_accesses_of_any_kind_are_known_under_any_predicate(template: str, accesses: int) -> None:
    text = module(TAKEN.format(template)).replace("i64 %w", "i64 %w, ptr %q")
    prepared = prepare(text, "k.ll", trusted=True).text
    assert " asm " not in prepared
    made = re.findall(r"(?:load|store) volatile|call void @llvm.nvvm.cp.async", prepared)
    assert len(made) == accesses


@pytest.mark.parametrize(
    "template",
    [
        ".reg .pred p; setp.ne.b32 p, $0, 0; @q cp.async.cg.shared.global [$1], [$2], 16;",
        ".reg .pred p; setp.ne.b32 p, $0, 0; @p bra L; st.shared.b32 [$1], $0;",
    ],
)
def test_what_is_not_declared_leaves_the_asm(template: str) -> None:
    text = module(TAKEN.format(template)).replace("i64 %w", "i64 %w, ptr %q")
    changed = without_inline_ptx(text)
    assert " asm " in changed
    assert "br i1" not in changed
