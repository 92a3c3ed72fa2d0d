"""Constants in host code: a small interpreter over libclang trees, for launch shapes only.

``if (n) t = 64; else t = 128;`` and ``t = n ? 64 : 128;`` leave two environments, and the launch
behind it two shapes, while anything undecided is None in all of them (values and states:
``arithmetic``). ``t = argc > 1 ? atoi(argv[1]) : 64;`` leaves one where ``t`` is 64 and one where
it is unknown; what else hangs on such conditions is known, or unknown, with it.

Assumptions: a variable is known only until something other than a plain read or a plain assignment
happens to it (its address or a reference is taken: *exposed*; nobody changes what they are given as
constant); one assigned or exposed in a loop is
unknown from the loop's start on; in a function with ``goto`` only what is never assigned after its
initialiser is known.
Limits: depth, steps, environments and inlined calls are bounded; beyond a bound the function's
launches are reported with what is constant without any variable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias

from drano.frontend.libclang import Kind, Node
from drano.frontend.type_kinds import FLOAT_TYPES, INTEGER_TYPES
from drano.host.arithmetic import (
    MAX_ENVIRONMENTS,
    Environment,
    Handle,
    Named,
    Record,
    State,
    Value,
    forget,
    join,
)
from drano.host.expressions import Expressions
from drano.host.function_bodies import (
    EXPRESSIONS,
    OUTER_VARIABLES,
    THIS,
    is_dim3,
    is_lasting,
    own_labels,
    places,
    plain_children,
    preorder,
)
from drano.host.loop_trips import MAX_NEST, around
from drano.host.structures import fits
from drano.model.settings import MAX_THREADS

_NO_RETURN: Final = frozenset(
    {"exit", "_exit", "abort", "terminate", "__assert_fail", "quick_exit"}
)


_Words: TypeAlias = tuple[tuple[int, str, int], ...]
_Way: TypeAlias = tuple[dict[int, bool], dict[int, Value]]
"""``chosen``, and what the environment has of it: see ``_side_of``."""


class _UndecidedError(Exception):
    """Returns of a function that is asked for its result alone do not agree."""


@dataclass(slots=True)
class Interpreter(Expressions):
    """Runs one function body once; mutated while it runs. ``conditions``: by their words, the
    conditional expression that each was first found in.
    """

    conditions: dict[_Words, int] = field(default_factory=dict)

    def run(self, environment: Environment) -> Value:
        """Run the body; the value that all returns agree on, else None."""
        try:
            self._run(environment)
        except _UndecidedError:
            return None
        if not self.returned or any(value != self.returned[0] for value in self.returned):
            return None
        return self.returned[0]

    def _run(self, environment: Environment) -> None:
        state: State = [environment]
        root = self.body.root
        initialisers = root.kind in {Kind.CONSTRUCTOR, *OUTER_VARIABLES}
        for child in root.children:
            body = child.kind in {Kind.COMPOUND, Kind.TRY}
            if body or (initialisers and child.kind in EXPRESSIONS):
                state = self.statement(child, state)

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
        return any(n.kind in {Kind.LABEL, Kind.CASE, Kind.DEFAULT} for n in preorder(node))

    def _forgetful(self, node: Node) -> State:
        return self.statement(node, [{}])

    def _expression_statement(self, node: Node, state: State) -> State:
        def run(environment: Environment) -> Environment:
            self.value(node, environment)
            return environment

        result = self._in_all_ways(node, state, run)
        if node.kind == Kind.CALL and node.spelling in _NO_RETURN:
            return []
        return join(result)

    def _in_all_ways(
        self, node: Node, state: State, run: Callable[[Environment], Environment]
    ) -> State:
        """State after ``run`` of a statement, by each of two values that a condition decides on."""
        conditionals = _conditionals(node)
        result: State = []
        for environment in state:
            after: list[tuple[Environment, dict[int, Value]]] = []
            for chosen, sides in self._choices(conditionals, environment):
                self.chosen = chosen
                changed = run(dict(environment))
                same = next((own for other, own in after if other == changed), None)
                if same is None:
                    after.append((changed, dict(sides)))
                else:  # where ways come to the same, both sides of a condition are open
                    for side in [side for side in same if same[side] != sides.get(side)]:
                        del same[side]
            result += [{**changed, **sides} for changed, sides in after]
        self.chosen = {}
        return result

    def _choices(self, conditionals: Sequence[Node], environment: Environment) -> list[_Way]:
        """What to take of conditional expressions, innermost first, that have two known values, or
        one that may be a size of blocks.

        Of conditions that may be the same only the first is taken both ways between known values:
        not all of theirs go together. Where one value is unknown, it stands for all others.
        """
        ways: list[_Way] = [({}, {})]
        hooks, self.hooks = self.hooks, self.hooks.quiet()
        for node in conditionals:
            condition, *values = plain_children(node)
            words = _words(condition)
            first = self.conditions.setdefault(words, id(node))
            more: list[_Way] = []
            for chosen, sides in ways:
                self.chosen = chosen
                known = self.integer(condition, dict(environment)) is not None
                left, right = (self.value(value, dict(environment)) for value in values)
                if known or left == right:
                    more.append((chosen, sides))
                elif left is not None and right is not None:
                    both = (True, False) if first == id(node) else ()
                    more += [({**chosen, id(node): w}, sides) for w in both] or [(chosen, sides)]
                elif _may_be_size(right if left is None else left):
                    side = _side_of(words)
                    taken = sides.get(side, environment.get(side))
                    for given in (True, False) if taken is None else (bool(taken),):
                        way = given == (right is None)
                        more.append(({**chosen, id(node): way}, {**sides, side: given}))
                else:
                    more.append((chosen, sides))
            ways = more if len(more) <= MAX_ENVIRONMENTS else ways
        self.chosen, self.hooks = {}, hooks
        return ways

    def _compound(self, node: Node, state: State) -> State:
        for child in node.children:
            state = self.statement(child, state)
        return state

    def _declarations(self, node: Node, state: State) -> State:
        for child in node.children:
            if child.kind == Kind.VAR:
                state = self._in_all_ways(child, state, partial(self._declare, child))
            elif child.kind == Kind.UNEXPOSED_DECL:
                self.expose_below(child)
        return join(state)

    def _declare(self, node: Node, environment: Environment) -> Environment:
        variable = node.key
        inner = plain_children(node)
        value: Value = self.value(inner[-1], environment) if inner else None
        number = node.type_kind in INTEGER_TYPES or node.type_kind in FLOAT_TYPES
        changes = is_lasting(node.cursor) and (
            variable in self.body.written or variable in self.body.exposing.values()
        )
        holds = number or is_dim3(node.cursor) or fits(node.type_kind, value)
        if isinstance(value, (Named, Record, Handle)) and not fits(node.type_kind, value):
            value = None
        if not self.tracked(variable) or changes or not holds:
            environment.pop(variable, None)
        else:
            environment[variable] = value
        return environment

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
        self.expose_below(node)
        start = forget(state, changed)
        launching = id(node) in self.body.launching and len(self.around) < MAX_NEST
        if launching:
            self.around.append(around(node, self, state, start))
        self.breaks.append(None)
        for part in parts:
            if part.kind == Kind.VAR:
                start = forget(start, [(part.key, ())])
            else:
                self.statement(part, [dict(env) for env in start])
        self.breaks.pop()
        if launching:
            self.around.pop()
        return start

    def _runs_once(self, node: Node) -> bool:
        """``do { … } while (0)``, as macros have it, without break or continue."""
        if len(node.children) != 2 or self.value(node.children[1], {}) != 0:
            return False
        leaves = {Kind.BREAK, Kind.CONTINUE}
        return not any(n.kind in leaves for n in preorder(node.children[0]))

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
        has_default = Kind.DEFAULT in own_labels(parts[-1])
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
                value = self.value(inner[0], dict(environment)) if inner else None
                if self.asked and (value is None or value != (self.returned or [value])[0]):
                    raise _UndecidedError  # whatever else it returns
                self.returned.append(value)
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


def _conditionals(node: Node) -> list[Node]:
    """Conditional expressions that run with a statement, the inner before the outer."""
    found: list[Node] = []
    stack = [node]
    while stack:
        inner = stack.pop()
        if inner.kind == Kind.CONDITIONAL and len(plain_children(inner)) == 3:
            found.append(inner)
        if inner.kind != Kind.LAMBDA:
            stack.extend(reversed(inner.children))
    return found[::-1]


def _may_be_size(value: Value) -> bool:
    """Whether it may be a size of blocks, or all three."""
    if isinstance(value, tuple):
        return all(size is None or 1 <= size <= MAX_THREADS for size in value)
    return isinstance(value, int) and 1 < value <= MAX_THREADS


def _side_of(words: _Words) -> int:
    """What environments have for a condition, beside variables, which are positive: whether the
    value was taken that is known.
    """
    return THIS - 1 - (hash(words) & 0xFFFF_FFFF_FFFF)


def _words(condition: Node) -> _Words:
    """The same for conditions that may be the same; literals are not told apart."""
    return tuple((n.kind, n.spelling, n.key) for n in preorder(condition))


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
