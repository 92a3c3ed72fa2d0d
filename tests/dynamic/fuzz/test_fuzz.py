"""No claim about a kernel that its run on the CPU refutes.

The same kernels every time; ``python -m tests.dynamic.fuzz --count 2000`` runs more of them.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from drano.dynamic.instrument.proved_patterns import Pattern
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.settings import View
from tests.dynamic.cpu.harness import load
from tests.dynamic.fuzz.__main__ import FOUND, drawn
from tests.dynamic.fuzz.batch import Worker, arrays, check_source, source_of
from tests.dynamic.fuzz.claims import Checker
from tests.dynamic.fuzz.kernel import DECLARATIONS, Kernel, Statement

COUNT = 16
SEED = 1000


@pytest.mark.parametrize("view", View)
def test_no_run_refutes_the_analysis(view: View) -> None:
    batch = list(islice(drawn(SEED), COUNT))
    with Worker(view) as worker:
        tally, wrong = worker.check(batch, SEED)
    assert {batch[n].text("k"): problems for n, problems in wrong.items()} == {}
    assert tally.requests > 10 * COUNT
    assert tally.exact > tally.requests / 2
    assert tally.patterns > COUNT


@pytest.mark.parametrize("view", View)
@pytest.mark.parametrize("place", sorted(FOUND.glob("*.cu")), ids=lambda place: place.stem)
def test_what_was_found_stays_found(place: Path, view: View) -> None:
    assert check_source(place.read_text(), view).problems == {}


def test_smaller_kernels_keep_what_fails() -> None:
    inner = Statement("acc += 1;")
    loop = Statement("for (;;)", (inner, Statement("sum++;")), once="if (true)")
    kernel = Kernel((32, 1, 1), 2, (), (Statement("acc = 2;"), loop, Statement("sum = 1;")))
    texts = [smaller.text("k") for smaller in kernel.smaller()]
    assert all(len(text) < len(kernel.text("k")) + 5 for text in texts)
    assert any("for (;;)" not in text and "sum++" in text for text in texts)
    assert "grid 2" in source_of([kernel], 0)


def test_wrong_claims_are_seen() -> None:
    """Accesses of a kernel that ran with another block shape than the one that it is judged for."""
    statement = Statement("acc = a_f32[33 * tx]; sh[32 * tx] = 1; if (tx < 20) r_od[tx] = acc;")
    kernel = Kernel((32, 8, 1), 1, DECLARATIONS, (statement,))
    source = source_of([kernel], 1)
    assert check_source(source, View.WRITTEN).problems == {}
    program, ir = load(source, opt_level=0, view=View.WRITTEN)
    module = read_module(prepare(ir, "unit.cu", trusted=True))
    (function,) = module.kernels
    row = Pattern(None, tuple(4 * lane for lane in range(32)))
    checker = Checker(module, function, (32, 8, 1), (), dict.fromkeys(range(9), row))
    arguments = (*arrays(), np.int32(1), np.int32(1), np.uint32(1))
    program.launch("k000", 1, (16, 16, 1), *arguments, record="rows")
    checker.check(program.records(), lambda number: program.sites[number].ordinal)
    for told in ("sectors, proved", "lines, proved", "wavefronts, proved", "proved otherwise",
                 "pattern"):  # fmt: skip
        assert any(told in problem for problem in checker.problems), told
