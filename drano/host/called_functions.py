"""Calls in host code: what they are given, what they give back, and what they may change.

Functions in the user's own files are followed for their results; for others, clang's constant
evaluator is asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from drano.frontend.libclang import Kind, Node, bit_field, constant, passed_kind, refers_to_function
from drano.frontend.type_kinds import FLOAT_TYPES, INTEGER_TYPES, RECORD, REFERENCES
from drano.host.arithmetic import (
    Environment,
    Handle,
    Named,
    Record,
    State,
    Value,
    changed,
    convert,
    dimensions,
    in_field,
    meet,
    wrap,
)
from drano.host.evaluator import Evaluator
from drano.host.function_bodies import (
    PASSING,
    THIS,
    copies_members,
    handle_place,
    is_dim3,
    is_plain_member,
    plain_children,
    strip,
    target,
)
from drano.host.launching.launch_syntax import handle_name, takes_handle
from drano.host.pointers.aliases import is_local, is_reference, may_change_others
from drano.host.structures import (
    fits,
    has_bases,
    is_configuration,
    is_constructor,
    is_implicit,
    type_name,
    whole_dim,
)

MAX_CALLS: Final = 4
_ROUNDING: Final[dict[str, Callable[[float], int]]] = {
    "ceil": math.ceil,
    "ceilf": math.ceil,
    "floor": math.floor,
    "floorf": math.floor,
}
_NO_INITIALISER: Final = frozenset(
    {Kind.PARM, Kind.TYPE_REF, Kind.TEMPLATE_REF, Kind.NAMESPACE_REF}
)


@dataclass(slots=True)
class Calls(Evaluator):
    """The part of an evaluator that knows calls, of constructors and lambdas, too."""

    def _call(self, node: Node, environment: Environment) -> Value:
        value = self._called(node, environment)
        if self.shared and may_change_others(node):
            for variable in self.shared:
                environment.pop(variable, None)
        return value

    def _called(self, node: Node, environment: Environment) -> Value:
        name = node.spelling
        inner = plain_children(node)
        if node.type_kind == RECORD and name == "dim3" and is_dim3(node.cursor):
            return self._construct(inner, environment)
        if name == "operator=" and len(inner) >= 2:
            plain = is_dim3(inner[0].cursor) or is_configuration(inner[0].cursor)
            value = self.value(inner[-1], environment)
            self._assign(inner[0], value if plain else None, environment)
            if plain:
                return value
            self._touch(inner[0], environment)
            self.expose_below(node)
        elif name.startswith("operator"):
            called = strip(inner[0]) if inner and name == "operator()" else node
            if called.kind == Kind.LAMBDA:  # at once: all that is known still holds
                self._run_lambda(called, dict(environment))
            self.expose_below(node)
        elif inner and strip(inner[0]).kind == Kind.MEMBER_REF_EXPR:
            self.expose_below(inner[0])
        elif inner and not is_constructor(node) and strip(inner[0]).kind != Kind.DECL_REF:
            self.value(inner[0], environment)  # what is called is computed
        self.hooks.on_call(node, environment, self)
        arguments = self.argument_values(node, environment)
        if takes_handle(node):
            return self._take_handle(node, environment)
        if name in PASSING and len(arguments) == 1:
            return arguments[0]
        if is_constructor(node):
            return self._construct_object(node, arguments)
        if name in {"min", "max"} and len(arguments) == 2:
            first, second = arguments
            if isinstance(first, int) and isinstance(second, int):
                chosen = min(first, second) if name == "min" else max(first, second)
                return wrap(chosen, node.type_kind)
        if name in _ROUNDING and len(arguments) == 1:
            number = arguments[0]
            if isinstance(number, (int, float)) and math.isfinite(number):
                return convert(_ROUNDING[name](number), node.type_kind)
        if node.type_kind not in INTEGER_TYPES and node.type_kind != RECORD:
            return None
        value = self._follow(node, arguments)
        if value is None and node.type_kind in INTEGER_TYPES:
            return constant(node.cursor)
        return value

    def _take_handle(self, node: Node, environment: Environment) -> Value:
        place, name = handle_place(node), handle_name(node)
        if place is not None:
            self._assign(place, None if name is None else Handle(name), environment)
        return None

    def arguments(self, node: Node) -> Sequence[Node]:
        """Argument expressions of a call: its children after the callee, which constructors have
        none of.
        """
        inner = plain_children(node)
        return inner if is_constructor(node) else inner[1:]

    def argument_values(self, node: Node, environment: Environment) -> list[Value]:
        """Values of a call's arguments, default arguments included."""
        values: list[Value] = []
        for position, child in enumerate(self.arguments(node)):
            value = self.value(child, environment)
            if value is None and _is_default(child):
                value = self._default(node, position)
            values.append(value)
        return [
            None if value is not None and self._may_change(node, position, child) else value
            for position, (child, value) in enumerate(
                zip(self.arguments(node), values, strict=True)
            )
        ]

    def _may_change(self, call: Node, position: int, argument: Node) -> bool:
        """Whether what an argument names may get another value while it is called by reference:
        others know it, too.
        """
        name = strip(argument)
        if name.kind not in {Kind.DECL_REF, Kind.MEMBER_REF_EXPR}:
            return False
        variable, _ = target(name)
        if variable in self.exposed or (variable and not is_local(name)):
            return is_reference(call.declared(), position)
        return False

    def _default(self, node: Node, position: int) -> Value:
        declared = node.declared()
        body = self.hooks.body_of(declared) if declared is not None else None
        if body is None:
            return None
        parameters = [child for child in body.root.children if child.kind == Kind.PARM]
        inner = plain_children(parameters[position]) if position < len(parameters) else []
        return self.value(inner[-1], {}) if inner else None

    def _construct(self, inner: Sequence[Node], environment: Environment) -> Value:
        values = [1 if _is_default(c) else self.value(c, environment) for c in inner]
        if len(inner) == 1 and inner[0].type_kind == RECORD:
            return whole_dim(values[0])
        return dimensions(values)

    def _construct_object(self, node: Node, arguments: list[Value]) -> Value:
        """A structure as its constructor makes it, or copies it without one of its own."""
        declared = node.declared()
        inner = plain_children(node)
        if is_implicit(declared):
            same = len(inner) == 1 and type_name(inner[0].cursor) == type_name(node.cursor)
            copied = same and declared is not None and copies_members(declared.semantic_parent)
            return arguments[0] if copied and isinstance(arguments[0], Record) else None
        body = self.hooks.body_of(declared) if self.calls < MAX_CALLS else None
        if declared is None or body is None or has_bases(declared.semantic_parent):
            return None  # members of a base may have the names of others
        callee = type(self)(body, self.hooks.quiet(), self.budget, self.calls + 1, self.depth)
        return callee.built(bind(body.root, arguments))

    def built(self, environment: Environment) -> Value:
        """Run the body of a constructor; what is known of the object after it."""
        environment[THIS] = Record()
        member = None
        state: State = [environment]
        for child in self.body.root.children:
            if child.kind == Kind.MEMBER_REF:
                member = child
            elif child.kind == Kind.COMPOUND:
                state = self.statement(child, state)
            elif child.kind not in _NO_INITIALISER:
                if member is None or member.type_kind in REFERENCES:
                    return None  # a base, another constructor, or a name for something else
                own = member.declared()
                value = self.value(child, environment)
                if own is None or not is_plain_member(own):
                    value = None
                else:
                    value = in_field(value, bit_field(own))
                environment[THIS] = changed(environment[THIS], (member.spelling,), value)
                member = None
        if self.returned or not state or not self.tracked(THIS):
            return None
        made = state[0].get(THIS)
        for other in state[1:]:
            made = meet(made, other.get(THIS))
        return self._without_leaks(made)

    def _follow(self, node: Node, arguments: list[Value]) -> Value:
        """Result of a call of a function whose body is at hand."""
        declared = node.declared()
        if declared is None or self.calls >= MAX_CALLS:
            return None
        body = self.hooks.body_of(declared)
        if body is None:
            return None
        environment = bind(body.root, arguments)
        callee = type(self)(body, self.hooks.quiet(), self.budget, self.calls + 1, self.depth)
        callee.asked = True
        return callee.run(environment)

    def _run_lambda(self, node: Node, environment: Environment) -> None:
        """What it assigns to is never known (``survey``), so that nothing comes back."""
        inner = type(self)(self.body, self.hooks, self.budget, self.calls, self.depth)
        inner.around += self.around
        inner.exposed |= self.exposed
        inner.shared |= self.shared
        for child in node.children:
            if child.kind == Kind.COMPOUND:
                inner.statement(child, [environment])


def _is_default(node: Node) -> bool:
    """Whether an argument is a default argument: clang gives it neither parts nor a place."""
    bare = node.kind == Kind.UNEXPOSED_EXPR and not node.children
    return bare and node.cursor.extent.start.line == 0


def origin(node: Node) -> tuple[str, int]:
    """Where a name stands."""
    start = node.cursor.extent.start
    return (start.file.name if start.file is not None else "", int(start.offset))


def bind(root: Node, arguments: Sequence[Value]) -> Environment:
    """Environment of a function entered with ``arguments``; missing ones are unknown."""
    parameters = [child for child in root.children if child.kind == Kind.PARM]
    environment: Environment = {}
    for parameter, value in zip(parameters, arguments, strict=False):
        kind = passed_kind(parameter.cursor)
        if isinstance(value, (int, float)) and (kind in INTEGER_TYPES or kind in FLOAT_TYPES):
            environment[parameter.key] = convert(value, kind)
        elif isinstance(value, (tuple, Record, Named)) and (
            fits(kind, value) or refers_to_function(parameter.cursor)
        ):
            environment[parameter.key] = value
    return environment
