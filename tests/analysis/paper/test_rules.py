"""The paper's rules on CUDA source, one kernel each: the printed state of its last store."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.frontend.clang import compile_unit
from drano.ir.model import Module
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.settings import CompileOptions
from tests.analysis.paper.states import stores

SOURCE = Path(__file__).with_name("rules.cu")

UNIFORM = "0 | ⊤ | fine"
UNIT = "1 (elements of 4 bytes) | ⊤ | fine"
TOP = "⊤ | ⊤ | flagged"
ONE_THREAD = "⊤ | FF⁻ | fine"

EXPECTED = {
    "constant_index": UNIFORM,
    "thread_index": UNIT,
    "reversed_index": "−1 (elements of 4 bytes) | ⊤ | fine",
    "block_index": UNIFORM,
    "global_index": UNIT,
    "cancelled": UNIFORM,
    "strided": TOP,
    "pitched": TOP,
    "divided": TOP,
    "modulo": TOP,
    "second_dimension": UNIT,
    "third_dimension": UNIT,
    "wide_element": "1 (elements of 8 bytes) | ⊤ | flagged",
    "narrow_element": "1 (elements of 1 byte) | ⊤ | fine",
    "array_of_structs": "1 (elements of 8 bytes) | ⊤ | flagged",
    "rows": "1 (elements of 64 bytes) | ⊤ | flagged",
    "columns": UNIT,
    "uniform_load": UNIT,
    "gather": TOP,
    "constant_table": UNIT,
    "by_value": UNIT,
    "pointer_table": UNIT,
    "local_array": UNIT,
    "local_array_of_threads": UNIT,
    "local_array_diverged": TOP,
    "first_thread": ONE_THREAD,
    "one_thread": ONE_THREAD,
    "all_but_one": TOP,
    "other_side": ONE_THREAD,
    "bounded": TOP,
    "conjunction": ONE_THREAD,
    "disjunction": TOP,
    "conjunction_value": ONE_THREAD,
    "early_return": UNIT,
    "merged_divergent": TOP,
    "merged_uniform": UNIT,
    "merged_differently": TOP,
    "unassigned_by_branch": UNIT,
    "within_single_thread": "0 | FF⁻ | fine",
    "after_single_threads": TOP,
    "switch_on_thread": TOP,
    "inside_case": ONE_THREAD,
    "inside_shared_case": TOP,
    "switch_on_uniform": UNIT,
    "grid_stride": UNIT,
    "row_loop": UNIT,
    "growing_stride": TOP,
    "after_uniform_loop": UNIT,
    "after_divergent_loop": TOP,
    "inside_divergent_loop": UNIFORM,
    "divergent_break": TOP,
    "divergent_continue": TOP,
    "one_thread_per_round": ONE_THREAD,
    "inlined_call": TOP,
    "pure_call": UNIT,
    "pure_call_of_thread": TOP,
    "multiplied_24": UNIT,
    "broadcast": UNIT,
    "shuffled": TOP,
    "voted": UNIT,
    "into_shared": TOP,
    "through_generic": TOP,
}


@pytest.fixture(scope="module")
def rules() -> Module:
    unit = compile_unit(str(SOURCE), CompileOptions())
    assert unit.ir is not None, unit.diagnostics
    return read_module(prepare(unit.ir, str(SOURCE)))


def test_every_kernel_is_expected(rules: Module) -> None:
    assert {kernel.source_name for kernel in rules.kernels} == set(EXPECTED)


@pytest.mark.parametrize(("kernel", "expected"), EXPECTED.items())
def test_rule(rules: Module, kernel: str, expected: str) -> None:
    assert stores(rules, kernel)[-1] == expected


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        ("second_dimension", TOP),
        ("third_dimension", UNIT),
        ("thread_index", UNIT),
        ("first_thread", ONE_THREAD),
    ],
)
def test_second_dimension_variant(rules: Module, kernel: str, expected: str) -> None:
    assert stores(rules, kernel, tid_y=True)[-1] == expected
