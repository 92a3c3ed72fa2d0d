"""Pages that are made from the code are up to date."""

from __future__ import annotations

import runpy

import pytest

from tests.conftest import ROOT

MADE = runpy.run_path(str(ROOT / "docs" / "scripts" / "reference.py"))["pages"]()


@pytest.mark.parametrize("name", MADE)
def test_page_is_up_to_date(name: str) -> None:
    written = (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")
    assert written == MADE[name], "run: python docs/scripts/reference.py"
