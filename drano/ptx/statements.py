"""The body of a PTX function: statements in order, with the names of inner blocks told apart.

Limits: ``MAX_INSTRUCTIONS`` of a function, ``MAX_DEPTH`` of blocks.
"""

from __future__ import annotations

import re
import struct
from typing import Final, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from drano.ptx.constants import constant, integer
from drano.ptx.lexer import Tokens
from drano.ptx.model import (
    Address,
    Float,
    Function,
    Group,
    Instruction,
    Int,
    Label,
    Name,
    Not,
    Operand,
    Pair,
    Place,
    PtxError,
    Statement,
    Sum,
    Variable,
    Vector,
)

MAX_INSTRUCTIONS: Final = 1_000_000
MAX_DEPTH: Final = 200
_MAX_OPERANDS: Final = 300
_FAMILY = re.compile(r"(.*?)(\d+)\Z")
_ENDS: Final = frozenset({",", ";", "]", "}", ")"})


class Declarations(Protocol):
    """What else of the grammar a body needs."""

    tokens: Tokens

    def variables_here(self, *, external: bool = False) -> list[Variable]:
        """Variables that one directive declares."""

    def parameters(self) -> tuple[Variable, ...]:
        """What is in parentheses."""

    def loc(self) -> Place:
        """A ``.loc``."""

    def file(self) -> None:
        """A ``.file``."""

    def skip_pragma(self) -> None:
        """A ``.pragma``."""


class _Scope(Struct):
    """A block: what its own names are called, by their names, families by their prefix and ``<``"""

    outer: _Scope | None
    suffix: str
    names: dict[str, str] = field(default_factory=dict)
    families: dict[str, Variable] = field(default_factory=dict)


