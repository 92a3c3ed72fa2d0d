"""Edited units that are tried one after the other."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from drano.analysis.incremental import reanalysis, remembered
from drano.analysis.points_to import Spaces
from drano.fix.search import Offer, Trials, mended, outcomes
from drano.fix.trial import analysed
from drano.ir.model import Module
from drano.model.report import FileReport, Timings
from tests.fix.test_pad_shared_array import SOURCE
from tests.fix.units import unit

KERNEL, MAIN = SOURCE.split("int main()")
OTHER = KERNEL.partition("__global__")[2].replace(" k(", " other(")
TWO = f"{KERNEL}__global__{OTHER}int main(){MAIN}".replace(
    "(nullptr, nullptr); }",
    "(nullptr, nullptr);\n  other<<<32, dim3(32, 8)>>>(nullptr, nullptr); }",
)


def untimed(report: FileReport) -> FileReport:
    return replace(report, timings=Timings())


def test_kernels_that_an_edit_leaves_alone_are_not_analysed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names: list[str] = []
    analyse = reanalysis._known

    def known(
        unit: reanalysis.Edited, module: Module, name: str, spaces: Spaces
    ) -> remembered.Known:
        names.append(name)
        return analyse(unit, module, name, spaces)

    monkeypatch.setattr(reanalysis, "_known", known)
    one = unit(TWO)
    trials = Trials(one, analysed(one))
    first, second = (found for found in outcomes(trials) if isinstance(found, Offer))
    assert {first.finding.kernel, second.finding.kernel} == {"k", "other"}
    for fix, report in trials.tried.items():
        texts = {path: one.text(path) for path in fix.paths}
        assert untimed(report) == untimed(analysed(one.edited(fix.applied(texts))))

    names.clear()
    found = mended(one, trials.report, unsafe=False)
    assert [offer.fix.edit for offer in found.made] == ["pad-shared-array"] * 2
    assert untimed(found.report) == untimed(analysed(found.unit))
    assert len(names) == 3  # both kernels with the first edit, one with the second
