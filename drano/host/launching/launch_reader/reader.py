"""The launches of a unit: which functions are entered, and what may launch out of sight."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from drano.frontend.libclang import Kind, Node, is_external, is_kernel, key, tree
from drano.frontend.text.cpp_lexer import identifiers
from drano.frontend.text.text_scan import may_launch
from drano.host.arithmetic import UNKNOWN_DIM, Place
from drano.host.called_functions import origin
from drano.host.cross_unit import NOTHING, Told
from drano.host.launching.driver_handles import DRIVER_TEXT, followed_names, names_in
from drano.host.launching.handed_kernels import Handed
from drano.host.launching.launch_reader.walk import Walk, linker_name
from drano.host.launching.launching_functions import callers_first, launching_functions
from drano.host.launching.shape_parameters import gives_shape
from drano.host.mentions import kernel_names, mention_text, mentions
from drano.host.pointers.unit_writes import UnitWrites
from drano.host.unit_functions import Function, called_unseen
from drano.host.unit_trees import UnitTrees, place_of
from drano.model.report import OpenFunction
from drano.model.span import Span
from drano.model.translation_unit import LaunchSite


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
    walk: Walk = field(init=False)
    chosen: list[Function] = field(default_factory=list)
    open_variables: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.trees = UnitTrees({self.path: self.source}, self.changed)
        self.walk = Walk(self.trees, self.path, self.told)

    def read(self) -> tuple[LaunchSite, ...]:
        """All launches, in source order."""
        self.walk.writes.naming = self.trees.naming
        self.walk.writes.everything = self.trees.everything
        self.walk.writes.calls.tree = self.trees.tree_once
        self.walk.writes.shared = frozenset(self.told.shared)
        try:
            return self._read()
        finally:
            self.open_variables = frozenset(self.walk.writes.open)
            # A circle would keep clang's tree in memory until the next collection of garbage.
            self.walk.writes = UnitWrites()

    def _read(self) -> tuple[LaunchSite, ...]:
        self.trees.read(self.unit, [self.path, *self.files])
        functions = self.trees.functions
        asked = frozenset(self.told.asked.values())
        chosen = self.chosen = launching_functions(functions, self.trees.texts.values(), asked)
        self.walk.interesting = {f.name for f in chosen} | asked
        self._enter_from_elsewhere()
        for function in callers_first(chosen):
            known = function.name in self.walk.entered if function.pattern else False
            if not known and not self.walk.contexts.get(key(function.cursor)):
                self.walk.enter_alone(function.cursor, pattern=function.pattern)
        self._look_at_initialisers()
        self._look_at_strangers(functions, chosen)
        self._look_at_mentions(functions, chosen)
        self._look_at_handles(functions)
        self._look_out_of_sight(chosen)
        self.walk.across.add_what_methods_hand_on([f.cursor for f in chosen], self.walk.launching)
        return tuple(sorted(self.walk.found, key=lambda s: s.span))

    def open_functions(self) -> tuple[OpenFunction, ...]:
        """Functions of which other units may know more: those that launch with a block that nobody
        here says, by what they are given, those of whose calls this unit has some, and those that
        are given pointers which they launch with, or hand to others.
        """
        return tuple(
            OpenFunction(
                linker_name(cursor), function.name, _class_of(cursor), only_pointers=not whole
            )
            for function in self.chosen
            if not function.pattern and _is_callable_elsewhere(cursor := function.cursor)
            and ((whole := self._is_open(cursor))
                 or self.walk.across.gives_pointers(cursor, self.walk.launching))
        )  # fmt: skip

    def _is_open(self, cursor: Any) -> bool:
        """Whether all that callers give may matter."""
        identity = key(cursor)
        called = self.walk.contexts.get(identity)
        if not called or identity not in self.walk.launching:
            return False
        given = any(arguments for arguments, _ in called)
        return given or (identity in self.walk.without_shape and self._shapes(cursor))

    def _shapes(self, cursor: Any) -> bool:
        """Whether what a function is given by value may decide the shape of a launch."""
        body = self.trees.body(cursor, self.walk.matters)
        return body is not None and gives_shape(body.root, self.walk.matters)

    def _enter_from_elsewhere(self) -> None:
        """Functions that other units call, with what these give."""
        for function in self.chosen if self.told.calls else ():
            for call in self.told.calls:
                if function.pattern or linker_name(function.cursor) != call.function:
                    continue
                if call.arguments is None:
                    self.walk.enter_alone(function.cursor, pattern=False, moved=True)
                else:
                    self.walk.enter(function.cursor, list(call.arguments), call.loops)

    def _look_at_initialisers(self) -> None:
        """Variables and members that are given what launches: a lambda, the result of a call."""
        wanted = {os.fsencode(name) for name in self.walk.interesting}
        for cursor in self.trees.variables:
            text = self.trees.own_text(cursor)
            if may_launch(text) or not wanted.isdisjoint(identifiers(text)):
                self.walk.enter_alone(cursor, pattern=False)

    def _look_at_strangers(self, functions: Sequence[Function], chosen: Sequence[Function]) -> None:
        """Functions that were entered, but not from all who call them: ``MAX_CALLERS`` and
        ``MAX_DEPTH`` keep us from some, and of some not all calls are seen.
        """
        others = {id(f) for f in functions} - {id(f) for f in chosen}
        named = {name for f in functions if id(f) in others for name in f.names}
        unseen: dict[int, Any] = {}
        for function in chosen:
            own = self.walk.instances.get(place_of(function.cursor), {})
            for identity, cursor in {key(function.cursor): function.cursor, **own}.items():
                hidden = os.fsencode(function.name) in named or called_unseen(cursor)
                if hidden and self.walk.contexts.get(identity):
                    unseen[identity] = cursor
        while self.walk.unfollowed or unseen:
            _, cursor = (self.walk.unfollowed or unseen).popitem()
            self.walk.enter_alone(cursor, pattern=False, moved=True)

    def _look_at_mentions(self, functions: Sequence[Function], chosen: Sequence[Function]) -> None:
        """Where kernels, and functions that were entered from their callers, are named otherwise,
        or are virtual: they may be launched and called in ways unknown. Kernels that are not
        launched here may be launched by other units.
        """
        launched = frozenset(site.kernel_name for site in self.walk.found)
        kernels = launched | kernel_names([self.trees.text(file) for file in self.files])
        asked = frozenset(self.told.asked.values())
        if not (kernels or asked):
            return
        entered = {key(f.cursor): f for f in chosen if self.walk.contexts.get(key(f.cursor))}
        names = kernels | asked | {f.name for f in entered.values()}
        text = mention_text(names)
        unknown = [f for f in entered.values() if f.cursor.is_virtual_method()]
        by_name: dict[str, list[Function]] = {}
        for function in entered.values():
            by_name.setdefault(function.name, []).append(function)
        named: list[tuple[Node, Node, Any]] = []
        for cursor in self._speaking(functions):
            if text.search(self.trees.own_text(cursor)) is None:
                continue
            root = self.trees.tree_once(cursor)
            for node, declared in mentions(root, names):
                own, name = entered.get(key(declared)), str(declared.spelling)
                if own is not None:
                    unknown.append(own)
                elif declared._kind_id == Kind.OVERLOADED_REF:
                    unknown += by_name.get(name, ())
                if name in asked:
                    self.walk.called_in_any_way(name)
                if root is None or name not in kernels or own is not None:
                    continue
                if name in launched or is_kernel(declared):
                    named.append((root, node, declared))
        for function in {id(each): each for each in unknown}.values():
            self.walk.enter_alone(function.cursor, pattern=False, moved=True)
        handed = Handed(self.walk.interesting.__contains__, _mentioned)
        for root, node, declared in named:
            followed = origin(node) in self.walk.followed and not self.walk.lost
            if not (followed or handed.only_asks(root, node)) or not handed.use(root, node):
                self.walk.record(node, declared, UNKNOWN_DIM, UNKNOWN_DIM, (), (), named=True)

    def _look_at_handles(self, functions: Sequence[Function]) -> None:
        """Kernels that are named by a text, of which it is not known what becomes."""
        texts = {file: self.trees.text(file) for file in {self.path, *self.files}}
        if not any(DRIVER_TEXT.search(text) for text in texts.values()):
            return
        followed: set[Place] = set()
        for cursor in () if self.walk.unknown_handle else self._speaking(functions):
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
        self.walk.found.setdefault(unknown)

    def _speaking(self, functions: Sequence[Function]) -> Iterator[Any]:
        """Functions and variables that may name a kernel: instances in the place of templates."""
        speaking: dict[int, Any] = {}
        for function in functions:
            instances = self.walk.instances.get(place_of(function.cursor), {})
            speaking |= instances or {key(function.cursor): function.cursor}
        yield from speaking.values()
        yield from self.trees.variables

    def _look_out_of_sight(self, chosen: Sequence[Function]) -> None:
        """What is named in a statement with an error, or where libclang shows no tree, may be
        launched and called in ways unknown.
        """
        names = self.trees.distrust.names | self.trees.hidden
        for name in names & frozenset(self.told.asked.values()):
            self.walk.called_in_any_way(name)
        for function in chosen:
            if function.name in names:
                self.walk.enter_alone(function.cursor, pattern=False, moved=True)
        for site in list(self.walk.found):
            if site.kernel_name in names:
                unknown = replace(
                    site, grid=UNKNOWN_DIM, block=UNKNOWN_DIM, arguments=(), loops=(), named=True
                )
                self.walk.found.setdefault(unknown)

    # --- calls


def _is_callable_elsewhere(function: Any) -> bool:
    plain = function._kind_id in {Kind.FUNCTION, Kind.METHOD} and not function.is_virtual_method()
    return plain and function.spelling != "main" and is_external(function)


def _class_of(function: Any) -> str:
    """The class that a method is of."""
    return str(function.semantic_parent.spelling) if function._kind_id == Kind.METHOD else ""


def _mentioned(definition: Any, name: str) -> bool:
    return any(True for _ in mentions(tree(definition), frozenset({name})))