class Body:
    """Reads one body; used once."""

    def __init__(self, declarations: Declarations, function: Function) -> None:
        self._declarations = declarations
        self._tokens = declarations.tokens
        self._function = function
        self._scope = _Scope(None, "")
        self._found: list[tuple[Statement, _Scope]] = []
        self._variables: dict[str, Variable] = {}
        self._tables: dict[str, tuple[str, ...]] = {}
        self._place: Place | None = None
        self._places: dict[tuple[int, int, int], Place] = {}
        self._inner = 0
        for variable in (*function.results, *function.parameters):
            self._declare(variable)

    def read(self) -> Function:
        """The function with its body, from the brace that opens it to the one that closes it."""
        t = self._tokens
        t.expect("{")
        depth = 1
        first: Place | None = None
        while depth:
            if t.accept("{"):
                depth += 1
                if depth > MAX_DEPTH:
                    raise PtxError(t.line, f"too deeply nested: more than {MAX_DEPTH} blocks")
                self._inner += 1
                self._scope = _Scope(self._scope, f"~{self._inner}")
            elif t.accept("}"):
                depth -= 1
                self._scope = self._scope.outer or self._scope
            elif t.kind == "dot":
                self._directive()
                first = first or self._place
            elif t.kind == "word" and t.texts[t.at + 1] == ":":
                self._label()
            elif t.text == ";":
                t.take()
            else:
                self._instruction()
        return replace(
            self._function,
            body=tuple(self._resolved()),
            variables=self._variables,
            tables=self._tables,
            place=first,
        )

    # --- declarations ------------------------------------------------------------------------

    def _directive(self) -> None:
        t = self._tokens
        match t.text:
            case ".loc":
                place = self._declarations.loc()
                if place.inlined_at is not None:
                    at = place.inlined_at
                    known = self._places.get((at.file, at.line, at.column))
                    if known is not None and _depth(known) < 60:
                        place = replace(place, inlined_at=known)
                self._place = place
                self._places[place.file, place.line, place.column] = place
            case ".file":
                self._declarations.file()
            case ".pragma":
                self._declarations.skip_pragma()
            case ".extern" | ".visible" | ".weak":
                t.take()
            case _:
                for variable in self._declarations.variables_here():
                    self._declare(variable)

    def _declare(self, variable: Variable) -> None:
        scope = self._scope
        if variable.name.endswith("<"):
            prefix = variable.name[:-1]
            scope.families[prefix] = replace(variable, name=prefix, count=variable.count)
            return
        resolved = variable.name + scope.suffix
        scope.names[variable.name] = resolved
        self._variables[resolved] = replace(variable, name=resolved)

    def _label(self) -> None:
        t = self._tokens
        line = t.line
        name = t.take()
        t.expect(":")
        resolved = name + self._scope.suffix
        match t.text:
            case ".branchtargets" | ".calltargets":
                t.take()
                targets = [t.word("a label")]
                while t.accept(","):
                    targets.append(t.word("a label"))
                t.expect(";")
                self._scope.names[name] = resolved
                self._tables[resolved] = tuple(targets)
            case ".callprototype":
                self._scope.names[name] = resolved
                self._skip_statement()
            case _:
                if name in self._scope.names:
                    raise PtxError(line, f"no PTX: {name[:100]} is declared twice")
                self._scope.names[name] = resolved
                self._add(Label(resolved, line))

    def _skip_statement(self) -> None:
        t = self._tokens
        while t.text and t.text != ";":
            t.take()
        t.expect(";")

    # --- instructions ------------------------------------------------------------------------

    def _add(self, statement: Statement) -> None:
        self._found.append((statement, self._scope))
        if len(self._found) > MAX_INSTRUCTIONS:
            raise PtxError(
                statement.line,
                f"too large: more than {MAX_INSTRUCTIONS} instructions in a function",
            )
        if not len(self._found) % 4096:
            self._tokens.check_time(statement.line)

    def _instruction(self) -> None:
        t = self._tokens
        line = t.line
        guard: Name | Not | None = None
        if t.accept("@"):
            negated = t.accept("!")
            name = Name(t.word("a predicate"))
            guard = Not(name) if negated else name
        opcode, *modifiers = t.word("an instruction").split(".")
        operands: list[Operand] = []
        while not t.accept(";"):
            if operands:
                t.expect(",")
            operands.append(self._operand(call=opcode == "call"))
            if len(operands) > _MAX_OPERANDS:
                raise PtxError(line, f"no PTX: more than {_MAX_OPERANDS} operands")
        self._add(Instruction(opcode, tuple(modifiers), tuple(operands), line, self._place, guard))

    def _operand(self, *, call: bool = False, depth: int = 0) -> Operand:
        t = self._tokens
        if depth > 4:
            raise PtxError(t.line, "too deeply nested: an operand")
        match t.text:
            case "{":
                return Vector(self._list("{", "}", depth))
            case "[":
                return self._address(depth)
            case "(" if call:
                return Group(self._list("(", ")", depth))
            case "!":
                t.take()
                return Not(Name(t.word("a predicate")))
        if t.kind == "word":
            name = t.take()
            if t.text in ("+", "-"):
                return Sum(name, constant(t, behind=True))
            first: Operand = Name(name)
            if t.accept("|"):
                return Pair(first, Name(t.word("a register")))
            return first
        negative = t.text == "-" and t.kinds[t.at + 1] == "float"
        if negative or t.kind == "float":
            if negative:
                t.take()
            return _float(t.take(), negative=negative)
        if t.kind == "int" and t.texts[t.at + 1] in _ENDS:
            return Int(integer(t.take()))
        return Int(constant(t))

    def _list(self, opening: str, closing: str, depth: int) -> tuple[Operand, ...]:
        t = self._tokens
        t.expect(opening)
        parts: list[Operand] = []
        while not t.accept(closing):
            if parts:
                t.expect(",")
            parts.append(self._operand(depth=depth + 1))
            if len(parts) > _MAX_OPERANDS:
                raise PtxError(t.line, f"no PTX: more than {_MAX_OPERANDS} operands")
        return tuple(parts)

    def _address(self, depth: int) -> Operand:
        t = self._tokens
        t.expect("[")
        base = self._operand(depth=depth + 1)
        offset = 0
        if isinstance(base, Sum):
            offset = base.offset
            base = Name(base.name)
        more = []
        while t.accept(","):
            more.append(self._operand(depth=depth + 1))
        t.expect("]")
        return Address(base, offset, tuple(more))

    # --- names -------------------------------------------------------------------------------

    def _resolved(self) -> list[Statement]:
        """The statements with their names as ``variables`` has them; families taken apart."""
        cache: dict[tuple[int, str], str] = {}

        def name(text: str, scope: _Scope) -> str:
            key = (id(scope), text)
            known = cache.get(key)
            if known is None:
                known = cache[key] = self._lookup(text, scope)
            return known

        def operand(o: Operand, scope: _Scope) -> Operand:
            match o:
                case Name(text):
                    new = name(text, scope)
                    return o if new == text else Name(new)
                case Not(Name(text)):
                    return Not(Name(name(text, scope)))
                case Sum(text, offset):
                    return Sum(name(text, scope), offset)
                case Vector(parts):
                    return Vector(tuple([operand(p, scope) for p in parts]))
                case Group(parts):
                    return Group(tuple([operand(p, scope) for p in parts]))
                case Pair(first, second):
                    return Pair(operand(first, scope), operand(second, scope))
                case Address(base, offset, more):
                    rest = tuple([operand(p, scope) for p in more])
                    return Address(operand(base, scope), offset, rest)
                case _:
                    return o

        found: list[Statement] = []
        for statement, scope in self._found:
            if isinstance(statement, Label):
                found.append(statement)
                continue
            guard = statement.guard
            if guard is not None:
                guarded = operand(guard, scope)
                assert isinstance(guarded, Name | Not)
                guard = guarded
            operands = tuple([operand(o, scope) for o in statement.operands])
            found.append(
                Instruction(
                    statement.opcode, statement.modifiers, operands, statement.line,
                    statement.place, guard,
                )
            )  # fmt: skip
        self._tables = {
            key: tuple(self._lookup(label, self._scope) for label in labels)
            for key, labels in self._tables.items()
        }
        return found

    def _lookup(self, text: str, scope: _Scope) -> str:
        """The resolved name; a register of a family becomes a variable."""
        family = _FAMILY.match(text)
        at: _Scope | None = scope
        while at is not None:
            if text in at.names:
                return at.names[text]
            if family is not None:
                shape = at.families.get(family[1])
                if (
                    shape is not None
                    and len(family[2]) < 10
                    and int(family[2]) < (shape.count or 0)
                ):
                    resolved = text + at.suffix
                    self._variables[resolved] = replace(shape, name=resolved, count=None)
                    return resolved
            at = at.outer
        return text


def _depth(place: Place) -> int:
    depth = 0
    at: Place | None = place
    while at is not None:
        at = at.inlined_at
        depth += 1
    return depth


def _float(token: str, *, negative: bool) -> Float:
    bits = 32 if token[:2] in ("0f", "0F") else 64
    if token[1:2] in "fFdD":
        pattern = int(token[2:], 16)
    else:
        pattern = int.from_bytes(struct.pack("<d", float(token)), "little")
    return Float(pattern ^ (negative << (bits - 1)), bits)
