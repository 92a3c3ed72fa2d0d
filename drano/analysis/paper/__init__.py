"""The paper's domain at work (GPUDrano, CAV'17): ``--domain gpudrano``."""

from __future__ import annotations

from drano.analysis.access import Place, place_of
from drano.analysis.access_sites import Site, memory_sites
from drano.analysis.control_structure import Structure
from drano.analysis.paper.interpreter import PaperInterpreter
from drano.analysis.paper.judge import judge
from drano.analysis.paper.present import PaperPresenter
from drano.ir.model import Function, Module
from drano.model.judgement import Judgement
from drano.model.settings import AnalysisOptions

__all__ = ["PaperInterpreter", "explain_function", "judge"]


def explain_function(
    module: Module, function: Function, options: AnalysisOptions
) -> list[tuple[Site, Place, Judgement]]:
    """Every site that some thread reaches, in program order, with its place and the paper's verdict
    in the user's words.
    """
    structure = Structure(function)
    run = PaperInterpreter(module, function, structure, options)
    run.run()
    presenter = PaperPresenter(run, structure)
    placed = ((site, place_of(function, site), judgement) for site, judgement in _judged(run))
    return [(site, place, presenter.present(site, place, j)) for site, place, j in placed]


def _judged(run: PaperInterpreter) -> list[tuple[Site, Judgement]]:
    judged = ((site, judge(run, site)) for site in memory_sites(run.function))
    return [(site, judgement) for site, judgement in judged if judgement is not None]
