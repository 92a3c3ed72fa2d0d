"""What of a makefile holds as it is written: which sides of its conditions, with what it includes.

Means: lines are followed in their order, as GNU make's manual has it ("Parse Makefiles"): variables
with one known value are put in their place, and ``ifeq``, ``ifdef`` and their like whose words are
known then choose a side. Nothing is run: of ``$(shell …)`` only what ``uname`` says is known. A
variable that nobody sets is empty, and one with ``?=`` has its default.
Limits: a side is kept where its condition is not known; functions other than those of
``_FUNCTIONS`` are unknown; recipes, targets' own variables and ``define`` are text; of very many
lines the last are taken to hold.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from drano.support.regular_files import regular_or_empty

_MOST_BYTES: Final = 1 << 20
_MOST_FILES: Final = 32
_MOST_STEPS: Final = 20_000
_LONGEST: Final = 1 << 14
_DEEPEST: Final = 12
_ASSIGNED: Final = re.compile(
    r"\s*(?:(?:export|override|unexport)\s+)*([\w.-]+)\s*(=|:=|::=|:::=|\?=|\+=|!=)(.*)", re.DOTALL
)
_DIRECTIVE: Final = re.compile(r"\s*(ifeq|ifneq|ifdef|ifndef|else|endif)\b(.*)", re.DOTALL)
_INCLUDE: Final = re.compile(r" *(?:-|s)?include\s+(.*)", re.DOTALL)
_PAIR: Final = re.compile(r"\((.*?),(.*)\)|\"(.*?)\"\s*\"(.*?)\"|'(.*?)'\s*'(.*?)'", re.DOTALL)
_COMMENT: Final = re.compile(r"(?<!\\)#")
_NAME: Final = re.compile(r"[\w.-]+\Z")
_UNAME: Final = MappingProxyType({"": "Linux", "-s": "Linux", "-m": "x86_64", "-p": "x86_64"})


class Makefile(Struct, frozen=True):
    """One file as it is read: ``holds``: its lines that hold or may; ``passed``: those that surely
    do not, and comments; ``instead``: of these, such as another side of their condition is taken
    for, and that side.
    """

    path: str
    holds: str = ""
    passed: str = ""
    instead: tuple[tuple[str, str], ...] = ()


class _Variable(Struct, frozen=True):
    """``text``: None where it is not known; ``simple``: expanded already, as ``:=`` has it."""

    text: str | None
    simple: bool = False


class _Condition(Struct):
    """Its sides so far: whether they hold, and their lines but for those of conditions inside;
    ``around``: whether what it stands in holds.
    """

    around: bool | None
    sides: list[tuple[bool | None, list[str]]]

    @property
    def here(self) -> bool | None:
        """Whether what it stands in and the side that it is at hold."""
        truths = {self.around, self.sides[-1][0]}
        return False if False in truths else None if None in truths else True

    def instead(self) -> Iterator[tuple[str, str]]:
        """The lines of the sides that are passed over, with those of the one that is taken."""
        taken = ["\n".join(lines) for holds, lines in self.sides if holds]
        passed = "\n".join(line for holds, lines in self.sides if holds is False for line in lines)
        if taken and passed:
            yield passed, taken[0]


class _Run(Struct):
    """What is known so far; it changes as lines are followed. ``steps``: lines and references."""

    root: str
    folder: str
    variables: dict[str, _Variable]
    read: list[Makefile]
    steps: int = 0


def followed(path: str, root: str) -> tuple[Makefile, ...]:
    """The makefile at ``path`` and those in the directory ``root`` that it includes, in the order
    in which they begin.
    """
    folder = os.path.dirname(path)
    run = _Run(root, folder, {"CURDIR": _Variable(folder, simple=True)}, [])
    _follow(run, path)
    return tuple(run.read)


def _follow(run: _Run, path: str) -> None:
    at = len(run.read)
    run.read.append(Makefile(path))  # its place
    run.variables["MAKEFILE_LIST"] = _Variable(path, simple=True)
    text = regular_or_empty(Path(path), _MOST_BYTES).decode("utf-8", "replace")
    around: list[_Condition] = []
    instead: list[tuple[str, str]] = []
    holding, passed = list[str](), list[str]()
    lines = re.sub(r"\\\r?\n", " ", text).splitlines()
    for number, line in enumerate(lines):
        run.steps += 1
        if run.steps > _MOST_STEPS:
            holding += lines[number:]
            break
        plain, *comment = _COMMENT.split(line, maxsplit=1)
        passed += comment
        directive = _DIRECTIVE.match(plain)
        if directive is not None:
            instead += _turn(run, around, directive[1], directive[2])
            continue
        here = around[-1].here if around else True
        (passed if here is False else holding).append(plain)
        if around:
            around[-1].sides[-1][1].append(plain)
        if here is not False:
            _take(run, plain, sure=here is True)
    run.read[at] = Makefile(path, "\n".join(holding), "\n".join(passed), tuple(instead))


def _turn(run: _Run, around: list[_Condition], word: str, rest: str) -> Iterable[tuple[str, str]]:
    """Follow a line that begins or ends a side of a condition; at its end what it passes over."""
    if word == "endif":
        return around.pop().instead() if around else ()
    if word != "else":
        outer = around[-1].here if around else True
        around.append(_Condition(outer, [(_truth(run, word, rest), [])]))
        return ()
    if around:
        before = {holds for holds, _ in around[-1].sides}
        other = _DIRECTIVE.match(rest)
        truth = True if other is None else _truth(run, other[1], other[2])
        if True in before:
            truth = False
        elif None in before and truth:
            truth = None
        around[-1].sides.append((truth, []))
    return ()


def _truth(run: _Run, word: str, rest: str) -> bool | None:
    """Whether a condition holds; None where that is not known."""
    if word in {"ifdef", "ifndef"}:
        name = rest.strip()
        variable = run.variables.get(name, _Variable(""))
        if not _NAME.match(name) or variable.text is None:
            return None
        return (variable.text != "") == (word == "ifdef")
    pair = _PAIR.match(_argument(rest.strip()))
    if pair is None:
        return None
    left, right = [each for each in pair.groups() if each is not None]
    one, other = _expanded(run, left.strip()), _expanded(run, right.strip())
    if one is None or other is None:
        return None
    return (one.strip() == other.strip()) == (word == "ifeq")


def _argument(text: str) -> str:
    """``($(f a,b),c)`` with the comma between its two words as the first: those inside references
    are written as the character that nobody writes.
    """
    depth, found = 0, []
    for at, letter in enumerate(text):
        if letter in "({" and at:
            depth += 1
        elif letter in ")}":
            depth -= 1
        found.append("\0" if letter == "," and depth > 0 else letter)
    return "".join(found)


def _take(run: _Run, line: str, *, sure: bool) -> None:
    """Follow an assignment or an ``include``; all other lines say nothing."""
    included = _INCLUDE.match(line)
    if included is not None:
        _include(run, included[1])
        return
    assigned = _ASSIGNED.match(line)
    if assigned is None:
        return
    name, way, value = assigned[1], assigned[2], assigned[3].strip()
    old = run.variables.get(name)
    if way == "?=" and old is not None:
        return
    new = _assigned(run, old, way, value)
    if not sure and new != old:
        new = _Variable(None)
    run.variables[name] = new


def _assigned(run: _Run, old: _Variable | None, way: str, value: str) -> _Variable:
    if way == "!=" or len(value) > _LONGEST:
        return _Variable(None)
    if way == "+=" and old is not None:
        more = _expanded(run, value) if old.simple else value
        if old.text is None or more is None or len(old.text) > _LONGEST:
            return _Variable(None)
        return _Variable(f"{old.text} {more}".strip(), old.simple)
    if way in {"=", "?=", "+="}:
        return _Variable(value)
    return _Variable(_expanded(run, value), simple=True)


def _include(run: _Run, names: str) -> None:
    here = run.read[-1].path
    for name in (_expanded(run, names) or "").split():
        ways = (os.path.join(base, name) for base in (run.folder, os.path.dirname(here)))
        for way in map(os.path.realpath, ways):
            known = any(each.path == way for each in run.read)
            if known or len(run.read) >= _MOST_FILES:
                continue
            if way.startswith(os.path.realpath(run.root) + "/") and os.path.isfile(way):
                _follow(run, way)
                break


def _expanded(run: _Run, text: str, depth: int = 0) -> str | None:
    """``text`` with its references' values; None where one is not known."""
    if depth > _DEEPEST or len(text) > _LONGEST:
        return None
    found, at, length = [], 0, 0
    while (start := text.find("$", at)) >= 0:
        found.append(text[at:start])
        end = _end_of(text, start)
        if end is None:
            return None
        value = _value(run, text[start + 2 : end - 1], depth) if end > start + 2 else "$"
        run.steps += 1
        length += len(value or "")
        if value is None or length > _LONGEST or run.steps > _MOST_STEPS:
            return None
        found.append(value)
        at = end
    return "".join((*found, text[at:])).replace("\0", ",")


