"""Units that are only text, and what is offered for them."""

from __future__ import annotations

from drano.fix.search import Offer, Refusal, Trials, mended, outcomes
from drano.fix.trial import Unit, analysed
from drano.model.settings import Config

PATH = "/nowhere/k.cu"


def unit(text: str) -> Unit:
    return Unit(PATH, Config(), {PATH: text.encode()})


def tried(text: str) -> list[Offer | Refusal]:
    """All that was tried, for all findings."""
    one = unit(text)
    report = analysed(one)
    assert report.status == "ok", report.diagnostics
    assert not report.host_errors, report.host_errors
    return list(outcomes(Trials(one, report)))


def offers(text: str, edit: str) -> list[Offer]:
    return [o for o in tried(text) if isinstance(o, Offer) and o.fix.edit == edit]


def after(text: str, *, unsafe: bool = False) -> str:
    """The text with all that is offered."""
    one = unit(text)
    found = mended(one, analysed(one), unsafe=unsafe)
    return found.unit.text(PATH).decode()
