"""Which edits are proved to mend the findings of a unit, and the unit with all of them made.

Means: each finding, dearest first, is tried with each edit of the catalogue that is for its rule,
and each edited text is analysed. The first edit of a finding that is proved is its offer; a safe
one is preferred. ``mended`` makes offers one after the other, each proved on the text that the ones
before have left.
Limits: ``MAX_TRIALS`` analyses for a unit, ``MAX_FIXES`` edits.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from drano.analysis.incremental.remembered import KernelMemory
from drano.fix.catalogue.base import Scene
from drano.fix.catalogue.table import EDITS
from drano.fix.edit import Fix
from drano.fix.proof import Promise, promise
from drano.fix.trial import Unit, analysed
from drano.model.finding import Finding
from drano.model.report import FileReport, FileStatus

MAX_FIXES: Final = 64
MAX_TRIALS: Final = 400

Wanted = Callable[[Finding], bool]
Accepts = Callable[[tuple["Offer", ...], Mapping[str, bytes]], bool]


class Offer(Struct, frozen=True):
    """A fix that is proved to mend ``finding``; ``promise``: by how much; ``after``: the report of
    the text with it.
    """

    finding: Finding
    fix: Fix
    promise: Promise
    after: FileReport


class Refusal(Struct, frozen=True):
    """A fix that is not proved to mend a finding, and why."""

    finding: Finding
    fix: Fix
    reason: str


class Trials(Struct):
    """Edited texts of one unit that were analysed. Mutated: what was tried, and how often.

    ``kernels``: an edit changes few of a unit's; what was found in the others holds after it.
    """

    unit: Unit
    report: FileReport
    tried: dict[Fix, FileReport] = field(default_factory=dict)
    left: int = MAX_TRIALS
    kernels: KernelMemory = field(default_factory=KernelMemory)

    def after(self, fix: Fix) -> FileReport | None:
        """The report of the unit with a fix; None where it was tried too often."""
        if fix not in self.tried:
            if self.left <= 0:
                return None
            self.left -= 1
            texts = {path: self.unit.text(path) for path in fix.paths}
            self.tried[fix] = analysed(self.unit.edited(fix.applied(texts)), self.kernels)
        return self.tried[fix]


def candidates(scene: Scene, finding: Finding, *, unsafe: bool = False) -> Iterator[Fix]:
    """What the catalogue has for a finding, the safe ones first; if ``unsafe`` ones are as welcome,
    only the safe ones of each edit before its others.
    """
    found = [
        [_for_all_units(fix, scene.unit.path) for fix in edit.propose(finding, scene)]
        for edit in EDITS
        if finding.rule in edit.rules
    ]
    groups = found if unsafe else [list(chain.from_iterable(found))]
    for fixes in groups:
        yield from sorted(fixes, key=lambda fix: not fix.safe)


def _for_all_units(fix: Fix, unit: str) -> Fix:
    """The fix, unsafe where it changes a header: what is proved holds for one unit's launches and
    casts, not for those of others that include it.
    """
    headers = [path for path in fix.paths if path != unit and not path.endswith(".cu")]
    if not headers or fix.unproved:
        return fix
    return replace(fix, unproved=f"that other units that include {os.path.basename(headers[0])} "
                   "use it alike")  # fmt: skip


def outcome(trials: Trials, finding: Finding, fix: Fix) -> Offer | Refusal | None:
    """Whether a fix is proved to mend a finding; None: there was no time to know."""
    after = trials.after(fix)
    if after is None:
        return None
    texts = {path: trials.unit.text(path) for path in fix.paths}
    found = promise(finding, trials.report, after, fix, texts)
    if isinstance(found, str):
        return Refusal(finding, fix, found)
    return Offer(finding, fix, found, after)


def outcomes(
    trials: Trials, wanted: Wanted = lambda _: True, *, unsafe: bool = False
) -> Iterator[Offer | Refusal]:
    """For each finding of a unit: its offer, or what was tried in vain."""
    if trials.report.status is not FileStatus.OK:
        return
    scene = Scene(trials.unit, trials.report)
    for finding in ranked(trials.report):
        if not wanted(finding):
            continue
        for fix in candidates(scene, finding, unsafe=unsafe):
            found = outcome(trials, finding, fix)
            if found is None:
                return
            yield found
            if isinstance(found, Offer):
                break


def ranked(report: FileReport) -> list[Finding]:
    """The findings that count, dearest first."""
    return sorted((f for f in report.findings if f.counts), key=lambda f: -f.rank)


class Mended(Struct, frozen=True):
    """A unit after its fixes. ``made``: in their order; ``unsafe``: offers that were not made as
    their results are not proved to be the same; ``texts``: of the changed files.
    """

    unit: Unit
    report: FileReport
    made: tuple[Offer, ...]
    unsafe: tuple[Offer, ...]
    texts: Mapping[str, bytes]


def mended(
    unit: Unit,
    report: FileReport,
    *,
    unsafe: bool,
    wanted: Wanted = lambda _: True,
    told: Callable[[Offer], None] = lambda _: None,
    accepts: Accepts = lambda _made, _texts: True,
    trials: int = MAX_TRIALS,
) -> Mended:
    """The unit with all that is offered for it; with the unsafe offers too if these are wanted.

    ``report``: of the unit as it is. ``told``: of each fix that is made. ``accepts``: is asked of
    all fixes up to a new one, with the texts that they make; what it refuses is not made.
    ``trials``: how many edited texts may be analysed.
    """
    made: list[Offer] = []
    held: dict[tuple[str, str], Offer] = {}
    vain: set[tuple[str, str]] = set()
    texts: dict[str, bytes] = {}
    tried = Trials(unit, report, left=trials)
    while len(made) < MAX_FIXES:
        offer = _next(tried, wanted, held, vain, unsafe=unsafe)
        if offer is None:
            break
        now = offer.fix.applied({path: tried.unit.text(path) for path in offer.fix.paths})
        if not accepts((*made, offer), {**texts, **now}):
            vain.add(_name(offer.finding, offer.fix))
            tried.tried.pop(offer.fix)
            continue
        made.append(offer)
        told(offer)
        texts |= now
        edited = tried.unit.edited(texts)
        tried = Trials(edited, offer.after, left=tried.left, kernels=tried.kernels)
    return Mended(tried.unit, tried.report, tuple(made), tuple(held.values()), texts)


def _name(finding: Finding, fix: Fix) -> tuple[str, str]:
    """By which a fix is known again in another text."""
    return (fix.title, f"{finding.location.span.path}:{finding.kernel}")


def _next(
    trials: Trials,
    wanted: Wanted,
    held: dict[tuple[str, str], Offer],
    vain: set[tuple[str, str]],
    *,
    unsafe: bool,
) -> Offer | None:
    """The next fix to make; ``held`` and ``vain`` are told of what is not made, to be tried no
    more.
    """
    scene = Scene(trials.unit, trials.report)
    for finding in ranked(trials.report):
        for fix in candidates(scene, finding, unsafe=unsafe) if wanted(finding) else ():
            name = _name(finding, fix)
            if name in held or (name in vain and fix not in trials.tried):
                continue
            found = outcome(trials, finding, fix)
            if found is None:
                return None
            if isinstance(found, Refusal):
                vain.add(name)
            elif fix.safe or unsafe:
                return found
            else:
                held[name] = replace(found)
                break
    return None
