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
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

from drano.frontend import libclang
from drano.frontend.libclang import Kind
from drano.frontend.repair.instances import instance_of, instantiated
from drano.support.errors import IRError
from drano.support.limited_process import run_limited

_ERROR = 3
_DEVICE_ATTRIBUTES = (413, 414)
_CONSTANT_ATTRIBUTES = (412, 413, 416)
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


_Held: TypeAlias = dict[int, list[Any]]
"""By the hash of a host function: what it holds that may run on the device."""


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


@dataclass(frozen=True, slots=True)
class Culprit:
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
    given = json.dumps({"path": path, "arguments": list(arguments), "places": list(places)})
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
    around: dict[str, list[Any]] = {str(location.file.name): [] for location, *_ in places}
    for declaration in libclang.children(unit.cursor):
        around.get(_file_of(declaration), []).append(declaration)
    held: _Held = {}
    found = [
        _culprit(around[str(location.file.name)], location, message, specialisation, held)
        for location, message, specialisation in places
    ]
    sys.stdout.write(json.dumps([asdict(culprit) for culprit in dict.fromkeys(found)]))


def _file_of(cursor: Any) -> str:
    file = cursor.extent.start.file
    return "" if file is None else str(file.name)


def _culprit(
    outermost: Sequence[Any], location: Any, message: str, specialisation: str, held: _Held
) -> Culprit:
    """``outermost``: the declarations of the top level that may hold the place;
    ``specialisation``: what was instantiated when the error came.
    """
    place = Culprit(
        Role.NONE, str(location.file.name), int(location.line), int(location.column), message
    )
    chain = _around(outermost, location)
    function = next((owner for owner in chain if owner._kind_id in _FUNCTIONS), None)
    if function is not None:
        found = _of_function(place, function, location, held)
        if found.role is not Role.BODY:
            return found
        return replace(found, instance=instance_of(function, specialisation))
    if not chain:
        return place
    inner = chain[0]
    if inner._kind_id in _TYPE_NAMES:
        return _placed(place, Role.DECLARATION, inner)
    record = next((owner for owner in chain if owner._kind_id in _RECORDS), None)
    if inner._kind_id == Kind.FIELD:
        return _placed(place, Role.FIELD, inner, _qualified(record))
    if record is not None:
        return _placed(place, Role.LAYOUT, record)
    if inner._kind_id == Kind.VAR:
        return _placed(place, Role.DECLARATION, inner)
    return place


def _around(outermost: Sequence[Any], location: Any) -> list[Any]:
    """The declarations that hold a place in the text, innermost first, down to a function."""
    chain: list[Any] = []
    candidates = outermost
    while True:
        inner = next(
            (c for c in candidates if c.kind.is_declaration() and _holds(c, location)), None
        )
        if inner is None:
            return chain
        chain.insert(0, inner)
        if inner._kind_id in _FUNCTIONS:
            return chain
        candidates = libclang.children(inner)


def _owners(cursor: Any) -> Any:
    """A declaration and those around it."""
    for _ in range(64):
        if cursor is None or cursor.kind.is_translation_unit() or cursor.kind.is_invalid():
            return
        if cursor.kind.is_declaration():
            yield cursor
        cursor = cursor.semantic_parent


def _of_function(place: Culprit, function: Any, location: Any, known: _Held) -> Culprit:
    body = next((c for c in function.get_children() if c._kind_id in _BODIES), None)
    if _on_device(function, body):
        if body is not None and _holds(body, location):
            return _placed(place, Role.BODY, body, _qualified(function), function)
        return _placed(place, Role.FUNCTION, function)
    # What a host function holds may run on the device: lambdas, members of local classes.
    where = int(function.hash)
    if where not in known:
        inner = (c for c in function.walk_preorder() if c._kind_id in (*_FUNCTIONS, Kind.LAMBDA))
        known[where] = [c for c in inner if c != function]
    held = [c for c in known[where] if _holds(c, location)]
    if not held:
        return _placed(place, Role.HOST, function)
    role = Role.LAMBDA if any(map(_may_run_on_device, held)) else Role.HOST_LAMBDA
    return _placed(place, role, held[-1], f"lambda in {_qualified(function)}")


def _placed(
    place: Culprit, role: Role, cursor: Any, name: str = "", function: Any = None
) -> Culprit:
    extent = cursor.extent
    owner = function or cursor
    return Culprit(
        role=role,
        file=place.file,
        line=place.line,
        column=place.column,
        message=place.message,
        name=name or _qualified(owner),
        extent_file=str(extent.start.file.name) if extent.start.file else "",
        start=int(extent.start.offset),
        end=int(extent.end.offset),
        owner=int(owner.location.line),
        template=owner._kind_id == Kind.FUNCTION_TEMPLATE,
        kernel=_has_attribute(owner, (414,)) or b"__global__" in _head(owner, None),
    )


def _holds(cursor: Any, location: Any) -> bool:
    start, end = cursor.extent.start, cursor.extent.end
    same = start.file is not None and start.file.name == location.file.name
    return same and int(start.offset) <= int(location.offset) <= int(end.offset)


def _on_device(function: Any, body: Any) -> bool:
    """Whether it may run on the device: by its attributes, or constexpr, which serves both."""
    if _has_attribute(function, _DEVICE_ATTRIBUTES):
        return True
    head = _head(function, body)
    return any(word in head for word in _DEVICE_WORDS)


def _may_run_on_device(held: Any) -> bool:
    """Whether a lambda, or a member of a local class, says that it does, or says what may."""
    body = next((c for c in held.get_children() if c._kind_id in _BODIES), None)
    if held._kind_id != Kind.LAMBDA:
        return _on_device(held, body)
    head = _LAMBDA_TEMPLATE.sub(b"", _head(held, body).partition(b"]")[2])
    return bool(set(_WORDS.findall(_PARENTHESES.sub(b"", head.partition(b"->")[0]))) - _HOST_WORDS)


def _has_attribute(cursor: Any, kinds: tuple[int, ...]) -> bool:
    return any(child._kind_id in kinds for child in cursor.get_children())


def _head(function: Any, body: Any) -> bytes:
    """The text of a function before its body, up to 2,000 bytes."""
    extent = function.extent
    if extent.start.file is None:
        return b""
    try:
        with Path(str(extent.start.file.name)).open("rb") as file:
            file.seek(int(extent.start.offset))
            text = file.read(min(2000, max(0, int(extent.end.offset) - int(extent.start.offset))))
    except OSError:
        return b""
    if body is not None and body.extent.start.offset > extent.start.offset:
        return text[: int(body.extent.start.offset) - int(extent.start.offset)]
    return text.partition(b"{")[0]


def _qualified(cursor: Any) -> str:
    if cursor is None:
        return ""
    names = [str(owner.spelling) for owner in _owners(cursor)]
    return "::".join(reversed([name for name in names if name]))
