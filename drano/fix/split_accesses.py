"""A kernel's accesses to an array of structures, written for one that is split by members.

Means: ``split_accesses`` gives the edits by which a kernel does with a ``Layout``'s split array
what it did with the plain one. It knows elements whose members are named (``p[i].x``), references
and pointers to one element (``P& q = p[i]``), copies of one (``P q = p[i]``) and assignments to one
(``p[i] = q``); and raises ``NotSplitError`` where the parameter is used in any other way.
Assumptions: the parameter points to an array's beginning, so that no index is negative.
Limits: indices are arithmetic of variables and elements of other arrays, without calls.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from msgspec import Struct, field

from drano.fix.edit import Edit
from drano.fix.source_tree import Body, taken
from drano.fix.split_layout import Layout
from drano.frontend.libclang import Kind, Node, Unary, key
from drano.frontend.type_kinds import INTEGER_TYPES, POINTER, RECORD, REFERENCES
from drano.host.function_bodies import assigned, plain_children, strip
from drano.model.hardware import WARP_SIZE
from drano.model.system_headers import is_system_header

_BUILT_IN: Final = re.compile(rb"(?:threadIdx|blockIdx|blockDim|gridDim)\s*\.\s*[xyz]")
_COLUMNS: Final = 60
_TRANSPARENT: Final = frozenset({Kind.UNEXPOSED_EXPR, Kind.PAREN})
_PURE: Final = frozenset(
    {
        Kind.UNEXPOSED_EXPR, Kind.INTEGER, Kind.CHARACTER, Kind.BOOL, Kind.PAREN, Kind.BINARY,
        Kind.UNARY, Kind.CONDITIONAL, Kind.C_CAST, Kind.STATIC_CAST, Kind.FUNCTIONAL_CAST,
        Kind.DECL_REF, Kind.SUBSCRIPT, Kind.MEMBER_REF_EXPR,
    }
)  # fmt: skip
_SIGNS: Final = frozenset({Unary.PLUS, Unary.MINUS, Unary.NOT, Unary.LNOT, Unary.DEREF})


class NotSplitError(Exception):
    """A use of the array that is not known."""


class _Writer(Struct):
    """``arrays``: keys of all parameters of the kernel that are split. Mutated: ``edits``, and the
    ``names`` that new variables have taken.
    """

    body: Body
    layout: Layout
    arrays: Collection[int]
    used: Collection[bytes]
    edits: list[Edit] = field(default_factory=list)
    names: set[bytes] = field(default_factory=set)

    @property
    def split(self) -> bytes:
        """The name of the structure of arrays."""
        return self.layout.split.encode()

    # --- places and names

    def put(self, start: int, end: int, text: bytes) -> None:
        """One edit."""
        self.edits.append(Edit(self.body.path, start, end, text))

    def place(self, node: Node) -> tuple[int, int]:
        """Where a node stands in the file."""
        place = self.body.range(node)
        if place is None or not self.body.words(node).strip():
            raise NotSplitError
        return place

    def named(self, name: bytes) -> bytes:
        """A new variable's name."""
        if name in self.used or name in self.names:
            raise NotSplitError
        self.names.add(name)
        return name

    def indent(self, at: int) -> bytes:
        """The blanks before a statement that begins its line."""
        start = self.body.source.rfind(b"\n", 0, at) + 1
        blanks = self.body.source[start:at]
        if blanks.strip():
            raise NotSplitError
        return blanks

    def behind(self, node: Node) -> int:
        """The place behind the semicolon of a statement."""
        found = re.compile(rb"\s*;").match(self.body.code, self.place(node)[1])
        if self.body.code[self.place(node)[1] - 1 : self.place(node)[1]] == b";":
            return self.place(node)[1]
        if found is None:
            raise NotSplitError
        return found.end()

    def retyped(self, declared: Node) -> None:
        """The plain structure's name in a declaration becomes the other one."""
        names = [node for node in declared.children if node.kind == Kind.TYPE_REF]
        if not names and b"auto" in self.body.words(declared):
            return
        if len(names) != 1:
            raise NotSplitError
        start, end = self.place(names[0])
        if self.body.source[start:end] != self.layout.name.encode():
            raise NotSplitError
        self.put(start, end, self.split)

    # --- indices

    def index(self, node: Node) -> tuple[bytes, bytes]:
        """The text of an element's group, and of its lane in it."""
        number = self._number(node)
        if number.isdigit():
            return b"%d" % (int(number) // WARP_SIZE), b"%d" % (int(number) % WARP_SIZE)
        return b"%b / %d" % (number, WARP_SIZE), b"%b %% %d" % (number, WARP_SIZE)

    def _number(self, node: Node) -> bytes:
        """The text of an element's number, without a sign, to be divided."""
        place = self.place(node)
        self._check(node)
        text = self.body.source[slice(*place)]
        if b"\n" in text or b"//" in text or b"/*" in text:
            raise NotSplitError
        kind = INTEGER_TYPES.get(node.type_kind)
        if _BUILT_IN.fullmatch(text):
            return text
        if kind is None:
            raise NotSplitError
        if strip(node).kind == Kind.INTEGER and text.isdigit():
            return text
        text = text if strip(node).spelling.encode() == text else b"(%b)" % text
        if not kind[1]:
            return text
        return (b"(size_t)" if kind[0] > 32 else b"(unsigned)") + text

    def _check(self, node: Node) -> None:
        if _BUILT_IN.fullmatch(self.body.words(node)):
            return
        known = node.kind in _PURE and assigned(node) is None
        if not known or node.cursor.type.is_volatile_qualified() or node.key in self.arrays:
            raise NotSplitError
        if node.kind == Kind.BINARY and node.binary == ",":
            raise NotSplitError
        if node.kind == Kind.UNARY and Unary(node.unary) not in _SIGNS:
            raise NotSplitError
        for child in plain_children(node):
            self._check(child)

    # --- uses

    def parameter(self, parameter: Node) -> None:
        """A parameter of the kernel, with all its uses."""
        uses = self.body.mentions(parameter)
        if uses is None or parameter.type_kind != POINTER:
            raise NotSplitError
        self.retyped(parameter)
        for use in uses:
            self._element(*self._above(use))

    def _above(self, node: Node) -> tuple[Node, Node]:
        """A node in its casts and parentheses, and what these are in."""
        above = self.body.parents.get(id(node))
        while above is not None and above.kind in _TRANSPARENT:
            node, above = above, self.body.parents.get(id(above))
        if above is None:
            raise NotSplitError
        return node, above

    def _element(self, base: Node, element: Node) -> None:
        inner = plain_children(element)
        if element.kind != Kind.SUBSCRIPT or len(inner) != 2 or inner[0] is not base:
            raise NotSplitError
        whole, above = self._above(element)
        if above.kind == Kind.MEMBER_REF_EXPR:
            group, lane = self.index(inner[1])
            self.put(*self.place(inner[1]), group)
            self._member(above, lane)
        elif above.kind == Kind.VAR and above.type_kind in REFERENCES:
            self._one(above, element)
        elif above.kind == Kind.UNARY and above.unary == Unary.ADDRESS:
            held, outer = self._above(above)
            pointer = outer.kind == Kind.VAR and outer.type_kind == POINTER
            if not pointer or plain_children(outer)[-1] is not held:
                raise NotSplitError
            self._one(outer, element)
        elif above.kind == Kind.CALL and above.spelling == "operator=":
            self._assigned(above, whole, element)
        elif above.kind == Kind.CALL:
            self._copied(above, element)
        else:
            raise NotSplitError

    def _member(self, member: Node, lane: bytes) -> None:
        """``lane`` behind a member, and behind its own index if it is an array."""
        declared = member.declared()
        names = {one.name: one for one in self.layout.members}
        known = None if declared is None else names.get(str(declared.spelling))
        if known is None or declared is None or declared._kind_id != Kind.FIELD:
            raise NotSplitError
        inner, above = self._above(member)
        value = member
        if known.count:
            if above.kind != Kind.SUBSCRIPT or plain_children(above)[0] is not inner:
                raise NotSplitError
            value, above = above, self._above(above)[1]
        pointed = above.kind == Kind.UNARY and above.unary == Unary.ADDRESS
        if pointed and not _takes_one(self._above(above)[1]):
            raise NotSplitError
        if value.type_kind == RECORD and above.kind not in {Kind.MEMBER_REF_EXPR, Kind.CALL}:
            raise NotSplitError
        end = self.place(value)[1]
        self.put(end, end, b"[%b]" % lane)

    def _one(self, variable: Node, element: Node) -> None:
        """A reference or pointer to one element, whose members alone are used."""
        statement = self._statement(variable)
        uses = self.body.mentions(variable)
        if uses is None:
            raise NotSplitError
        number = plain_children(element)[1]
        group, index = self.index(number)
        lane = self.named(variable.spelling.encode() + b"_lane")
        self.retyped(variable)
        self.put(*self.place(number), group)
        end, indent = self.behind(statement), self.indent(self.place(statement)[0])
        line = b"\n%bconst unsigned %b = %b;" % (indent, lane, index)
        self.put(end, end, line)
        for use in uses:
            member = self._above(use)[1]
            if member.kind != Kind.MEMBER_REF_EXPR:
                raise NotSplitError
            self._member(member, lane)

    def _statement(self, variable: Node) -> Node:
        """The declaration of one local variable alone, in a block."""
        statement = self.body.parents[id(variable)]
        block = self.body.parents.get(id(statement))
        alone = statement.kind == Kind.DECL_STMT and len(statement.children) == 1
        lasting = str(variable.cursor.storage_class) != "StorageClass.NONE"
        if not alone or block is None or block.kind != Kind.COMPOUND or lasting:
            raise NotSplitError
        return statement

    def _copied(self, call: Node, element: Node) -> None:
        """``P q = p[i]``: its members, in braces."""
        variable = self._above(call)[1]
        if variable.kind != Kind.VAR or strip(call) is not call or not self.layout.aggregate:
            raise NotSplitError
        if not any(node.kind == Kind.TYPE_REF for node in variable.children):
            raise NotSplitError
        statement = self._statement(variable)
        if len(plain_children(call)) != 1 or self.place(call) != self.place(element):
            raise NotSplitError
        if not self.body.code[: self.place(element)[0]].rstrip().endswith(b"="):
            raise NotSplitError
        start = self.place(statement)[0]
        group, lane = self._group(variable.spelling.encode(), element, start, b"const ")
        values = [_listed(group, one.name, one.count, lane) for one in self.layout.members]
        self.put(*self.place(element), self._braces(values, start))

    def _braces(self, values: list[bytes], start: int) -> bytes:
        """A list in braces, in lines of its own where it is long."""
        line = b"{" + b", ".join(values) + b"}"
        if len(line) <= _COLUMNS:
            return line
        deeper = b"\n" + self.indent(start) + b"    "
        return b"{" + deeper + (b"," + deeper).join(values) + b"}"

    def _group(self, name: bytes, element: Node, start: int, const: bytes) -> tuple[bytes, bytes]:
        """Variables for the group that the element is in, and its place there, before ``start``."""
        group, lane = self.named(name + b"_group"), self.named(name + b"_lane")
        base, number = plain_children(element)
        at, index = self.index(number)
        indent = self.indent(start)
        line = b"%b%b& %b = %b[%b];\n%bconst unsigned %b = %b;\n%b" % (
            const, self.split, group, self.body.words(base), at, indent, lane, index, indent,
        )  # fmt: skip
        self.put(start, start, line)
        return group, lane

    def _assigned(self, call: Node, whole: Node, element: Node) -> None:
        """``p[i] = q;`` as assignments to its members."""
        statement, block = self._above(call)
        inner = plain_children(call)
        known = self.layout.aggregate and inner[0] is whole and len(inner) == 3
        if block.kind != Kind.COMPOUND or not known:
            raise NotSplitError
        value = strip(inner[2])
        name = value.spelling.encode()
        if value.kind != Kind.DECL_REF or self.body.words(value) != name:
            raise NotSplitError
        start = self.place(statement)[0]
        array = strip(plain_children(element)[0]).spelling.encode()
        group, lane = self._group(array, element, start, b"")
        steps: list[bytes] = []
        for one in self.layout.members:
            for own in [b"[%d]" % k for k in range(one.count)] or [b""]:
                member = one.name.encode() + own
                steps.append(b"%b.%b[%b] = %b.%b;" % (group, member, lane, name, member))
        joined = (b"\n" + self.indent(start)).join(steps)
        self.put(start, self.behind(statement), joined)


def _takes_one(call: Node) -> bool:
    """Whether it is a function of CUDA's that goes no further than the number it is pointed to."""
    declared = call.declared() if call.kind == Kind.CALL else None
    file = None if declared is None else declared.location.file
    if file is None or not is_system_header(file.name):
        return False
    return call.spelling.startswith("atomic") or call.spelling == "__ldg"


def _listed(group: bytes, name: str, count: int, lane: bytes) -> bytes:
    one = b"%b.%b" % (group, name.encode())
    if not count:
        return b"%b[%b]" % (one, lane)
    return b"{" + b", ".join(b"%b[%d][%b]" % (one, k, lane) for k in range(count)) + b"}"


def split_accesses(body: Body, layout: Layout, parameters: Collection[Node]) -> tuple[Edit, ...]:
    """The edits of a kernel. Raises NotSplitError."""
    files = [body.tree.text(path) for path in body.tree.files]
    used = taken(body.source, (body.start, body.end), files)
    writer = _Writer(body, layout, {key(one.cursor) for one in parameters}, used)
    for parameter in parameters:
        writer.parameter(parameter)
    return tuple(sorted(writer.edits))
