"""Marks on accesses before they are optimised, which tell afterwards what became of each.

Means: every instruction that accesses memory gets an alias scope of its own (``!alias.scope``,
LLVM language reference), which no other instruction is said not to alias, and a tag for memory
models (``!mmra``) that none knows: they change nothing of what an optimiser may do. Optimisers keep
scopes with an access that they copy, move or split; of accesses that they merge they unite scopes
and tags, of a load that gives its value to another one the tags. What each mark stands for is kept
in named metadata, which goes with the module: ``!drano.accesses``.
Assumptions: the text is LLVM's own printing, blocks in the order of the source: of a loop, all lie
between its header and the branch back to it.
Limits: an optimiser may drop a scope, with the place, of a load that it executes without need.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct, field

NAME: Final = "drano.accesses"
TAG: Final = "drano"

_TOKEN: Final = r'(?:"[^"]*"|[-\w.$]+)'
_CALLED: Final = r"llvm\.(?:mem(?:cpy|move|set)|nvvm\.(?:ldu|ldg|atomic|cp\.async))"
_LINE = re.compile(
    rf"define [^\n]*? @({_TOKEN})\([^\n]*"  # 1: a function
    rf"|({_TOKEN}):(?: [^\n]*)?"  # 2: a block
    rf"|  (?:(%{_TOKEN}) = )?"  # 3: the result
    r"(?:(load|store|atomicrmw|cmpxchg) [^\n]*"  # 4: an access
    rf"|(?:(?:tail|musttail|notail) )?call [^\n]*?@({_CALLED})[^\n]*"  # 5: by a call
    rf"|getelementptr [^\n]*?ptr (%{_TOKEN})"  # 6: what it is part of
    r"|(alloca) "
    r"|br ([^\n]*))",  # 8: targets
)
_LABEL = re.compile(rf"label %({_TOKEN})")
_POINTER = re.compile(rf"ptr(?: addrspace\(\d+\))? (?:align \d+ )?([%@]{_TOKEN})")
_SCOPES = re.compile(r", !alias\.scope !(\d+)")
_DEBUG = re.compile(r", !dbg (!\d+)")
_TYPE = re.compile(
    r"(?:load|store) (?:atomic )?(?:volatile )?"
    r"(?:<(\d+) x )?(i\d+|half|bfloat|float|double|ptr)>?[ ,]"
)
_BYTES: Final = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "ptr": 8}


class _Mark(Struct, frozen=True):
    """An access: ``line`` is its number among all, ``private``: to a local variable."""

    line: int
    kind: str
    bytes: int
    private: bool
    debug: str


class _Function(Struct):
    """What is gathered of one function. ``parts``: what pointers are part of, "": variables."""

    name: str
    marks: list[_Mark] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    parts: dict[str, str] = field(default_factory=dict)
    loops: dict[int, int] = field(default_factory=dict)

    def private(self, line: str) -> bool:
        """Whether the access in ``line`` is to a local variable."""
        pointers = _POINTER.findall(line)
        at = pointers[-1] if pointers and " = " not in line else pointers[0] if pointers else ""
        for _ in range(len(self.parts)):
            if at not in self.parts:
                return False
            at = self.parts[at]
            if not at:
                return True
        return False

    def depths(self) -> Iterator[int]:
        """In how many loops each mark is."""
        starts, ends = sorted(self.loops), sorted(self.loops.values())
        for mark in self.marks:
            yield bisect_right(starts, mark.line) - bisect_left(ends, mark.line)


def with_marks(text: str) -> str:
    """The module with a mark on each access of memory."""
    lines = text.split("\n")
    functions = list(_functions(lines))
    if not any(function.marks for function in functions):
        return text
    return "\n".join(_Writer(lines).written(functions))


def _functions(lines: list[str]) -> Iterator[_Function]:
    function = _Function("")
    for number, line in enumerate(lines):
        match = _LINE.match(line) if line else None
        if match is None:
            if line == "}":
                yield function
            continue
        name, label, result, access, called, base, variable, targets = match.groups()
        if name:
            function = _Function(name.strip('"'))
        elif label:
            function.labels[label] = number
        elif access or called:
            kind = access if access in ("load", "store") else "access" if called else "atomic"
            debug = _DEBUG.search(line)
            private = function.private(line)
            function.marks.append(
                _Mark(number, kind, _bytes(line), private, debug[1] if debug else "")
            )
        elif targets is not None:
            for target in _LABEL.findall(targets):
                if target in function.labels:
                    function.loops[function.labels[target]] = number
        elif result and (base or variable):
            function.parts[result] = base or ""


def _bytes(line: str) -> int:
    """How many a lane accesses; 0: not told."""
    match = _TYPE.search(line)
    if match is None:
        return 0
    each = _BYTES.get(match[2]) or -(-int(match[2][1:]) // 8)
    return each * int(match[1] or 1)


class _Writer:
    """Writes marks into the lines of a module."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._added: list[str] = []
        self._next = 1 + max(
            (int(line[1 : line.index(" ")]) for line in lines if re.match(r"!\d+ = ", line)),
            default=-1,
        )

    def written(self, functions: list[_Function]) -> list[str]:
        """All lines, with those of the marks behind them."""
        domain = self._own('!"drano"')
        before = self._lists()
        about: list[str] = []
        number = 0
        for function in functions:
            if not function.marks:
                continue
            marks: list[str] = []
            for mark, depth in zip(function.marks, function.depths(), strict=True):
                scope = self._own(f'{domain}, !"drano"')
                self._mark(mark.line, scope, self._node(f'!"{TAG}", !"{number}"'), before)
                number += 1
                said = f'!"{mark.kind}", i32 {mark.bytes}, i32 {depth}, i1 {int(mark.private)}'
                marks.append(self._node(f"{scope}, {said}, {mark.debug or 'null'}"))
            about.append(self._node(", ".join([f'!"{function.name}"', *marks])))
        return [*self._lines, f"!{NAME} = !{{{', '.join(about)}}}", *self._added]

    def _mark(self, line: int, scope: str, tag: str, before: Mapping[str, str]) -> None:
        text = self._lines[line]
        if "!mmra" not in text:
            text += f", !mmra {tag}"
        old = _SCOPES.search(text)
        if old is None:
            self._lines[line] = f"{text}, !alias.scope {self._node(scope)}"
            return
        united = self._node(f"{before.get(old[1], '')}, {scope}".removeprefix(", "))
        self._lines[line] = f"{text[: old.start()]}, !alias.scope {united}{text[old.end() :]}"

    def _lists(self) -> dict[str, str]:
        """What lists of scopes there are already, by their number."""
        found = (re.match(r"!(\d+) = !\{((?:!\d+(?:, )?)*)\}", line) for line in self._lines)
        return {match[1]: match[2] for match in found if match}

    def _node(self, content: str) -> str:
        name = f"!{self._next}"
        self._next += 1
        self._added.append(f"{name} = !{{{content}}}")
        return name

    def _own(self, content: str) -> str:
        """A node that equals no other one."""
        name = f"!{self._next}"
        self._next += 1
        self._added.append(f"{name} = distinct !{{{name}, {content}}}")
        return name
