"""Kernels that are passed to host functions: ``launch(kernel, grid, block, …)``.

The launches of such a kernel are known if each use of its name, and of the parameters and local
variables that hold it, can be followed: a launch, a call of a function of the user's own that is
followed itself, a query of CUDA's runtime, a comparison.

Assumption: a kernel that is passed as ``const void*`` to a function without launches, which uses no
outside variables and returns a number or nothing, is looked up there, not launched.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct, field

from drano.frontend.libclang import Kind, Node, Unary, key, tree, type_kind
from drano.frontend.type_kinds import FLOAT_TYPES, INTEGER_TYPES, POINTER
from drano.host.function_bodies import PASSING, VARIABLES, descend, plain_children, preorder, strip
from drano.host.launching.launch_syntax import launch_parts

ASKING: Final = re.compile(r"cudaFunc(?:Get|Set)\w+|cudaOccupancy\w+")
"""Functions of CUDA's runtime that only ask or set something about a kernel."""
_WRAPPERS: Final = frozenset(
    {
        Kind.UNEXPOSED_EXPR,
        Kind.PAREN,
        Kind.C_CAST,
        Kind.STATIC_CAST,
        Kind.REINTERPRET_CAST,
        Kind.CONST_CAST,
        Kind.FUNCTIONAL_CAST,
    }
)
_IDLE: Final = frozenset({Kind.COMPOUND, Kind.UNARY_TRAIT})
_FUNCTIONS: Final = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.CONSTRUCTOR})
_VOID: Final = 2
_CHARACTERS: Final = frozenset({4, 5, 13, 14})
_NUMBERS: Final = frozenset({_VOID, *INTEGER_TYPES, *FLOAT_TYPES})


