"""What is recalled within an interpretation is what would be computed again: random kernels and
those of the examples come out the same without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from drano.analysis.warp import WarpState
from drano.analysis.warp.transfer import control, phis
from drano.frontend.clang import compile_unit
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.settings import AnalysisOptions, CompileOptions, Config
from drano.run.pipeline import analyse_unit
from tests.analysis.warp.fuzz.harness import SHAPES, analysed, read
from tests.analysis.warp.fuzz.programs import kernels
from tests.conftest import ROOT


@contextmanager
def nothing_recalled() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(phis, "joined_before", lambda *_: None)
        patched.setattr(control, "same_branch", lambda *_: False)
        yield


def state(run: WarpState) -> dict[str, Any]:
    """All that an interpretation has found, atoms with what is known of them."""
    atoms = [
        (a.name, a.cause, a.varying, a.lo, a.hi, a.modulus, a.residue, a.loops, a.space, a.shape,
         a.data, a.likely)
        for a in run.warp.atoms
    ]  # fmt: skip
    return {
        "atoms": atoms,
        "values": run.env,
        "ranges": [(getattr(v, "lo", None), getattr(v, "hi", None)) for v in run.env],
        "masks": run.masks,
        "edges": run.edges,
        "conditions": run.conditions,
        "divergent": (run.divergent_joins, run.divergent_heads, run.divergent_loops),
    }


def printed(case: WarpState) -> str:
    """The vectors of two interpretations are different objects: their texts are compared."""
    return repr(state(case))


@settings(
    max_examples=60,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large,
                           HealthCheck.filter_too_much],
)  # fmt: skip
@given(kernels(), st.sampled_from(SHAPES))
def test_random_kernels(text: str, shape: tuple[int, int, int] | None) -> None:
    note(text)
    module = read(text)
    found = printed(analysed(module, shape).run)
    with nothing_recalled():
        assert found == printed(analysed(module, shape).run)


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.cu")), ids=lambda p: p.stem)
def test_examples(path: Path) -> None:
    config = Config(analysis=AnalysisOptions(derive_all=True))
    found = analyse_unit(str(path), config, None)
    with nothing_recalled():
        plain = analyse_unit(str(path), config, None)
    assert (found.accesses, found.findings, found.kernels) == (
        plain.accesses, plain.findings, plain.kernels,
    )  # fmt: skip


def test_joins_behind_branches_are_recalled(tmp_path: Path) -> None:
    """The first loop makes a second pass over the joins before it necessary."""
    file = tmp_path / "a.cu"
    file.write_text("""__global__ void k(float* a, int n, int m) {
      int i = n > m ? n : m + threadIdx.x;
      for (int j = 0; j < n; j++) i += a[i + j] > 0 ? 1 : 2;
      a[i] = 0;
    }""")
    unit = compile_unit(str(file), CompileOptions())
    assert unit.ir is not None
    module = read_module(prepare(unit.ir, str(file), trusted=True))
    (function,) = module.functions.values()
    recalled = []

    def noting(*arguments: Any) -> Any:
        value = original(*arguments)
        recalled.append(value is not None)
        return value

    original = phis.joined_before
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(phis, "joined_before", noting)
        analysed_function(module, function)
    assert any(recalled)


def analysed_function(module: Any, function: Any) -> None:
    renamed = type(module)(module.path, {"kernel": function}, module.globals, module.structs)
    analysed(renamed, (32, 1, 1))
