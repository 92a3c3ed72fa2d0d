"""What is inlined, what stays a call, and what bad input gives."""

from __future__ import annotations

import re

import llvmlite.binding as llvm
import pytest

from drano.ir import model as m
from drano.ir.prepare import inlining
from drano.ir.prepare.library_calls import library_bodies
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.support.errors import IRError

HEAD = 'target triple = "nvptx64-nvidia-cuda"\n'
KERNEL = HEAD + "define ptx_kernel void @k(i32 %n) {{\n{}\n  ret void\n}}\n"


def calls(text: str) -> list[str | None]:
    module = read_module(prepare(text, "x.ll", trusted=True))
    found = [i for f in module.functions.values() for b in f.blocks for i in b.instructions]
    return [i.callee for i in found if isinstance(i, m.Call)]


def test_helpers_are_inlined_even_if_they_must_not_be():
    text = KERNEL.replace("%n)", "%n) #0").format("  call void @f(i32 %n) #1") + (
        "define void @f(i32 %n) noinline optnone { call void @g(i32 %n) #0\n ret void }\n"
        "define internal void @g(i32 %n) #0 { call void @h(i32 %n)\n ret void }\n"
        "declare void @h(i32)\n"
        'attributes #0 = { noinline optnone "key"="noinline" }\n'
        "attributes #1 = { noinline }\n"
    )
    prepared = prepare(text, "x.ll", trusted=True)
    assert prepared.roots == ("k",)
    assert calls(text) == ["h"]
    assert '"key"="noinline"' in prepared.text


def test_unoptimised_code_comes_into_ssa_form():
    text = KERNEL.format(
        "  %a = alloca i32\n  store i32 %n, ptr %a\n  %x = load i32, ptr %a\n  call void @h(i32 %x)"
    )
    module = read_module(prepare(text + "declare void @h(i32)", "x.ll", trusted=True))
    (function,) = module.kernels
    (call, _) = function.blocks[0].instructions
    assert isinstance(call, m.Call) and call.args == (m.Local(0),)


def test_the_mathematics_library_stays_a_call_and_unread():
    text = KERNEL.format("  %x = call float @__nv_sinf(float 1.0)") + (
        "define internal float @__nv_sinf(float %x) #0 { %y = call float @__internal(float %x)\n"
        " ret float %y }\n"
        "define internal float @__internal(float %x) { ret float %x }\n"
        "attributes #0 = { alwaysinline }\n"
    )
    assert calls(text) == ["__nv_sinf"]
    assert prepare(text, "x.ll", trusted=True).roots == ("k",)


def test_the_library_alone_says_nothing_of_the_units_textures():
    text = KERNEL.format("  %x = call float @__nv_sinf(float 1.0)") + (
        "@image = addrspace(1) global i64 undef\n"
        "define internal float @__nv_sinf(float %x) {\n  ret float %x\n}\n"
        "!nvvm.annotations = !{!0}\n"
        '!0 = !{ptr addrspace(1) @image, !"texture", i32 1}\n'
    )
    library = llvm.parse_assembly(library_bodies(text), llvm.create_context())
    assert [function.name for function in library.functions] == ["k", "__nv_sinf"]
    assert not list(library.global_variables)


def test_recursion_stays_a_call():
    text = KERNEL.format("  call void @even(i32 %n)") + (
        "define void @even(i32 %n) #0 { call void @odd(i32 %n)\n ret void }\n"
        "define void @odd(i32 %n) #0 { call void @even(i32 %n)\n ret void }\n"
        "attributes #0 = { alwaysinline }\n"
    )
    assert prepare(text, "x.ll", trusted=True).roots == ("k", "even", "odd")
    assert sorted(filter(None, calls(text))) == ["even", "even", "odd"]


def test_functions_whose_address_is_taken_are_read():
    text = KERNEL.format("  %f = load ptr, ptr @table\n  call void %f(i32 %n)") + (
        "@table = global ptr @f\n"
        "define void @f(i32 %n) { ret void }\n"
        "define void @unused(i32 %n) { ret void }\n"
    )
    assert prepare(text, "x.ll", trusted=True).roots == ("k", "f")


