"""The paper's domain at work (GPUDrano, CAV'17): ``--domain gpudrano``."""

from __future__ import annotations

from drano.analysis.judgement import Judgement
from drano.analysis.paper.interpreter import PaperInterpreter
from drano.analysis.paper.judge import judge
from drano.analysis.sites import Site, memory_sites
from drano.analysis.structure import Structure
from drano.config import AnalysisOptions
from drano.ir.model import Function, Module

__all__ = ["PaperInterpreter", "analyse_function", "judge"]


def analyse_function(
    module: Module, function: Function, options: AnalysisOptions
) -> list[tuple[Site, Judgement]]:
    """Every site that some thread reaches, in program order, with the paper's verdict."""
    run = PaperInterpreter(module, function, Structure(function), options)
    run.run()
    judged = ((site, judge(run, site)) for site in memory_sites(function))
    return [(site, judgement) for site, judgement in judged if judgement is not None]
