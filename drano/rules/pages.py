"""The rules' user pages: each is its module's docstring, in Markdown."""

from __future__ import annotations

from drano.rules.base import Rule
from drano.rules.table import RULES


def find_rule(name: str) -> Rule | None:
    """A rule by its code or its name, in any case."""
    wanted = name.upper()
    return next((r for r in RULES.values() if wanted in (r.code, r.name.upper())), None)


def rule_list() -> str:
    """Code, name and summary, a line each."""
    return "".join(f"{r.code}  {r.name:<24} {r.summary}\n" for r in RULES.values())


def rule_page(rule: Rule) -> str:
    """One rule's page."""
    return f"# {rule.page.strip()}\n"


def all_pages() -> str:
    """All pages as one document, ``docs/reference/rules.md``."""
    lines = [
        "# Rules",
        "",
        "Written by `drano rule --all`; the text is each rule's docstring.",
        "",
        "| Code | Name | Level | What it finds |",
        "| --- | --- | --- | --- |",
    ]
    for rule in RULES.values():
        link = f"[{rule.code}](#{rule.code.lower()}-{rule.name})"
        lines.append(f"| {link} | {rule.name} | {rule.level} | {rule.summary} |")
    for rule in RULES.values():
        page = rule.page.strip().replace("\n## ", "\n### ")
        lines += ["", f"## {page}"]
    return "\n".join(lines) + "\n"