class Handed(Struct):
    """Answers about one translation unit, remembered. ``launching``: whether functions of a name
    are followed, as launches may come of them; ``mentioned``: whether a function names a kernel
    otherwise than to launch it. ``roots``: keeps the trees whose identities are remembered.
    """

    launching: Callable[[str], bool]
    mentioned: Callable[[Any, str], bool]
    known: dict[tuple[int, int], bool] = field(default_factory=dict)
    parents: dict[int, dict[int, Node]] = field(default_factory=dict)
    roots: list[Node] = field(default_factory=list)

    def use(self, root: Node, node: Node) -> bool:
        """Whether it is followed what the function ``root`` does with a name in it."""
        child, parent = self._around(root, node)
        if parent is None:
            return False
        if parent.kind == Kind.CALL:
            return self._given(root, parent, child, node)
        if parent.kind == Kind.DECL_REF:
            return self._template_argument(root, parent, node)
        if parent.kind == Kind.VAR:
            return self._held(root, parent.cursor) or self._looked_up(root, node)
        if parent.kind == Kind.BINARY:
            left, operator = plain_children(parent)[0], parent.binary
            if operator in {"==", "!="} or (operator == "=" and child is left):
                return True
            declared = strip(left).declared() if strip(left).kind == Kind.DECL_REF else None
            return operator == "=" and declared is not None and self._held(root, declared)
        return parent.kind in _IDLE or self._looked_up(root, node)

    def only_asks(self, root: Node, node: Node) -> bool:
        """Whether a name is given to a function that does not launch, nor has to be followed."""
        _, parent = self._around(root, node)
        if parent is None or parent.kind != Kind.CALL or launch_parts(parent) is not None:
            return False
        return not self.launching(parent.spelling)

    def _around(self, root: Node, node: Node) -> tuple[Node, Node | None]:
        """The whole expression that is just the name, or may be, and what it is part of."""
        parents = self.parents.get(id(root))
        if parents is None:
            above = ((inner, over) for inner, over in descend(root) if over)
            parents = self.parents[id(root)] = {id(inner): over[0] for inner, over in above}
            self.roots.append(root)
        child, parent = node, parents.get(id(node))
        while parent is not None and (_passes(parent, node) or _chooses(parent, child)):
            child, parent = parent, parents.get(id(parent))
        return child, parent

    def parameter(self, function: Any, position: int) -> bool:
        """Whether it is followed what becomes of an argument of a function."""
        definition = function.get_definition()
        if definition is None or definition.location.is_in_system_header:
            return False
        place = (key(definition), position)
        if place not in self.known:
            self.known[place] = False  # while it is found out
            root = tree(definition)
            parameters = [c for c in root.children if c.kind == Kind.PARM] if root else []
            if root is not None and position < len(parameters):
                self.known[place] = self._uses(root, key(parameters[position].cursor))
        return self.known[place]

    def _uses(self, root: Node, variable: int) -> bool:
        named = (n for n in preorder(root) if n.kind == Kind.DECL_REF and n.key == variable)
        return all(self.use(root, node) for node in named)

    def _held(self, root: Node, declared: Any) -> bool:
        """Whether it is followed what becomes of a local variable."""
        if declared._kind_id not in VARIABLES or type_kind(declared) != POINTER:
            return False
        parent = declared.semantic_parent
        static = str(declared.storage_class) == "StorageClass.STATIC"
        if static or parent is None or parent._kind_id not in _FUNCTIONS:
            return False
        place = (key(declared), -1)
        if place not in self.known:
            self.known[place] = True  # what it is assigned to is asked about where it is
            self.known[place] = self._uses(root, key(declared))
        return self.known[place]

    def _given(self, root: Node, call: Node, child: Node, node: Node) -> bool:
        """Whether it is followed what a call does with one of its parts."""
        name = call.spelling
        if ASKING.fullmatch(name):
            return True
        parts = launch_parts(call)
        if parts is not None:
            return child is parts.callee
        declared = call.declared()
        if declared is None or declared._kind_id not in _FUNCTIONS:
            return False
        inner = plain_children(call)
        arguments = inner if declared._kind_id == Kind.CONSTRUCTOR else inner[1:]
        position = next((n for n, each in enumerate(arguments) if each is child), None)
        if position is None:
            return False
        if self.launching(name) and not self.launching(root.spelling):
            return False  # nobody follows from here to there
        return self.parameter(declared, position) or self._looked_up(root, node)

    def _template_argument(self, root: Node, callee: Node, node: Node) -> bool:
        declared = callee.declared()
        if declared is None or declared._kind_id not in _FUNCTIONS:
            return False
        if not self.launching(root.spelling):
            return False
        definition = declared.get_definition()
        return definition is not None and not self.mentioned(definition, node.spelling)

    def _looked_up(self, root: Node, node: Node) -> bool:
        """See the module's assumption."""
        function = root.cursor
        if function._kind_id != Kind.FUNCTION or self.launching(str(function.spelling)):
            return False
        result = function.result_type.get_canonical()._kind_id
        declared = node.declared()
        if int(result) not in _NUMBERS or declared is None or not _is_object(declared):
            return False
        return all(self._keeps_inside(inner) for inner in preorder(root))

    def _keeps_inside(self, node: Node) -> bool:
        declared = node.declared() if node.kind in {Kind.DECL_REF, Kind.CALL} else None
        if declared is None:
            return node.kind != Kind.CALL
        if declared._kind_id == Kind.VAR:
            return declared.semantic_parent._kind_id in _FUNCTIONS or bool(
                declared.type.get_canonical().is_const_qualified()
            )
        if node.kind != Kind.CALL or declared.location.is_in_system_header:
            return True
        if declared.get_definition() is not None:
            return not self.launching(str(declared.spelling))
        return all(_is_plain(part) for part in plain_children(node)[1:])


def _passes(node: Node, name: Node) -> bool:
    """Whether an expression is just what is in it."""
    if node.kind == Kind.UNARY:
        operator, declared = node.unary, name.declared()
        return (
            operator in {Unary.ADDRESS, Unary.DEREF}
            and declared is not None
            and declared._kind_id not in VARIABLES
        )
    if node.kind == Kind.CALL:
        return node.spelling in PASSING
    return node.kind in _WRAPPERS


def _chooses(node: Node, child: Node) -> bool:
    """Whether an expression may be what is in it, by a condition that is not."""
    inner = plain_children(node) if node.kind == Kind.CONDITIONAL else []
    return len(inner) == 3 and child is not inner[0]


def _is_object(declared: Any) -> bool:
    """Whether a variable is a ``void*``."""
    canonical = declared.type.get_canonical()
    return int(canonical._kind_id) == POINTER and int(canonical.get_pointee()._kind_id) == _VOID


def _is_plain(node: Node) -> bool:
    """Whether an expression is a number or a text."""
    kind = node.type_kind
    if kind == POINTER:
        pointee = node.cursor.type.get_canonical().get_pointee().get_canonical()
        return int(pointee._kind_id) in _CHARACTERS
    return kind in _NUMBERS
