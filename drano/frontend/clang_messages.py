"""clang's messages as data: ``path:line:column: severity: text`` lines become Diagnostics.

Caret lines and "In file included from" lines are not asked for or skipped. Warnings never get
here: clang runs with ``-w``, what it thinks of old code's style is not our user's question.
"""

from __future__ import annotations

import os
import re

from drano.model.finding import Severity
from drano.model.report import Diagnostic

MAX_DIAGNOSTICS = 100
_LOCATED = re.compile(
    r"^(?P<path>.+?):(?P<line>\d+):(?P<column>\d+): "
    r"(?P<severity>fatal error|error|warning|note|remark): (?P<text>.*)$"
)
_GENERAL = re.compile(
    r"^(?:clang(?:-\d+)?(?:\+\+)?: )?(?P<severity>fatal error|error): (?P<text>.*)$"
)
_LLVM = re.compile(r"^(?:LLVM ERROR|fatal error): (?P<text>.*)$")
_CRASH = re.compile(r"clang frontend command failed.*")
_SEVERITIES = {
    "fatal error": Severity.ERROR,
    "error": Severity.ERROR,
    "note": Severity.NOTE,
}


def parse_messages(
    text: str, unit: str, most: int | None = MAX_DIAGNOSTICS
) -> tuple[Diagnostic, ...]:
    """Errors, with the notes that belong to them, the first ``most`` of both in clang's order;
    ``unit`` is the path of those that have no place. ``a.cu:3:5: error: x`` is
    ``Diagnostic("a.cu", 3, 5, ERROR, "x")``.
    """
    found: list[Diagnostic] = []
    for line in text.splitlines():
        diagnostic = _parse_line(line, unit)
        if diagnostic is None:
            continue
        if diagnostic.severity is Severity.NOTE and not found:
            continue  # a note of a warning that was not asked for
        found.append(diagnostic)
        if len(found) == most:
            break
    return tuple(found)


def _parse_line(line: str, unit: str) -> Diagnostic | None:
    located = _LOCATED.match(line)
    if located is not None:
        severity = _SEVERITIES.get(located["severity"])
        if severity is None:
            return None
        place = int(located["line"]), int(located["column"])
        path = os.path.abspath(located["path"])
        return Diagnostic(path, *place, severity, located["text"])
    general = _GENERAL.match(line) or _LLVM.match(line)
    if general is not None:
        text = _CRASH.sub("clang crashed on this file", general["text"])
        return Diagnostic(unit, 0, 0, Severity.ERROR, text)
    return None


def parse_dependencies(text: str) -> tuple[str, ...]:
    r"""Prerequisites of a make rule as clang's ``-MD`` writes it.

    ``x: a.cu b\ c.h`` gives ``("a.cu", "b c.h")``.
    """
    _, _, rest = text.replace("\\\n", " ").partition(": ")
    words = re.findall(r"(?:\\[ #\\]|\$\$|[^\s])+", rest)
    return tuple(_unescaped(word) for word in words)


def _unescaped(word: str) -> str:
    if "\\" not in word and "$" not in word:
        return word
    return re.sub(r"\\([ #])", r"\1", word).replace("$$", "$")
