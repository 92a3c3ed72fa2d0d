"""Reads the launches of one translation unit from libclang's tree of its host side.

Each launch is followed through the function that holds it (``interpreter``), through templates as
they were instantiated, and from up to ``MAX_CALLERS`` levels of callers. One launch of the source
gives one ``LaunchSite`` for each different shape with which the code reaches it.

Assumptions: calls seen in this translation unit, and those that other units tell of
(``cross_unit``), stand for all calls of a function, unless it is virtual or named otherwise than to
call it; a variable is known only as ``interpreter`` says.
Limits: launches through other function pointers have no known kernel and are left out; but that a
kernel which is launched is also *named* otherwise than where that is followed, and so may be
launched in ways unknown, is a site of its own (``mentions``, ``handed_kernels``). Launches from
device code are read as the host's are. An error in the source costs what depends on it, not the
rest.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from drano.frontend.libclang import Kind, Node, is_external, is_kernel, key, tree
from drano.frontend.text.cpp_lexer import identifiers
from drano.frontend.text.text_scan import may_launch
from drano.host.arithmetic import (
    UNKNOWN_DIM,
    Dim,
    Environment,
    Handle,
    Named,
    Place,
    Record,
    Value,
    dimensions,
)
from drano.host.called_functions import bind, origin
from drano.host.calls_across import CallsAcross
from drano.host.cross_unit import NOTHING, Given, HostCall, Told
from drano.host.driver_handles import DRIVER_TEXT, followed_names, names_in
from drano.host.evaluator import Around, Budget, Evaluator, Hooks, OutOfBounds
from drano.host.function_bodies import Body, plain_children, preorder, strip
from drano.host.handed_kernels import Handed
from drano.host.interpreter import Interpreter
from drano.host.launch_syntax import LaunchParts, addressed, launch_parts, symbol
from drano.host.launching_functions import callers_first, launching_functions
from drano.host.mentions import kernel_names, mention_text, mentions
from drano.host.pointers.moved_pointers import shifted
from drano.host.pointers.pointer_syntax import pointee_size
from drano.host.pointers.unit_writes import UnitWrites
from drano.host.shape_parameters import gives_shape
from drano.host.unit_functions import (
    FUNCTIONS,
    Function,
    called_unseen,
)
from drano.host.unit_trees import UnitTrees, place_of
from drano.model.report import OpenFunction
from drano.model.span import Span
from drano.model.translation_unit import Argument, HostLoop, LaunchSite, Shifted

MAX_DEPTH: Final = 8
MAX_CONTEXTS: Final = 24
MAX_KERNELS: Final = 256

_Context: TypeAlias = tuple[tuple[Given, ...], tuple[HostLoop, ...]]


@dataclass(slots=True)
class Reader:
    """Finds the launches of one translation unit; mutated while it reads."""

    unit: Any
    path: str
    source: bytes
    files: tuple[str, ...] = ()
    changed: Mapping[str, bytes] = field(default_factory=dict)
    told: Told = NOTHING
    trees: UnitTrees = field(init=False)
    across: CallsAcross = field(default_factory=CallsAcross)
    chosen: list[Function] = field(default_factory=list)
    launching: set[int] = field(default_factory=set)
    without_shape: set[int] = field(default_factory=set)
    interesting: set[str] = field(default_factory=set)
    contexts: dict[int, set[_Context]] = field(default_factory=dict)
    entered: set[str] = field(default_factory=set)
    active: list[int] = field(default_factory=list)
    around: tuple[HostLoop, ...] = ()
    unfollowed: dict[int, Any] = field(default_factory=dict)
    moved: Mapping[int, Shifted] = field(default_factory=dict)
    writes: UnitWrites = field(default_factory=UnitWrites)
    found: dict[LaunchSite, None] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    spare: Budget = field(default_factory=Budget)
    followed: set[Place] = field(default_factory=set)
    instances: dict[Place, dict[int, Any]] = field(default_factory=dict)
    open_variables: frozenset[str] = frozenset()
    lost: bool = False
    unknown_handle: bool = False
    given_nothing: bool = False

    def __post_init__(self) -> None:
        self.trees = UnitTrees({self.path: self.source}, self.changed)

    def read(self) -> tuple[LaunchSite, ...]:
        """All launches, in source order."""
        self.writes.naming = self.trees.naming
        self.writes.everything = self.trees.everything
        self.writes.shared = frozenset(self.told.shared)
        try:
            return self._read()
        finally:
            self.open_variables = frozenset(self.writes.open)
            # A circle would keep clang's tree in memory until the next collection of garbage.
            self.writes = UnitWrites()

    def _read(self) -> tuple[LaunchSite, ...]:
        self.trees.read(self.unit, [self.path, *self.files])
        functions = self.trees.functions
        asked = frozenset(self.told.asked.values())
        chosen = self.chosen = launching_functions(functions, self.trees.texts.values(), asked)
        self.interesting = {f.name for f in chosen} | asked
        self._enter_from_elsewhere()
        for function in callers_first(chosen):
            known = function.name in self.entered if function.pattern else False
            if not known and not self.contexts.get(key(function.cursor)):
                self._enter_alone(function.cursor, pattern=function.pattern)
        self._look_at_initialisers()
        self._look_at_strangers(functions, chosen)
        self._look_at_mentions(functions, chosen)
        self._look_at_handles(functions)
        self._look_out_of_sight(chosen)
        self.across.add_what_methods_hand_on([f.cursor for f in chosen], self.launching)
        return tuple(sorted(self.found, key=lambda s: s.span))

    def open_functions(self) -> tuple[OpenFunction, ...]:
        """Functions of which other units may know more: those that launch with a block that nobody
        here says, by what they are given, those of whose calls this unit has some, and those that
        are given pointers which they launch with, or hand to others.
        """
        return tuple(
            OpenFunction(_symbol(cursor), function.name, _class_of(cursor), only_pointers=not whole)
            for function in self.chosen
            if not function.pattern and _is_callable_elsewhere(cursor := function.cursor)
            and ((whole := self._is_open(cursor))
                 or self.across.gives_pointers(cursor, self.launching))
        )  # fmt: skip

    def _is_open(self, cursor: Any) -> bool:
        """Whether all that callers give may matter."""
        identity = key(cursor)
        called = self.contexts.get(identity)
        if not called or identity not in self.launching:
            return False
        given = any(arguments for arguments, _ in called)
        return given or (identity in self.without_shape and self._shapes(cursor))

    def _shapes(self, cursor: Any) -> bool:
        """Whether what a function is given by value may decide the shape of a launch."""
        body = self.trees.body(cursor, self._matters)
        return body is not None and gives_shape(body.root, self._matters)

    def _enter_from_elsewhere(self) -> None:
        """Functions that other units call, with what these give."""
        for function in self.chosen if self.told.calls else ():
            for call in self.told.calls:
                if function.pattern or _symbol(function.cursor) != call.function:
                    continue
                if call.arguments is None:
                    self._enter_alone(function.cursor, pattern=False, moved=True)
                else:
                    self._enter(function.cursor, list(call.arguments), call.loops)

    def _look_at_initialisers(self) -> None:
        """Variables and members that are given what launches: a lambda, the result of a call."""
        wanted = {os.fsencode(name) for name in self.interesting}
        for cursor in self.trees.variables:
            text = self.trees.own_text(cursor)
            if may_launch(text) or not wanted.isdisjoint(identifiers(text)):
                self._enter_alone(cursor, pattern=False)

    def _look_at_strangers(self, functions: Sequence[Function], chosen: Sequence[Function]) -> None:
        """Functions that were entered, but not from all who call them: ``MAX_CALLERS`` and
        ``MAX_DEPTH`` keep us from some, and of some not all calls are seen.
        """
        others = {id(f) for f in functions} - {id(f) for f in chosen}
        named = {name for f in functions if id(f) in others for name in f.names}
        unseen: dict[int, Any] = {}
        for function in chosen:
            own = self.instances.get(place_of(function.cursor), {})
            for identity, cursor in {key(function.cursor): function.cursor, **own}.items():
                hidden = os.fsencode(function.name) in named or called_unseen(cursor)
                if hidden and self.contexts.get(identity):
                    unseen[identity] = cursor
        while self.unfollowed or unseen:
            _, cursor = (self.unfollowed or unseen).popitem()
            self._enter_alone(cursor, pattern=False, moved=True)

    def _look_at_mentions(self, functions: Sequence[Function], chosen: Sequence[Function]) -> None:
        """Where kernels, and functions that were entered from their callers, are named otherwise,
        or are virtual: they may be launched and called in ways unknown. Kernels that are not
        launched here may be launched by other units.
        """
        launched = frozenset(site.kernel_name for site in self.found)
        kernels = launched | kernel_names([self.trees.text(file) for file in self.files])
        asked = frozenset(self.told.asked.values())
        if not (kernels or asked):
            return
        entered = {key(f.cursor): f for f in chosen if self.contexts.get(key(f.cursor))}
        names = kernels | asked | {f.name for f in entered.values()}
        text = mention_text(names)
        unknown = [f for f in entered.values() if f.cursor.is_virtual_method()]
        named: list[tuple[Node, Node, Any]] = []
        for cursor in self._speaking(functions):
            if text.search(self.trees.own_text(cursor)) is None:
                continue
            root = self.trees.tree_once(cursor)
            for node, declared in mentions(root, names):
                function = entered.get(key(declared))
                if function is not None:
                    unknown.append(function)
                elif declared._kind_id == Kind.OVERLOADED_REF:
                    unknown += [f for f in entered.values() if f.name == declared.spelling]
                if declared.spelling in asked:
                    self._called_in_any_way(str(declared.spelling))
                if root is None or declared.spelling not in kernels or function is not None:
                    continue
                if declared.spelling in launched or is_kernel(declared):
                    named.append((root, node, declared))
        for function in unknown:
            self._enter_alone(function.cursor, pattern=False, moved=True)
        handed = Handed(self.interesting.__contains__, _mentioned)
        for root, node, declared in named:
            followed = origin(node) in self.followed and not self.lost
            if not (followed or handed.only_asks(root, node)) or not handed.use(root, node):
                self._record(node, declared, UNKNOWN_DIM, UNKNOWN_DIM, (), (), named=True)

    def _look_at_handles(self, functions: Sequence[Function]) -> None:
        """Kernels that are named by a text, of which it is not known what becomes."""
        texts = {file: self.trees.text(file) for file in {self.path, *self.files}}
        if not any(DRIVER_TEXT.search(text) for text in texts.values()):
            return
        followed: set[Place] = set()
        for cursor in () if self.unknown_handle else self._speaking(functions):
            if DRIVER_TEXT.search(self.trees.own_text(cursor)) is not None:
                followed.update(followed_names(self.trees.tree(cursor)))
        for name, place in names_in(texts):
            real = (os.path.realpath(place[0]), place[1])
            if real not in {(os.path.realpath(file), offset) for file, offset in followed}:
                self._record_name(name, place)

    def _record_name(self, name: str, place: Place) -> None:
        file, offset = place
        text = self.trees.text(file)
        line = text.count(b"\n", 0, offset) + 1
        column = offset - text.rfind(b"\n", 0, offset)
        span = Span(os.path.normpath(Path(file).absolute()), line, column)
        unknown = LaunchSite(
            name, name, UNKNOWN_DIM, UNKNOWN_DIM, (), span, named=True, external=True
        )
        self.found.setdefault(unknown)

    def _speaking(self, functions: Sequence[Function]) -> Iterator[Any]:
        """Functions and variables that may name a kernel: instances in the place of templates."""
        speaking: dict[int, Any] = {}
        for function in functions:
            instances = self.instances.get(place_of(function.cursor), {})
            speaking |= instances or {key(function.cursor): function.cursor}
        yield from speaking.values()
        yield from self.trees.variables

    def _enter_alone(self, cursor: Any, *, pattern: bool, moved: bool = False) -> None:
        """Run a function that nobody is seen to call: it launches no kernel of this unit that it
        is not given. A template that nobody uses launches none at all. ``moved``: the unit does
        call it, in ways unseen, maybe with pointers that it moves.
        """
        lost = self.lost
        self.given_nothing = True
        self._enter(cursor, [*_anywhere(cursor)] if moved else None)
        self.given_nothing = False
        self.lost = lost if pattern else self.lost

    def _enter(
        self, cursor: Any, arguments: list[Given] | None, around: tuple[HostLoop, ...] = ()
    ) -> None:
        """Run a function that may launch, with what is known of its arguments; ``around``: the
        loops that it is called in. Where it is not run, what it is given is lost.
        """
        identity = key(cursor)
        context: _Context = (tuple(arguments or ()), around)
        known = self.contexts.setdefault(identity, set())
        if context in known:
            return
        kernels = any(isinstance(given, Named) for given in context[0])
        if len(self.active) > MAX_DEPTH:
            self.lost |= kernels
            self.unfollowed[identity] = cursor
            return
        again = identity in self.active
        if again or len(known) >= (MAX_KERNELS if kernels else MAX_CONTEXTS):
            self.lost |= again and kernels
            context = _without_values(context)
            if context in known:
                return
        known.add(context)
        self.entered.add(str(cursor.spelling))
        self._keep_instance(cursor)
        body = self.trees.body(cursor, self._matters)
        if body is None:
            return
        self.active.append(identity)
        outer, self.around = self.around, context[1]
        outer_moved, self.moved = self.moved, _moved(body.root, context[0])
        hooks = Hooks(self._on_call, self.trees.value_body, self.trees.is_kept)
        try:
            values = [None if isinstance(given, Shifted) else given for given in context[0]]
            Interpreter(body, hooks, self.budget).run(bind(body.root, values))
        except OutOfBounds:
            self._without_variables(body)
        finally:
            self.active.pop()
            self.around, self.moved = outer, outer_moved

    def _keep_instance(self, cursor: Any) -> None:
        definition = cursor.get_definition() or cursor
        if definition._kind_id not in {Kind.FUNCTION_TEMPLATE, Kind.CLASS_TEMPLATE}:
            self.instances.setdefault(place_of(definition), {})[key(definition)] = definition

    def _without_variables(self, body: Body) -> None:
        """Each launch by itself, for a function beyond the interpreter's bounds."""
        blind = replace(body, relevant=frozenset())
        hooks = Hooks(self._on_call, self.trees.value_body, self.trees.is_kept)
        for node in preorder(body.root):
            if node.kind != Kind.CALL:
                continue
            parts = launch_parts(node)
            if parts is None:
                if node.spelling in self.told.asked.values():
                    self._called_in_any_way(node.spelling)
                continue
            try:
                Interpreter(blind, hooks, self.spare).value(node, {})
            except OutOfBounds:
                if parts.handle:
                    self.unknown_handle = True
                elif parts.kernel is None:
                    self.lost = True
                else:
                    self._record(node, parts.kernel, UNKNOWN_DIM, UNKNOWN_DIM, (), ())

    def _look_out_of_sight(self, chosen: Sequence[Function]) -> None:
        """What is named in a statement with an error, or where libclang shows no tree, may be
        launched and called in ways unknown.
        """
        names = self.trees.distrust.names | self.trees.hidden
        for name in names & frozenset(self.told.asked.values()):
            self._called_in_any_way(name)
        for function in chosen:
            if function.name in names:
                self._enter_alone(function.cursor, pattern=False, moved=True)
        for site in list(self.found):
            if site.kernel_name in names:
                unknown = replace(
                    site, grid=UNKNOWN_DIM, block=UNKNOWN_DIM, arguments=(), loops=(), named=True
                )
                self.found.setdefault(unknown)

    def _matters(self, node: Node) -> bool:
        return node.spelling in self.interesting or launch_parts(node) is not None

    # --- calls

    def _on_call(self, node: Node, environment: Environment, interpreter: Evaluator) -> None:
        parts = launch_parts(node)
        if parts is None:
            self._follow(node, environment, interpreter)
            return
        kernel = self._kernel(parts, environment, interpreter)
        if kernel is None:
            return
        handle = kernel if isinstance(kernel, Handle) else None
        if handle is None and str(kernel.spelling) in self.interesting:
            self._enter_alone(kernel.get_definition() or kernel, pattern=False)
        body = interpreter.body
        values = [interpreter.value(a, dict(environment)) for a in parts.arguments]
        grid = interpreter.value(parts.grid, dict(environment))
        block = interpreter.value(parts.block, dict(environment))
        if parts.config and parts.handle:
            grid, block = _members(grid, "gridDim"), _members(block, "blockDim")
        elif parts.sizes:
            sizes = [interpreter.value(size, dict(environment)) for size in parts.sizes]
            grid, block = dimensions(sizes[:3]), dimensions(sizes[3:])
        elif parts.config:
            grid = grid.get("gridDim") if isinstance(grid, Record) else None
            block = block.get("blockDim") if isinstance(block, Record) else None
        by_address = addressed(parts.addresses, body.root) if parts.addresses else []
        unseen = parts.addresses is not None and not by_address and handle is None
        given = [*parts.arguments, *by_address]
        told = tuple(
            value if isinstance(value, int)
            else shifted(argument, body.root, self.moved, self.writes)
            for argument, value in zip(given, [*values, *(None for _ in by_address)], strict=True)
        )  # fmt: skip
        self.across.sources.launched(self.active[-1], given, body.root, self.writes)
        self._record(
            node,
            kernel,
            _as_dim(grid),
            _as_dim(block),
            tuple(_anywhere(kernel)) if unseen else told,
            (*self.around, *_loops(interpreter.around, parts.sizes[:3] or (parts.grid,))),
            handle=handle,
        )

    def _kernel(
        self, parts: LaunchParts, environment: Environment, interpreter: Evaluator
    ) -> Any | None:
        """What is launched; where that is not known, any kernel that was handed around may be."""
        if parts.kernel is not None:
            return parts.kernel
        value = interpreter.value(parts.callee, dict(environment))
        if parts.handle:
            self.unknown_handle |= not isinstance(value, Handle)
            return value if isinstance(value, Handle) else None
        if isinstance(value, Named):
            self.followed.add(value.origin)
            return value.declaration
        callee = strip(parts.callee)
        declared = callee.declared() if callee.kind == Kind.DECL_REF else None
        parameter = declared is not None and declared._kind_id == Kind.PARM
        self.lost |= not (parameter and self.given_nothing and len(self.active) == 1)
        return None

    def _follow(self, node: Node, environment: Environment, interpreter: Evaluator) -> None:
        if node.spelling not in self.interesting:
            return
        declared = node.declared()
        if declared is None or declared._kind_id not in FUNCTIONS:
            return
        definition = declared.get_definition()
        elsewhere = _symbol(declared) if definition is None else ""
        if definition is None and elsewhere not in self.told.asked:
            return
        values = interpreter.argument_values(node, dict(environment))
        root = interpreter.body.root
        arguments = interpreter.arguments(node)
        given = [
            self._given(argument, value, root)
            for argument, value in zip(arguments, values, strict=True)
        ]
        loops = (*self.around, *(each.loop for each in interpreter.around))
        if definition is None:
            call = HostCall(elsewhere, tuple(given), loops)
            self.across.called(call, self.active[-1], arguments, root, self.writes)
            return
        body = self.trees.body(definition, self._matters)
        if body is not None and _has_code(body.root):
            self.followed.update(_template_arguments(node))
        self._enter(definition, given, loops)
        self.across.sources.called(self.active[-1], key(definition), arguments, root, self.writes)

    def _called_in_any_way(self, name: str) -> None:
        """Functions of a name that others ask for may be called with anything."""
        for symbol_, known in self.told.asked.items():
            if known == name:
                self.across.calls.setdefault(HostCall(symbol_, None))

    def _given(self, argument: Node, value: Value, root: Node) -> Given:
        """What a function of the unit is given: of what holds moved pointers, how far they are."""
        if value is not None and not isinstance(value, Record):
            return value
        moved = shifted(argument, root, self.moved, self.writes, numbers=True)
        return value if moved is None else moved

    def _record(
        self,
        node: Node,
        kernel: Any,
        grid: Dim,
        block: Dim,
        arguments: tuple[Argument, ...],
        loops: tuple[HostLoop, ...],
        *,
        named: bool = False,
        handle: Handle | None = None,
    ) -> None:
        start = node.cursor.extent.start
        file = start.file.name if start.file is not None else self.path
        span = Span(os.path.normpath(Path(file).absolute()), start.line, start.column)
        if handle is not None:  # the linker knows nothing of it: any unit may define it
            name, mangled, external = handle.name, handle.name, True
        else:
            name = str(kernel.spelling)
            mangled = symbol(kernel)
            external = bool(mangled) and is_external(kernel)
        self.launching.update(self.active)
        if None in block and not named:
            self.without_shape.update(self.active)
        site = LaunchSite(
            mangled or name, name, grid, block, arguments, span, loops, named, external
        )
        self.found.setdefault(site)


