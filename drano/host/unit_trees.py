"""The text and the trees of a unit's functions, each read once, and what the whole unit tells of
them: which names an error makes doubtful, who changes a variable, what calls a method.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from drano.frontend.libclang import Kind, Node, errors, key, tree
from drano.frontend.text.cpp_lexer import identifiers, macros
from drano.frontend.text.text_scan import read_or_empty
from drano.frontend.type_kinds import FUNCTION
from drano.host.arithmetic import Place
from drano.host.function_bodies import Body, preorder, survey
from drano.host.pointers.aliases import is_changed
from drano.host.unit_functions import (
    Function,
    Mentioning,
    called_unseen,
    declared_in,
    mentioning,
    own_text,
)
from drano.host.untrusted_code import Distrust, Kept, distrust

_OF_BOTH_SIDES: Final = frozenset(
    {
        b"__managed__",
        b"cudaMallocManaged",
        b"cuMemAllocManaged",
        b"cudaHostAlloc",
        b"cudaMallocHost",
        b"cudaHostRegister",
        b"cuMemHostAlloc",
        b"cuMemAllocHost",
        b"cuMemHostRegister",
        b"universal_vector",
        b"universal_allocator",
    }
)
"""What makes memory that the host and kernels both write (CUDA C++ Programming Guide, unified and
mapped memory), where the unit itself names it."""


class UnitTrees(Struct):
    """What is read of the unit is kept. ``texts``: of files by path; ``changed``: those that an
    editor has otherwise than they are on disk, by real path.
    """

    texts: dict[str, bytes]
    changed: Mapping[str, bytes]
    functions: Sequence[Function] = ()
    variables: Sequence[Any] = ()
    hidden: frozenset[str] = frozenset()
    distrust: Distrust = field(default_factory=Distrust)
    _mentioning: Mentioning = field(default_factory=Mentioning)
    _trees: dict[int, Node | None] = field(default_factory=dict)
    _bodies: dict[tuple[int, bool], Body | None] = field(default_factory=dict)
    _named: dict[str, Sequence[Node]] = field(default_factory=dict)
    _changers: dict[int, frozenset[Place]] = field(default_factory=dict)
    _instances: dict[Place, list[Any]] | None = None

    def read(self, unit: Any, files: Sequence[str]) -> None:
        """The unit's functions, variables and errors; ``files``: those of the user's."""
        declared = declared_in(unit.cursor, self.text)
        self.functions, self.variables = declared.functions, declared.variables
        self._mentioning = mentioning(self.functions, self.variables, self.text)
        names = self._macros(files)
        self.distrust = distrust(errors(unit), self.text, Kept(self.functions), names)
        for cursor in declared.hidden:
            self.hidden |= frozenset(map(os.fsdecode, identifiers(self.own_text(cursor))))

    def text(self, path: str) -> bytes:
        """A file's text; none where it cannot be read."""
        if path not in self.texts:
            changed = self.changed.get(os.path.realpath(path))
            self.texts[path] = read_or_empty(path) if changed is None else changed
        return self.texts[path]

    def own_text(self, cursor: Any) -> bytes:
        """The text of a declaration."""
        return own_text(self.text, cursor)

    def _macros(self, files: Sequence[str]) -> dict[bytes, frozenset[bytes]]:
        """The names that each macro of the user's files has in it."""
        names: dict[bytes, frozenset[bytes]] = {}
        for file in files:
            for macro in macros(self.text(file)):
                names[macro.name] = names.get(macro.name, frozenset()) | identifiers(macro.body)
        return names

    def tree(self, cursor: Any) -> Node | None:
        """The tree of a declaration, kept."""
        identity = int(cursor.data[0] or 0)  # its own: redeclarations have other initialisers
        if identity not in self._trees:
            self._trees[identity] = tree(cursor)
        return self._trees[identity]

    def tree_once(self, cursor: Any) -> Node | None:
        """The same, for those who look at it once: kept by others only."""
        identity = int(cursor.data[0] or 0)
        return self._trees[identity] if identity in self._trees else tree(cursor)

    def body(self, cursor: Any, wanted: Callable[[Node], bool] | None) -> Body | None:
        """A function with its variables, those that reach what is ``wanted`` or, where that is
        None, its result. None where it has no tree.
        """
        identity = (key(cursor), wanted is not None)
        if identity not in self._bodies:
            root = self.tree(cursor.get_definition() or cursor)
            self._bodies[identity] = self._believed(survey(root, wanted)) if root else None
        return self._bodies[identity]

    def value_body(self, cursor: Any) -> Body | None:
        """A user's function whose result is asked for; None for system functions."""
        definition = cursor.get_definition()
        if cursor.location.is_in_system_header or definition is None:
            return None
        if cursor.is_virtual_method():  # another one may be called
            return None
        if self.distrust.touches(definition):
            return None
        return self.body(cursor, None)

    def _believed(self, body: Body) -> Body:
        return replace(body, unknown=body.unknown | self.distrust.variables(body.root))

    def is_kept(self, variable: Any, root: Node) -> bool:
        """Whether nothing but the function ``root`` changes a variable that outlives it, as far as
        the unit shows: what else does so may be called in ways that no tree has.
        """
        identity, name = key(variable), str(variable.spelling)
        if name in self.distrust.names | self.hidden:
            return False
        if identity not in self._changers:
            word = os.fsencode(name)
            speaking = [f.cursor for f in self._mentioning.functions.get(word, ())]
            speaking += self._mentioning.variables.get(word, ())
            self._changers[identity] = frozenset(
                place_of(cursor)
                for cursor in speaking
                if (inner := self.tree(cursor)) is not None and is_changed(inner, identity)
            )
        return self._changers[identity] <= {place_of(root.cursor)}

    def everything(self) -> Iterator[Node]:
        """Trees of all functions, with the instances of templates, and variables: of what runs on
        the device alone only where that may write what the host reads.
        """
        cursors = (*(function.cursor for function in self._writing()), *self.variables)
        yield from (root for each in cursors if (root := self.tree(each)) is not None)
        for instances in self.instances().values():
            yield from (root for each in instances if (root := self.tree(each)) is not None)

    def _writing(self) -> Sequence[Function]:
        known = self._mentioning
        if any(word in known.functions or word in known.variables for word in _OF_BOTH_SIDES):
            return self.functions
        return [function for function in self.functions if not function.device]

    def instances(self) -> Mapping[Place, Sequence[Any]]:
        """What is made of templates, and of methods of theirs, by where these stand: what host code
        calls or names that is none itself, and what that does.
        """
        if self._instances is None:
            writing = self._writing()
            self._instances = {place_of(f.cursor): [] for f in writing if f.pattern}
            waiting = [function.cursor for function in writing if not function.pattern]
            found: set[int] = set()
            while waiting and self._instances:
                for called in self._called(waiting.pop()):
                    place, identity = place_of(called), int(called.data[0] or 0)
                    if place in self._instances and identity not in found:
                        found.add(identity)
                        self._instances[place].append(called)
                        waiting.append(called)
        return self._instances

    def _called(self, function: Any) -> Iterator[Any]:
        """Definitions of the user's functions that a function of the host names."""
        root = self.tree(function)
        if root is None or any(child.kind == Kind.GLOBAL_ATTR for child in root.children):
            return
        for node in preorder(root):
            if node.kind == Kind.CALL or node.type_kind == FUNCTION:
                declared = node.declared()
                if declared is not None and not declared.location.is_in_system_header:
                    definition = declared.get_definition()
                    if definition is not None:
                        yield definition

    def naming(self, name: str) -> Sequence[Node]:
        """Trees of the functions and variables whose text has a name in it; of methods, of those
        that are called.
        """
        if name not in self._named:
            self._named[name] = tuple(self._trees_naming(name))
        return self._named[name]

    def _trees_naming(self, name: str) -> Iterator[Node]:
        word = os.fsencode(name)
        speaking = [
            function.cursor
            for function in self._mentioning.functions.get(word, ())
            if function.cursor._kind_id != Kind.METHOD
            or called_unseen(function.cursor)
            or self._mentioning.is_called(function)
        ]
        for function in self._mentioning.functions.get(word, ()):
            speaking += self.instances().get(place_of(function.cursor), ())
        speaking += self._mentioning.variables.get(word, ())
        yield from (root for each in speaking if (root := self.tree(each)) is not None)


def place_of(function: Any) -> Place:
    """Where a function's name stands, the same for a template and its instances."""
    location = function.location
    return (location.file.name if location.file is not None else "", int(location.offset))
