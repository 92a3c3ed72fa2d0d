"""Values of expressions in host code, where they are constant on the path that leads to them.

``Expressions`` is the half of the interpreter that knows expressions; ``interpreter.Interpreter``
adds statements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from drano.frontend.libclang import Kind, Node, Unary, constant, float_constant, key, type_kind
from drano.frontend.type_kinds import FLOAT_TYPES, INTEGER_TYPES, RECORD
from drano.host.arithmetic import (
    Environment,
    Handle,
    Named,
    Record,
    Value,
    arithmetic,
    convert,
    dimensions,
    float_arithmetic,
    meet,
    rounded,
    soften,
    wrap,
)
from drano.host.called_functions import Calls, origin
from drano.host.function_bodies import STEPS, THIS, VARIABLES, is_dim3, plain_children
from drano.host.structures import aggregate, same_record, whole_dim, without_designator


@dataclass(slots=True)
class Expressions(Calls):
    """Evaluates the expressions of one function body."""

    def value(self, node: Node, environment: Environment) -> Value:
        """Value of an expression; its assignments change ``environment``."""
        self.budget.spend(self.depth)
        self.depth += 1
        try:
            handler = _EXPRESSIONS.get(node.kind)
            if handler is not None:
                return handler(self, node, environment)
            self._parts(plain_children(node), environment)
            return None
        finally:
            self.depth -= 1

    def _literal(self, node: Node, environment: Environment) -> Value:
        return constant(node.cursor)

    def _float_literal(self, node: Node, environment: Environment) -> Value:
        value = float_constant(node.cursor)
        return rounded(value, node.type_kind) if value is not None else None

    def _wrapper(self, node: Node, environment: Environment) -> Value:
        inner = plain_children(node)
        if not inner:
            return constant(node.cursor) if node.type_kind in INTEGER_TYPES else None
        if len(inner) != 1:
            self._parts(inner, environment)
            return None
        value, kind = self.value(inner[0], environment), node.type_kind
        if isinstance(value, Record) and not same_record(node, inner[0]):
            return None  # its base, or what it is converted to
        if isinstance(value, (tuple, Record, Named, Handle)):
            return value
        if value is None and kind in INTEGER_TYPES and inner[0].type_kind in FLOAT_TYPES:
            return constant(node.cursor)
        return convert(value, kind) if value is not None else None

    def _reference(self, node: Node, environment: Environment) -> Value:
        declared = node.declared()
        if declared is None or declared._kind_id == Kind.NON_TYPE_PARAMETER:
            # A template parameter in an instantiation holds what was put in its place.
            inner = plain_children(node)
            return self.value(inner[0], environment) if len(inner) == 1 else None
        if declared._kind_id == Kind.ENUM_CONSTANT:
            return int(declared.enum_value)
        if declared._kind_id == Kind.FUNCTION:
            return Named(key(declared), origin(node), declared)
        if declared._kind_id not in VARIABLES:
            return None
        variable = node.key
        if id(node) in self.body.exposing:
            self.exposed.add(variable)
        if variable in environment:
            return environment[variable] if self.tracked(variable) else None
        constant_variable = declared.type.get_canonical().is_const_qualified()
        if declared._kind_id != Kind.VAR or not constant_variable:
            return None
        if type_kind(declared) in INTEGER_TYPES:
            return constant(declared)
        return self._constant_dim(declared) if is_dim3(declared) else None

    def _constant_dim(self, declared: Any) -> Value:
        body = self.hooks.body_of(declared)
        inner = plain_children(body.root) if body is not None else []
        return self.value(inner[-1], {}) if inner else None

    def _member(self, node: Node, environment: Environment) -> Value:
        inner = plain_children(node)
        base = self.value(inner[0], environment) if inner else self._this(node, environment)
        component = {"x": 0, "y": 1, "z": 2}.get(node.spelling)
        if isinstance(base, Record):
            return base.get(node.spelling)
        if isinstance(base, tuple) and component is not None:
            return base[component]
        declared = node.declared()
        if declared is None:
            return None
        if declared._kind_id == Kind.ENUM_CONSTANT:
            return int(declared.enum_value)
        if declared._kind_id == Kind.VAR and declared.type.is_const_qualified():
            return constant(declared) if type_kind(declared) in INTEGER_TYPES else None
        return None

    def _this(self, node: Node, environment: Environment) -> Value:
        if id(node) in self.body.exposing:
            self.exposed.add(THIS)
        known = environment.get(THIS) if self.tracked(THIS) else None
        return self._without_leaks(known)

    def _unary(self, node: Node, environment: Environment) -> Value:
        inner = plain_children(node)
        if len(inner) != 1:
            return None
        operator, kind = node.unary, node.type_kind
        operand = self.value(inner[0], environment)
        if operator == Unary.ADDRESS and isinstance(operand, (Named, Record)):
            return operand  # of a function, or for who only reads there
        if operator == Unary.DEREF and isinstance(operand, Named):
            return operand
        if isinstance(operand, float) and operator in {Unary.MINUS, Unary.PLUS}:
            return -operand if operator == Unary.MINUS else operand
        if not isinstance(operand, int):
            operand = None
        if operator in STEPS:
            step = 1 if operator in {Unary.POST_INC, Unary.PRE_INC} else -1
            after = arithmetic("+", operand, step, kind) if operand is not None else None
            kept = self._assign(inner[0], after, environment)
            return operand if operator in {Unary.POST_INC, Unary.POST_DEC} else kept
        if operand is None:
            return None
        if operator == Unary.LNOT:
            return int(not operand)
        if operator == Unary.MINUS:
            return arithmetic("-", 0, operand, kind)
        if operator == Unary.NOT:
            return wrap(~operand, kind)
        return operand if operator == Unary.PLUS else None

    def _binary(self, node: Node, environment: Environment) -> Value:
        inner = plain_children(node)
        if len(inner) != 2:
            return None
        operator = node.binary
        if operator == "=":
            value = self.value(inner[1], environment)
            self._touch(inner[0], environment)
            return self._assign(inner[0], value, environment)
        if operator in {"&&", "||"}:
            return self._short_circuit(operator, inner, environment)
        left = self.value(inner[0], environment)
        right = self.value(inner[1], environment)
        if operator == ",":
            return right
        kind = node.type_kind
        if isinstance(left, int) and isinstance(right, int):
            return arithmetic(operator, left, right, kind)
        if isinstance(left, float) and isinstance(right, float):
            return float_arithmetic(operator, left, right, kind)
        return None

    def _compound_assign(self, node: Node, environment: Environment) -> Value:
        inner = plain_children(node)
        if len(inner) != 2:
            return None
        right = self.integer(inner[1], environment)
        left = self.integer(inner[0], environment)
        value: int | None = None
        if left is not None and right is not None:
            operator = node.binary.removesuffix("=")
            # Computed in the wider type, then converted: 64 bits hold every operand exactly.
            exact = arithmetic(operator, left, right, 19)
            value = wrap(exact, node.type_kind) if exact is not None else None
        return self._assign(inner[0], value, environment)

    def _short_circuit(
        self, operator: str, inner: Sequence[Node], environment: Environment
    ) -> Value:
        left = self.integer(inner[0], environment)
        if left is not None and bool(left) == (operator == "||"):
            return int(bool(left))
        taken = dict(environment)
        right = self.integer(inner[1], taken)
        if left is None:
            soften(environment, taken)
            decided = right is not None and bool(right) == (operator == "||")
            return int(bool(right)) if decided else None
        environment.clear()
        environment.update(taken)
        return int(bool(right)) if right is not None else None

    def _conditional(self, node: Node, environment: Environment) -> Value:
        inner = plain_children(node)
        if len(inner) != 3:
            return None
        condition = self.integer(inner[0], environment)
        if condition is None:
            condition = self.chosen.get(id(node))
        if condition is not None:
            return self.value(inner[1] if condition else inner[2], environment)
        other = dict(environment)
        left = self.value(inner[1], environment)
        right = self.value(inner[2], other)
        soften(environment, other)
        return meet(left, right)

    def _list(self, node: Node, environment: Environment) -> Value:
        parts = [without_designator(part) for part in plain_children(node)]
        values = [self.value(part, environment) for part in parts]
        if is_dim3(node.cursor):
            whole = len(parts) == 1 and parts[0].type_kind == RECORD
            return whole_dim(values[0]) if whole else dimensions(values)
        if node.type_kind == RECORD:
            return aggregate(node, values)
        return values[0] if len(values) == 1 and node.type_kind in INTEGER_TYPES else None

    def _lambda(self, node: Node, environment: Environment) -> Value:
        # It may run later: only what is never assigned again still holds then.
        changing = self.body.written.union(self.body.exposing.values())
        kept = {v: x for v, x in environment.items() if v not in changing}
        self.expose_below(node)
        self._run_lambda(node, kept)
        return None


_EXPRESSIONS: Final[dict[int, Callable[[Expressions, Node, Environment], Value]]] = {
    Kind.INTEGER: Expressions._literal,
    Kind.FLOATING: Expressions._float_literal,
    Kind.CHARACTER: Expressions._literal,
    Kind.BOOL: Expressions._literal,
    Kind.UNARY_TRAIT: Expressions._literal,
    Kind.UNEXPOSED_EXPR: Expressions._wrapper,
    Kind.PAREN: Expressions._wrapper,
    Kind.C_CAST: Expressions._wrapper,
    Kind.STATIC_CAST: Expressions._wrapper,
    Kind.FUNCTIONAL_CAST: Expressions._wrapper,
    Kind.REINTERPRET_CAST: Expressions._wrapper,
    Kind.CONST_CAST: Expressions._wrapper,
    Kind.THIS: Expressions._this,
    Kind.DECL_REF: Expressions._reference,
    Kind.MEMBER_REF_EXPR: Expressions._member,
    Kind.UNARY: Expressions._unary,
    Kind.BINARY: Expressions._binary,
    Kind.COMPOUND_ASSIGN: Expressions._compound_assign,
    Kind.CONDITIONAL: Expressions._conditional,
    Kind.INIT_LIST: Expressions._list,
    Kind.LAMBDA: Expressions._lambda,
    Kind.CALL: Expressions._call,
}
