"""Which declarations hold the errors of a unit, and how far they reach in the text.

libclang parses the device side, errors and missing headers notwithstanding, in a process of its
own, and says for each error whose it is (``Role``). What is then done about it is ``rescue``'s.

Assumptions: an error that is inside a declaration's extent is that declaration's. Limits: an error
at the top level, such as a stray token, has no owner; what clang skips after it is not seen.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from drano.frontend import libclang
from drano.frontend.libclang import Kind
from drano.frontend.repair.instances import instance_of, instantiated
from drano.support.errors import IRError
from drano.support.limited_process import run_limited

_ERROR = 3
_DEVICE_ATTRIBUTES = (413, 414)
_TYPE_NAMES = (5, 20, 36, 601)  # enumeration, typedef, alias, alias template
_FUNCTIONS = (
    Kind.FUNCTION, Kind.METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.CONVERSION,
    Kind.FUNCTION_TEMPLATE,
)  # fmt: skip
_RECORDS = (Kind.STRUCT, Kind.UNION, Kind.CLASS, Kind.CLASS_TEMPLATE, Kind.CLASS_PARTIAL)
_BODIES = (Kind.COMPOUND, Kind.TRY)
_DEVICE_WORDS = (b"__device__", b"__global__", b"constexpr", b"consteval")
_WORDS = re.compile(rb"\w+")
_PARENTHESES = re.compile(rb"\([^()]*(?:\([^()]*\)[^()]*)*\)")
_LAMBDA_TEMPLATE = re.compile(rb"\A\s*<[^(]*>")
_HOST_WORDS = frozenset({b"mutable", b"noexcept"})
_SCRIPT = (
    "import sys; sys.path.insert(0, sys.argv[1]); from drano.frontend.repair.culprits "
    "import worker; worker()"
)


class Role(StrEnum):
    """What holds an error.

    ``body``: of a function that may run on the device; ``function``: its signature; ``host``: a
    function of the host alone; ``lambda``: one in a host function that may run on the device;
    ``host lambda``: one that says nothing of the device; ``layout``: a record whose members or
    bases are not all known; ``field``: a member of one;
    ``declaration``: a type's or variable's name; ``none``: nothing that is known.
    """

    BODY = "body"
    FUNCTION = "function"
    HOST = "host"
    LAMBDA = "lambda"
    HOST_LAMBDA = "host lambda"
    LAYOUT = "layout"
    FIELD = "field"
    DECLARATION = "declaration"
    NONE = "none"


class Culprit(Struct, frozen=True):
    """What holds the error ``message`` at ``line``:``column`` of ``file``.

    ``start``, ``end``: its extent in bytes of ``extent_file``; ``name``: qualified;
    ``owner``: line of the declaration; ``kernel``, ``template``: it is one; ``instance``: of a
    template that is sound but for some of its instances, as ``instances`` spells them.
    """

    role: Role
    file: str
    line: int
    column: int
    message: str
    name: str = ""
    extent_file: str = ""
    start: int = 0
    end: int = 0
    owner: int = 0
    kernel: bool = False
    template: bool = False
    instance: str = ""


def find_culprits(
    path: str,
    arguments: Sequence[str],
    places: Sequence[tuple[str, int, int, str]],
    timeout: float,
    memory: int,
) -> tuple[Culprit, ...]:
    """Of all errors that libclang finds in the unit at ``path`` with clang's ``arguments``, and of
    those at ``places`` (file, line, column, message), which only code generation found.

    Raises IRError when libclang breaks down or runs out of ``timeout`` seconds.
    """
    library = str(libclang.library_path())
    given = json.dumps(
        {"path": path, "arguments": list(arguments), "places": list(places), "library": library}
    )
    root = Path(__file__).parents[3]
    done = run_limited(
        [sys.executable, "-I", "-c", _SCRIPT, str(root)],
        timeout=timeout,
        memory=memory,
        stdin=given.encode("utf-8", "surrogateescape"),
    )
    try:
        data = json.loads(done.stdout)
        return tuple(Culprit(**{**item, "role": Role(item["role"])}) for item in data)
    except (ValueError, TypeError, KeyError):
        raise IRError(path, "its errors could not be located") from None


def worker() -> None:
    """What the other process does: the unit from stdin, culprits to stdout."""
    given = json.loads(sys.stdin.buffer.read().decode("utf-8", "surrogateescape"))
    libclang.use(Path(given["library"]))
    unit = libclang.parse(given["path"], given["arguments"], {})
    places = [
        (item.location, item.spelling, instantiated(item))
        for item in unit.diagnostics
        if item.severity >= _ERROR and item.location.file is not None
    ]
    for file, line, column, message in given["places"]:
        location = libclang.location(unit, file, line, column)
        if location is not None:
            places.append((location, message, ""))
    around: dict[str, list[_Declaration]] = {str(at.file.name): [] for at, *_ in places}
    for cursor in libclang.children(unit.cursor):
        if _file_of(cursor) in around and cursor.kind.is_declaration():
            around[_file_of(cursor)].append(_Declaration(cursor))
    found = [
        _culprit(around[str(location.file.name)], location, message, specialisation)
        for location, message, specialisation in places
    ]
    sys.stdout.write(json.dumps([to_builtins(culprit) for culprit in dict.fromkeys(found)]))


def _file_of(cursor: Any) -> str:
    file = cursor.extent.start.file
    return "" if file is None else str(file.name)


class _Declaration:
    """A declaration, or a body, with what is asked of it anew for each error: a unit without its
    library has thousands of them.
    """

    def __init__(self, cursor: Any) -> None:
        self.cursor = cursor
        self.kind = int(cursor._kind_id)
        self.file = _file_of(cursor)
        self.start = int(cursor.extent.start.offset)
        self.end = int(cursor.extent.end.offset)

    def holds(self, file: str, offset: int) -> bool:
        return self.file == file and self.start <= offset <= self.end

    @cached_property
    def inner(self) -> list[_Declaration]:
        """The declarations right inside."""
        inside = libclang.children(self.cursor)
        return [_Declaration(cursor) for cursor in inside if cursor.kind.is_declaration()]

    @cached_property
    def body(self) -> _Declaration | None:
        bodies = (c for c in self.cursor.get_children() if c._kind_id in _BODIES)
        return next(map(_Declaration, bodies), None)

    @cached_property
    def functions(self) -> list[_Declaration]:
        """What a host function holds that may run on the device: lambdas, members of classes."""
        inside = self.cursor.walk_preorder()
        wanted = (c for c in inside if c._kind_id in (*_FUNCTIONS, Kind.LAMBDA))
        return [_Declaration(cursor) for cursor in wanted if cursor != self.cursor]

    @cached_property
    def on_device(self) -> bool:
        """Whether it may run there: by its attributes, or constexpr, which serves both."""
        if _has_attribute(self.cursor, _DEVICE_ATTRIBUTES):
            return True
        head = _head(self, self.body)
        return any(word in head for word in _DEVICE_WORDS)

    @cached_property
    def may_run_on_device(self) -> bool:
        """Whether a lambda, or a member of a local class, says that it does, or says what may."""
        if self.kind != Kind.LAMBDA:
            return self.on_device
        head = _LAMBDA_TEMPLATE.sub(b"", _head(self, self.body).partition(b"]")[2])
        words = _WORDS.findall(_PARENTHESES.sub(b"", head.partition(b"->")[0]))
        return bool(set(words) - _HOST_WORDS)

    @cached_property
    def name(self) -> str:
        """Qualified."""
        names = [str(owner.spelling) for owner in _owners(self.cursor)]
        return "::".join(reversed([name for name in names if name]))

    @cached_property
    def is_kernel(self) -> bool:
        return _has_attribute(self.cursor, (414,)) or b"__global__" in _head(self, None)


def _culprit(
    outermost: Sequence[_Declaration], location: Any, message: str, specialisation: str
) -> Culprit:
    """``outermost``: the declarations of the top level that may hold the place;
    ``specialisation``: what was instantiated when the error came.
    """
    place = Culprit(
        Role.NONE, str(location.file.name), int(location.line), int(location.column), message
    )
    offset = int(location.offset)
    chain = _around(outermost, place.file, offset)
    function = next((owner for owner in chain if owner.kind in _FUNCTIONS), None)
    if function is not None:
        found = _of_function(place, function, offset)
        if found.role is not Role.BODY:
            return found
        return replace(found, instance=instance_of(function.cursor, specialisation))
    if not chain:
        return place
    inner = chain[0]
    if inner.kind in _TYPE_NAMES:
        return _placed(place, Role.DECLARATION, inner)
    record = next((owner for owner in chain if owner.kind in _RECORDS), None)
    if inner.kind == Kind.FIELD:
        return _placed(place, Role.FIELD, inner, "" if record is None else record.name)
    if record is not None:
        return _placed(place, Role.LAYOUT, record)
    if inner.kind == Kind.VAR:
        return _placed(place, Role.DECLARATION, inner)
    return place


def _around(outermost: Sequence[_Declaration], file: str, offset: int) -> list[_Declaration]:
    """The declarations that hold a place in the text, innermost first, down to a function."""
    chain: list[_Declaration] = []
    candidates = outermost
    while True:
        inner = next((each for each in candidates if each.holds(file, offset)), None)
        if inner is None:
            return chain
        chain.insert(0, inner)
        if inner.kind in _FUNCTIONS:
            return chain
        candidates = inner.inner


def _owners(cursor: Any) -> Any:
    """A declaration and those around it."""
    for _ in range(64):
        if cursor is None or cursor.kind.is_translation_unit() or cursor.kind.is_invalid():
            return
        if cursor.kind.is_declaration():
            yield cursor
        cursor = cursor.semantic_parent


def _of_function(place: Culprit, function: _Declaration, offset: int) -> Culprit:
    body = function.body
    if function.on_device:
        if body is not None and body.holds(place.file, offset):
            return _placed(place, Role.BODY, body, function.name, function)
        return _placed(place, Role.FUNCTION, function)
    held = [each for each in function.functions if each.holds(place.file, offset)]
    if not held:
        return _placed(place, Role.HOST, function)
    role = Role.LAMBDA if any(each.may_run_on_device for each in held) else Role.HOST_LAMBDA
    return _placed(place, role, held[-1], f"lambda in {function.name}")


def _placed(
    place: Culprit,
    role: Role,
    extent: _Declaration,
    name: str = "",
    function: _Declaration | None = None,
) -> Culprit:
    owner = function or extent
    return Culprit(
        role=role,
        file=place.file,
        line=place.line,
        column=place.column,
        message=place.message,
        name=name or owner.name,
        extent_file=extent.file,
        start=extent.start,
        end=extent.end,
        owner=int(owner.cursor.location.line),
        template=owner.kind == Kind.FUNCTION_TEMPLATE,
        kernel=owner.is_kernel,
    )


def _has_attribute(cursor: Any, kinds: tuple[int, ...]) -> bool:
    return any(child._kind_id in kinds for child in cursor.get_children())


def _head(function: _Declaration, body: _Declaration | None) -> bytes:
    """The text of a function before its body, up to 2,000 bytes."""
    if not function.file:
        return b""
    try:
        with Path(function.file).open("rb") as file:
            file.seek(function.start)
            text = file.read(min(2000, max(0, function.end - function.start)))
    except OSError:
        return b""
    if body is not None and body.start > function.start:
        return text[: body.start - function.start]
    return text.partition(b"{")[0]