def _symbol(function: Any) -> str:
    """What the linker knows a function of the host by."""
    return str(function.mangled_name)


def _is_callable_elsewhere(function: Any) -> bool:
    plain = function._kind_id in {Kind.FUNCTION, Kind.METHOD} and not function.is_virtual_method()
    return plain and function.spelling != "main" and is_external(function)


def _class_of(function: Any) -> str:
    """The class that a method is of."""
    return str(function.semantic_parent.spelling) if function._kind_id == Kind.METHOD else ""


def _template_arguments(call: Node) -> Iterator[Place]:
    """Functions that are named as arguments of the template that is called."""
    inner = plain_children(call)
    callee = strip(inner[0]) if inner else call
    for node in preorder(callee) if callee.kind == Kind.DECL_REF else ():
        if node is not callee and node.kind == Kind.DECL_REF:
            yield origin(node)


def _has_code(function: Node) -> bool:
    """Whether a function's body is there: clang leaves that of device templates out on the host."""
    bodies = {Kind.COMPOUND, Kind.TRY}
    return any(child.kind in bodies and child.children for child in function.children)


def _mentioned(definition: Any, name: str) -> bool:
    return any(True for _ in mentions(tree(definition), frozenset({name})))


def _members(config: Value, name: str) -> Dim:
    """The sizes of a ``CUlaunchConfig``: ``gridDimX`` and so on."""
    if not isinstance(config, Record):
        return UNKNOWN_DIM
    x, y, z = (_size(config.get(f"{name}{axis}")) for axis in "XYZ")
    return x, y, z


