"""Functions that may launch, run with what their callers give them; each launch met is recorded."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from drano.frontend.libclang import Kind, Node, is_external, key
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
from drano.host.cross_unit import Given, HostCall, Told
from drano.host.evaluator import Budget, Evaluator, Hooks, OutOfBounds
from drano.host.function_bodies import Body, plain_children, preorder, strip
from drano.host.interpreter import Interpreter
from drano.host.launching.launch_reader.given import anywhere, as_dim, loops, members, moved
from drano.host.launching.launch_syntax import LaunchParts, addressed, launch_parts, symbol
from drano.host.pointers.moved_pointers import shifted
from drano.host.pointers.unit_writes import UnitWrites
from drano.host.unit_functions import FUNCTIONS
from drano.host.unit_trees import UnitTrees, place_of
from drano.model.span import Span
from drano.model.translation_unit import Argument, HostLoop, LaunchSite, Shifted

MAX_DEPTH: Final = 8
MAX_CONTEXTS: Final = 24
MAX_KERNELS: Final = 256

_Context: TypeAlias = tuple[tuple[Given, ...], tuple[HostLoop, ...]]


class Walk(Struct):
    """Goes through functions that may launch, as they are called; mutated on its way.

    ``interesting``: names of functions that may launch; ``lost``: a launch of a kernel that nobody
    knows was met, of a handle ``unknown_handle``.
    """

    trees: UnitTrees
    path: str
    told: Told
    interesting: set[str] = field(default_factory=set)
    across: CallsAcross = field(default_factory=CallsAcross)
    launching: set[int] = field(default_factory=set)
    without_shape: set[int] = field(default_factory=set)
    contexts: dict[int, set[_Context]] = field(default_factory=dict)
    entered: set[str] = field(default_factory=set)
    active: list[int] = field(default_factory=list)
    around: tuple[HostLoop, ...] = ()
    unfollowed: dict[int, Any] = field(default_factory=dict)
    pointers: Mapping[int, Shifted] = field(default_factory=dict)
    writes: UnitWrites = field(default_factory=UnitWrites)
    found: dict[LaunchSite, None] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    spare: Budget = field(default_factory=Budget)
    followed: set[Place] = field(default_factory=set)
    instances: dict[Place, dict[int, Any]] = field(default_factory=dict)
    lost: bool = False
    unknown_handle: bool = False
    given_nothing: bool = False

    def enter_alone(self, cursor: Any, *, pattern: bool, moved: bool = False) -> None:
        """Run a function that nobody is seen to call: it launches no kernel of this unit that it
        is not given. A template that nobody uses launches none at all. ``moved``: the unit does
        call it, in ways unseen, maybe with pointers that it moves.
        """
        lost = self.lost
        self.given_nothing = True
        self.enter(cursor, [*anywhere(cursor)] if moved else None)
        self.given_nothing = False
        self.lost = lost if pattern else self.lost

    def enter(
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
        body = self.trees.body(cursor, self.matters)
        if body is None:
            return
        self.active.append(identity)
        outer, self.around = self.around, context[1]
        outer_moved, self.pointers = self.pointers, moved(body.root, context[0])
        hooks = Hooks(self._on_call, self.trees.value_body, self.trees.is_kept)
        try:
            values = [None if isinstance(given, Shifted) else given for given in context[0]]
            Interpreter(body, hooks, self.budget).run(bind(body.root, values))
        except OutOfBounds:
            self._without_variables(body)
        finally:
            self.active.pop()
            self.around, self.pointers = outer, outer_moved

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
                    self.called_in_any_way(node.spelling)
                continue
            try:
                Interpreter(blind, hooks, self.spare).value(node, {})
            except OutOfBounds:
                if parts.handle:
                    self.unknown_handle = True
                elif parts.kernel is None:
                    self.lost = True
                else:
                    self.record(node, parts.kernel, UNKNOWN_DIM, UNKNOWN_DIM, (), ())

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
            self.enter_alone(kernel.get_definition() or kernel, pattern=False)
        body = interpreter.body
        values = [interpreter.value(a, dict(environment)) for a in parts.arguments]
        grid = interpreter.value(parts.grid, dict(environment))
        block = interpreter.value(parts.block, dict(environment))
        if parts.config and parts.handle:
            grid, block = members(grid, "gridDim"), members(block, "blockDim")
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
            else shifted(argument, body.root, self.pointers, self.writes)
            for argument, value in zip(given, [*values, *(None for _ in by_address)], strict=True)
        )  # fmt: skip
        self.across.sources.launched(self.active[-1], given, body.root, self.writes)
        self.record(
            node,
            kernel,
            as_dim(grid),
            as_dim(block),
            tuple(anywhere(kernel)) if unseen else told,
            (*self.around, *loops(interpreter.around, parts.sizes[:3] or (parts.grid,))),
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
        elsewhere = linker_name(declared) if definition is None else ""
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
        body = self.trees.body(definition, self.matters)
        if body is not None and _has_code(body.root):
            self.followed.update(_template_arguments(node))
        self.enter(definition, given, loops)
        self.across.sources.called(self.active[-1], key(definition), arguments, root, self.writes)

    def called_in_any_way(self, name: str) -> None:
        """Functions of a name that others ask for may be called with anything."""
        for symbol_, known in self.told.asked.items():
            if known == name:
                self.across.calls.setdefault(HostCall(symbol_, None))

    def _given(self, argument: Node, value: Value, root: Node) -> Given:
        """What a function of the unit is given: of what holds moved pointers, how far they are."""
        if value is not None and not isinstance(value, Record):
            return value
        moved = shifted(argument, root, self.pointers, self.writes, numbers=True)
        return value if moved is None else moved

    def record(
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
        """A launch of a kernel, or of what a driver's handle names; ``named``: it only may be."""
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

    def matters(self, node: Node) -> bool:
        """Whether it launches, or calls what may."""
        return node.spelling in self.interesting or launch_parts(node) is not None


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


def _without_values(context: _Context) -> _Context:
    """With nothing but how far pointers are moved."""
    return tuple(given if isinstance(given, Shifted) else None for given in context[0]), ()


def linker_name(function: Any) -> str:
    """What the linker knows a function of the host by."""
    return str(function.mangled_name)
