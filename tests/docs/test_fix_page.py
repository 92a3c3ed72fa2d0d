"""The page on fixes has a section for each edit, as the edits' own docstrings say it."""

from __future__ import annotations

import runpy

from drano.fix.catalogue.table import EDITS
from tests.conftest import ROOT

SCRIPT = runpy.run_path(str(ROOT / "docs" / "scripts" / "fixes.py"))


def test_page_is_up_to_date() -> None:
    written = (ROOT / "docs" / "guide" / "fix.md").read_text(encoding="utf-8")
    assert written == SCRIPT["page"](), "run: python docs/scripts/fixes.py"


def test_every_edit_has_its_section_and_is_in_the_table() -> None:
    written = (ROOT / "docs" / "guide" / "fix.md").read_text(encoding="utf-8")
    for edit in EDITS:
        assert f"### {edit.name}\n" in written
        assert f"[{edit.name}](#{edit.name})" in written
        assert "## What it does" in edit.page and "## When it is offered" in edit.page
