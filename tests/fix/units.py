"""Units that are only text, and what is offered for them."""

from __future__ import annotations

from functools import lru_cache

from drano.fix.catalogue.base import Scene
from drano.fix.edit import Fix
from drano.fix.search import (
    Offer,
    Refusal,
    Trials,
    candidates,
    mended,
    outcome,
    outcomes,
    ranked,
)
from drano.fix.trial import Unit, analysed
from drano.model.report import FileReport
from drano.model.settings import Config

PATH = "/nowhere/k.cu"


def unit(text: str) -> Unit:
    return Unit(PATH, Config(), {PATH: text.encode()})


@lru_cache(maxsize=2)  # a test asks about one text several times
def reported(text: str) -> FileReport:
    return analysed(unit(text))


def trials(text: str) -> Trials:
    report = reported(text)
    assert report.status == "ok", report.diagnostics
    assert not report.host_errors, report.host_errors
    return Trials(unit(text), report)


def tried(text: str, *, unsafe: bool = False) -> list[Offer | Refusal]:
    """All that was tried, for all findings; ``unsafe``: where unsafe fixes are as welcome."""
    return list(outcomes(trials(text), unsafe=unsafe))


def proposed(text: str, edit: str) -> list[Fix]:
    """What one edit of the catalogue would try, for all findings."""
    asked = trials(text)
    scene = Scene(asked.unit, asked.report)
    found = (candidates(scene, one, unsafe=True) for one in ranked(asked.report))
    return [fix for fixes in found for fix in fixes if fix.edit == edit]


def offers(text: str, edit: str, *, unsafe: bool = False, title: str = "") -> list[Offer]:
    """What one edit of the catalogue is proved to mend, whatever others would: a finding's first
    offer hides no other. ``title``: how the fixes' end that are tried.
    """
    asked = trials(text)
    scene = Scene(asked.unit, asked.report)
    found: list[Offer] = []
    for finding in ranked(asked.report):
        for fix in candidates(scene, finding, unsafe=unsafe):
            if fix.edit != edit or not fix.title.endswith(title):
                continue
            proved = outcome(asked, finding, fix)
            if isinstance(proved, Offer):
                found.append(proved)
                break
    return found


def with_fix(text: str, offer: Offer) -> str:
    """The text with one fix alone."""
    return offer.fix.applied({PATH: text.encode()})[PATH].decode()


def after(text: str, *, unsafe: bool = False) -> str:
    """The text with all that is offered."""
    found = mended(unit(text), reported(text), unsafe=unsafe)
    return found.unit.text(PATH).decode()
