"""Integers, floats and dim3 of host code: values, C++ arithmetic on them, and sets of environments.

A *value* is an int, a float (for ``ceil(n / 16.0)``), a ``dim3`` as three components, a structure
of such, a function by its name, or None: unknown. An *environment* maps variables to values. A
*state* is a list of at most ``MAX_ENVIRONMENTS`` of them, one per way the function may have come
here; none: not reachable.

Assumption: widths of x86-64 Linux. What C++ leaves undefined (overflow, division by zero) is None.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from msgspec import Struct

from drano.frontend.type_kinds import FLOAT_TYPES, INTEGER_TYPES

Dim: TypeAlias = tuple[int | None, int | None, int | None]
Path: TypeAlias = tuple[str, ...]
"""Members of members: ``("cfg", "blockDim", "x")``; (): the whole."""
Place: TypeAlias = tuple[str, int]
"""A file, and the offset of a name in it."""


@dataclass(frozen=True, slots=True)
class Named:
    """The function that is named at ``origin``; ``declaration``: libclang's cursor."""

    key: int
    origin: Place
    declaration: Any = field(compare=False, repr=False)


class Handle(Struct, frozen=True):
    """What the driver gives for the kernel of a name."""

    name: str


class Record(Struct, frozen=True):
    """A structure, by those of its members of which something is known, in alphabetical order."""

    members: tuple[tuple[str, Value], ...] = ()

    def get(self, name: str) -> Value:
        """A member's value; None where nothing is known of it."""
        return next((value for known, value in self.members if known == name), None)

    def put(self, name: str, value: Value) -> Record:
        """The same with another value of one member."""
        others = [member for member in self.members if member[0] != name]
        own = [] if value is None else [(name, value)]
        return Record(tuple(sorted([*others, *own], key=lambda member: member[0])))


Value: TypeAlias = int | float | Dim | Record | Named | Handle | None
Environment: TypeAlias = dict[int, Value]
State: TypeAlias = list[Environment]

MAX_ENVIRONMENTS: Final = 6
UNKNOWN_DIM: Final[Dim] = (None, None, None)
_AXES: Final = ("x", "y", "z")


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


def convert(value: int | float, kind: int) -> int | float | None:
    """``value`` as the integer or floating type ``kind``; None where C++ leaves it undefined."""
    if kind in FLOAT_TYPES:
        return rounded(float(value), kind)
    if isinstance(value, int):
        return wrap(value, kind)
    if not math.isfinite(value) or kind not in INTEGER_TYPES:
        return None
    whole = math.trunc(value)
    return whole if wrap(whole, kind) == whole else None


def in_field(value: Value, bit_field: tuple[int, bool] | None) -> Value:
    """``value`` as a bit-field of so many bits, signed or not, holds it: it may have no room."""
    if bit_field is None or not isinstance(value, int):
        return value
    size, signed = bit_field
    bits = size - signed
    return value if bits >= 0 and -(signed << bits) <= value < 1 << bits else None


def rounded(value: float, kind: int) -> float | None:
    """``value`` in the precision of ``kind``; None out of its range, and for long double."""
    layout = FLOAT_TYPES.get(kind, "")
    if not layout:
        return None
    try:
        return float(struct.unpack(layout, struct.pack(layout, value))[0])
    except OverflowError:
        return None


def float_arithmetic(operator: str, left: float, right: float, kind: int) -> int | float | None:
    """``left operator right`` where both were converted to the type ``kind`` or compared."""
    if operator in _COMPARISONS:
        return int(_COMPARISONS[operator](left, right))
    if operator == "/":
        return rounded(left / right, kind) if right != 0 else None
    function = _FLOAT_ARITHMETIC.get(operator)
    return rounded(function(left, right), kind) if function is not None else None


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


_COMPARISONS: Final[dict[str, Callable[[float, float], bool]]] = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
_FLOAT_ARITHMETIC: Final[dict[str, Callable[[float, float], float]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}


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
            common[variable] = meet(common[variable], environment.get(variable))
    return [common]


def meet(left: Value, right: Value) -> Value:
    """What both agree on: ``meet((1, 2, 1), (3, 2, 1)) == (None, 2, 1)``."""
    if left == right:
        return left
    if isinstance(left, tuple) and isinstance(right, tuple):
        x, y, z = (a if a == b else None for a, b in zip(left, right, strict=True))
        return (x, y, z)
    if isinstance(left, Record) and isinstance(right, Record):
        both = ((name, meet(value, right.get(name))) for name, value in left.members)
        return Record(tuple(member for member in both if member[1] is not None))
    return None


def changed(value: Value, path: Path, new: Value) -> Value:
    """``value`` after ``new`` was assigned to a member, a member's member…

    >>> changed((1, 2, 1), ("y",), 8)
    (1, 8, 1)
    >>> changed(None, ("blockDim", "x"), 4)
    Record(members=(('blockDim', (4, None, None)),))
    """
    if not path:
        return new
    name, rest = path[0], path[1:]
    if isinstance(value, Record):
        return value.put(name, changed(value.get(name), rest, new))
    if name in _AXES and not rest and (value is None or isinstance(value, tuple)):
        part = new if isinstance(new, int) else None
        x, y, z = (
            part if axis == name else old
            for axis, old in zip(_AXES, value or UNKNOWN_DIM, strict=True)
        )
        return x, y, z
    return Record().put(name, changed(None, rest, new)) if value is None else None


def forget(state: State, places: Iterable[tuple[int, Path]]) -> State:
    """``state`` after unknown assignments to ``places``."""
    result: State = []
    for environment in state:
        left = dict(environment)
        for variable, path in places:
            value = left.get(variable)
            # Present but unknown: an absent constant would be read from its declaration.
            known = isinstance(value, (tuple, Record))
            left[variable] = changed(value, path, None) if known else None
        result.append(left)
    return join(result)


def dimensions(values: Sequence[Value]) -> Dim:
    """``dim3`` made of up to three values; what is left out is 1."""
    parts = [value if isinstance(value, int) else None for value in values[:3]]
    parts += [1] * (3 - len(parts))
    return (parts[0], parts[1], parts[2])


def soften(environment: Environment, other: Environment) -> None:
    """``environment`` keeps what ``other`` agrees with."""
    for variable in list(environment):
        environment[variable] = meet(environment[variable], other.get(variable))
