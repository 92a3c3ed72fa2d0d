"""What is remembered of how the functions of a unit move pointers: by each, and in the unit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct, field

from drano.frontend.libclang import Node
from drano.host.pointers.kept_addresses import KeptAddresses
from drano.host.pointers.pointer_movement import Calls, Event, Given


class Writes(Struct):
    """What each pointer variable of a function is given, and what else may move pointers in it,
    once that is asked; ``names``: the first use of each variable; ``moved``: how far, for variables
    that were asked about; ``kept``: those whose addresses are kept; ``own``: whether objects of the
    library's are its own alone.
    """

    given: Given
    events: list[Event] | None = None
    calls: dict[int, list[Node]] | None = None
    names: dict[int, Node] | None = None
    moved: dict[frozenset[int], int] = field(default_factory=dict)
    kept: KeptAddresses | None = None
    own: bool | None = None


class UnitWrites(Struct):
    """What functions write, by the identity of their trees, which are ``kept`` for that;
    ``naming``: trees of the unit's functions that name something, and of its variables;
    ``members``: how far others move members, lasting variables and parameters; ``calls``: how far
    functions move what they are given, called so deep; ``objects``: how far any pointer of a
    function may be moved; ``records``: how far functions move those in objects of a type;
    ``asked``: what was found out of expressions in functions, by both; ``everything``: trees of all
    functions; ``through``: how far pointers are moved that are stored through others, once asked;
    ``made``: what objects of each type are made of, by its key, with the functions that do so, and
    ``of_objects`` how far it is moved; ``library``: those to each type
    that are put into objects of the library's, and those of which objects are made there; ``put``:
    which these are, by the function;
    ``shared``: variables that other units write, as is told, and ``open``: those that they could,
    with pointers of launches; ``parts``: whether the unit makes parts of arrays that objects have.
    """

    functions: dict[int, Writes] = field(default_factory=dict)
    naming: Callable[[str], Iterable[Node]] = lambda _name: iter(())
    everything: Callable[[], Iterable[Node]] = lambda: iter(())
    through: int | None = None
    made: dict[int, list[tuple[Node, list[Node]]]] | None = None
    of_objects: dict[int, int] = field(default_factory=dict)
    library: dict[tuple[int, str, bool], Movement] = field(default_factory=dict)
    put: dict[int, Sequence[tuple[Node, bool]]] = field(default_factory=dict)
    members: dict[int, int] = field(default_factory=dict)
    calls: Calls = field(default_factory=Calls)
    kept: list[Node] = field(default_factory=list)
    objects: dict[int, int] = field(default_factory=dict)
    records: dict[tuple[int, str], int | None] = field(default_factory=dict)
    asked: dict[tuple[int, int], Movement] = field(default_factory=dict)
    shared: frozenset[str] = frozenset()
    open: set[str] = field(default_factory=set)
    parts: bool | None = None


class Movement(Struct, frozen=True):
    """How far a pointer is moved: as far as ``unit`` says, and what a function is given for
    ``parameters``.
    """

    unit: int
    parameters: frozenset[int] = frozenset()
