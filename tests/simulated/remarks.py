"""Remarks in the corpus: which lines have no answer."""

from __future__ import annotations

import re
from pathlib import Path

from drano.model.settings import View

SOURCES = sorted((Path(__file__).parent / "corpus").glob("*.cu"))
_REMARK = re.compile(r"  // unknown(?:: (\w+))?$")


def remarked(path: Path, view: View) -> set[int]:
    """Lines that are said to have no answer in a view."""
    found = set()
    for number, line in enumerate(path.read_text().splitlines(), 1):
        remark = _REMARK.search(line)
        if remark and remark[1] in {None, str(view)}:
            found.add(number)
    return found


def write(path: Path, unknown: dict[View, set[int]]) -> None:
    """Bring the remarks of a source up to date."""
    lines = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        views = [view for view in View if number in unknown[view]]
        remark = "" if not views else "  // unknown" + (f": {views[0]}" if len(views) == 1 else "")
        lines.append(_REMARK.sub("", line) + remark)
    path.write_text("\n".join(lines) + "\n")
