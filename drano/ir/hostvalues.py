"""Constants in host code: a small interpreter over libclang trees, for launch shapes only.

A *value* is an int, a ``dim3`` as three components, or None: unknown. A *state* is a set of at most
``MAX_ENVIRONMENTS`` environments (variable -> value), one per way the function may have come here;
no environment: not reachable. So ``if (n) t = 64; else t = 128;`` leaves two environments, and the
launch behind it two shapes, while anything undecided is None in all of them.

Assumptions, each an allow-list: a variable is known only until something other than a plain read or
a plain assignment happens to it (its address or a reference is taken: *exposed*); one assigned or
exposed in a loop is unknown from the loop's start on; in a function with ``goto`` only what is
never assigned after its initialiser is known. Integer widths are those of x86-64 Linux.
Limits: depth, steps, environments and inlined calls are bounded; beyond a bound the function's
launches are reported with what is constant without any variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from drano.ir.libclang import (
    FLOAT_TYPES,
    INTEGER_TYPES,
    Kind,
    Node,
    Unary,
    binary_operator,
    constant,
    key,
    type_kind,
    unary_operator,
)

Dim: TypeAlias = tuple[int | None, int | None, int | None]
Value: TypeAlias = int | Dim | None
Environment: TypeAlias = dict[int, Value]
State: TypeAlias = list[Environment]

MAX_ENVIRONMENTS: Final = 6
MAX_DEPTH: Final = 120
MAX_CALLS: Final = 4

_RECORD: Final = 105
_REFERENCES: Final = frozenset(
    {Kind.TYPE_REF, Kind.TEMPLATE_REF, Kind.NAMESPACE_REF, Kind.MEMBER_REF, Kind.OVERLOADED_REF}
)
_VARIABLES: Final = frozenset({Kind.VAR, Kind.PARM})
_CASTS: Final = frozenset({Kind.C_CAST, Kind.STATIC_CAST, Kind.FUNCTIONAL_CAST})
_STEPS: Final = frozenset({Unary.POST_INC, Unary.POST_DEC, Unary.PRE_INC, Unary.PRE_DEC})
_LOOPS: Final = frozenset({Kind.FOR, Kind.WHILE, Kind.DO, Kind.FOR_RANGE})
_NO_RETURN: Final = frozenset(
    {"exit", "_exit", "abort", "terminate", "__assert_fail", "quick_exit"}
)
_UNKNOWN_DIM: Final[Dim] = (None, None, None)


class OutOfBounds(Exception):  # noqa: N818 - a bound was met, nothing is wrong
    """The function is deeper or longer than the interpreter follows."""


def plain_children(node: Node) -> list[Node]:
    """Children that are expressions or statements, not names of types."""
    return [child for child in node.children if child.kind not in _REFERENCES]


def strip(node: Node) -> Node:
    """``node`` without implicit casts, parentheses and explicit casts."""
    wrappers = {Kind.UNEXPOSED_EXPR, Kind.PAREN, *_CASTS}
    for _ in range(MAX_DEPTH):
        inner = plain_children(node)
        if node.kind not in wrappers or len(inner) != 1:
            return node
        node = inner[0]
    return node


def descend(node: Node) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    """Every node of a tree with its parent, grandparent and great-grandparent, in source order."""
    stack: list[tuple[Node, tuple[Node, ...]]] = [(node, ())]
    while stack:
        current, above = stack.pop()
        yield current, above
        below = (current, *above[:2])
        stack.extend((child, below) for child in reversed(current.children))


def is_dim3(cursor: Any) -> bool:
    """Whether the type is ``dim3``, const or not."""
    if type_kind(cursor) != _RECORD:
        return False
    return str(cursor.type.get_canonical().spelling) in {"dim3", "const dim3"}


def wrap(value: int, kind: int) -> int | None:
    """``value`` converted to the integer type ``kind``: ``wrap(-1, UINT) == 2**32 - 1``."""
    shape = INTEGER_TYPES.get(kind)
    if shape is None:
        return None
    bits, signed = shape
    if bits == 1:
        return int(value != 0)
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def arithmetic(operator: str, left: int, right: int, kind: int) -> int | None:
    """``left operator right`` in the type ``kind``; None where C++ leaves it undefined."""
    shape = INTEGER_TYPES.get(kind)
    if shape is None:
        return None
    if operator in {"<<", ">>"} and not 0 <= right < shape[0]:
        return None
    if operator in {"/", "%"} and right == 0:
        return None
    function = _ARITHMETIC.get(operator)
    if function is None:
        return None
    exact = function(left, right)
    wrapped = wrap(exact, kind)
    return wrapped if wrapped == exact or not shape[1] else None


def _divide(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


_ARITHMETIC: Final[dict[str, Callable[[int, int], int]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "%": lambda a, b: a - b * _divide(a, b),
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
}


# --- what a function writes -------------------------------------------------------------------


def assigned(node: Node) -> Node | None:
    """The expression that ``node`` itself writes: ``g.x`` of ``g.x = 3``; None: it writes none."""
    inner = plain_children(node)
    if not inner:
        return None
    if node.kind == Kind.COMPOUND_ASSIGN:
        return inner[0]
    if node.kind == Kind.BINARY and binary_operator(node.cursor) == "=":
        return inner[0]
    if node.kind == Kind.UNARY and unary_operator(node.cursor) in _STEPS:
        return inner[0]
    if node.kind == Kind.CALL and node.cursor.spelling == "operator=":
        return inner[0]
    return None


def target(node: Node) -> tuple[int, int | None]:
    """(variable, component or None) that an assigned expression names; variable 0: no variable."""
    component: int | None = None
    for _ in range(MAX_DEPTH):
        inner = plain_children(node)
        if node.kind == Kind.MEMBER_REF_EXPR and inner:
            component = {"x": 0, "y": 1, "z": 2}.get(node.cursor.spelling, -1)
            node = inner[0]
        elif node.kind == Kind.PAREN and inner:
            node = inner[0]
        else:
            break
    return (node.key() if node.kind == Kind.DECL_REF else 0), component


def places(node: Node) -> frozenset[tuple[int, int | None]]:
    """What is assigned anywhere below ``node``, as ``target`` has it, initialisers not counted."""
    found = (assigned(inner) for inner, _ in descend(node))
    return frozenset(target(place) for place in found if place is not None)


def written(node: Node) -> frozenset[int]:
    """Variables assigned anywhere below ``node``, in whole or in part."""
    return frozenset(variable for variable, _ in places(node))


def _exposes(above: Sequence[Node], node: Node) -> bool:
    """Whether the use ``node`` of a variable is more than a read, a write or ``sizeof``."""
    child = node
    for depth, parent in enumerate(above):
        if parent.kind in {Kind.UNEXPOSED_EXPR, Kind.UNARY_TRAIT}:
            return False
        if assigned(parent) is child:
            return False
        if parent.kind == Kind.UNARY and unary_operator(parent.cursor) == Unary.ADDRESS:
            cast = above[depth + 1] if depth + 1 < len(above) else None
            if cast is None or cast.kind != Kind.UNEXPOSED_EXPR:
                return True
            return not cast.cursor.type.get_canonical().get_pointee().is_const_qualified()
        if parent.kind not in {Kind.PAREN, Kind.MEMBER_REF_EXPR}:
            return True
        child = parent
    return True


@dataclass(frozen=True, slots=True)
class Body:
    """What must be known of a function before it is run. ``unknown``: variables never known;
    ``exposing``: the uses (by identity of their node) after which a variable is not known;
    ``relevant``: variables that can reach a launch, None: all; ``written``: assigned somewhere.
    """

    root: Node
    unknown: frozenset[int]
    exposing: Mapping[int, int]
    relevant: frozenset[int] | None
    written: frozenset[int]


def survey(root: Node, wanted: Callable[[Node], bool] | None) -> Body:
    """``wanted`` tells the calls whose arguments matter; None: every variable does."""
    exposing: dict[int, int] = {}
    unknown: set[int] = set()
    feeds: dict[int, set[int]] = {}
    seeds: set[int] = set()
    jumps = False
    for node, above in descend(root):
        if node.kind == Kind.DECL_REF:
            declared = node.declared()
            if declared is None or declared._kind_id not in _VARIABLES:
                continue
            if not declared.type.is_const_qualified() and _exposes(above, node):
                exposing[id(node)] = node.key()
        elif node.kind in {Kind.GOTO, Kind.INDIRECT_GOTO, Kind.ASM}:
            jumps = True
        elif node.kind == Kind.LAMBDA:
            unknown |= written(node)
        elif node.kind == Kind.VAR:
            feeds.setdefault(key(node.cursor), set()).update(_named(node))
        elif node.kind == Kind.CALL and wanted is not None and wanted(node):
            seeds |= _named(node)
        elif node.kind in _LOOPS and _cases_outside(node):
            jumps = True
        place = assigned(node)
        if place is not None:
            feeds.setdefault(target(place)[0], set()).update(_named(node))
    writes = written(root)
    if jumps:
        unknown |= writes | set(exposing.values())
    relevant = None if wanted is None else frozenset(_closure(seeds, feeds))
    return Body(root, frozenset(unknown), exposing, relevant, writes)


def _named(node: Node) -> set[int]:
    return {n.key() for n, _ in descend(node) if n.kind == Kind.DECL_REF}


def _closure(seeds: set[int], feeds: dict[int, set[int]]) -> set[int]:
    reached: set[int] = set()
    waiting = list(seeds)
    while waiting:
        variable = waiting.pop()
        if variable not in reached:
            reached.add(variable)
            waiting.extend(feeds.get(variable, ()))
    return reached


def _cases_outside(loop: Node) -> bool:
    """Whether a switch around ``loop`` jumps into it (Duff's device)."""
    stack = list(loop.children)
    while stack:
        node = stack.pop()
        if node.kind in {Kind.CASE, Kind.DEFAULT}:
            return True
        if node.kind not in {Kind.SWITCH, Kind.LAMBDA}:
            stack.extend(node.children)
    return False


# --- states -------------------------------------------------------------------------------------


def join(*states: State) -> State:
    """All ways of all states; beyond ``MAX_ENVIRONMENTS`` what differs becomes unknown."""
    merged: State = []
    for state in states:
        for environment in state:
            if environment not in merged:
                merged.append(environment)
    if len(merged) <= MAX_ENVIRONMENTS:
        return merged
    common = dict(merged[0])
    for environment in merged[1:]:
        for variable in list(common):
            common[variable] = _meet(common[variable], environment.get(variable))
    return [common]


def _meet(left: Value, right: Value) -> Value:
    if left == right:
        return left
    if isinstance(left, tuple) and isinstance(right, tuple):
        x, y, z = (a if a == b else None for a, b in zip(left, right, strict=True))
        return (x, y, z)
    return None


def forget(state: State, changed: Iterable[tuple[int, int | None]]) -> State:
    """``state`` after unknown assignments to the places ``changed``."""
    result: State = []
    for environment in state:
        left = dict(environment)
        for variable, component in changed:
            value = left.get(variable)
            if component is None or not isinstance(value, tuple):
                # Present but unknown: an absent constant would be read from its declaration.
                left[variable] = None
            else:
                x, y, z = (None if i == component else part for i, part in enumerate(value))
                left[variable] = (x, y, z)
        result.append(left)
    return join(result)


@dataclass(slots=True)
class Budget:
    """Steps left for the whole unit; mutated."""

    steps: int = 60_000

    def spend(self, depth: int) -> None:
        """One step at ``depth``; OutOfBounds when either is too much."""
        self.steps -= 1
        if self.steps < 0 or depth > MAX_DEPTH:
            raise OutOfBounds


@dataclass(slots=True)
class Hooks:
    """What the interpreter asks of its user. ``on_call`` sees each call with its environment and
    the interpreter; ``body_of`` gives a function's survey for following the call, or None.
    """

    on_call: Callable[[Node, Environment, Interpreter], None]
    body_of: Callable[[Any], Body | None]


@dataclass(slots=True)
class Interpreter:
    """Runs one function body once; mutated while it runs."""

    body: Body
    hooks: Hooks
    budget: Budget
    calls: int = 0
    depth: int = 0
    returned: list[Value] = field(default_factory=list)
    breaks: list[State | None] = field(default_factory=list)
    heads: list[State] = field(default_factory=list)
    exposed: set[int] = field(default_factory=set)

    def run(self, environment: Environment) -> Value:
        """Run the body; the value that all returns agree on, else None."""
        state: State = [environment]
        for child in self.body.root.children:
            if child.kind in {Kind.COMPOUND, Kind.TRY}:
                state = self.statement(child, state)
        if not self.returned or any(value != self.returned[0] for value in self.returned):
            return None
        return self.returned[0]

    # statements

    def statement(self, node: Node, state: State) -> State:
        """State after ``node``."""
        if not state and node.kind not in {Kind.COMPOUND, Kind.CASE, Kind.DEFAULT, Kind.LABEL}:
            # Unreachable by what is known, but a label or case inside may be jumped to.
            return state if not self._has_entry(node) else self._forgetful(node)
        self.budget.spend(self.depth)
        self.depth += 1
        try:
            handler = _STATEMENTS.get(node.kind)
            if handler is not None:
                return handler(self, node, state)
            return self._expression_statement(node, state)
        finally:
            self.depth -= 1

    def _has_entry(self, node: Node) -> bool:
        return any(n.kind in {Kind.LABEL, Kind.CASE, Kind.DEFAULT} for n, _ in descend(node))

    def _forgetful(self, node: Node) -> State:
        return self.statement(node, [{}])

    def _expression_statement(self, node: Node, state: State) -> State:
        result: State = []
        for environment in state:
            changed = dict(environment)
            self.value(node, changed)
            result.append(changed)
        if node.kind == Kind.CALL and node.cursor.spelling in _NO_RETURN:
            return []
        return join(result)

    def _compound(self, node: Node, state: State) -> State:
        for child in node.children:
            state = self.statement(child, state)
        return state

    def _declarations(self, node: Node, state: State) -> State:
        for child in node.children:
            if child.kind == Kind.VAR:
                state = [self._declare(child, dict(env)) for env in state]
        return join(state)

    def _declare(self, node: Node, environment: Environment) -> Environment:
        variable = key(node.cursor)
        inner = plain_children(node)
        value: Value = self.value(inner[-1], environment) if inner else None
        integer = type_kind(node.cursor) in INTEGER_TYPES
        static = str(node.cursor.storage_class) == "StorageClass.STATIC"
        changes = static and (
            variable in self.body.written or variable in self.body.exposing.values()
        )
        if not self._tracked(variable) or changes or not (integer or is_dim3(node.cursor)):
            environment.pop(variable, None)
        else:
            environment[variable] = value
        return environment

    def _tracked(self, variable: int) -> bool:
        relevant = self.body.relevant
        return (
            variable != 0
            and variable not in self.body.unknown
            and variable not in self.exposed
            and (relevant is None or variable in relevant)
        )

    def _if(self, node: Node, state: State) -> State:
        parts = list(node.children)
        while parts and parts[0].kind in {Kind.VAR, Kind.DECL_STMT}:
            first = parts.pop(0)
            if first.kind == Kind.VAR:
                state = [self._declare(first, dict(env)) for env in state]
            else:
                state = self.statement(first, state)
        if not parts:
            return state
        holds: State = []
        fails: State = []
        for environment in state:
            changed = dict(environment)
            value = self.value(parts[0], changed)
            if not isinstance(value, int) or value:
                holds.append(changed)
            if not isinstance(value, int) or not value:
                fails.append(dict(changed))
        then = self.statement(parts[1], join(holds)) if len(parts) > 1 else holds
        other = self.statement(parts[2], join(fails)) if len(parts) > 2 else fails
        return join(then, other)

    def _loop(self, node: Node, state: State) -> State:
        parts = node.children
        if not parts:
            return state
        if node.kind == Kind.DO and self._runs_once(node):
            return self.statement(parts[0], state)
        if node.kind == Kind.FOR and parts[0].kind == Kind.DECL_STMT:
            state = self.statement(parts[0], state)
            parts = parts[1:]
        changed = [place for part in parts for place in places(part)]
        self._expose_below(node)
        start = forget(state, changed)
        self.breaks.append(None)
        for part in parts:
            if part.kind == Kind.VAR:
                start = forget(start, [(key(part.cursor), None)])
            else:
                self.statement(part, [dict(env) for env in start])
        self.breaks.pop()
        return start

    def _expose_below(self, node: Node) -> None:
        for inner, _ in descend(node):
            variable = self.body.exposing.get(id(inner))
            if variable is not None:
                self.exposed.add(variable)

    def _runs_once(self, node: Node) -> bool:
        """``do { … } while (0)``, as macros have it, without break or continue."""
        if len(node.children) != 2 or self.value(node.children[1], {}) != 0:
            return False
        leaves = {Kind.BREAK, Kind.CONTINUE}
        return not any(n.kind in leaves for n, _ in descend(node.children[0]))

    def _switch(self, node: Node, state: State) -> State:
        parts = [child for child in node.children if child.kind not in {Kind.VAR, Kind.DECL_STMT}]
        if len(parts) < 2:
            return forget(state, places(node))
        head: State = []
        for environment in state:
            changed = dict(environment)
            self.value(parts[0], changed)
            head.append(changed)
        self.breaks.append([])
        self.heads.append(head)
        through = self.statement(parts[-1], [])
        self.heads.pop()
        left = self.breaks.pop() or []
        has_default = any(n.kind == Kind.DEFAULT for n, _ in descend(parts[-1]))
        return join(through, left, [] if has_default else head)

    def _case(self, node: Node, state: State) -> State:
        head = self.heads[-1] if self.heads else [{}]
        state = join(state, [dict(env) for env in head])
        inner = node.children if node.kind == Kind.DEFAULT else node.children[1:]
        for child in inner:
            state = self.statement(child, state)
        return state

    def _leave(self, node: Node, state: State) -> State:
        if node.kind == Kind.BREAK and self.breaks and self.breaks[-1] is not None:
            self.breaks[-1] = join(self.breaks[-1], state)
        if node.kind == Kind.RETURN:
            inner = plain_children(node)
            for environment in state:
                self.returned.append(self.value(inner[0], dict(environment)) if inner else None)
        return []

    def _label(self, node: Node, state: State) -> State:
        state = [{}]
        for child in plain_children(node):
            state = self.statement(child, state)
        return state

    def _try(self, node: Node, state: State) -> State:
        if not node.children:
            return state
        thrown = forget(state, places(node.children[0]))
        ends = [self.statement(node.children[0], state)]
        for handler in node.children[1:]:
            caught = [dict(env) for env in thrown]
            for child in handler.children:
                if child.kind != Kind.VAR:
                    caught = self.statement(child, caught)
            ends.append(caught)
        return join(*ends)

    # expressions

    def value(self, node: Node, environment: Environment) -> Value:
        """Value of an expression; its assignments change ``environment``."""
        self.budget.spend(self.depth)
        self.depth += 1
        try:
            handler = _EXPRESSIONS.get(node.kind)
            if handler is not None:
                return handler(self, node, environment)
            for child in plain_children(node):
                self.value(child, environment)
            return None
        finally:
            self.depth -= 1

    def integer(self, node: Node, environment: Environment) -> int | None:
        """``value`` where only an integer will do."""
        value = self.value(node, environment)
        return value if isinstance(value, int) else None

    def _literal(self, node: Node, environment: Environment) -> Value:
        return constant(node.cursor)

    def _wrapper(self, node: Node, environment: Environment) -> Value:
        inner = plain_children(node)
        if not inner:
            return constant(node.cursor) if type_kind(node.cursor) in INTEGER_TYPES else None
        values = [self.value(child, environment) for child in inner]
        if len(inner) != 1:
            return None
        value, kind = values[0], type_kind(node.cursor)
        if isinstance(value, tuple):
            return value
        if value is None and kind in INTEGER_TYPES and type_kind(inner[0].cursor) in FLOAT_TYPES:
            return constant(node.cursor)
        return wrap(value, kind) if value is not None else None

    def _reference(self, node: Node, environment: Environment) -> Value:
        declared = node.declared()
        if declared is None or declared._kind_id == Kind.NON_TYPE_PARAMETER:
            # A template parameter in an instantiation holds what was put in its place.
            inner = plain_children(node)
            return self.value(inner[0], environment) if len(inner) == 1 else None
        if declared._kind_id == Kind.ENUM_CONSTANT:
            return int(declared.enum_value)
        if declared._kind_id not in _VARIABLES:
            return None
        variable = node.key()
        if id(node) in self.body.exposing:
            self.exposed.add(variable)
        if variable in environment:
            return environment[variable] if self._tracked(variable) else None
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
        base = self.value(inner[0], environment) if inner else None
        component = {"x": 0, "y": 1, "z": 2}.get(node.cursor.spelling)
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

    def _unary(self, node: Node, environment: Environment) -> Value:
        inner = plain_children(node)
        if len(inner) != 1:
            return None
        operator, kind = unary_operator(node.cursor), type_kind(node.cursor)
        operand = self.integer(inner[0], environment)
        if operator in _STEPS:
            step = 1 if operator in {Unary.POST_INC, Unary.PRE_INC} else -1
            after = arithmetic("+", operand, step, kind) if operand is not None else None
            self._assign(inner[0], after, environment)
            return operand if operator in {Unary.POST_INC, Unary.POST_DEC} else after
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
        operator = binary_operator(node.cursor)
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
        if not isinstance(left, int) or not isinstance(right, int):
            return None
        kind = type_kind(node.cursor)
        return arithmetic(operator, left, right, kind)

    def _compound_assign(self, node: Node, environment: Environment) -> Value:
        inner = plain_children(node)
        if len(inner) != 2:
            return None
        right = self.integer(inner[1], environment)
        left = self.integer(inner[0], environment)
        value: int | None = None
        if left is not None and right is not None:
            operator = binary_operator(node.cursor).removesuffix("=")
            # Computed in the wider type, then converted: 64 bits hold every operand exactly.
            exact = arithmetic(operator, left, right, 19)
            value = wrap(exact, type_kind(node.cursor)) if exact is not None else None
        return self._assign(inner[0], value, environment)

    def _short_circuit(self, operator: str, inner: list[Node], environment: Environment) -> Value:
        left = self.integer(inner[0], environment)
        if left is not None and bool(left) == (operator == "||"):
            return int(bool(left))
        taken = dict(environment)
        right = self.integer(inner[1], taken)
        if left is None:
            _soften(environment, taken)
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
        if condition is not None:
            return self.value(inner[1] if condition else inner[2], environment)
        other = dict(environment)
        left = self.value(inner[1], environment)
        right = self.value(inner[2], other)
        _soften(environment, other)
        return _meet(left, right)

    def _list(self, node: Node, environment: Environment) -> Value:
        values = [self.value(child, environment) for child in plain_children(node)]
        if is_dim3(node.cursor):
            return _dimensions(values)
        return values[0] if len(values) == 1 and type_kind(node.cursor) in INTEGER_TYPES else None

    def _lambda(self, node: Node, environment: Environment) -> Value:
        # It may run later: only what is never assigned again still holds then.
        changing = self.body.written.union(self.body.exposing.values())
        kept = {v: x for v, x in environment.items() if v not in changing}
        self._expose_below(node)
        inner = Interpreter(self.body, self.hooks, self.budget, self.calls, self.depth)
        for child in node.children:
            if child.kind == Kind.COMPOUND:
                inner.statement(child, [kept])
        return None

    def _call(self, node: Node, environment: Environment) -> Value:
        name = str(node.cursor.spelling)
        inner = plain_children(node)
        if type_kind(node.cursor) == _RECORD and name == "dim3" and is_dim3(node.cursor):
            return self._construct(inner, environment)
        if name == "operator=" and len(inner) >= 2 and is_dim3(inner[0].cursor):
            value = self.value(inner[-1], environment)
            return self._assign(inner[0], value, environment)
        self.hooks.on_call(node, environment, self)
        arguments = [self.value(child, environment) for child in self.arguments(node)]
        if name in {"min", "max"} and len(arguments) == 2:
            first, second = arguments
            if isinstance(first, int) and isinstance(second, int):
                chosen = min(first, second) if name == "min" else max(first, second)
                return wrap(chosen, type_kind(node.cursor))
        if type_kind(node.cursor) not in INTEGER_TYPES and not is_dim3(node.cursor):
            return None
        value = self._follow(node, arguments)
        if value is None and type_kind(node.cursor) in INTEGER_TYPES:
            return constant(node.cursor)
        return value

    def arguments(self, node: Node) -> list[Node]:
        """Argument expressions of a call: its children after the callee."""
        return plain_children(node)[1:]

    def _construct(self, inner: list[Node], environment: Environment) -> Value:
        values: list[Value] = []
        for child in inner:
            default = not child.children and child.cursor.extent.start.line == 0
            values.append(1 if default else self.value(child, environment))
        if len(inner) == 1 and type_kind(inner[0].cursor) == _RECORD:
            return values[0] if isinstance(values[0], tuple) else _UNKNOWN_DIM
        return _dimensions(values)

    def _follow(self, node: Node, arguments: list[Value]) -> Value:
        """Result of a call of a function whose body is at hand."""
        declared = node.declared()
        if declared is None or self.calls >= MAX_CALLS:
            return None
        body = self.hooks.body_of(declared)
        if body is None:
            return None
        environment = bind(body.root, arguments)
        quiet = Hooks(_no_launch, self.hooks.body_of)
        callee = Interpreter(body, quiet, self.budget, self.calls + 1, self.depth)
        return callee.run(environment)

    def _assign(self, place: Node, value: Value, environment: Environment) -> Value:
        variable, component = target(place)
        if not self._tracked(variable):
            environment.pop(variable, None)
            return None
        if component is None:
            if isinstance(value, int):
                value = wrap(value, type_kind(place.cursor))
            environment[variable] = value
            return value
        old = environment.get(variable)
        parts = list(old) if isinstance(old, tuple) else [None, None, None]
        if not 0 <= component < 3:
            environment.pop(variable, None)
            return None
        parts[component] = value if isinstance(value, int) else None
        environment[variable] = (parts[0], parts[1], parts[2])
        return value

    def _touch(self, place: Node, environment: Environment) -> None:
        """Side effects of ``a[i++] = …``: all of an assigned expression but the variable itself."""
        if target(place)[0] == 0:
            for child in plain_children(place):
                self.value(child, environment)


def bind(root: Node, arguments: Sequence[Value]) -> Environment:
    """Environment of a function entered with ``arguments``; missing ones are unknown."""
    parameters = [child for child in root.children if child.kind == Kind.PARM]
    environment: Environment = {}
    for parameter, value in zip(parameters, arguments, strict=False):
        kind = type_kind(parameter.cursor)
        if isinstance(value, int) and kind in INTEGER_TYPES:
            environment[key(parameter.cursor)] = wrap(value, kind)
        elif isinstance(value, tuple) and is_dim3(parameter.cursor):
            environment[key(parameter.cursor)] = value
    return environment


def _dimensions(values: Sequence[Value]) -> Dim:
    parts = [value if isinstance(value, int) else None for value in values[:3]]
    parts += [1] * (3 - len(parts))
    return (parts[0], parts[1], parts[2])


def _soften(environment: Environment, other: Environment) -> None:
    """``environment`` keeps what ``other`` agrees with."""
    for variable in list(environment):
        environment[variable] = _meet(environment[variable], other.get(variable))


def _no_launch(node: Node, environment: Environment, interpreter: Interpreter) -> None:
    """A function followed for its result reports no launches."""


_STATEMENTS: Final[dict[int, Callable[[Interpreter, Node, State], State]]] = {
    Kind.COMPOUND: Interpreter._compound,
    Kind.DECL_STMT: Interpreter._declarations,
    Kind.IF: Interpreter._if,
    Kind.FOR: Interpreter._loop,
    Kind.WHILE: Interpreter._loop,
    Kind.DO: Interpreter._loop,
    Kind.FOR_RANGE: Interpreter._loop,
    Kind.SWITCH: Interpreter._switch,
    Kind.CASE: Interpreter._case,
    Kind.DEFAULT: Interpreter._case,
    Kind.BREAK: Interpreter._leave,
    Kind.CONTINUE: Interpreter._leave,
    Kind.RETURN: Interpreter._leave,
    Kind.GOTO: Interpreter._leave,
    Kind.INDIRECT_GOTO: Interpreter._leave,
    Kind.LABEL: Interpreter._label,
    Kind.TRY: Interpreter._try,
}

_EXPRESSIONS: Final[dict[int, Callable[[Interpreter, Node, Environment], Value]]] = {
    Kind.INTEGER: Interpreter._literal,
    Kind.CHARACTER: Interpreter._literal,
    Kind.BOOL: Interpreter._literal,
    Kind.UNARY_TRAIT: Interpreter._literal,
    Kind.UNEXPOSED_EXPR: Interpreter._wrapper,
    Kind.PAREN: Interpreter._wrapper,
    Kind.C_CAST: Interpreter._wrapper,
    Kind.STATIC_CAST: Interpreter._wrapper,
    Kind.FUNCTIONAL_CAST: Interpreter._wrapper,
    Kind.DECL_REF: Interpreter._reference,
    Kind.MEMBER_REF_EXPR: Interpreter._member,
    Kind.UNARY: Interpreter._unary,
    Kind.BINARY: Interpreter._binary,
    Kind.COMPOUND_ASSIGN: Interpreter._compound_assign,
    Kind.CONDITIONAL: Interpreter._conditional,
    Kind.INIT_LIST: Interpreter._list,
    Kind.LAMBDA: Interpreter._lambda,
    Kind.CALL: Interpreter._call,
}