def _size(value: Value) -> int | None:
    return value if isinstance(value, int) else None


def _loops(around: Sequence[Around], grid: Sequence[Node]) -> Iterator[HostLoop]:
    """The loops around a launch, with what they do to its grid."""
    nodes = (node for size in grid for node in preorder(size))
    named = {node.key for node in nodes if node.kind == Kind.DECL_REF}
    for each in around:
        yield replace(each.loop, spent=not named.isdisjoint(each.shrinking))


def _anywhere(cursor: Any) -> list[Shifted | None]:
    """Arguments of which nothing is known: pointers among them may be moved, but nothing tells that
    they are.
    """
    sizes = (pointee_size(parameter) for parameter in cursor.get_arguments())
    return [None if size is None else Shifted(size, likely_start=True) for size in sizes]


def _moved(root: Node, arguments: Sequence[Given]) -> dict[int, Shifted]:
    """Parameters of a function that it is given moved pointers for."""
    parameters = (child.key for child in root.children if child.kind == Kind.PARM)
    pairs = zip(parameters, arguments, strict=False)
    return {parameter: given for parameter, given in pairs if isinstance(given, Shifted)}


def _without_values(context: _Context) -> _Context:
    """With nothing but how far pointers are moved."""
    return tuple(given if isinstance(given, Shifted) else None for given in context[0]), ()


def _as_dim(value: Value) -> Dim:
    if isinstance(value, int):
        return (value, 1, 1)
    return value if isinstance(value, tuple) else UNKNOWN_DIM
