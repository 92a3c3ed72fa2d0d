"""CMake's language, as far as it is understood: commands and references.

Source: cmake-language(7).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

LONGEST_VALUE: Final = 4096
_TOKEN: Final = re.compile(
    r'#\[(=*)\[.*?\]\1\]|#[^\n]*|\[(=*)\[(.*?)\]\2\]|"((?:[^"\\]|\\.)*)"|([()])|([^\s()#"]+)', re.S
)
REFERENCE: Final = re.compile(r"\$\{([\w./+?-]+)\}")
UNKNOWN: Final = "${?}"
"""A reference to what is not known; no variable of CMake's has that name."""
Value = str | None
"""None: not known."""


class Argument(Struct, frozen=True):
    """Of a command, as written; ``exact``: in brackets, where ``${}`` means nothing."""

    text: str
    quoted: bool = False
    exact: bool = False


Command = tuple[str, tuple[Argument, ...]]


def commands(text: str) -> Iterator[Command]:
    """The commands of a CMake file, their names in lower case; parentheses are arguments, too."""
    name, depth, given = "", 0, list[Argument]()
    for token in _TOKEN.finditer(text):
        _, _, bracket, quoted, parenthesis, word = token.groups()
        if token[0].startswith("#"):
            continue
        if parenthesis == "(" and name:
            depth += 1
            if depth == 1:
                continue
        elif parenthesis == ")" and depth:
            depth -= 1
            if not depth:
                yield name.lower(), tuple(given)
                name, given = "", []
                continue
        if not depth:
            name = word or ""
        elif bracket is not None:
            given.append(Argument(bracket, quoted=True, exact=True))
        elif quoted is not None:
            given.append(Argument(re.sub(r"\\(.)", r"\1", quoted), quoted=True))
        else:
            given.append(Argument(parenthesis or word))


def expanded(text: str, reference: re.Pattern[str], values: Mapping[str, Value]) -> Value:
    """``text`` with values in the place of references; None where one is not known."""
    unknown = False

    def value(found: re.Match[str]) -> str:
        nonlocal unknown
        given = None if found[0] == UNKNOWN else values.get(found[1], "")
        unknown = unknown or given is None
        return given or ""

    for _ in range(4):  # names may be made of names
        text, count = reference.subn(value, text)
        if not count or unknown or len(text) > LONGEST_VALUE:
            break
    return None if unknown or len(text) > LONGEST_VALUE else text


def value_of(argument: Argument, values: Mapping[str, Value]) -> Value:
    """An argument with what its references stand for."""
    return argument.text if argument.exact else expanded(argument.text, REFERENCE, values)


def with_arguments(
    body: Sequence[Command], names: Sequence[str], given: Sequence[Value]
) -> list[Command]:
    """The commands of a macro or function with what it is called with in the place of its names.

    What is not known stays so.
    """
    rest = given[len(names) :]
    known = {**dict(zip(names, given, strict=False)), "ARGN": _listed(rest), "ARGV": _listed(given)}
    known |= {f"ARGV{i}": value for i, value in enumerate(given)} | {"ARGC": str(len(given))}

    def text(found: re.Match[str]) -> str:
        value = known.get(found[1], found[0])
        return UNKNOWN if value is None else value

    return [
        (name, tuple(a if a.exact else replace(a, text=REFERENCE.sub(text, a.text)) for a in args))
        for name, args in body
    ]


def _listed(values: Sequence[Value]) -> Value:
    known = [value for value in values if value is not None]
    text = ";".join(known)
    return text if len(known) == len(values) and len(text) <= LONGEST_VALUE else None
