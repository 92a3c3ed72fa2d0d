"""Device code that a unit's kernels reach and other units of the run define (``nvcc -rdc=true``).

A function or variable that a unit only declares is the one that another unit defines, by its
mangled name, if the linker sees it. What units lack and offer (``FileReport``) says who is asked
for code; who lacks it is analysed again with it. All of that travels as text, like launches
(``launches_elsewhere.py``).

If several units define a name, that of the program is meant: a unit in the same directory, else one
that includes a header of the project that this one includes, too, else any. Where that leaves
several, none is: the reason names them.
Limits: nobody says which units are of one program.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import partial

from msgspec import Struct

from drano.host.cross_unit import ToldCode, absent_text, code_text, wanted_text
from drano.model.report import FileReport, FileStatus, OfferedCode
from drano.model.system_headers import is_system_header
from drano.run.other_units.definers_beside import definers_beside

_NAMED = 3
_CONDITION = ": it is followed if both are checked together, and a linker sees it"


class _Found(Struct, frozen=True):
    """What a unit is to get: symbols by the path of who defines them, and reasons of others."""

    taken: Mapping[str, tuple[str, ...]]
    absent: Mapping[str, str]


def code_elsewhere(reports: Mapping[str, FileReport]) -> dict[str, tuple[str, ...]]:
    """For each unit that lacks code which others define, or has what others lack: this code, or
    the question for it, as text. ``reports``: of all units, by path.
    """
    if not any(report.lacks for report in reports.values()):
        return {}
    offers: dict[str, dict[str, OfferedCode]] = {}
    for path, report in reports.items():
        for offer in report.offers:
            offers.setdefault(offer.symbol, {})[path] = offer
    kin = _Kin(reports)
    found = {path: _found(path, r, offers, kin) for path, r in reports.items() if r.lacks}
    wanted: dict[str, set[str]] = {}
    for each in found.values():
        for path, symbols in each.taken.items():
            wanted.setdefault(path, set()).update(symbols)
    told: dict[str, list[str]] = {}
    for path, names in wanted.items():
        told.setdefault(path, []).append(wanted_text(sorted(names)))
    for path, each in found.items():
        if all(map(partial(_has_given, reports), each.taken.items())):
            texts = [*_code(each, reports), *(absent_text(*pair) for pair in each.absent.items())]
            told.setdefault(path, []).extend(texts)
    told = {path: texts for path, texts in told.items() if texts}
    return {path: tuple(sorted(texts)) for path, texts in sorted(told.items())}


def _found(
    path: str, report: FileReport, offers: Mapping[str, Mapping[str, OfferedCode]], kin: _Kin
) -> _Found:
    """What a unit's kernels need of others, directly or through what they get of them."""
    own = {offer.symbol for offer in report.offers}
    taken: dict[str, list[str]] = {}
    absent: dict[str, str] = {}
    nowhere: dict[str, list[str]] = {}
    pending = [(path, symbol) for symbol in report.lacks]
    seen = {symbol for _, symbol in pending}
    while pending:
        asks, symbol = pending.pop()
        definers = kin.nearest(asks, offers.get(symbol, {}).keys() - {asks})
        if len(definers) > 1:
            absent[symbol] = f"{_listed(definers)} define it, and which one is linked is not known"
        elif not definers:
            nowhere.setdefault(asks, []).append(symbol)
        if len(definers) != 1:
            continue
        (definer,) = definers
        taken.setdefault(definer, []).append(symbol)
        needs = set(offers[symbol][definer].needs) - seen - own
        seen |= needs
        pending += [(definer, need) for need in sorted(needs)]
    for asks, symbols in nowhere.items():
        for symbol, file in definers_beside(asks, symbols).items():
            absent[symbol] = f"{os.path.basename(file)} seems to define it{_CONDITION}"
    return _Found({p: tuple(sorted(names)) for p, names in taken.items()}, absent)


def _listed(paths: list[str]) -> str:
    here = os.path.commonpath([os.path.dirname(path) for path in paths])
    names = [os.path.relpath(path, here) for path in paths[:_NAMED]]
    more = len(paths) - len(names)
    return f"{', '.join(names)} and {more} more" if more else " and ".join(names)


def _has_given(reports: Mapping[str, FileReport], wanted: tuple[str, tuple[str, ...]]) -> bool:
    """Whether a unit has answered. All answers are waited for, so that who asks is analysed once
    more, not several times.
    """
    path, symbols = wanted
    given = reports[path].given
    return given is not None and set(symbols) <= set(given.symbols)


def _code(found: _Found, reports: Mapping[str, FileReport]) -> Iterator[str]:
    """The code that was given."""
    for path, symbols in found.taken.items():
        given = reports[path].given
        if given is not None and given.text:
            files = [path, *(f for f in reports[path].dependencies if not is_system_header(f))]
            yield code_text(ToldCode(path, symbols, given.text, tuple(dict.fromkeys(files))))
        else:
            reason = f"{os.path.basename(path)} defines it, of which there is too much code"
            yield from (absent_text(symbol, reason) for symbol in symbols)


class _Kin:
    """How near units are to each other."""

    def __init__(self, reports: Mapping[str, FileReport]) -> None:
        self._reports = reports
        self._headers: dict[str, frozenset[str]] = {}

    def nearest(self, path: str, others: set[str]) -> list[str]:
        """Those of ``others`` that are likeliest to be of one program with the unit at ``path``."""
        able = sorted(p for p in others if self._reports[p].status is FileStatus.OK)
        if len(able) < 2:
            return able
        beside = [p for p in able if os.path.dirname(p) == os.path.dirname(path)]
        own = self._of(path)
        return beside or [p for p in able if not own.isdisjoint(self._of(p))] or able

    def _of(self, path: str) -> frozenset[str]:
        """Headers of the project that a unit includes."""
        if path not in self._headers:
            files = (f for f in self._reports[path].dependencies if f != path)
            self._headers[path] = frozenset(f for f in files if not is_system_header(f))
        return self._headers[path]
