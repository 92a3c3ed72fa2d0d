"""Values of expressions in host code, where they are constant on the path that leads to them.

``Evaluator`` is the half of the interpreter that knows expressions; ``interpreter.Interpreter``
adds statements. Functions in the user's own files are followed for their results; for others,
clang's constant evaluator is asked.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from drano.frontend.libclang import (
    Kind,
    Node,
    Unary,
    bit_field,
    constant,
    float_constant,
    key,
    passed_kind,
    refers_to_function,
    type_kind,
)
from drano.frontend.type_kinds import FLOAT_TYPES, INTEGER_TYPES, POINTER, RECORD, REFERENCES
from drano.host.arithmetic import (
    UNKNOWN_DIM,
    Dim,
    Environment,
    Handle,
    Named,
    Record,
    State,
    Value,
    arithmetic,
    changed,
    convert,
    dimensions,
    float_arithmetic,
    in_field,
    meet,
    rounded,
    soften,
    wrap,
)
from drano.host.function_bodies import (
    MAX_DEPTH,
    PASSING,
    STEPS,
    THIS,
    VARIABLES,
    Body,
    copies_members,
    handle_place,
    is_dim3,
    is_plain_member,
    plain_children,
    preorder,
    strip,
    target,
    written,
)
from drano.host.launch_syntax import handle_name, takes_handle
from drano.host.pointers.aliases import (
    is_local,
    is_loose,
    is_reference,
    may_change_others,
    outliving,
)
from drano.model.translation_unit import HostLoop

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
_SIMPLE: Final = frozenset({POINTER, *INTEGER_TYPES, *FLOAT_TYPES})


class OutOfBounds(Exception):  # noqa: N818 - a bound was met, nothing is wrong
    """The function is deeper or longer than the interpreter follows."""


@dataclass(slots=True)
class Budget:
    """Steps left for the whole unit; mutated."""

    steps: int = 300_000

    def spend(self, depth: int) -> None:
        """One step at ``depth``; OutOfBounds when either is too much."""
        self.steps -= 1
        if self.steps < 0 or depth > MAX_DEPTH:
            raise OutOfBounds


@dataclass(slots=True)
class Hooks:
    """What the interpreter asks of its user. ``on_call`` sees each call with its environment and
    the interpreter; ``body_of`` gives a function's survey for following the call, or None;
    ``is_kept`` tells whether a variable that outlives the function is changed by nobody else.
    """

    on_call: Callable[[Node, Environment, Evaluator], None]
    body_of: Callable[[Any], Body | None]
    is_kept: Callable[[Any, Node], bool]

    def quiet(self) -> Hooks:
        """The same for a function that is followed for its result: it reports no launches."""
        return Hooks(_no_launch, self.body_of, self.is_kept)


@dataclass(frozen=True, slots=True)
class Around:
    """A loop that is being run; ``shrinking``: its variables that get less by division."""

    loop: HostLoop
    shrinking: frozenset[int]


@dataclass(slots=True)
class Evaluator(ABC):
    """Evaluates the expressions of one function body; mutated while it runs. ``around``: the loops
    that it is in, outermost first; ``chosen``: by the identity of a conditional expression whose
    condition is not known, which of its values is to be taken; ``asked``: for what it returns, and
    nothing else.
    """

    body: Body
    hooks: Hooks
    budget: Budget
    calls: int = 0
    depth: int = 0
    returned: list[Value] = field(default_factory=list)
    breaks: list[State | None] = field(default_factory=list)
    heads: list[State] = field(default_factory=list)
    exposed: set[int] = field(default_factory=set)
    shared: set[int] = field(default_factory=set)
    around: list[Around] = field(default_factory=list)
    chosen: dict[int, bool] = field(default_factory=dict)
    asked: bool = False

    @abstractmethod
    def run(self, environment: Environment) -> Value:
        """Run the body; the value that all returns agree on, else None."""

    @abstractmethod
    def statement(self, node: Node, state: State) -> State:
        """State after ``node``."""

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

    def _parts(self, parts: list[Node], environment: Environment) -> None:
        """Side effects of an expression of which it is not known what is done when, if at all."""
        for child in parts:
            self.value(child, environment)
        for variable in frozenset[int]().union(*map(written, parts)):
            environment.pop(variable, None)

    def integer(self, node: Node, environment: Environment) -> int | None:
        """``value`` where only an integer will do."""
        value = self.value(node, environment)
        return value if isinstance(value, int) else None

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
        if isinstance(value, Record) and not _same_record(node, inner[0]):
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

    def _without_leaks(self, known: Value) -> Value:
        for member in self.body.leaking if isinstance(known, Record) else ():
            known = changed(known, (member,), None)
        return known

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

    def _short_circuit(self, operator: str, inner: list[Node], environment: Environment) -> Value:
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
        parts = [_without_designator(part) for part in plain_children(node)]
        values = [self.value(part, environment) for part in parts]
        if is_dim3(node.cursor):
            whole = len(parts) == 1 and parts[0].type_kind == RECORD
            return _whole_dim(values[0]) if whole else dimensions(values)
        if node.type_kind == RECORD:
            return _aggregate(node, values)
        return values[0] if len(values) == 1 and node.type_kind in INTEGER_TYPES else None

    def _lambda(self, node: Node, environment: Environment) -> Value:
        # It may run later: only what is never assigned again still holds then.
        changing = self.body.written.union(self.body.exposing.values())
        kept = {v: x for v, x in environment.items() if v not in changing}
        self.expose_below(node)
        self._run_lambda(node, kept)
        return None

    def _run_lambda(self, node: Node, environment: Environment) -> None:
        """What it assigns to is never known (``survey``), so that nothing comes back."""
        inner = type(self)(self.body, self.hooks, self.budget, self.calls, self.depth)
        inner.around += self.around
        inner.exposed |= self.exposed
        inner.shared |= self.shared
        for child in node.children:
            if child.kind == Kind.COMPOUND:
                inner.statement(child, [environment])

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
            plain = is_dim3(inner[0].cursor) or _is_configuration(inner[0].cursor)
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
        elif inner and not _is_constructor(node) and strip(inner[0]).kind != Kind.DECL_REF:
            self.value(inner[0], environment)  # what is called is computed
        self.hooks.on_call(node, environment, self)
        arguments = self.argument_values(node, environment)
        if takes_handle(node):
            return self._take_handle(node, environment)
        if name in PASSING and len(arguments) == 1:
            return arguments[0]
        if _is_constructor(node):
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

    def arguments(self, node: Node) -> list[Node]:
        """Argument expressions of a call: its children after the callee, which constructors have
        none of.
        """
        inner = plain_children(node)
        return inner if _is_constructor(node) else inner[1:]

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

    def _construct(self, inner: list[Node], environment: Environment) -> Value:
        values = [1 if _is_default(c) else self.value(c, environment) for c in inner]
        if len(inner) == 1 and inner[0].type_kind == RECORD:
            return _whole_dim(values[0])
        return dimensions(values)

    def _construct_object(self, node: Node, arguments: list[Value]) -> Value:
        """A structure as its constructor makes it, or copies it without one of its own."""
        declared = node.declared()
        inner = plain_children(node)
        if _is_implicit(declared):
            same = len(inner) == 1 and _type_name(inner[0].cursor) == _type_name(node.cursor)
            copied = same and declared is not None and copies_members(declared.semantic_parent)
            return arguments[0] if copied and isinstance(arguments[0], Record) else None
        body = self.hooks.body_of(declared) if self.calls < MAX_CALLS else None
        if declared is None or body is None or _has_bases(declared.semantic_parent):
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

    def _assign(self, place: Node, value: Value, environment: Environment) -> Value:
        self.expose_below(place)
        variable, path = target(place)
        lasting = outliving(place) if variable else None
        if lasting is not None:
            self.shared.add(variable)
        if variable in self.body.references or (variable == 0 and is_loose(place)):
            for other in (*self.shared, *self.body.references):
                environment.pop(other, None)
        lost = lasting is not None and not self.hooks.is_kept(lasting, self.body.root)
        lost |= variable in self.body.references or (variable == THIS and THIS not in environment)
        if lost or not self.tracked(variable):
            environment.pop(variable, None)
            return None
        kind = place.type_kind
        if isinstance(value, (int, float)):
            member = strip(place).declared() if path else None
            value = convert(value, kind)
            value = in_field(value, bit_field(member)) if member is not None else value
        elif isinstance(value, (Named, Record, Handle)) and not (
            fits(kind, value) and is_local(place)
        ):
            value = None
        environment[variable] = changed(environment.get(variable), path, value)
        return value

    def _touch(self, place: Node, environment: Environment) -> None:
        """Side effects of ``a[i++] = …``: all of an assigned expression but the variable itself."""
        if target(place)[0] == 0:
            for child in plain_children(place):
                self.value(child, environment)

    def tracked(self, variable: int) -> bool:
        """Whether values of ``variable`` may be kept."""
        relevant = self.body.relevant
        return (
            variable != 0
            and variable not in self.body.unknown
            and variable not in self.exposed
            and (relevant is None or variable in relevant)
        )

    def expose_below(self, node: Node) -> None:
        """From now on nothing is known of what is exposed anywhere below ``node``."""
        for inner in preorder(node):
            variable = self.body.exposing.get(id(inner))
            if variable is not None:
                self.exposed.add(variable)


def _whole_dim(value: Value) -> Dim:
    """A dim3 that is made of another one."""
    return value if isinstance(value, tuple) else UNKNOWN_DIM


def _is_default(node: Node) -> bool:
    """Whether an argument is a default argument: clang gives it neither parts nor a place."""
    bare = node.kind == Kind.UNEXPOSED_EXPR and not node.children
    return bare and node.cursor.extent.start.line == 0


def origin(node: Node) -> tuple[str, int]:
    """Where a name stands."""
    start = node.cursor.extent.start
    return (start.file.name if start.file is not None else "", int(start.offset))


def fits(kind: int, value: Value) -> bool:
    """Whether a variable of a type can hold a dim3, a structure or a function."""
    if isinstance(value, (Named, Handle)):
        return kind == POINTER
    return kind == RECORD and isinstance(value, (tuple, Record))


def _is_constructor(node: Node) -> bool:
    if node.type_kind != RECORD:
        return False
    declared = node.declared()
    return declared is not None and declared._kind_id == Kind.CONSTRUCTOR


def _is_implicit(constructor: Any) -> bool:
    """Whether the compiler wrote it, which then copies member by member, or does nothing."""
    return bool(constructor.location == constructor.semantic_parent.location)


def _has_bases(declaration: Any) -> bool:
    """Whether a class is derived from another one."""
    return any(child._kind_id == Kind.BASE for child in declaration.get_children())


def _is_configuration(cursor: Any) -> bool:
    return _type_name(cursor) in {
        "cudaLaunchConfig_st",
        "cudaLaunchConfig_t",
        "CUlaunchConfig_st",
    }


def _type_name(cursor: Any) -> str:
    return str(cursor.type.get_canonical().spelling).removeprefix("const ")


def _same_record(node: Node, other: Node) -> bool:
    names = (str(each.cursor.type.get_canonical().spelling) for each in (node, other))
    one, two = (name.replace("const ", "").replace("*const", "*") for name in names)
    return one == two


def _without_designator(node: Node) -> Node:
    """``4`` of ``.x = 4`` in braces."""
    designated = any(child.kind == Kind.MEMBER_REF for child in node.children)
    inner = plain_children(node)
    return inner[0] if designated and len(inner) == 1 else node


def _aggregate(node: Node, values: list[Value]) -> Value:
    """A structure from its braces, as far as each value is one of its members."""
    declaration = node.cursor.type.get_canonical().get_declaration()
    if declaration._kind_id == Kind.UNION:
        return None
    if _has_bases(declaration):
        return None
    fields = [member for member in declaration.get_children() if member._kind_id == Kind.FIELD]
    parts = plain_children(node)
    if len(parts) == 1 and _type_name(parts[0].cursor) == _type_name(node.cursor):
        return values[0] if isinstance(values[0], Record) else None
    names = [str(field.spelling) for field in fields]
    made, position = Record(), 0
    for part, value in zip(parts, values, strict=True):
        designated = [c.spelling for c in part.children if c.kind == Kind.MEMBER_REF]
        if part.kind == Kind.UNEXPOSED_EXPR and designated:
            position = names.index(designated[0]) if designated[0] in names else len(names)
        if position >= len(fields):
            return None
        kind, dim = type_kind(fields[position]), is_dim3(fields[position])
        whole = dim or designated or kind in _SIMPLE or part.kind == Kind.INIT_LIST
        if not whole and part.type_kind != kind:
            return made  # braces left out: what follows may belong to a part of this one
        member = in_field(_as_member(value, kind, dim=dim), bit_field(fields[position]))
        made = made.put(names[position], member if is_plain_member(fields[position]) else None)
        position += 1
    return made


def _as_member(value: Value, kind: int, *, dim: bool) -> Value:
    if dim:
        return dimensions([value]) if isinstance(value, int) else value
    if isinstance(value, (int, float)):
        return convert(value, kind)
    return value if fits(kind, value) else None


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


def _no_launch(node: Node, environment: Environment, interpreter: Evaluator) -> None:
    """A function followed for its result reports no launches."""


_EXPRESSIONS: Final[dict[int, Callable[[Evaluator, Node, Environment], Value]]] = {
    Kind.INTEGER: Evaluator._literal,
    Kind.FLOATING: Evaluator._float_literal,
    Kind.CHARACTER: Evaluator._literal,
    Kind.BOOL: Evaluator._literal,
    Kind.UNARY_TRAIT: Evaluator._literal,
    Kind.UNEXPOSED_EXPR: Evaluator._wrapper,
    Kind.PAREN: Evaluator._wrapper,
    Kind.C_CAST: Evaluator._wrapper,
    Kind.STATIC_CAST: Evaluator._wrapper,
    Kind.FUNCTIONAL_CAST: Evaluator._wrapper,
    Kind.REINTERPRET_CAST: Evaluator._wrapper,
    Kind.CONST_CAST: Evaluator._wrapper,
    Kind.THIS: Evaluator._this,
    Kind.DECL_REF: Evaluator._reference,
    Kind.MEMBER_REF_EXPR: Evaluator._member,
    Kind.UNARY: Evaluator._unary,
    Kind.BINARY: Evaluator._binary,
    Kind.COMPOUND_ASSIGN: Evaluator._compound_assign,
    Kind.CONDITIONAL: Evaluator._conditional,
    Kind.INIT_LIST: Evaluator._list,
    Kind.LAMBDA: Evaluator._lambda,
    Kind.CALL: Evaluator._call,
}
