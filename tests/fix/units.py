"""Units that are only text, and what is offered for them."""

from __future__ import annotations

from drano.fix.search import Offer, Refusal, Trials, mended, outcomes
from drano.fix.trial import Unit, analysed
from drano.model.settings import Config

PATH = "/nowhere/k.cu"


def unit(text: str) -> Unit:
    return Unit(PATH, Config(), {PATH: text.encode()})


def tried(text: str, *, unsafe: bool = False) -> list[Offer | Refusal]:
    """All that was tried, for all findings; ``unsafe``: where unsafe fixes are as welcome."""
    one = unit(text)
    report = analysed(one)
    assert report.status == "ok", report.diagnostics
    assert not report.host_errors, report.host_errors
    return list(outcomes(Trials(one, report), unsafe=unsafe))


def offers(text: str, edit: str, *, unsafe: bool = False) -> list[Offer]:
    found = tried(text, unsafe=unsafe)
    return [o for o in found if isinstance(o, Offer) and o.fix.edit == edit]


def after(text: str, *, unsafe: bool = False) -> str:
    """The text with all that is offered."""
    one = unit(text)
    found = mended(one, analysed(one), unsafe=unsafe)
    return found.unit.text(PATH).decode()
