"""Costs in words: shares and formulas where sizes are guessed, bytes where they are known."""

from __future__ import annotations

import doctest

import pytest
from msgspec.structs import replace

from drano.model.access import Basis, Cost, Factor
from drano.model.finding import Finding
from drano.model.judgement import Space
from drano.model.report import KernelInfo
from drano.model.settings import Config
from drano.output import cost_text as module
from drano.output.cost_text import cost_text, share
from drano.rules import run_rules
from tests.accesses import access

SIZE = Factor("(n/32)", 32.0, Basis.SYMBOLIC, "warps", (("n", 1024.0),))
GRID = Factor("gridDim.x", 4.0, Basis.SYMBOLIC, "blocks", (("gridDim.x", 4.0),))
LATER = Factor("(2046 - 256*blockIdx.x)", 1150.0, Basis.SYMBOLIC, "loop", (("blockIdx.x", 3.5),))
WARPS = Factor("32", 32.0, Basis.EXACT, "warps")
BRANCH = Factor("0.5", 0.5, Basis.ASSUMED, "branch")
# 4 sectors beyond the ideal, 32 times: half of 8192 bytes.
KERNEL = KernelInfo("k", access().kernel_symbol, None, bytes=8192.0)


def costing(*factors: Factor, **changes: object) -> Finding:
    found = access(cost=Cost(4.0, factors), **changes)
    return run_rules([found], Config())[0]


@pytest.mark.parametrize(
    ("factors", "said"),
    [
        ((WARPS,), "32·4 sectors beyond the ideal = 4.0 KB; 50 % of this kernel's bytes"),
        (
            (SIZE,),
            "50 % of this kernel's bytes, if n is large: (n/32)·4 sectors beyond the ideal",
        ),
        (
            (SIZE, BRANCH),
            "25 % of this kernel's bytes, if n is large: (n/32)·0.5·4 sectors beyond the ideal, "
            "taking 0.5 for the branch",
        ),
        # A block's index is no size that may be large.
        (
            (LATER, BRANCH),
            "99 % of this kernel's bytes: (2046 - 256*blockIdx.x)·0.5·4 sectors beyond the ideal, "
            "taking 3.5 for blockIdx.x, 0.5 for the branch",
        ),
        # The grid is the same for all that the kernel moves.
        ((GRID,), "6 % of this kernel's bytes: gridDim.x·4 sectors beyond the ideal"),
    ],
)
def test_bytes_where_sizes_are_known_and_shares_where_not(
    factors: tuple[Factor, ...], said: str
) -> None:
    assert cost_text([costing(*factors)], KERNEL) == said


def test_without_its_kernels_bytes_there_is_no_share() -> None:
    finding = costing(SIZE)
    assert cost_text([finding], None) == "(n/32)·4 sectors beyond the ideal, if n is large"
    assert share([finding], replace(KERNEL, bytes=0.0)) is None
    assert share([finding], replace(KERNEL, symbol="other")) is None


def test_shared_memory_is_no_part_of_what_a_kernel_moves() -> None:
    finding = costing(WARPS)
    assert finding.access is not None
    judgement = replace(finding.access.judgement, space=Space.SHARED)
    shared = replace(finding, access=replace(finding.access, judgement=judgement))
    assert share([shared], KERNEL) is None
    assert cost_text([shared], KERNEL) == "32·4 wavefronts beyond the ideal = 4.0 KB"


def test_an_entry_is_the_sum_of_its_findings() -> None:
    assert share([costing(WARPS), costing(WARPS)], KERNEL) == 100.0
    assert cost_text([costing(SIZE)] * 3, KERNEL).startswith("99 % of this kernel's bytes, if n")


def test_doctests() -> None:
    assert doctest.testmod(module).failed == 0
