"""The loops around code, for profiles: outermost first, each with the calls around it.

Means: a loop belongs to the function that its own place was inlined through; ``depth`` is the
number of calls in between, 0 for the kernel's own. Its counter is the variable that its test
compares.
Limits: a loop without a place in the source is left out; loops are those of the code as the
analysis reads it, so one that clang unrolled is none.
"""

from __future__ import annotations

from msgspec import Struct

from drano.analysis.control_structure import Structure
from drano.analysis.cost.model import structural_cost
from drano.analysis.definitions import Definitions
from drano.ir import model as m
from drano.model.span import Span
from drano.model.system_headers import user_location


class LoopPlace(Struct, frozen=True):
    """``counter``: its variable's name, or ""; ``depth``: calls that it was inlined through."""

    counter: str
    span: Span
    depth: int


class Nesting:
    """The loops of one function, by block."""

    def __init__(self, module: m.Module, function: m.Function) -> None:
        structure = Structure(function)
        definitions = Definitions(module, function)
        self._model = structural_cost(function, structure, definitions, (), (), {})
        self._known: dict[int, tuple[LoopPlace, ...]] = {}

    def around(self, block: int) -> tuple[LoopPlace, ...]:
        """The loops around a block."""
        found = self._known.get(block)
        if found is None:
            found = self._known[block] = self._find(block)
        return found

    def _find(self, block: int) -> tuple[LoopPlace, ...]:
        scopes = ((scope, user_location(scope.location)) for scope in self._model.nest(block))
        return tuple(
            LoopPlace(scope.counter, place.span, len(place.inlined_at)) for scope, place in scopes
        )