def test_expansion_stops_before_it_explodes():
    depth = 40
    text = KERNEL.format("  call void @f0(i32 %n)")
    for k in range(depth):
        call = f"call void @f{k + 1}(i32 %n)\n"
        text += f"define void @f{k}(i32 %n) #0 {{ {call * 2} ret void }}\n"
    text += f"define void @f{depth}(i32 %n) {{ store volatile i32 %n, ptr null\n ret void }}\n"
    text += "attributes #0 = { alwaysinline }\n"
    prepared = prepare(text, "x.ll", trusted=True)
    assert len(prepared.text.splitlines()) < 2_000_000
    assert len(prepared.roots) > 1


def test_many_calls_of_one_function_stay_within_the_budget():
    body = "store volatile i32 %n, ptr null\n" * 1000
    text = KERNEL.format("  call void @f(i32 %n)\n" * 1000)
    text += f"define void @f(i32 %n) {{ {body} ret void }}\n"
    assert len(calls(text)) == 1000


def test_functions_that_wait_are_expanded_whatever_their_size(monkeypatch):
    """As long as what stays fits in the module."""
    waits = re.compile("@wait")
    body = "call void @other(i32 %n)\n" * 1000
    text = KERNEL.format("  call void @f(i32 %n)\n" * 30 + "  call void @g(i32 %n)\n" * 30)
    text += f"define void @f(i32 %n) {{\n{body}call void @wait()\nret void\n}}\n"
    text += f"define void @g(i32 %n) {{\n{body}ret void\n}}\n"
    monkeypatch.setattr(inlining, "FUNCTION_BUDGET", 20_000)
    monkeypatch.setattr(inlining, "MODULE_BUDGET", 40_000)
    assert inlining.inlinable(inlining.split_module(text)).chosen == set()
    assert inlining.inlinable(inlining.split_module(text), waits=waits).chosen == {"f"}
    monkeypatch.setattr(inlining, "MODULE_BUDGET", 20_000)
    assert inlining.inlinable(inlining.split_module(text), waits=waits).chosen == set()


def test_only_what_stays_counts_against_the_budget_of_a_module(monkeypatch):
    body = "call void @other(i32 %n)\n" * 1000
    text = KERNEL.format("  call void @f(i32 %n)\n")
    for name, inner in (
        ("f", "call void @g(i32 %n)\n"),
        ("g", "call void @h(i32 %n)\n"),
        ("h", body),
    ):
        text += f"define void @{name}(i32 %n) {{\n{inner}ret void\n}}\n"
    monkeypatch.setattr(inlining, "MODULE_BUDGET", 1_500)
    assert inlining.inlinable(inlining.split_module(text)).chosen == {"f", "g", "h"}
    monkeypatch.setattr(inlining, "MODULE_BUDGET", 500)
    assert inlining.inlinable(inlining.split_module(text)).chosen != {"f", "g", "h"}


def test_structs_of_two_modules_keep_their_names():
    text = HEAD + "%struct.P = type {{ {} }}\n"
    text += "define ptx_kernel void @k(ptr %p) {{ %x = getelementptr %struct.P, ptr %p, i64 1\n"
    text += "  store i8 0, ptr %x\n  ret void }}\n"
    for fields, size in (("i32", 4), ("i32, i64", 16)):
        module = read_module(prepare(text.format(fields), "x.ll", trusted=True))
        gep = module.kernels[0].blocks[0].instructions[0]
        assert isinstance(gep, m.Gep) and isinstance(gep.source_type, m.StructType)
        assert (gep.source_type.name, gep.source_type.size) == ("struct.P", size)


HOSTILE = {
    "nested types": "@g = external global " + "[1 x " * 100_000 + "i8" + "]" * 100_000,
    "nested structs": "".join(f"%a{k} = type {{ %a{k + 1} }}\n" for k in range(100_000))
    + "%a100000 = type { i8 }\n@g = global %a0 zeroinitializer\n",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_text_that_kills_llvm_is_one_line(kind):
    with pytest.raises(IRError, match=r"^x\.ll: LLVM breaks down on this IR"):
        prepare(HOSTILE[kind], "x.ll")


def test_strangers_text_gives_the_same_as_the_compilers():
    text = KERNEL.format("  call void @f(i32 %n)") + "define void @f(i32 %m) { ret void }\n"
    assert prepare(text, "x.ll").text == prepare(text, "x.ll", trusted=True).text
    with pytest.raises(IRError, match=r"^x\.ll: not valid LLVM IR: line 1: expected top-level"):
        prepare("garbage", "x.ll")
    with pytest.raises(IRError, match="not UTF-8"):
        prepare("\udc80", "x.ll")