def _end_of(text: str, start: int) -> int | None:
    """Behind the reference that begins at ``start``; None for those of one letter."""
    if text[start + 1 : start + 2] == "$":
        return start + 2
    if text[start + 1 : start + 2] not in {"(", "{"}:
        return None
    depth = 0
    for at in range(start + 1, len(text)):
        depth += (text[at] in "({") - (text[at] in ")}")
        if not depth:
            return at + 1
    return None


def _value(run: _Run, inside: str, depth: int) -> str | None:
    """Of what stands in a reference: a variable, or a function and its arguments."""
    word, space, rest = inside.partition(" ")
    if word == "shell" and space:
        command = rest.split()
        asked = command[:1] == ["uname"] and len(command) <= 2
        return _UNAME.get(" ".join(command[1:])) if asked else None
    if word in _FUNCTIONS and space:
        parts = [_expanded(run, part, depth + 1) for part in re.split("[,\0]", rest)]
        known = [part for part in parts if part is not None]
        return _FUNCTIONS[word](known) if len(known) == len(parts) else None
    name = _expanded(run, inside, depth + 1)
    if name is None or not _NAME.match(name):
        return None
    variable = run.variables.get(name, _Variable(""))
    if variable.text is None or variable.simple:
        return variable.text
    return _expanded(run, variable.text, depth + 1)


def _filter(parts: list[str]) -> str:
    wanted = parts[0].split()
    ways = [re.compile(re.escape(way).replace("%", ".*") + r"\Z") for way in wanted[:64]]
    return " ".join(w for w in " ".join(parts[1:]).split() if any(way.match(w) for way in ways))


_FUNCTIONS: Final[Mapping[str, Callable[[list[str]], str]]] = MappingProxyType(
    {
        "abspath": lambda parts: os.path.normpath(parts[0].strip()),
        "dir": lambda parts: os.path.dirname(parts[0].strip()) + "/",
        "filter": _filter,
        "findstring": lambda parts: parts[0] if parts[0] in ",".join(parts[1:]) else "",
        "lastword": lambda parts: " ".join(parts[0].split()[-1:]),
        "realpath": lambda parts: os.path.normpath(parts[0].strip()),
        "strip": lambda parts: " ".join(parts[0].split()),
    }
)
