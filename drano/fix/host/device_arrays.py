"""Variables of the host's that hold an array on the device, with all that is done with them.

Means: a ``DeviceArray`` has all places where the name of one variable stands, and each of them is
its declaration, a ``cudaMalloc``, a copy from or to the host by ``cudaMemcpy``, a ``cudaFree``, or
an argument of a launch. So nobody else learns the array's address, it begins where it was
allocated, and only these kernels and copies touch it.
Limits: members, parameters of functions and arrays of pointers are not known; nor are variables
whose name stands in a macro, in code that is left out, or in a template.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final

from msgspec import Struct, field

from drano.fix.host.calls import Call, calls, codes_of, launches
from drano.fix.source_tree import Tree, same_file
from drano.frontend.libclang import Kind, Node, file_place, key, tree
from drano.frontend.text.cpp_lexer import NAME, identifiers, macros
from drano.host.function_bodies import is_outside, preorder
from drano.host.unit_functions import Function

_CALLED: Final = "cudaMalloc|cudaMemcpy|cudaFree"
_CAST: Final = re.compile(rb"\A\(\s*(?:const\s+)?void\s*(?:\*\s*)+\)\s*")
_MEMBER: Final = re.compile(rb"(?:\.|->|::)\s*\Z")
_NAMED: Final = frozenset({Kind.VAR, Kind.PARM, Kind.FIELD})

Place = tuple[str, int]
"""A file and an offset in it."""


class DeviceArray(Struct, frozen=True):
    """``place``: of the name in its declaration; ``allocations``; ``inward``, ``outward``: its
    copies from and to the host; ``passed``: launches with the position of the argument;
    ``unproved``: what is not proved of all this, "" where all is.
    """

    name: str
    place: Place
    allocations: tuple[Call, ...]
    inward: tuple[Call, ...]
    outward: tuple[Call, ...]
    passed: tuple[tuple[Call, int], ...]
    unproved: str


class HostText(Struct, dict=True):
    """The text of a unit's files as the host's side sees it. Mutated: trees of its functions."""

    unit: Tree
    trees: dict[int, Node | None] = field(default_factory=dict)

    @cached_property
    def codes(self) -> Mapping[str, bytes]:
        """The code of each file."""
        return codes_of(self.unit)

    @cached_property
    def launches(self) -> list[Call] | None:
        """All launches; None where there may be others."""
        return launches(self.unit, self.codes)

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """Of functions of the runtime library that arrays are given to; () if they are not its."""
        own = {function.name for function in self.unit.declared.functions}
        own |= {
            macro.name.decode("utf-8", "replace")
            for path in self.unit.files for macro in macros(self.unit.text(path))
        }  # fmt: skip
        if not own.isdisjoint(_CALLED.split("|")):
            return ()
        return tuple(
            call for path, code in self.codes.items() for call in calls(path, code, _CALLED)
        )

    @cached_property
    def hidden(self) -> frozenset[bytes]:
        """Names that stand in macros."""
        found: set[bytes] = set()
        for path in self.unit.files:
            for macro in macros(self.unit.text(path)):
                found |= {macro.name, *identifiers(macro.body)}
        return frozenset(found)

    def tree(self, function: Function) -> Node | None:
        """The tree of a function."""
        wanted = key(function.cursor)
        if wanted not in self.trees:
            self.trees[wanted] = tree(function.cursor)
        return self.trees[wanted]

    def arguments(self, call: Call) -> list[bytes]:
        """The texts of a call's arguments."""
        code = self.codes[call.path]
        return [code[slice(*place)] for place in call.arguments(code)]

    def mentions(self, path: str, name: bytes, start: int = 0, end: int = -1) -> set[Place]:
        """Where a name stands that is no member's."""
        code = self.codes[path]
        return {
            (path, match.start())
            for match in NAME.finditer(code, start, len(code) if end < 0 else end)
            if match[0] == name and not _MEMBER.search(code[max(match.start() - 40, 0) :
                                                            match.start()])
        }  # fmt: skip

    def place(self, cursor: Any) -> Place | None:
        """Where a name stands, in one of the unit's files as the unit calls it."""
        found = file_place(cursor)
        if found is None:
            return None
        path = next((own for own in self.unit.files if same_file(own, found[0])), None)
        return None if path is None else (path, found[1])


def device_array(host: HostText, launch: Call, position: int) -> DeviceArray | None:
    """The variable that a launch is given at a position; None where not all is known of it."""
    code = host.codes[launch.path]
    start, end = launch.arguments(code)[position]
    name = code[start:end]
    if not NAME.fullmatch(name) or name in host.hidden:
        return None
    found = _variable(host, (launch.path, start), name)
    if found is None:
        return None
    variable, function = found
    uses, at = _uses(host, variable, function, name), host.place(variable)
    if uses is None or at not in uses:
        return None
    purposes = _sorted_uses(host, uses - {at}, name)
    if purposes is None:
        return None
    shared = is_outside(variable) and str(variable.storage_class) != "StorageClass.STATIC"
    unproved = f"that no other unit uses {name.decode()}" if shared else ""
    return DeviceArray(name.decode(), at, *purposes, unproved)


