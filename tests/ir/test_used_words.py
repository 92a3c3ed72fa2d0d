"""What is read of a 64-bit number decides which of its words are loaded, and changes nothing."""

from __future__ import annotations

import ctypes

import llvmlite.binding as llvm
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drano.ir.prepare.widths.used_words import with_used_words

_SIGNED = 1 << 63


def function(user: str, result: str) -> str:
    """A function of the address of a number."""
    return (
        f"define {result} @f(ptr %p) {{\n"
        "  %v = load i64, ptr %p, align 8, !range !0\n"
        f"  %r = {user}\n"
        f"  ret {result} %r\n"
        "}\n!0 = !{i64 0, i64 9}\n"
    )


@pytest.mark.parametrize(
    ("user", "result", "word"),
    [
        ("trunc i64 %v to i32", "i32", 0),
        ("trunc nsw i64 %v to i32", "i32", 0),
        ("lshr i64 %v, 32", "i64", 1),
        ("ashr i64 %v, 40", "i64", 1),
        ("ashr i64 %v, 31", "i64", None),
        ("shl nsw i64 %v, 32", "i64", 0),
        ("and i64 %v, 65535", "i64", 0),
        ("and i64 %v, -4294967296", "i64", 1),
        ("and i64 %v, -1", "i64", None),
        ("icmp slt i64 %v, 0", "i1", None),
        ("add i64 %v, 1", "i64", None),
    ],
)
def test_the_words_that_are_used(user: str, result: str, word: int | None) -> None:
    text = with_used_words(function(user, result))
    if word is None:
        assert text == function(user, result)
        return
    assert "%v.word = load i32" in text
    assert ("i64 4" in text) is (word == 1)
    assert "nsw" not in text  # the rest of the number is not what it was
    assert "!range !0" not in text


@pytest.mark.parametrize("sign", ["icmp slt i64 %v, 0", "icmp sgt i64 %v, -1"])
@pytest.mark.parametrize(
    "user, one_word",
    [
        ("  %r = zext i1 %s to i32\n  ret i32 %r", True),
        ("  %r = select i1 %s, i32 %a, i32 3\n  ret i32 %r", True),
        ("  %b = select i1 %s, i1 %c, i1 false\n  %r = zext i1 %b to i32\n  ret i32 %r", False),
        ("  %b = select i1 %c, i1 %s, i1 false\n  %r = zext i1 %b to i32\n  ret i32 %r", False),
        ("  br i1 %s, label %x, label %y\nx:\n  ret i32 1\ny:\n  ret i32 2", False),
    ],
)
def test_a_sign_is_one_word_unless_a_branch_asks(sign: str, user: str, one_word: bool) -> None:
    before = (
        "define i32 @f(ptr %p, i32 %a, i1 %c) {\n  %v = load i64, ptr %p, align 8\n"
        f"  %s = {sign}\n{user}\n}}\n"
    )
    text = with_used_words(before)
    assert ("%v.word = load i32" in text) is one_word
    assert (text == before) is not one_word


@pytest.mark.parametrize("other", ["slt i64 %v, -1", "sgt i64 %v, 0", "slt i64 %v, 01"])
def test_other_comparisons_take_the_whole_number(other: str) -> None:
    text = function(f"icmp {other}\n  %z = zext i1 %r to i32", "i1")
    assert with_used_words(text) == text


@pytest.mark.parametrize(
    ("user", "one_word"),
    [
        ("call float %v(float 1.0)", True),
        ("tail call noundef float %v(ptr %p)", True),
        ("call float %v(ptr %v)", False),
        ("call float @g(ptr %v)", False),
    ],
)
def test_a_word_of_an_address_is_enough_to_call_it(user: str, one_word: bool) -> None:
    before = (
        "declare float @g(ptr)\ndefine float @f(ptr %p) {\n  %v = load ptr, ptr %p, align 8\n"
        f"  %r = {user}\n  ret float %r\n}}\n"
    )
    text = with_used_words(before)
    assert ("%v.word = load i32" in text) is one_word
    llvm.parse_assembly(text).verify()
    assert one_word or text == before
    assert with_used_words(before, executed=True) == before


USERS = (
    "trunc i64 %v to i32", "lshr i64 %v, 33", "ashr i64 %v, 40", "shl i64 %v, 35",
    "and i64 %v, 4080", "and i64 %v, -8589934592", "icmp slt i64 %v, 0", "icmp sgt i64 %v, -1",
    "icmp slt i64 %v, -1", "icmp sgt i64 %v, 0",
)  # fmt: skip


def result_of(text: str, number: int) -> int:
    """What the function gives, run on this machine."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    module = llvm.parse_assembly(text.replace(", !range !0", ""))
    with llvm.create_mcjit_compiler(module, machine) as engine:
        engine.finalize_object()
        call = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)(engine.get_function_address("f"))
        place = ctypes.c_int64(number)
        return int(call(ctypes.addressof(place)))


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(USERS),
    st.one_of(st.integers(-4, 4), st.integers(-_SIGNED, _SIGNED - 1)),
)
def test_results_are_the_same(user: str, number: int) -> None:
    kind = "i1" if "icmp" in user else "i32" if "trunc" in user else "i64"
    text = function(user, kind)
    if kind != "i64":
        wide = f"  %w = zext {kind} %r to i64\n  ret i64 %w\n"
        text = text.replace(f"define {kind}", "define i64").replace(f"  ret {kind} %r\n", wide)
    assert result_of(with_used_words(text), number) == result_of(text, number)
