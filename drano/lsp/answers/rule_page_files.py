"""Rule pages as files that an editor can open."""

from __future__ import annotations

import contextlib
from pathlib import Path

from drano.lsp.answers.diagnostics import GUIDE, to_uri
from drano.rules import RULES
from drano.rules.pages import rule_page
from drano.support.cache_directory import cache_dir
from drano.support.errors import IRError
from drano.support.version import VERSION


def rule_uri(code: str) -> str:
    """The URI of a file with the rule's page; of the guide on the web where none can be written."""
    with contextlib.suppress(OSError, IRError):
        path = Path(cache_dir("rules"), f"{code}-{VERSION}.md")
        page = rule_page(RULES[code])
        if not path.is_file() or path.read_text(encoding="utf-8") != page:
            path.write_text(page, encoding="utf-8")
        return to_uri(str(path))
    return GUIDE
