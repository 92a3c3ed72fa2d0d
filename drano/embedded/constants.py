"""Expressions of Python whose value is known from the text alone.

Means: strings (literals, f-strings, sums, ``%``, ``.format``, ``.replace``, ``.strip``, ``.join``
of constants, ``textwrap.dedent``), each character with its place; whole numbers and their sums,
products and powers; tuples and lists of these; names that are bound once. Nothing is run. What is
not known raises ``NotConstantError``, which says what it was that is not.
"""

from __future__ import annotations

import ast
import re
import textwrap

from msgspec import Struct, field

from drano.embedded.literals import NotReadError, read_literals
from drano.embedded.scopes import Scope
from drano.embedded.traced import Lines, Traced, joined

_MAX_DEPTH = 50
_MAX_TEXT = 4 << 20
_MAX_BITS = 64
_PERCENT = re.compile(r"%(?:\((\w+)\))?([sdi%])")
_BRACES = re.compile(r"\{\{|\}\}|\{(\w*)\}")


class NotConstantError(Exception):
    """``str``: what is not constant, as the source has it."""


class Evaluator(Struct, frozen=True):
    """The constants of one source. ``used``: the expressions of texts that have been asked for."""

    lines: Lines
    used: set[ast.AST] = field(default_factory=set)
    _reading: list[ast.AST] = field(default_factory=list)

    def text(self, node: ast.expr, scope: Scope) -> Traced:
        """The string that an expression is. Raises NotConstantError."""
        if node in self._reading or len(self._reading) > _MAX_DEPTH:
            raise self._unknown(node)
        self._reading.append(node)
        self.used.add(node)
        try:
            found = self._text(node, scope)
        finally:
            self._reading.pop()
        if len(found.text) > _MAX_TEXT:
            raise self._unknown(node)
        return found

    def number(self, node: ast.expr, scope: Scope, depth: int = 0) -> int:
        """The whole number that an expression is. Raises NotConstantError."""
        match node:
            case ast.Constant(value=bool()):
                pass
            case ast.Constant(value=int() as value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.number(operand, scope, depth + 1)
            case ast.BinOp(left=left, op=op, right=right) if depth < _MAX_DEPTH:
                a, b = (self.number(part, scope, depth + 1) for part in (left, right))
                result = _combined(a, op, b)
                if result is not None and result.bit_length() <= _MAX_BITS:
                    return result
            case ast.Name(id=name) if depth < _MAX_DEPTH:
                known = scope.find(name)
                if known is not None:
                    return self.number(*known, depth + 1)
        raise self._unknown(node)

    def items(self, node: ast.expr, scope: Scope) -> list[tuple[ast.expr, Scope]]:
        """The elements of a tuple or a list. Raises NotConstantError."""
        for _ in range(_MAX_DEPTH):
            match node:
                case ast.Tuple(elts=found) | ast.List(elts=found):
                    if any(isinstance(element, ast.Starred) for element in found):
                        break
                    return [(element, scope) for element in found]
                case ast.Name(id=name):
                    known = scope.find(name)
                    if known is None:
                        break
                    node, scope = known
                case _:
                    break
        raise self._unknown(node)

    def _text(self, node: ast.expr, scope: Scope) -> Traced:
        match node:
            case ast.Constant(value=str() as value):
                return self._literal(node, value)
            case ast.JoinedStr():
                return self._read(node, scope)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self.text(left, scope) + self.text(right, scope)
            case ast.BinOp(left=left, op=ast.Mod(), right=right):
                return self._percent(node, left, right, scope)
            case ast.Name(id=name):
                known = scope.find(name)
                if known is None:
                    raise self._unknown(node)
                return self.text(*known)
            case ast.Call(func=ast.Attribute(value=value, attr=method)):
                return self._method(node, value, method, scope)
            case ast.Call(func=ast.Name(id="dedent"), args=[value], keywords=[]):
                return self._dedented(value, scope)
        raise self._unknown(node)

    # --- literals

    def _literal(self, node: ast.Constant, value: str) -> Traced:
        """With the place of each character, if the text can be read as Python has read it."""
        try:
            found = self._read(node, Scope(node))
        except NotConstantError:
            found = Traced()
        if found.text == value:
            return found
        return Traced.at(value, self._start(node))

    def _read(self, node: ast.expr, scope: Scope) -> Traced:
        def value(text: str, at: int) -> Traced:
            return self._field(node, text, at, scope)

        end = self.lines.index(node.end_lineno or node.lineno, node.end_col_offset or 0)
        try:
            return read_literals(self.lines.source, self._start(node), end, value)
        except NotReadError:
            raise self._unknown(node) from None

    def _field(self, node: ast.expr, text: str, at: int, scope: Scope) -> Traced:
        """What a field of an f-string gives, as a whole where the field is."""
        try:
            inner = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise NotConstantError(f"{{{text}}}") from None
        try:
            return Traced.at(self._shown(inner, scope), at)
        except NotConstantError:
            raise NotConstantError(f"{{{text}}}") from None

    def _shown(self, node: ast.expr, scope: Scope) -> str:
        """A number or a string, as ``str`` shows it."""
        try:
            return str(self.number(node, scope))
        except NotConstantError:
            return self.text(node, scope).text

    # --- what is made of strings

    def _percent(self, node: ast.expr, left: ast.expr, right: ast.expr, scope: Scope) -> Traced:
        pattern = self.text(left, scope)
        named: dict[str, ast.expr] = {}
        given: list[ast.expr] = []
        match right:
            case ast.Dict(keys=keys, values=values):
                for key, element in zip(keys, values, strict=True):
                    if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
                        raise self._unknown(node)
                    named[key.value] = element
            case ast.Tuple(elts=values):
                given = list(values)
            case _:
                given = [right]
        waiting = iter(given)

        def value(match: re.Match[str]) -> str:
            if match[2] == "%":
                return "%"
            found = named.get(match[1]) if match[1] else next(waiting, None)
            if found is None:
                raise self._unknown(node)
            return self._shown(found, scope)

        if "%" in _PERCENT.sub("", pattern.text):
            raise self._unknown(node)
        return _replaced(pattern, _PERCENT, value)

    def _method(self, node: ast.Call, value: ast.expr, method: str, scope: Scope) -> Traced:
        match method, node.args, node.keywords:
            case "dedent", [only], []:
                return self._dedented(only, scope)
            case "strip", [], []:
                text = self.text(value, scope)
                start = len(text.text) - len(text.text.lstrip())
                return text.cut(start, max(start, len(text.text.rstrip())))
            case "replace", [old, new], []:
                wanted = self.text(old, scope).text
                shown = self.text(new, scope).text if not _is_str(new) else self._str(new, scope)
                if wanted:
                    pattern = re.compile(re.escape(wanted))
                    return _replaced(self.text(value, scope), pattern, lambda _match: shown)
            case "join", [parts], []:
                glue = self.text(value, scope)
                texts = [self.text(*item) for item in self.items(parts, scope)]
                between = Traced.at(glue.text, self._start(node))
                return joined(p for k, text in enumerate(texts) for p in (between, text)[not k :])
            case "format", given, keywords:
                return self._formatted(node, value, given, keywords, scope)
        raise self._unknown(node)

    def _str(self, node: ast.expr, scope: Scope) -> str:
        assert isinstance(node, ast.Call)
        return self._shown(node.args[0], scope)

    def _formatted(
        self,
        node: ast.Call,
        value: ast.expr,
        given: list[ast.expr],
        keywords: list[ast.keyword],
        scope: Scope,
    ) -> Traced:
        known = {str(k): argument for k, argument in enumerate(given)}
        known |= {keyword.arg: keyword.value for keyword in keywords if keyword.arg}
        pattern = self.text(value, scope)
        numbered = iter(range(len(given)))

        def filled(match: re.Match[str]) -> str:
            if match[0] in ("{{", "}}"):
                return match[0][0]
            argument = known.get(match[1] or str(next(numbered, -1)))
            if argument is None:
                raise self._unknown(node)
            return self._shown(argument, scope)

        if re.search(r"[{}]", _BRACES.sub("", pattern.text)):
            raise self._unknown(node)
        return _replaced(pattern, _BRACES, filled)

    def _dedented(self, value: ast.expr, scope: Scope) -> Traced:
        """As ``textwrap`` does it: what it has taken from the start of each line is cut."""
        text = self.text(value, scope)
        parts: list[Traced] = []
        at = 0
        for before, after in zip(
            text.text.split("\n"), textwrap.dedent(text.text).split("\n"), strict=True
        ):
            end = at + len(before)
            kept = end if not before.strip() else at + len(before) - len(after)
            parts += [text.cut(min(kept, end), end), text.cut(end, end + 1)]
            at = end + 1
        return joined(parts)

    # --- places

    def _start(self, node: ast.expr) -> int:
        return self.lines.index(node.lineno, node.col_offset)

    def _unknown(self, node: ast.expr) -> NotConstantError:
        try:
            text = ast.unparse(node)
        except (RecursionError, ValueError):
            text = "an expression"
        return NotConstantError(text if len(text) <= 60 else text[:59] + "…")


def _is_str(node: ast.expr) -> bool:
    """Whether it is ``str(x)``."""
    match node:
        case ast.Call(func=ast.Name(id="str"), args=[_], keywords=[]):
            return True
        case _:
            return False


def _replaced(text: Traced, pattern: re.Pattern[str], value: object) -> Traced:
    """All matches replaced; what stands in their place is where they were."""
    assert callable(value)
    parts: list[Traced] = []
    at = 0
    for match in pattern.finditer(text.text):
        parts.append(text.cut(at, match.start()))
        parts.append(Traced.at(value(match), text.origins[match.start()]))
        at = match.end()
    parts.append(text.cut(at, len(text.text)))
    return joined(parts)


def _combined(a: int, op: ast.operator, b: int) -> int | None:
    match op:
        case ast.Add():
            return a + b
        case ast.Sub():
            return a - b
        case ast.Mult():
            return a * b
        case ast.FloorDiv() if b:
            return a // b
        case ast.LShift() if 0 <= b < _MAX_BITS:
            return a << b
        case ast.Pow() if 0 <= b <= _MAX_BITS and abs(a) <= 1 << 16:
            return int(a**b)
        case _:
            return None
