"""What values an index may have, told from the source: sums of names, and what is known of these.

Means: an expression is a ``Sum``, a number plus multiples of *atoms*: thread indices, block sizes,
counters of ``for`` loops within one iteration, parameters and variables that are written nowhere
else, and parts that are no sums. Each atom has bounds. What holds where an expression stands (the
conditions of the ``if``, ``for`` and ``? :`` around it) gives sums that are not negative; ``least``
is the best bound that one or two of them give.
Assumptions: signed arithmetic does not overflow, which the language does not allow.
Limits: a variable is followed to its only initialiser, through no assignment. All else is unknown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from drano.fix.kernel.sums import ANY, AtomBounds, Bounds, Sum
from drano.fix.kernel.variable_writes import (
    VariableWrites,
    first_value,
    is_static,
    loop_parts,
    nodes_below,
)
from drano.fix.source_tree import Body
from drano.frontend.libclang import Kind, Node, Unary, constant, key
from drano.frontend.type_kinds import INTEGER_TYPES
from drano.host.function_bodies import plain_children, strip
from drano.model.report import KernelInfo

_BUILT_IN: Final = re.compile(rb"\s*(threadIdx|blockIdx|blockDim|gridDim)\s*\.\s*([xyz])\s*")
_MOST: Final = {"x": 1024, "y": 1024, "z": 64}
_WIDEST: Final = 1 << 31
_DEPTH: Final = 24
_WRAPPERS: Final = frozenset(
    {
        Kind.UNEXPOSED_EXPR, Kind.PAREN, Kind.C_CAST, Kind.STATIC_CAST, Kind.FUNCTIONAL_CAST,
    }
)  # fmt: skip
_COMPARED: Final = frozenset({"<", "<=", ">", ">=", "=="})


@dataclass(slots=True)
class Ranges:
    """Of one function; ``blocks``: all block shapes that it is launched with, () where they are not
    known. Mutated: ``atoms`` that were met.
    """

    body: Body
    blocks: tuple[tuple[int, int, int], ...]
    atoms: AtomBounds = field(default_factory=AtomBounds)
    variables: VariableWrites = field(init=False)
    depth: int = 0
    counters: dict[str, Sum] = field(default_factory=dict)
    growing: Sum | None = None

    def __post_init__(self) -> None:
        self.variables = VariableWrites(self.body)

    def within(self, node: Node, size: int) -> bool:
        """Whether the expression is proved to be in [0, size)."""
        value = self.sum(node)
        facts = list(self.facts(node))
        most = Sum(size - 1).plus(value, -1)
        return self.atoms.least(value, facts) >= 0 and self.atoms.least(most, facts) >= 0

    # --- for edits of loops

    def words(self, condition: Node, sides: Sequence[Node]) -> str:
        """The operator of a comparison."""
        known = condition.kind == Kind.BINARY and len(sides) == 2
        return condition.binary if known else ""

    def counter_atom(self, counter: Node, loop: Node) -> str | None:
        """The atom of a loop's counter, once the counter was met."""
        atom = f"l{id(loop)}.{key(counter.cursor)}"
        for node in nodes_below(loop):
            if node.kind == Kind.DECL_REF and node.key == key(counter.cursor):
                self.sum(node)
        value = self.counters.get(atom)
        return atom if value is not None and dict(value.parts).get(atom) == 1 else None

    def is_built_in(self, node: Node) -> bool:
        """Whether it is a thread's or block's index, or a size."""
        return any(self._built_in(above) is not None for above in (node, *self.body.above(node)))

    def is_same_in_block(self, node: Node) -> bool:
        """Whether a built-in variable, of which the node is a part, is no thread's index."""
        names = (self.body.words(above) for above in (node, *self.body.above(node)))
        found = next((match for match in map(_BUILT_IN.fullmatch, names) if match), None)
        return found is not None and found[1] != b"threadIdx"

    # --- expressions

    def sum(self, node: Node) -> Sum:
        """The expression as a sum."""
        self.depth += 1
        try:
            return self._opaque(node, ANY) if self.depth > _DEPTH else self._sum(node)
        finally:
            self.depth -= 1

    def _sum(self, node: Node) -> Sum:
        built_in = self._built_in(node)
        if built_in is not None:
            return built_in
        inner = plain_children(node)
        if node.kind in _WRAPPERS and len(inner) == 1:
            return self._converted(node, inner[0])
        if node.type_kind not in INTEGER_TYPES:
            return self._opaque(node, ANY)
        number = constant(node.cursor) if node.kind != Kind.CALL else None
        if number is not None and not self._names_variable(node):
            return Sum(number)
        if node.kind == Kind.DECL_REF:
            return self._variable(node)
        if node.kind == Kind.UNARY and node.unary == Unary.MINUS:
            return Sum().plus(self.sum(inner[0]), -1)
        if node.kind == Kind.BINARY and len(inner) == 2:
            return self._binary(node, *inner)
        return self._opaque(node, _limits(INTEGER_TYPES[node.type_kind]))

    def _converted(self, node: Node, inner: Node) -> Sum:
        """What a cast or a conversion leaves of a number: all of it, where it surely fits."""
        value = self.sum(inner)
        wide, narrow = self._integer(node), self._integer(inner)
        if wide is None or narrow is None:
            return value if wide == narrow and node.kind == Kind.PAREN else self._opaque(node, ANY)
        low, high = self.atoms.interval(value)
        if wide[0] < narrow[0]:
            limits = _limits(wide)
            fits = limits[0] <= low and high <= limits[1]
            return value if fits else self._opaque(node, limits)
        if wide[0] > narrow[0] and not narrow[1]:
            limits = _limits(narrow)
            fits = limits[0] <= low and high <= limits[1]
            return value if fits else self._opaque(node, limits)
        return value

    def _integer(self, node: Node) -> tuple[int, bool] | None:
        """Bits of an integer expression, and whether it is signed."""
        if self._built_in(node) is not None:
            return 32, False
        return INTEGER_TYPES.get(node.type_kind)

    def _names_variable(self, node: Node) -> bool:
        """A variable that clang evaluates is only that number if it is constant."""
        for below in nodes_below(node):
            declared = below.declared() if below.kind == Kind.DECL_REF else None
            if declared is not None and declared._kind_id in {Kind.VAR, Kind.PARM}:
                return not declared.type.is_const_qualified()
        return False

    def _built_in(self, node: Node) -> Sum | None:
        found = _BUILT_IN.fullmatch(self.body.words(node))
        if found is None:
            return None
        name, axis = found[1].decode(), found[2].decode()
        atom = f"{name}.{axis}"
        sizes = [block["xyz".index(axis)] for block in self.blocks]
        low, high = (min(sizes), max(sizes)) if sizes else (1, _MOST[axis])
        self.atoms.known[atom] = {
            "threadIdx": (0, high - 1), "blockDim": (low, high), "blockIdx": (0, math.inf),
            "gridDim": (1, math.inf),
        }[name]  # fmt: skip
        if name == "blockDim" and low == high:
            return Sum(low)
        return Sum(0, ((atom, 1),)) if self.atoms.known[atom] != (0, 0) else Sum()

    def _binary(self, node: Node, left: Node, right: Node) -> Sum:
        sign = node.binary
        one, other = self.sum(left), self.sum(right)
        if sign in {"+", "-"}:
            return one.plus(other, 1 if sign == "+" else -1)
        if sign == "*" and not (one.parts and other.parts):
            times, value = (other.number, one) if not other.parts else (one.number, other)
            return Sum().plus(value, times)
        if sign == "<<" and not other.parts and 0 <= other.number < 31:
            return Sum().plus(one, 1 << other.number)
        if sign == "*":
            product = one.times(other)
            return self._opaque(node, ANY) if product is None else product
        if other.parts:
            return self._opaque(node, ANY)
        by = other.number
        if sign == "&" and by >= 0:
            return self._opaque(node, (0, by))
        low, high = self.atoms.interval(one)
        if low < 0 or high >= _WIDEST or by <= 0:
            return self._opaque(node, self._of_any(node, sign, by))
        if sign == "%":
            return one if high < by else self._opaque(node, (0, by - 1))
        if sign == ">>" and by < 31:
            by = 1 << by
        elif sign != "/":
            return self._opaque(node, ANY)
        return self._opaque(node, (low // by, high // by if math.isfinite(high) else high))

    def _of_any(self, node: Node, sign: str, by: int) -> Bounds:
        """What a division of a number leaves of which nothing is known: where it is unsigned, it is
        not negative, whether it has wrapped around or not.
        """
        kind = self._integer(node)
        if kind is None or kind[1] or by <= 0:
            return ANY
        if sign == "%":
            return 0, by - 1
        if sign == ">>" and by >= kind[0]:
            return ANY
        by = 1 << by if sign == ">>" else by
        return (0, _limits(kind)[1] // by) if sign in {"/", ">>"} else ANY

    def _opaque(self, node: Node, bounds: Bounds) -> Sum:
        atom = f"#{id(node)}"
        self.atoms.known[atom] = bounds
        return Sum(0, ((atom, 1),))

    # --- variables

    def _variable(self, node: Node) -> Sum:
        declared = node.declared()
        if declared is None or not self.variables.is_private(declared):
            return self._opaque(node, ANY)
        wanted = key(declared)
        writes = self.variables.writes(wanted)
        if writes is None:
            return self._opaque(node, ANY)
        loop = self.variables.counting(node, wanted, writes)
        if loop is not None:
            return self._counter(node, loop)
        if writes:
            last = self.variables.last_write(node, wanted, writes)
            return self._opaque(node, ANY) if last is None else self._converted(node, last)
        return self._constant_variable(node, declared, wanted)

    def _constant_variable(self, node: Node, declared: object, wanted: int) -> Sum:
        for place in self.body.nodes():
            if place.kind == Kind.VAR and key(place.cursor) == wanted:
                inner = plain_children(place)
                if inner and not is_static(place) and not self.variables.varies(place, node):
                    return self._converted(place, inner[-1])
                return self._opaque(node, ANY)
        atom = f"v{wanted}"
        unsigned = not INTEGER_TYPES[node.type_kind][1]
        self.atoms.known.setdefault(atom, (0, math.inf) if unsigned else ANY)
        return Sum(0, ((atom, 1),))

    def _counter(self, use: Node, loop: Node) -> Sum:
        """A counter as its first value and steps, where these are numbers; else as an atom."""
        wanted = use.key
        atom = f"l{id(loop)}.{wanted}"
        if atom in self.counters:
            return self.counters[atom]
        self.atoms.known[atom] = ANY
        answer = self.counters[atom] = Sum(0, ((atom, 1),))
        parts = loop_parts(loop)
        first = None if parts is None else first_value(parts[0], wanted)
        if parts is None or first is None:
            return answer
        begin, (low, high) = self.sum(first), self.step(parts[2])
        if not begin.parts and low == high and low and math.isfinite(low):
            self.atoms.known[atom] = (0, math.inf)
            answer = self.counters[atom] = Sum(begin.number, ((atom, int(low)),))
        elif low > 0:
            self.atoms.known[atom] = (self.atoms.interval(begin)[0], math.inf)
        elif high < 0:
            self.atoms.known[atom] = (-math.inf, self.atoms.interval(begin)[1])
        self.growing = answer if low > 0 and high < _WIDEST else None
        for fact in self._conditions(parts[1], holds=True):
            self.atoms.limit(atom, fact)
        self.growing = None
        return answer

    def step(self, node: Node) -> Bounds:
        """By what the loop's last part changes its one variable."""
        node = strip(node)
        if node.kind == Kind.UNARY:
            up = {Unary.POST_INC: 1, Unary.PRE_INC: 1, Unary.POST_DEC: -1, Unary.PRE_DEC: -1}
            step = up.get(Unary(node.unary))
            return ANY if step is None else (step, step)
        inner = plain_children(node)
        if node.kind == Kind.COMPOUND_ASSIGN and len(inner) == 2:
            low, high = self.atoms.interval(self.sum(inner[1]))
            sign = node.binary
            return (low, high) if sign == "+=" else (-high, -low) if sign == "-=" else ANY
        return ANY

    def _signed(self, node: Node) -> bool | None:
        """Whether the integer expression is signed; None: it is no integer."""
        if self._built_in(strip(node)) is not None and strip(node) is node:
            return False
        return _signed_type(node)

    # --- conditions

    def facts(self, node: Node) -> Iterator[Sum]:
        """Sums that are not negative where the expression stands."""
        below = node
        for above in self.body.above(node):
            inner = plain_children(above)
            if above.kind in {Kind.IF, Kind.CONDITIONAL} and len(inner) >= 2:
                known = below is not inner[0] and inner[0].kind != Kind.DECL_STMT
                yield from self._conditions(inner[0], holds=below is inner[1]) if known else ()
            if above.kind == Kind.FOR:
                parts = loop_parts(above)
                if parts is not None and below is parts[3]:
                    yield from self._conditions(parts[1], holds=True)
            below = above

    def _conditions(self, node: Node, *, holds: bool) -> Iterator[Sum]:
        node = strip(node)
        inner = plain_children(node)
        sign = node.binary if node.kind == Kind.BINARY else ""
        if len(inner) == 2 and sign == ("&&" if holds else "||"):
            for part in inner:
                yield from self._conditions(part, holds=holds)
        if len(inner) != 2 or sign not in _COMPARED:
            return
        signed = [self._signed(part) for part in inner]
        if None in signed:
            return
        left, right = map(self.sum, inner)
        unsigned = False in signed
        for value, other in ((left, right), (right, left)):
            low, high = self.atoms.interval(value)
            if value == self.growing and low >= 0 and self.atoms.interval(other)[1] < _WIDEST:
                continue  # each step begins below the other side, so that none comes to the end
            if unsigned and (low < 0 or high >= 2 * _WIDEST):
                return  # what is compared may not be the sum, but its remainder
        if sign == "==":
            if holds:
                yield right.plus(left, -1)
                yield left.plus(right, -1)
            return
        if sign in {">", ">="}:
            left, right = right, left
        strict = sign in {"<", ">"}
        if holds:
            yield right.plus(left, -1).plus(Sum(-1 if strict else 0))
        else:
            yield left.plus(right, -1).plus(Sum(0 if strict else -1))


def _signed_type(node: Node) -> bool | None:
    found = INTEGER_TYPES.get(node.type_kind)
    return found[1] if found else None


def _limits(kind: tuple[int, bool]) -> Bounds:
    bits, signed = kind
    return (-(2.0 ** (bits - 1)), 2.0 ** (bits - 1) - 1) if signed else (0.0, 2.0**bits - 1)


def ranges_of(body: Body, kernel: KernelInfo | None) -> Ranges:
    """Of a kernel's body with the blocks it is launched with, or of another function."""
    known = kernel is not None and kernel.launches_known
    launches = kernel.launches if kernel is not None and known else ()
    exact = all(launch.exact for launch in launches)
    return Ranges(body, tuple(launch.block for launch in launches) if exact else ())
