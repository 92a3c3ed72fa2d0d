"""What evaluates a function's body: its bounds, what it asks of its user, and the variables
whose values it knows. What expressions and calls come to is said by who inherits of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from drano.frontend.libclang import Kind, Node, bit_field
from drano.host.arithmetic import (
    Environment,
    Handle,
    Named,
    Record,
    State,
    Value,
    changed,
    convert,
    in_field,
)
from drano.host.function_bodies import (
    MAX_DEPTH,
    THIS,
    Body,
    plain_children,
    preorder,
    strip,
    target,
    union_owner,
    written,
)
from drano.host.pointers.aliases import is_local, is_loose, outliving
from drano.host.structures import fits
from drano.model.translation_unit import HostLoop


class OutOfBounds(Exception):  # noqa: N818 - a bound was met, nothing is wrong
    """The function is deeper or longer than the interpreter follows."""


class Budget(Struct):
    """Steps left for the whole unit; mutated."""

    steps: int = 300_000

    def spend(self, depth: int) -> None:
        """One step at ``depth``; OutOfBounds when either is too much."""
        self.steps -= 1
        if self.steps < 0 or depth > MAX_DEPTH:
            raise OutOfBounds


class Hooks(Struct):
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


class Around(Struct, frozen=True):
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

    @abstractmethod
    def value(self, node: Node, environment: Environment) -> Value:
        """Value of an expression; its assignments change ``environment``."""

    @abstractmethod
    def arguments(self, node: Node) -> Sequence[Node]:
        """Argument expressions of a call: its children after the callee, which constructors have
        none of.
        """

    @abstractmethod
    def argument_values(self, node: Node, environment: Environment) -> list[Value]:
        """Values of a call's arguments, default arguments included."""

    def integer(self, node: Node, environment: Environment) -> int | None:
        """``value`` where only an integer will do."""
        value = self.value(node, environment)
        return value if isinstance(value, int) else None

    def _parts(self, parts: Sequence[Node], environment: Environment) -> None:
        """Side effects of an expression of which it is not known what is done when, if at all."""
        for child in parts:
            self.value(child, environment)
        for variable in frozenset[int]().union(*map(written, parts)):
            environment.pop(variable, None)

    def _assign(self, place: Node, value: Value, environment: Environment) -> Value:
        self.expose_below(place)
        variable, path = target(place)
        lasting = outliving(place) if variable else None
        if lasting is not None:
            self.shared.add(variable)
        loose = variable == 0 and is_loose(place) and not self._is_in_own_union(place)
        if variable in self.body.references or loose:
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

    def _is_in_own_union(self, place: Node) -> bool:
        """Whether it is a part of a variable that nothing else names, of which nothing is known:
        a local one whose address nobody has, or the object that is made.
        """
        owner = union_owner(place)
        if owner == THIS:
            return self.body.root.kind == Kind.CONSTRUCTOR and THIS not in self.exposed
        return owner != 0 and owner not in self.exposed and is_local(place)

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

    def _without_leaks(self, known: Value) -> Value:
        for member in self.body.leaking if isinstance(known, Record) else ():
            known = changed(known, (member,), None)
        return known


def _no_launch(node: Node, environment: Environment, interpreter: Evaluator) -> None:
    """A function followed for its result reports no launches."""
