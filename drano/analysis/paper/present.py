"""The paper's verdicts in the user's words: the derivation of an index, and what to do."""

from __future__ import annotations

from msgspec.structs import replace

from drano.analysis.access import Place
from drano.analysis.access_sites import Site
from drano.analysis.control_structure import Structure
from drano.analysis.definitions import Definitions
from drano.analysis.explain.advice import Facts, advise
from drano.analysis.explain.derivation import Explainer
from drano.analysis.paper.interpreter import PaperInterpreter
from drano.analysis.paper.values import Reference, Value
from drano.ir.model import Operand
from drano.lattice.paper.multiplier import MINUS_ONE, ONE, TOP, ZERO
from drano.lattice.paper.predicate import Predicate
from drano.model.judgement import Judgement, Verdict


class PaperPresenter:
    """Words for all accesses of one function."""

    def __init__(self, run: PaperInterpreter, structure: Structure) -> None:
        self._definitions = Definitions(run.module, run.function)

        def describe(operand: Operand, block: int) -> str:
            value = run.value(operand, block)
            return "" if value is None else _words(value)

        self._run = run
        self._explainer = Explainer(self._definitions, structure.loops, describe)

    def present(self, site: Site, place: Place, judgement: Judgement) -> Judgement:
        """``judgement`` with its derivation, and a fix where the culprit is known."""
        text = place.expression.text
        value = self._run.value(site.pointer, site.block)
        words = _words(value) if value is not None else ""
        fine = judgement.verdict is not Verdict.UNCOALESCED
        if self._run.options.derive_all or not fine:
            steps = self._explainer.derivation(site, place.location.span, text, words)
            judgement = replace(judgement, derivation=steps)
        if fine:
            return judgement
        record = self._definitions.record(site.pointer)
        stride = abs(value.stride or 0) if isinstance(value, Reference) else 0
        facts = Facts(
            kind=site.kind,
            pattern=judgement.pattern,
            array=judgement.array,
            text=text,
            size=site.bytes,
            stride=stride,
            record=record.name if record else "",
            field=record.field if record else "",
            members=record.members if record else (),
            record_size=record.type.size if record else 0,
        )
        return replace(judgement, fix=advise(facts))


def _words(value: Value) -> str:
    """How a value differs between neighbouring threads."""
    match value:
        case Reference():
            return _address(value.stride)
        case Predicate():
            return "a condition"
        case _ if value is ZERO:
            return "0, the same in all threads"
        case _ if value is ONE:
            return "1, +1 per thread"
        case _ if value is MINUS_ONE:
            return "-1, -1 per thread"
        case _ if value is TOP:
            return "⊤, varies between threads"
        case _:
            return ""


def _address(stride: int | None) -> str:
    if stride is None:
        return "⊤, varies between threads"
    if stride == 0:
        return "0, the same in all threads"
    return f"{stride:+d} bytes per thread"
