"""How the text of a unit names a function: to declare, to define, or to use it.

Assumptions: text without comments, literals and includes. Limits: a name that a macro pastes
together is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

ARGUMENTS = rb"(?:<(?:[^<>;]|<[^<>;]*>)*>\s*)?"
_BEFORE_CALLS = frozenset(
    b"return else do throw case co_return co_yield co_await new and or not goto".split()
)
_LONGEST = 64
_OF_A_TYPE = re.compile(rb"[\w*&>]")
_LAST_WORD = re.compile(rb"\w+\Z")
_BRACKETS = re.compile(rb"[()]")
_BODY_OR_END = re.compile(rb"[;{]")
_DEFAULT = re.compile(rb"=[^,()]*")


def may_call(name: bytes, texts: Sequence[bytes]) -> bool:
    """Whether texts that declare a function of a name which they do not define, maybe by a macro,
    also use the name.
    """
    mention = re.compile(rb"\b" + re.escape(name) + rb"\b(?P<call>\s*" + ARGUMENTS + rb"\()?")
    used = named = False
    declared: set[bytes] = set()
    defined: set[bytes] = set()
    for text in texts:
        for found in mention.finditer(text):
            if found["call"] is None:
                named = True
                continue
            before = _before(text, found.start())
            word = _LAST_WORD.search(text, max(0, before - _LONGEST), before)
            if not _OF_A_TYPE.match(text, max(0, before - 1), before) or (
                word is not None and word[0] in _BEFORE_CALLS
            ):
                used = True
                continue
            parameters, has_body = _head(text, found.end())
            (defined if has_body else declared).add(parameters)
            used |= word is None and not has_body  # a declaration, or a product
    return ((used or named) and not declared <= defined) or (named and not defined)


def _before(text: bytes, start: int) -> int:
    """The end of what stands before a name, its namespaces and blanks."""
    end = _end(text, start)
    while text.endswith(b"::", 0, end):
        word = _LAST_WORD.search(text, max(0, end - _LONGEST), _end(text, end - 2))
        if word is None:
            break
        end = _end(text, word.start())
    return end


def _end(text: bytes, start: int) -> int:
    """The place behind the last character before ``start`` that is no blank."""
    while start and text[start - 1 : start].isspace():
        start -= 1
    return start


def _head(text: bytes, start: int) -> tuple[bytes, bool]:
    """The parameters that begin at a place, without spaces, and whether a body follows them."""
    depth, at = 1, start
    for bracket in _BRACKETS.finditer(text, start):
        depth += 1 if bracket[0] == b"(" else -1
        at = bracket.end()
        if not depth:
            break
    end = _BODY_OR_END.search(text, at)
    return _DEFAULT.sub(b"", b"".join(text[start:at].split())), end is not None and end[0] == b"{"


def defines(name: bytes, text: bytes) -> bool:
    """Whether a text seems to define a function of a name."""
    mention = re.compile(rb"\b" + re.escape(name) + rb"\s*" + ARGUMENTS + rb"\(")
    for found in mention.finditer(text):
        before = _before(text, found.start())
        word = _LAST_WORD.search(text, max(0, before - _LONGEST), before)
        typed = _OF_A_TYPE.match(text, max(0, before - 1), before)
        of_a_type = typed and (word is None or word[0] not in _BEFORE_CALLS)
        if of_a_type and _head(text, found.end())[1]:
            return True
    return False
