"""Calls of functions that other units define, and functions that others may call, while the
launches of a unit are read.

Assumptions: see ``cross_unit``. Limits: who calls methods that only hand pointers on is not asked,
as their names are common; what they hand on may be moved, and most likely is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from drano.frontend.libclang import Kind, Node, is_external, key
from drano.host.cross_unit import HostCall
from drano.host.pointers.pointer_sources import PointerSources
from drano.host.pointers.unit_writes import UnitWrites
from drano.model.translation_unit import Shifted

_METHODS: Final = frozenset({Kind.METHOD, Kind.CONSTRUCTOR, Kind.CONVERSION})


class CallsAcross(Struct):
    """``calls``: of the functions that other units ask for; ``handed_on``: the places of their
    arguments that come from parameters; ``sources``: of pointers that are launched with, or handed
    on. Mutated while launches are read.
    """

    calls: dict[HostCall, None] = field(default_factory=dict)
    handed_on: dict[HostCall, frozenset[int]] = field(default_factory=dict)
    sources: PointerSources = field(default_factory=PointerSources)

    def called(
        self, call: HostCall, caller: int, arguments: Sequence[Node], root: Node, known: UnitWrites
    ) -> None:
        """A call in the function ``caller``, whose tree is ``root``."""
        led = self.sources.launched(caller, arguments, root, known)
        self.calls.setdefault(call)
        self.handed_on[call] = self.handed_on.get(call, frozenset()) | led

    def add_what_methods_hand_on(
        self, functions: Sequence[Any], launching: AbstractSet[int]
    ) -> None:
        """The calls as others may cause them by methods of the unit. ``launching``: keys of those
        functions that launch: they ask for their callers.
        """
        handing = (f for f in functions if f._kind_id in _METHODS and key(f) not in launching)
        if not any(key(f) in self.sources.positions and _is_seen(f) for f in handing):
            return
        for call, led in list(self.handed_on.items()):
            given = tuple(
                Shifted(1, likely_start=True) if at in led and not isinstance(value, Shifted)
                else value
                for at, value in enumerate(call.arguments or ())
            )  # fmt: skip
            self.calls.setdefault(replace(call, arguments=given))

    def gives_pointers(self, function: Any, launching: AbstractSet[int]) -> bool:
        """Whether pointers that a function is given are launched with, or handed to a function of
        another unit, so that it asks for its callers.
        """
        asks = function._kind_id == Kind.FUNCTION or key(function) in launching
        return asks and key(function) in self.sources.positions


def _is_seen(method: Any) -> bool:
    """Whether other units may call it."""
    return is_external(method) or method._kind_id == Kind.CONSTRUCTOR
