"""Printed states: what the paper's domain says about each store of a kernel."""

from __future__ import annotations

from drano.analysis.paper import explain_function
from drano.ir.model import Module
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.access import AccessKind
from drano.model.settings import AnalysisOptions, Domain

HEAD = 'target triple = "nvptx64-nvidia-cuda"\n'
TID = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"


def module_of(text: str) -> Module:
    return read_module(prepare(HEAD + TID + text, "test.ll"), thorough=True)


def stores(module: Module, name: str, *, tid_y: bool = False) -> list[str]:
    """``value | active set | flagged or fine`` of each store, in program order."""
    options = AnalysisOptions(domain=Domain.GPUDRANO, tid_y=tid_y)
    (function,) = (f for f in module.functions.values() if f.source_name == name and f.blocks)
    return [
        f"{j.value} | {j.active} | {'flagged' if j.verdict == 'uncoalesced' else 'fine'}"
        for site, _, j in explain_function(module, function, options)
        if site.kind is AccessKind.STORE and j.space != "local"
    ]
