"""Accesses of the analysis and sites of a run that number them differently."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as changed

from drano.dynamic.profiles.profile import Call, Site, read_profile
from drano.dynamic.profiles.site_matching import sites_of
from drano.model.access import Access, AccessKind
from drano.model.span import Frame, Location, Span
from tests.accesses import access
from tests.dynamic.profiles.test_profile import profile, write


@pytest.fixture
def measured(tmp_path: Path) -> Site:
    return read_profile(write(tmp_path / "p", profile())).sites[0]


def ours(ordinal: int, call: int, line: int = 7) -> Access:
    frames = (Frame("k", Span("/src/a.cu", call, 3)),)
    return replace(
        access(), ordinal=ordinal, kernel_symbol="k", kind=AccessKind.LOAD, bytes=4,
        location=Location(Span("/src/a.cu", line, 5), "f", frames),
    )  # fmt: skip


def theirs(measured: Site, ordinal: int, call: int, line: int = 7) -> Site:
    calls = (Call("/src/a.cu", call, 3, "k"),)
    return changed(
        measured, ordinal=ordinal, kernel="k", kind="load", bytes=4, line=line, column=5,
        inlined_at=calls,
    )  # fmt: skip


def test_the_same_ordinal_and_place(measured: Site) -> None:
    accesses = [ours(0, 20), ours(1, 20)]
    sites = [theirs(measured, 0, 20), theirs(measured, 1, 20)]
    assert [sites_of(accesses, sites)(a) for a in accesses] == sites


def test_other_ordinals_are_told_by_the_call(measured: Site) -> None:
    accesses = [ours(2, 20), ours(5, 30)]
    sites = [theirs(measured, 7, 30), theirs(measured, 0, 20)]
    assert [sites_of(accesses, sites)(a) for a in accesses] == sites[::-1]


def test_several_of_one_place_are_taken_in_order(measured: Site) -> None:
    accesses = [ours(9, 20), ours(4, 20)]
    sites = [theirs(measured, 1, 20), theirs(measured, 3, 20)]
    assert [sites_of(accesses, sites)(a) for a in accesses] == sites[::-1]


def test_without_as_many_on_both_sides_there_is_no_telling(measured: Site) -> None:
    accesses = [ours(9, 20), ours(4, 20)]
    found = sites_of(accesses, [theirs(measured, 1, 20)])
    assert [found(a) for a in accesses] == [None, None]
    assert sites_of(accesses, [])(accesses[0]) is None
    other = replace(accesses[0], kind=AccessKind.STORE)
    assert sites_of([other], [theirs(measured, 1, 20)])(other) is None
