"""Instances of templates with errors that others of the same template do not have.

``k<Half>`` may not compile where ``k<float>`` does. The body of such a template stays, behind a
question about the instance that is being made: its ``__PRETTY_FUNCTION__``, which ends in the
arguments by their parameters' names, ``[T = Half, N = 2]``.

Limits: what clang calls otherwise in its notes than there (packs, text in arguments) is not told
apart; the columns of a line stay, so that a body that starts or ends amid one is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from drano.frontend.libclang import Kind

MOST: Final = 16
"""Instances of one template: with more errors it is given up as a whole."""

_NOTE = re.compile(
    r"in instantiation of (?:function template specialization|member function) '(.*)' requested"
)
_INSTANTIATION = re.compile(r"in instantiation of |while substituting ")
_PARAMETERS = (27, Kind.NON_TYPE_PARAMETER, 29)  # of types, of values, of templates
_TEMPLATES = (Kind.FUNCTION_TEMPLATE, Kind.CLASS_TEMPLATE)
_START = re.compile(rb"\{[ \t]*\r?\n")
_END = re.compile(rb"[ \t;]*(?://[^\n]*)?\r?(?:\n|\Z)")
_SPELLABLE = re.compile(r"[\w\s:<>,.*&()\[\]{}+=-]*")


def instantiated(diagnostic: Any) -> str:
    """The function that was being instantiated when an error came, with its arguments; or ""."""
    for note in diagnostic.children:
        if _INSTANTIATION.match(str(note.spelling)):
            found = _NOTE.match(str(note.spelling))
            return found[1] if found is not None else ""
    return ""


def instance_of(function: Any, specialisation: str) -> str:
    """How ``__PRETTY_FUNCTION__`` ends in an instance of ``function``; "" where that is not known.

    ``void k<T, N>()`` and ``ns::k<Half, 2>`` give ``[T = Half, N = 2]``.
    """
    plain, arguments = split(specialisation)
    if plain.rpartition("::")[2] != str(function.spelling):
        return ""
    names = _parameters(function)
    if not names or len(names) != len(arguments) or not _SPELLABLE.fullmatch(specialisation):
        return ""
    pairs = zip(names, arguments, strict=True)
    return f"[{', '.join(f'{name} = {argument}' for name, argument in pairs if name)}]"


def split(specialisation: str) -> tuple[str, tuple[str, ...]]:
    """A name without its arguments, and these: ``A<int, B<2>>::f<3>`` is A::f of int, B<2>, 3."""
    plain: list[str] = []
    arguments: list[str] = []
    depth = 0
    for character in specialisation:
        depth -= character in ">)]}" and depth > 0
        if depth == 0 and character not in "<>":
            plain.append(character)
        elif (depth == 0 and character == "<") or (depth == 1 and character == ","):
            arguments.append("")
        elif depth > 0:
            arguments[-1] += character
        depth += character in "<([{"
    return "".join(plain), tuple(argument.strip() for argument in arguments)


def guarded(text: bytes, start: int, end: int, marks: Iterable[tuple[str, bytes]]) -> bytes | None:
    """``text`` with a body that is given up in some instances only; None where it can't be.

    ``start``, ``end``: of the body; ``marks``: instances, and what is called in the body's place.
    """
    if not _START.match(text, start) or not _END.match(text, end):
        return None
    branches = b"".join(
        b"if constexpr(%s)%s;else " % (_is(instance), call) for instance, call in marks
    )
    return b"%s{%s%s}%s" % (
        text[:start], branches, text[start:end], text[end:],
    )  # fmt: skip


def _is(instance: str) -> bytes:
    """Whether the function that this stands in is that instance."""
    own, name = "__PRETTY_FUNCTION__", f'"{instance}"'
    return (
        f"sizeof({own})>=sizeof({name})&&"
        f"!__builtin_strcmp({own}+sizeof({own})-sizeof({name}),{name})"
    ).encode()


def _parameters(function: Any) -> list[str]:
    """The names of a template's parameters, those of the classes around it first."""
    found: list[str] = []
    owner = function
    while owner is not None and not owner.kind.is_translation_unit():
        if owner._kind_id == Kind.CLASS_PARTIAL:
            return []
        if owner._kind_id in _TEMPLATES:
            own = [c for c in owner.get_children() if c._kind_id in _PARAMETERS]
            found = [*(str(each.spelling) for each in own), *found]
        owner = owner.semantic_parent
    return found
