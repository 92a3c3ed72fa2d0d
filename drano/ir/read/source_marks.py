"""The marks of ``prepare/source_marks.py``, read back from an optimised module.

Limits: metadata of other makers under the same name may be anything: what is not as expected is
left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from drano.ir.prepare.source_marks import NAME, TAG
from drano.ir.read.debug_info import DebugInfo
from drano.ir.written_access import WrittenAccess
from drano.model.access import AccessKind

_REFERENCE = re.compile(r"!\d+")
_ATTACHED = re.compile(r", !(?:alias\.scope|mmra) (!\d+)")
_TAG = re.compile(rf'!\{{!"{TAG}", !"(\d{{1,9}})"\}}')
_FUNCTION = re.compile(r'!\{!"([^"]*)"')
_MARK = re.compile(
    r'!\{(!\d+), !"(\w+)", i32 (\d{1,9}), i32 (\d{1,9}), i1 (true|false), (!\d+|null)\}'
)
_KINDS: Final = {
    "load": AccessKind.LOAD,
    "store": AccessKind.STORE,
    "atomic": AccessKind.ATOMIC,
    "access": AccessKind.OTHER,
}


class SourceMarks:
    """The marks of one module."""

    def __init__(self, lines: Iterable[str], debug: DebugInfo) -> None:
        """``lines``: of the module's text, outside of functions."""
        self._debug = debug
        self._numbers: dict[str, int] = {}
        self._lists: dict[str, frozenset[int]] = {}
        named = f"!{NAME} = "
        said = next((line for line in lines if line.startswith(named)), "")
        found: list[WrittenAccess] = []
        for reference in _REFERENCE.findall(said):
            text = debug.text(reference)
            function = _FUNCTION.match(text)
            if function is not None:
                for mark in _REFERENCE.findall(text):
                    found += self._access(mark, function[1], len(found))
        self.written = tuple(found)

    def _access(self, reference: str, symbol: str, number: int) -> list[WrittenAccess]:
        match = _MARK.fullmatch(self._debug.text(reference))
        if match is None or match[2] not in _KINDS:
            return []
        scope, kind, size, loops, private, where = match.groups()
        self._numbers[scope] = number
        location = self._debug.location(where)
        access = WrittenAccess(
            number, symbol, _KINDS[kind], int(size), int(loops), private == "true", location
        )
        return [access]

    def of(self, attached: str) -> tuple[WrittenAccess, ...]:
        """What an access with this metadata does the work of, in program order."""
        numbers: set[int] = set()
        for reference in _ATTACHED.findall(attached):
            known = self._lists.get(reference)
            if known is None:
                known = self._lists[reference] = frozenset(self._list(reference))
            numbers |= known
        return tuple(self.written[number] for number in sorted(numbers))

    def _list(self, reference: str) -> Iterator[int]:
        """Of a list of scopes, of a tag or of a list of tags."""
        for text in (reference, *_REFERENCE.findall(self._debug.text(reference))):
            if text in self._numbers:
                yield self._numbers[text]
            elif tag := _TAG.fullmatch(self._debug.text(text)):
                number = int(tag[1])
                if number < len(self.written):
                    yield number
