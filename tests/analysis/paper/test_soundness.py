"""Every value of random kernels, run in lock step, lies in what the analysis says of it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from drano.analysis.control_structure import Structure
from drano.analysis.paper import PaperInterpreter
from drano.analysis.paper.values import Reference
from drano.ir import model as m
from drano.lattice.paper.multiplier import MINUS_ONE, ONE, TOP, ZERO, Multiplier
from drano.lattice.paper.predicate import ActiveSet, Predicate
from drano.model.settings import AnalysisOptions, Domain
from tests.analysis.paper.programs import Program
from tests.analysis.paper.simt import OutOfFuelError, UndefinedError, Warp, Word, wrap
from tests.analysis.paper.states import module_of

BATCHES, PER_BATCH = 4, 40
VALUATIONS = ((3, 5), (0, -2))
_COEFFICIENTS = {ZERO: 0, ONE: 1, MINUS_ONE: -1}
_COUNTS = {
    Predicate.F: lambda k, n: k == 0,
    Predicate.T: lambda k, n: k == n,
    Predicate.F_MINUS: lambda k, n: k == 1,
    Predicate.T_MINUS: lambda k, n: k == n - 1,
    Predicate.TF: lambda k, n: k in (0, n),
    Predicate.FF_MINUS: lambda k, n: k <= 1,
    Predicate.TT_MINUS: lambda k, n: k >= n - 1,
    Predicate.TOP: lambda k, n: True,
    Predicate.BOTTOM: lambda k, n: False,
}


def contains(found: object, lanes: list[int], values: Mapping[int, int], bits: int) -> bool:
    """Whether what the lanes hold is in the concretisation of ``found``."""
    if found is None:
        return False
    if isinstance(found, Predicate):
        return _COUNTS[found](sum(map(bool, values.values())), len(lanes))
    if isinstance(found, Reference):
        stride, bits = found.stride, 64
    else:
        assert isinstance(found, Multiplier)
        stride = None if found is TOP else _COEFFICIENTS.get(found)
        if found is not TOP and stride is None:
            return False
    first = lanes[0]
    return stride is None or all(
        wrap(values[lane] - values[first] - stride * (lane - first), bits) == 0 for lane in lanes
    )


def violations(module: m.Module, function: m.Function) -> tuple[list[str], int]:
    """What the analysis says wrongly about one kernel, and how many values were checked."""
    options = AnalysisOptions(domain=Domain.GPUDRANO)
    run = PaperInterpreter(module, function, Structure(function), options)
    run.run()
    wrong: list[str] = []
    checked = 0

    def see(i: m.Instruction, lanes: list[int], values: Mapping[int, Word]) -> None:
        nonlocal checked
        checked += 1
        block = run.definitions[i.index][1]
        mask = run.masks[block]
        if mask is None or (mask is ActiveSet.FF_MINUS and len(lanes) > 1):
            wrong.append(f"{function.name}: active set {mask} of block {block}, lanes {lanes}")
        if isinstance(i.type, m.VoidType):
            return
        found = run.env[i.index]
        known = {lane: word for lane, word in values.items() if word is not None}
        if not known:
            return
        bits = i.type.bits if isinstance(i.type, m.IntType) else 64
        if not contains(found, list(known), known, bits):
            wrong.append(f"{function.name}: {i.name} is {found}, lanes {known}")

    for n, k in VALUATIONS:
        try:
            Warp(function, [1 << 20, 1 << 24, n, k], see).run()
        except (OutOfFuelError, UndefinedError):
            continue
    return wrong, checked


def random_module(seeds: range) -> m.Module:
    """One kernel for each seed."""
    return module_of("".join(Program(seed).text(f"k{seed}") for seed in seeds))


@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_value_escapes_the_analysis(batch: int) -> None:
    checked = 0
    module = random_module(range(batch * PER_BATCH, (batch + 1) * PER_BATCH))
    for function in module.kernels:
        wrong, seen = violations(module, function)
        assert not wrong, wrong[:3]
        checked += seen
    assert checked > 5000
