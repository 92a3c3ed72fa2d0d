"""From judgements to what users read: the address in words, the culprit, the fix, the derivation.

Decides nothing about coalescing; runs once for each site, for the block shape that is reported.
"""

from __future__ import annotations

from msgspec.structs import replace

from drano.analysis.access import Place
from drano.analysis.access_sites import Site
from drano.analysis.control_structure import Structure
from drano.analysis.definitions import Definitions, Record
from drano.analysis.explain.advice import advise
from drano.analysis.explain.derivation import Explainer
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.verdict.advice_facts import FactFinder, Reported
from drano.analysis.warp.verdict.answers import lanes_apart
from drano.analysis.warp.verdict.bank_conflicts import PaddingFinder, advise_padding
from drano.analysis.warp.verdict.judge import address_of
from drano.analysis.warp.verdict.swizzle import SwizzleFinder
from drano.analysis.warp.verdict.value_text import Words, lane_stride, pitch_names, step_text
from drano.ir.model import (
    Function,
    Module,
    Operand,
)
from drano.lattice import Form, LaneOverflowError, Value, Warp
from drano.model.judgement import OFF_SECTORS, Judgement, Pattern, Space, Verdict
from drano.traffic.typical_way import typically

_JUDGED = frozenset({Space.GLOBAL, Space.GENERIC})


class Presenter:
    """Words for all accesses of one function."""

    def __init__(
        self, module: Module, function: Function, structure: Structure, reported: Reported,
        sites: list[Site],
    ) -> None:  # fmt: skip
        self._definitions = Definitions(module, function)
        self._structure = structure
        self._reported = reported
        self._facts = FactFinder(self._definitions, reported, sites)
        self._padding = PaddingFinder(self._definitions, dict(reported), sites)
        self._swizzle = SwizzleFinder(self._definitions, reported, sites)
        self._voices: dict[int, tuple[Words, Explainer]] = {}

    def present(self, site: Site, place: Place) -> Judgement:
        """The judgement of a site, in words."""
        judgement, run = self._reported[site.ordinal]
        try:
            address = address_of(run, site)
            return self._present(site, place, judgement, run, address)
        except (NotReadyError, LaneOverflowError):
            return judgement

    def _present(
        self, site: Site, place: Place, judgement: Judgement, run: WarpState, address: Form
    ) -> Judgement:
        words, explainer = self._voice(run)
        text = place.expression.text
        expression = words.expression(address)
        judgement = replace(judgement, address=expression)
        fine = judgement.space not in _JUDGED or (
            judgement.verdict is Verdict.COALESCED and judgement.pattern not in OFF_SECTORS
        )
        if run.options.derive_all or not fine:
            said = _value(words, address, expression, " bytes")
            steps = explainer.derivation(site, place.location.span, text, said)
            judgement = replace(judgement, derivation=steps)
        if judgement.space is Space.SHARED:
            return replace(judgement, fix=self._without_conflict(site, judgement))
        if fine:
            return judgement
        record = self._definitions.record(site.pointer)
        unknown = judgement.possible or judgement.verdict is Verdict.UNKNOWN
        if unknown and judgement.pattern is Pattern.COLUMN_MAJOR:
            # Whether there is anything to be done, who runs it knows.
            return judgement
        address = typically(run.warp, address)
        stride = _stride(run.warp, address, judgement, site, record)
        if lanes_apart(judgement.lanes) > 1 and judgement.pattern is Pattern.STRIDED:
            stride = ""  # of neighbours, which are not active
        reason, says_stride = judgement.reason, judgement.says_stride
        proved = judgement.verdict is Verdict.UNCOALESCED
        if stride and proved and judgement.pattern not in OFF_SECTORS:
            reason, says_stride = f"neighbouring lanes are {stride} apart", True
        fix = advise(self._facts.facts(site, text, judgement, run, address, record, words))
        changes = {"stride": stride, "reason": reason, "says_stride": says_stride, "fix": fix}
        return replace(judgement, **changes)

    def _without_conflict(self, site: Site, judgement: Judgement) -> str:
        """How a bank conflict is avoided: longer rows, or other columns."""
        counts = judgement.wavefronts
        if counts is None or counts.expected is None or counts.expected <= counts.ideal:
            return ""
        padding = advise_padding(self._padding, site, judgement)
        swizzle = self._swizzle.advise(site)
        if padding and swizzle:
            return f"{padding}; or, without extra memory, {swizzle}"
        return padding or swizzle

    def _voice(self, run: WarpState) -> tuple[Words, Explainer]:
        found = self._voices.get(id(run))
        if found is None:
            words = Words(run.layout)

            def describe(operand: Operand, block: int) -> str:
                value = run.value_so_far(operand, block)
                return "" if value is None else _value(words, value, words.expression(value))

            explainer = Explainer(self._definitions, self._structure.loops, describe)
            found = self._voices[id(run)] = (words, explainer)
        return found


def _value(words: Words, value: Value, expression: str, unit: str = "") -> str:
    """As in ``4*threadIdx.x + a, +4 bytes per lane``."""
    if words.is_number(value):
        return expression
    return ", ".join(filter(None, (expression, words.lanes(value, unit))))


def _stride(
    warp: Warp, address: Form, judgement: Judgement, site: Site, record: Record | None
) -> str:
    """The distance between lanes, with what makes it: a row's pitch, a structure."""
    stride = judgement.stride
    pitch = pitch_names(warp, address)
    if not stride:
        return ""
    if len(pitch) == 1 and step_text(warp, address) == f"{site.bytes}*{pitch[0]}":
        return f"a row of `{pitch[0]}` elements ({stride})"
    if record is not None and record.type.size and not pitch:
        count, rest = divmod(abs(lane_stride(address)), record.type.size)
        if count == 1 and not rest:
            return f"a `{record.name}` ({stride})"
        if count > 1 and not rest:
            return f"{count} elements of `{record.name}` ({stride})"
    return stride
