"""The sections on edits in docs/guide/fix.md, from the edits' own docstrings.

``python docs/scripts/fixes.py`` writes them; a test compares.
"""

from __future__ import annotations

from pathlib import Path

from drano.fix.catalogue.table import EDITS

PAGE = Path(__file__).resolve().parents[1] / "guide" / "fix.md"
_BEGIN, _END = "<!-- edits: made by docs/scripts/fixes.py -->\n", "<!-- end of edits -->\n"


def sections() -> str:
    """A section for each edit; the headings of its page go one level down."""
    parts = []
    for edit in EDITS:
        first, _, rest = edit.page.strip().partition("\n\n")
        parts.append(f"### {edit.name}\n\n{first}\n\n{rest.replace('## ', '#### ')}\n")
    return "\n".join(parts)


def page() -> str:
    """The page with its sections renewed."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(_BEGIN)
    return f"{before}{_BEGIN}\n{sections()}\n{_END}{rest.partition(_END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