def _variable(host: HostText, place: Place, name: bytes) -> tuple[Any, Function] | None:
    """The declaration of the variable whose name stands at a place, and the function there."""
    function = host.unit.function_at(place[0], host.codes[place[0]].count(b"\n", 0, place[1]) + 1)
    if function is None or function.pattern:
        return None
    root = host.tree(function)
    for node in preorder(root) if root is not None else ():
        if node.kind == Kind.DECL_REF and node.spelling.encode() == name:
            declared = node.declared()
            if host.place(node.cursor) == place and declared is not None:
                known = declared._kind_id == Kind.VAR and str(declared.storage_class) in {
                    "StorageClass.NONE", "StorageClass.STATIC",
                }  # fmt: skip
                return (declared, function) if known else None
    return None


def _uses(host: HostText, variable: Any, function: Function, name: bytes) -> set[Place] | None:
    """Where the variable's name stands; None if it may stand elsewhere, too."""
    if not is_outside(variable):  # nobody sees it outside of its function
        extent = function.cursor.extent
        place = host.place(function.cursor)
        mine, others = _split(host, (function,), variable, name)
        if place is None or mine is None:
            return None
        standing = host.mentions(place[0], name, extent.start.offset, extent.end.offset)
        return mine if standing <= mine | others and not mine & others else None
    return places_of(host, variable, name)


def places_of(host: HostText, declared: Any, name: bytes) -> set[Place] | None:
    """Where the name of a function or variable of the whole unit stands, its declaration included;
    None if it may stand elsewhere, too.
    """
    mine, others = _split(host, host.unit.declared.functions, declared, name)
    if mine is None:
        return None
    for other in (declared, *host.unit.declared.variables):
        place = host.place(other)
        if str(other.spelling).encode() == name and place is not None:
            (mine if key(other) == key(declared) else others).add(place)
    standing = set[Place]().union(*(host.mentions(path, name) for path in host.unit.files))
    return mine if standing <= mine | others and not mine & others else None


def _split(
    host: HostText, functions: Iterable[Function], variable: Any, name: bytes
) -> tuple[set[Place] | None, set[Place]]:
    """Where the name means the variable in functions, and where another one; None for the first
    where that is not known.
    """
    wanted = key(variable)
    mine, others = set[Place](), set[Place]()
    for function in functions:
        if name not in function.names:
            continue
        root = host.tree(function)
        if root is None:
            return None, others
        for node, place in _named(host, root, name):
            same = wanted in {node.key, key(node.cursor)}
            if same and function.pattern:
                return None, others
            (mine if same else others).add(place)
    return mine, others


def _named(host: HostText, root: Node, name: bytes) -> Iterator[tuple[Node, Place]]:
    """Nodes that declare or name a variable of the name, and where."""
    for node in preorder(root):
        if node.kind != Kind.DECL_REF and node.kind not in _NAMED:
            continue
        if node.spelling.encode() == name:
            place = host.place(node.cursor)
            if place is not None:
                yield node, place


_Sorted = tuple[tuple[Call, ...], tuple[Call, ...], tuple[Call, ...], tuple[tuple[Call, int], ...]]


def _sorted_uses(host: HostText, uses: set[Place], name: bytes) -> _Sorted | None:
    """Allocations, copies inward and outward, and launches; None where a use is none of these."""
    allocations, inward, outward, passed = [], [], [], []
    for path, at in sorted(uses):
        call, position = _around(host, path, at)
        if call is None or host.codes[path][at : at + len(name)] != name:
            return None
        given = host.arguments(call)
        word = _CAST.sub(b"", given[position])
        if call in (host.launches or ()):
            if given[position] != name:
                return None
            passed.append((call, position))
            continue
        what = (call.name, position, len(given))
        kind = given[-1] if len(given) == 4 else b""
        if what == (b"cudaMalloc", 0, 2) and word.replace(b" ", b"") == b"&" + name:
            allocations.append(call)
        elif word != name:
            return None
        elif what == (b"cudaMemcpy", 0, 4) and kind == b"cudaMemcpyHostToDevice":
            inward.append(call)
        elif what == (b"cudaMemcpy", 1, 4) and kind == b"cudaMemcpyDeviceToHost":
            outward.append(call)
        elif what != (b"cudaFree", 0, 1):
            return None
    return tuple(allocations), tuple(inward), tuple(outward), tuple(passed)


def _around(host: HostText, path: str, at: int) -> tuple[Call | None, int]:
    """The innermost of the calls and launches that a place is an argument of, and of which."""
    within = [
        call for call in (*host.calls, *(host.launches or ()))
        if call.path == path and call.start <= at < call.end
    ]  # fmt: skip
    if not within:
        return None, 0
    call = max(within, key=lambda one: one.start)
    places = call.arguments(host.codes[path])
    return call, next((n for n, (start, end) in enumerate(places) if start <= at < end), 0)
