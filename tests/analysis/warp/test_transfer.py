"""No instruction, operation or meaning of a call is without a transfer function."""

from __future__ import annotations

from typing import get_args

import pytest

from drano.analysis.warp.transfer import TRANSFERS
from drano.analysis.warp.transfer.calls import BY_MEANING
from drano.analysis.warp.transfer.scalars import FLOATING, INTEGER
from drano.ir.intrinsics import Meaning
from drano.ir.model import Instruction
from drano.ir.read.decode_values import ARITHMETIC
from drano.ir.uses import reader_of
from tests.analysis.warp.test_uniformity import HEAD, uniformity


def test_every_instruction_has_one():
    assert set(TRANSFERS) == set(get_args(Instruction))


def test_every_meaning_has_one():
    assert set(BY_MEANING) == set(Meaning)


def test_every_operation_of_two_numbers_has_one():
    assert set(ARITHMETIC) == INTEGER.keys() | FLOATING


@pytest.mark.parametrize("kind", get_args(Instruction))
def test_the_operands_of_every_instruction_are_found(kind):
    assert callable(reader_of(kind))


WAITING = """
  %r = call TYPE @llvm.nvvm.NAME(ptr addrspace(3) @b REST)
  %made = zext TYPE %r to i128
  store i128 %made, ptr %out
  ret void
}
@b = internal addrspace(3) global i64 undef
declare TYPE @llvm.nvvm.NAME(ptr addrspace(3) REST)
"""


@pytest.mark.parametrize(
    ("name", "type_", "rest"),
    [("mbarrier.arrive.shared", "i64", ""), ("mbarrier.test.wait.shared", "i1", ", i64 0")],
)
def test_results_of_what_only_waits_are_unknown(name, type_, rest):
    """Not absent: what is made of them has a value, too."""
    body = WAITING.replace("NAME", name).replace("TYPE", type_)
    call, declaration = body.split("declare")
    text = call.replace("REST", rest) + "declare" + declaration.replace("REST", rest.rstrip(" 0"))
    values = uniformity(HEAD + text)
    assert not values["r"]
    assert not values["made"]


ZEROS = """
  %c = icmp eq i32 %n, 3
  %v = load TYPE, ptr %out
  %yes = select i1 %c, TYPE zeroinitializer, TYPE %v
  %no = select i1 %c, TYPE %v, TYPE zeroinitializer
  br i1 %c, label %one, label %two
one:
  br label %two
two:
  %met = phi TYPE [ zeroinitializer, %entry ], [ %v, %one ]
  store TYPE %yes, ptr %out
  store TYPE %no, ptr %out
  store TYPE %met, ptr %out
  ret void
}
"""


@pytest.mark.parametrize(
    "type_", ["<2 x float>", "<4 x i32>", "<2 x ptr>", "{ i32, float }", "[2 x i64]"]
)
def test_zeros_of_aggregates_are_values_like_others(type_):
    values = uniformity(HEAD + ZEROS.replace("TYPE", type_))
    assert {"yes", "no", "met"} <= values.keys()
