"""Debug metadata to source places and names: ``!dbg !7`` to file, line, column, call chain.

Means: metadata nodes are read from the module's text, each when first asked for, and remembered.
Assumptions: clang's or nvcc's DWARF-like nodes; paths join the compilation directory.
Limits: metadata may be cyclic or absent in hand-written IR: chains stop where they repeat or
grow past ``MAX_CHAIN``, and what cannot be resolved is None or an empty name. Template arguments
are cut from the names of enclosing functions, so that one source place has one name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from drano.ir.llvm_text import unescape
from drano.ir.model import StructInfo, StructType
from drano.model.span import Frame, Location, Span

MAX_CHAIN = 200

_LOCATION = re.compile(
    r"!DILocation\(line: (\d+)(?:, column: (\d+))?, scope: (!\d+)(?:, inlinedAt: (!\d+))?"
)
_FIELD = re.compile(r'(\w+): ("[^"]*"|!\d+|[-\w| ]+)')
_REFERENCE = re.compile(r"!\d+")
_RECORD = re.compile(
    r'\s*#dbg_(?:value|declare)\(.* (%(?:"[^"]*"|[-\w.$]+)), (!\d+), !DIExpression\(\), (!\d+)\)'
)
_LAMBDA = re.compile(r"Ul.*?E\d*_")  # Itanium ABI 5.1.8
_LLVM_SUFFIX = re.compile(r"(?:\.\d+)+$")


class DebugInfo:
    """The metadata of one module. Lookups are remembered, so an instance grows as it is used."""

    def __init__(self, lines: Iterable[str]) -> None:
        """``lines``: lines of the module's text, of which those that define metadata count."""
        self._nodes: dict[str, str] = {}
        for line in lines:
            if line.startswith("!"):
                reference, _, text = line.partition(" = ")
                if text and reference[1:].isdecimal():
                    self._nodes[reference] = text.removeprefix("distinct ")
        self._fields: dict[str, dict[str, str]] = {}
        self._locations: dict[str, Location | None] = {}
        self._frames: dict[str, tuple[Frame, ...]] = {}
        self._scopes: dict[str, tuple[str, str]] = {}
        self._nests: dict[str, tuple[str, ...]] = {}
        self._files: dict[str, str] = {}

    # --- nodes -------------------------------------------------------------------------------

    def _node(self, reference: str) -> dict[str, str]:
        known = self._fields.get(reference)
        if known is None:
            text = self._nodes.get(reference, "")
            known = dict(_FIELD.findall(text))
            known[""] = text.partition("(")[0]
            self._fields[reference] = known
        return known

    def _string(self, reference: str, field: str) -> str:
        text = self._node(reference).get(field, "")
        return unescape(text[1:-1]) if text.startswith('"') else ""

    def _number(self, reference: str, field: str) -> int:
        text = self._node(reference).get(field, "")
        return int(text) if text.isdecimal() and len(text) < 20 else 0

    def _list(self, reference: str) -> list[str]:
        text = self._nodes.get(reference, "")
        return _REFERENCE.findall(text) if text.startswith("!{") else []

    def text(self, reference: str) -> str:
        """A node as it is printed, or an empty string."""
        return self._nodes.get(reference, "")

    def kind(self, reference: str) -> str:
        """What a node is (``!DILocation``); for others their text up to the first ``(``."""
        return self._nodes.get(reference, "").partition("(")[0]

    def scopes(self, reference: str) -> tuple[str, ...]:
        """The scopes of a place, the innermost first, up to the function."""
        match = _LOCATION.match(self._nodes.get(reference, ""))
        if match is None:
            return ()
        known = self._nests.get(match[3])
        if known is None:
            found: list[str] = []
            at = match[3]
            while at and at not in found and len(found) < MAX_CHAIN:
                found.append(at)
                node = self._node(at)
                at = "" if node[""] == "!DISubprogram" else node.get("scope", "")
            known = self._nests[match[3]] = tuple(found)
        return known

    def variable(self, reference: str) -> str:
        """The source name of a local variable."""
        return self._string(reference, "name")

    # --- places ------------------------------------------------------------------------------

    def location(self, reference: str) -> Location | None:
        """The place that ``!dbg reference`` means; None for generated code.

        Code without a line that was inlined has the place of the call.
        """
        if reference in self._locations:
            return self._locations[reference]
        result = None
        at: str | None = reference
        for _ in range(MAX_CHAIN):
            match = _LOCATION.match(self._nodes.get(at, "")) if at else None
            if match is None:
                break
            if match[1] != "0":
                path, function = self._scope(match[3])
                result = Location(self._span(match, path), function, self._chain(match[4]))
                break
            at = match[4]
        self._locations[reference] = result
        return result

    @staticmethod
    def _span(match: re.Match[str], path: str) -> Span:
        return Span(path, int(match[1][:9]), int((match[2] or "0")[:9]))

    def _chain(self, reference: str | None) -> tuple[Frame, ...]:
        """The calls from ``reference`` outwards."""
        pending: list[tuple[str, Frame]] = []
        seen: set[str] = set()
        frames: tuple[Frame, ...] = ()
        while reference and reference not in seen and len(pending) < MAX_CHAIN:
            known = self._frames.get(reference)
            if known is not None:
                frames = known
                break
            seen.add(reference)
            match = _LOCATION.match(self._nodes.get(reference, ""))
            if match is None:
                break
            path, function = self._scope(match[3])
            pending.append((reference, Frame(function, self._span(match, path))))
            reference = match[4]
        while pending:
            reference, frame = pending.pop()
            frames = (frame, *frames)[:MAX_CHAIN]
            self._frames[reference] = frames
        return frames

    def _scope(self, reference: str) -> tuple[str, str]:
        """Path and function of a scope."""
        known = self._scopes.get(reference)
        if known is not None:
            return known
        path = function = ""
        at = reference
        for _ in range(MAX_CHAIN):
            node = self._node(at)
            if not path and "file" in node:
                path = self._file(node["file"])
            if node[""] == "!DISubprogram":
                function = bare_function_name(self._string(at, "name"))
                if function == "operator()" and _LAMBDA.search(self._string(at, "linkageName")):
                    function = "lambda"
                break
            if "scope" not in node:
                break
            at = node["scope"]
        self._scopes[reference] = (path, function)
        return path, function

    def _file(self, reference: str) -> str:
        known = self._files.get(reference)
        if known is None:
            name = self._string(reference, "filename")
            directory = self._string(reference, "directory")
            known = os.path.normpath(os.path.join(directory, name)) if name else ""
            self._files[reference] = known
        return known

    # --- names -------------------------------------------------------------------------------

    def subprogram(self, reference: str) -> tuple[str, Location | None]:
        """The name with its template arguments (``tr<4>``) and the place of a function; an empty
        name when there is no such node.
        """
        name = self._string(reference, "name")
        path, function = self._scope(reference)
        line = self._number(reference, "line")
        return name, Location(Span(path, line, 0), function) if path and line else None

    def record(self, line: str) -> tuple[str, str, int] | None:
        """A ``#dbg_value`` or ``#dbg_declare`` record: the token of the value (``%x``), the name
        of the source variable that it holds, and how many calls deep it was inlined. None when
        it names no whole variable.
        """
        match = _RECORD.match(line)
        if match is None:
            return None
        name = self._string(match[2], "name")
        location = self.location(match[3])
        return (match[1], name, len(location.inlined_at) if location else 0) if name else None

    def global_name(self, reference: str) -> str:
        """The source name of the global variable with ``!dbg reference``, or an empty string."""
        return self._string(self._node(reference).get("var", reference), "name")

    # --- structs -----------------------------------------------------------------------------

    def structs(self, types: Iterable[StructType]) -> dict[str, StructInfo]:
        """Field names of the ``types`` told without doubt, by name, size and offsets."""
        named = {t.name: t for t in types if t.name}
        wanted = {_source_name(name) for name in named}
        candidates: dict[str, list[str]] = {}
        for reference, text in self._nodes.items():
            if text.startswith("!DICompositeType(") and "elements: " in text:
                name = bare_function_name(self._string(reference, "name")) or _UNNAMED
                if name in wanted:
                    candidates.setdefault(name, []).append(reference)
        result = {}
        for name, type_ in named.items():
            found = {
                fields
                for reference in candidates.get(_source_name(name), ())
                if _is_size_of(type_, self._number(reference, "size"))
                and (fields := self._field_names(reference, type_))
                and (all(fields[:-1]) or _source_name(name) != _UNNAMED)  # the last may be padding
            }
            if len(found) == 1:
                result[name] = StructInfo(name, found.pop())
        return result

    def _field_names(self, reference: str, type_: StructType) -> tuple[str, ...]:
        """Of what lies where the type has a field, "" of a base class; () where it has none."""
        members: dict[int, str] = {}
        for member in self._list(self._node(reference)["elements"]):
            node = self._node(member)
            if node.get("tag", "").strip() in ("DW_TAG_member", "DW_TAG_inheritance"):
                if "DIFlagStaticMember" in node.get("flags", ""):
                    continue
                members.setdefault(self._number(member, "offset"), self._string(member, "name"))
        if not any(8 * offset in members for offset in type_.offsets):
            return ()
        return tuple(members.get(8 * offset, "") for offset in type_.offsets)


_WITHOUT_PADDING = ".base"
_UNNAMED = "anon"
"""How LLVM calls the types of lambdas, and of structures without a name."""
_MOST_PADDING = 15


def _is_size_of(type_: StructType, bits: int) -> bool:
    """Whether an object of the type has so many; as a base class it is without its padding."""
    is_base = _LLVM_SUFFIX.sub("", type_.name).endswith(_WITHOUT_PADDING)
    padding = _MOST_PADDING if is_base else 0
    return 0 <= bits // 8 - type_.size <= padding


def _source_name(llvm_name: str) -> str:
    """``class.ns::Box.12`` is ``Box``, and so is ``class.ns::Box.base``."""
    name = _LLVM_SUFFIX.sub("", llvm_name.partition(".")[2] or llvm_name)
    name = name.removesuffix(_WITHOUT_PADDING)
    return bare_function_name(name).rpartition("::")[2]


def bare_function_name(name: str) -> str:
    """``name`` without template arguments: ``tr<4>`` is ``tr``, ``operator<`` stays."""
    if not name.endswith(">") or name.startswith("operator"):
        return name
    cut = name.find("<")
    return name[:cut] if cut > 0 else name
