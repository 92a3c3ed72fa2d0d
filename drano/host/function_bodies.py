"""What must be known of a host function before it is run: its uses and writes of variables.

``survey`` finds, in one walk over a libclang tree, which variables can reach a launch, which are
assigned where, and which uses *expose* a variable: anything but a plain read, a plain assignment
or ``sizeof`` (an allow-list) may change it behind our back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from drano.frontend.libclang import (
    Kind,
    Node,
    Unary,
    bases,
    constructors,
    fields,
    is_constant,
    type_kind,
)
from drano.frontend.type_kinds import FLOAT_TYPES, INTEGER_TYPES, POINTER, RECORD, REFERENCES
from drano.host.arithmetic import Path

MAX_DEPTH: Final = 120
THIS: Final = -1
"""Stands for the object that a constructor makes, among the keys of variables."""

PASSING: Final = frozenset({"forward", "move"})
"""Functions of ``std`` that give back what they are given."""
STEPS: Final = frozenset({Unary.POST_INC, Unary.POST_DEC, Unary.PRE_INC, Unary.PRE_DEC})
VARIABLES: Final = frozenset({Kind.VAR, Kind.PARM})
OUTER_VARIABLES: Final = frozenset({Kind.VAR, Kind.FIELD})
"""Variables of namespaces and classes, whose initialisers are code of nobody's body."""
EXPRESSIONS: Final = range(Kind.UNEXPOSED_EXPR, 200)
_REFERENCES: Final = frozenset(
    {Kind.TYPE_REF, Kind.TEMPLATE_REF, Kind.NAMESPACE_REF, Kind.MEMBER_REF, Kind.OVERLOADED_REF}
)
_OUTSIDE: Final = frozenset({Kind.NAMESPACE, Kind.STRUCT, Kind.CLASS, Kind.LINKAGE_SPEC, 300, 350})
"""What holds variables that outlive a call, translation units included."""
_CASTS: Final = frozenset({Kind.C_CAST, Kind.STATIC_CAST, Kind.FUNCTIONAL_CAST})
_RETURNING_TWICE: Final = frozenset(
    {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "getcontext", "vfork"}
)
_LASTING: Final = frozenset({"StorageClass.STATIC", "StorageClass.EXTERN"})
WRITING: Final = frozenset({Kind.BINARY, Kind.COMPOUND_ASSIGN, Kind.UNARY, Kind.CALL})
"""Expressions that may write a variable."""
_LOOPS: Final = frozenset({Kind.FOR, Kind.WHILE, Kind.DO, Kind.FOR_RANGE})


def plain_children(node: Node) -> Sequence[Node]:
    """Children that are expressions or statements, not names of types."""
    if node.plain is None:
        node.plain = [child for child in node.children if child.kind not in _REFERENCES]
    return node.plain


def strip(node: Node) -> Node:
    """``node`` without implicit casts, parentheses and explicit casts."""
    wrappers = {Kind.UNEXPOSED_EXPR, Kind.PAREN, *_CASTS}
    for _ in range(MAX_DEPTH):
        inner = plain_children(node)
        if node.kind not in wrappers or len(inner) != 1:
            return node
        node = inner[0]
    return node


def descend(node: Node) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    """Every node of a tree with its parent, grandparent and great-grandparent, in source order."""
    stack: list[tuple[Node, tuple[Node, ...]]] = [(node, ())]
    while stack:
        current, above = stack.pop()
        yield current, above
        if current.children:
            below = (current, *above[:2])
            stack += [(child, below) for child in current.children[::-1]]


def preorder(node: Node) -> tuple[Node, ...]:
    """Every node of a tree, in source order. Kept, as functions are gone through many times."""
    if node.below is None:
        found: list[Node] = []
        stack = node.children[::-1]
        while stack:
            current = stack.pop()
            found.append(current)
            if current.children:
                stack.extend(reversed(current.children))
        node.below = tuple(found)
    return (node, *node.below)


def is_dim3(cursor: Any) -> bool:
    """Whether the type is ``dim3``, const or not."""
    if type_kind(cursor) != RECORD:
        return False
    return str(cursor.type.get_canonical().spelling) in {"dim3", "const dim3"}


def is_plain_member(declared: Any) -> bool:
    """Whether a member is a part of its object alone, that changes only where it is assigned."""
    return not (
        declared._kind_id != Kind.FIELD
        or type_kind(declared) in REFERENCES
        or declared.semantic_parent._kind_id == Kind.UNION
        or declared.type.is_volatile_qualified()
        or declared.is_mutable_field()
    )


def copies_members(record: Any, depth: int = 0) -> bool:
    """Whether a copy of an object has the same members: no part of it has a constructor of its own
    to copy it.
    """
    if depth > MAX_DEPTH:
        return False
    for own in constructors(record):
        copies = own.is_copy_constructor() or own.is_move_constructor()
        if copies and not own.is_default_method():
            return False
    for part in (*bases(record.type), *fields(record.type)):
        own_type = part.type.get_canonical().get_declaration()
        whole = type_kind(part) != RECORD or is_dim3(part)
        if not (whole or copies_members(own_type, depth + 1)):
            return False
    return True


def is_outside(declared: Any) -> bool:
    """Whether a variable is one of a namespace or of a class."""
    parent = declared.semantic_parent
    return parent is None or parent._kind_id in _OUTSIDE


def is_lasting(declared: Any) -> bool:
    """Whether a variable outlives the call of the function that declares it."""
    return str(declared.storage_class) in _LASTING or declared.tls_kind.value != 0


def handle_place(node: Node) -> Node | None:
    """What ``cuModuleGetFunction(&place, module, "name")`` writes; None of anything else."""
    inner = plain_children(node) if node.kind == Kind.CALL else []
    if len(inner) != 4 or node.spelling not in HANDLES or inner[1].kind != Kind.UNARY:
        return None
    taken = plain_children(inner[1])
    named = len(taken) == 1 and inner[1].unary == Unary.ADDRESS
    return taken[0] if named else None


def assigned(node: Node) -> Node | None:
    """The expression that ``node`` itself writes: ``g.x`` of ``g.x = 3``; None: it writes none."""
    inner = plain_children(node) if node.kind in WRITING else []
    if not inner:
        return None
    if node.kind == Kind.COMPOUND_ASSIGN:
        return inner[0]
    if node.kind == Kind.BINARY and node.binary == "=":
        return inner[0]
    if node.kind == Kind.UNARY and node.unary in STEPS:
        return inner[0]
    if node.kind == Kind.CALL and node.spelling == "operator=":
        return inner[0]
    return handle_place(node)


def target(node: Node) -> tuple[int, Path]:
    """(variable, its member or () for all of it) that an assigned expression names; variable 0: no
    variable, or one that is a name for another.
    """
    path: list[str] = []
    for _ in range(MAX_DEPTH):
        inner = plain_children(node)
        if node.kind == Kind.MEMBER_REF_EXPR:
            declared = node.declared()
            if declared is not None and not is_plain_member(declared):
                return 0, ()
            path.insert(0, node.spelling)
            if not inner:
                return THIS, tuple(path)
        elif node.kind != Kind.PAREN or not inner:
            break
        node = inner[0]
    if node.kind == Kind.THIS:
        return THIS, tuple(path)
    declared = node.declared() if node.kind == Kind.DECL_REF else None
    if declared is None or (type_kind(declared) in REFERENCES and is_outside(declared)):
        return 0, tuple(path)
    return node.key, tuple(path)


def union_owner(place: Node) -> int:
    """The variable, or ``THIS``, that an assigned member of a union is a part of; 0: it is none,
    or is reached by a pointer or a name for something else.
    """
    in_union = False
    node = place
    for _ in range(MAX_DEPTH):
        inner = plain_children(node)
        if node.kind == Kind.MEMBER_REF_EXPR:
            declared = node.declared()
            if declared is None or declared._kind_id != Kind.FIELD:
                return 0
            in_union |= declared.semantic_parent._kind_id == Kind.UNION
            if not inner:
                return THIS if in_union else 0
            pointed = inner[0].type_kind == POINTER and inner[0].kind != Kind.THIS
            if pointed or type_kind(declared) in REFERENCES:
                return 0
        elif node.kind != Kind.PAREN or not inner:
            break
        node = inner[0]
    if not in_union:
        return 0
    if node.kind == Kind.THIS:
        return THIS
    declared = node.declared() if node.kind == Kind.DECL_REF else None
    named = declared is not None and type_kind(declared) not in REFERENCES
    return node.key if named else 0


def places(node: Node) -> frozenset[tuple[int, Path]]:
    """What is assigned anywhere below ``node``, as ``target`` has it, initialisers not counted."""
    found = (assigned(inner) for inner in preorder(node))
    return frozenset(target(place) for place in found if place is not None)


def written(node: Node) -> frozenset[int]:
    """Variables assigned anywhere below ``node``, in whole or in part."""
    return frozenset(variable for variable, _ in places(node))


def _exposes(above: Sequence[Node], node: Node) -> bool:
    """Whether the use ``node`` of a variable is more than a read, a write or ``sizeof``."""
    child = node
    for depth, parent in enumerate(above):
        if parent.kind == Kind.VARIABLE_REF:
            closure = above[depth + 1] if depth + 1 < len(above) else parent
            return any(has_own_name(capture, closure) for capture in closure.children)
        if parent.kind in {Kind.UNEXPOSED_EXPR, Kind.UNARY_TRAIT} or _holds_values(parent):
            return False
        if assigned(parent) is child:
            return False
        if parent.kind == Kind.UNARY and parent.unary == Unary.ADDRESS:
            cast = above[depth + 1] if depth + 1 < len(above) else None
            if cast is not None and handle_place(cast) is child:
                return False
            if cast is None or cast.kind != Kind.UNEXPOSED_EXPR:
                return True
            return not cast.cursor.type.get_canonical().get_pointee().is_const_qualified()
        passes = parent.kind == Kind.CALL and parent.spelling in PASSING
        if not passes and parent.kind not in {Kind.PAREN, Kind.MEMBER_REF_EXPR}:
            return True
        child = parent
    return True


def _holds_values(braces: Node) -> bool:
    """Whether braces make a structure of nothing but numbers and pointers: clang does not show that
    it takes the values of what is in them.
    """
    if braces.kind != Kind.INIT_LIST or braces.type_kind != RECORD:
        return False
    simple = {POINTER, *INTEGER_TYPES, *FLOAT_TYPES}
    type_ = braces.cursor.type.get_canonical()
    kinds = [type_kind(member) for member in fields(type_)]
    return bool(kinds) and not bases(type_) and simple.issuperset(kinds)


def _is_this(node: Node) -> bool:
    """Whether this object is used, by its name or by that of a member."""
    return node.kind == Kind.THIS or (
        node.kind == Kind.MEMBER_REF_EXPR and not plain_children(node)
    )


HANDLES: Final = frozenset({"cuModuleGetFunction", "cuLibraryGetKernel"})
"""What the driver is asked for a kernel by."""


class Body(Struct, frozen=True):
    """What must be known of a function before it is run. ``unknown``: variables never known;
    ``exposing``: the uses (by identity of their node) after which a variable is not known;
    ``relevant``: variables that can reach a launch, None: all; ``written``: assigned somewhere;
    ``launching``: loops (by identity of their node) with launches in them; ``leaking``: members of
    this object that others may change; ``references``: variables that are names for others.
    """

    root: Node
    unknown: frozenset[int]
    exposing: Mapping[int, int]
    relevant: frozenset[int] | None
    written: frozenset[int]
    launching: frozenset[int]
    leaking: frozenset[str] = frozenset()
    references: frozenset[int] = frozenset()


_SURVEYED: Final = frozenset(
    {
        *VARIABLES, *WRITING, *_LOOPS, Kind.DECL_REF, Kind.THIS, Kind.MEMBER_REF_EXPR, Kind.LAMBDA,
        Kind.GOTO, Kind.INDIRECT_GOTO, Kind.ASM, Kind.CONST_CAST, Kind.UNEXPOSED_DECL,
    }
)  # fmt: skip


def survey(root: Node, wanted: Callable[[Node], bool] | None) -> Body:
    """``wanted`` tells the calls whose arguments matter; None: every variable does."""
    exposing: dict[int, int] = {}
    unknown: set[int] = set()
    feeds: dict[int, set[int]] = {}
    seeds: set[int] = set()
    leaking: set[str] = set()
    reached: set[int] = set()
    references: set[int] = set()
    writes: set[int] = set()
    jumps = hidden = False
    launching = _loops_around(root, wanted) if wanted is not None else frozenset()
    for node, above in descend(root):
        if node.kind not in _SURVEYED:
            continue
        if node.kind == Kind.DECL_REF:
            declared = node.declared()
            if declared is None or declared._kind_id not in VARIABLES:
                jumps = jumps or node.spelling in _RETURNING_TWICE
                continue
            if declared.type.is_volatile_qualified():
                unknown.add(node.key)
            if not is_constant(declared) and (_exposes(above, node) or id(node) in reached):
                exposing[id(node)] = node.key
        elif _is_this(node):
            if _exposes(above, node):
                member = node.declared() if node.kind == Kind.MEMBER_REF_EXPR else None
                if member is not None and member._kind_id == Kind.FIELD:
                    leaking.add(str(member.spelling))
                else:
                    exposing[id(node)] = THIS
        elif node.kind in {Kind.GOTO, Kind.INDIRECT_GOTO, Kind.ASM}:
            jumps = True
        elif node.kind == Kind.LAMBDA:
            unknown |= written(node)
            hidden = hidden or any(_refers(child, node) for child in node.children)
        elif node.kind == Kind.CONST_CAST or _is_loose_reference(node):
            reached.update(_variables_in(node, through=True))
        elif node.kind == Kind.VAR:
            feeds.setdefault(node.key, set()).update(_named(node))
        elif node.kind == Kind.CALL and wanted is not None and wanted(node):
            seeds |= _named(node)
        elif node.kind in _LOOPS:
            if own_labels(node):  # Duff's device
                jumps = True
            if id(node) in launching:
                seeds |= _of_head(node)
        if node.kind in VARIABLES and node.type_kind in REFERENCES:
            references.add(node.key)
        if node.kind in VARIABLES and node.cursor.type.is_volatile_qualified():
            unknown.add(node.key)
        place = assigned(node)
        if place is not None:
            variable, _ = target(place)
            writes.add(variable)
            feeds.setdefault(variable, set()).update(_named(node))
            if variable == 0 and not union_owner(place):
                reached.update(_variables_in(place, through=False))
    if hidden:
        unknown |= _named(root)
    if jumps:
        unknown |= writes | set(exposing.values())
    relevant = None if wanted is None else frozenset(_closure(seeds, feeds))
    fields = frozenset(leaking)
    return Body(
        root, frozenset(unknown), exposing, relevant, frozenset(writes), launching, fields,
        frozenset(references),
    )  # fmt: skip


def _is_loose_reference(node: Node) -> bool:
    """Whether a node declares a reference to what a call gives, which may be one of its arguments,
    or names for parts of an object.
    """
    if node.kind not in {Kind.VAR, Kind.UNEXPOSED_DECL} or node.type_kind not in REFERENCES:
        return False
    inner = plain_children(node)
    return bool(inner) and (node.kind == Kind.UNEXPOSED_DECL or strip(inner[-1]).kind == Kind.CALL)


def _variables_in(node: Node, *, through: bool) -> Iterator[int]:
    """Identities of the uses of variables themselves, not of their values, below a node;
    ``through``: and of all that might be.
    """
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        if inner.kind == Kind.DECL_REF:
            yield id(inner)
        if through or inner.kind not in {Kind.UNEXPOSED_EXPR, Kind.UNARY_TRAIT}:
            waiting += inner.children


def has_own_name(capture: Node, closure: Node) -> bool:
    """Whether a lambda gives a name of its own to what it captures: ``[y = x]``."""
    declared = capture.declared() if capture.kind == Kind.VARIABLE_REF else None
    if declared is None:
        return False
    place, extent = declared.location, closure.cursor.extent
    return bool(extent.start.offset <= place.offset < extent.end.offset)


def _refers(capture: Node, closure: Node) -> bool:
    """Whether such a name is a reference: clang does not show to what."""
    named = has_own_name(capture, closure)
    return named and capture.type_kind in REFERENCES


def _loops_around(root: Node, wanted: Callable[[Node], bool]) -> frozenset[int]:
    """Identities of the loops that wanted calls are in."""
    found: set[int] = set()
    around: list[int] = []
    waiting: list[Node | None] = [root]
    while waiting:
        node = waiting.pop()
        if node is None:  # the end of a loop
            around.pop()
            continue
        if node.kind in _LOOPS:
            around.append(id(node))
            waiting.append(None)
        elif node.kind == Kind.CALL and around and wanted(node):
            found.update(around)
        waiting += reversed(node.children)
    return frozenset(found)


def _of_head(loop: Node) -> set[int]:
    """What is named in a loop's head: all of it but the body."""
    body = loop.children[0] if loop.kind == Kind.DO else loop.children[-1]
    return {name for part in loop.children if part is not body for name in _named(part)}


def _named(node: Node) -> set[int]:
    return {n.key for n in preorder(node) if n.kind == Kind.DECL_REF}


def _closure(seeds: set[int], feeds: dict[int, set[int]]) -> set[int]:
    reached: set[int] = set()
    waiting = list(seeds)
    while waiting:
        variable = waiting.pop()
        if variable not in reached:
            reached.add(variable)
            waiting.extend(feeds.get(variable, ()))
    return reached


def own_labels(node: Node) -> frozenset[int]:
    """Kinds (CASE, DEFAULT) of the labels below ``node`` that belong to a switch around it."""
    found: set[int] = set()
    stack = list(node.children)
    while stack:
        inner = stack.pop()
        if inner.kind in {Kind.CASE, Kind.DEFAULT}:
            found.add(inner.kind)
        if inner.kind not in {Kind.SWITCH, Kind.LAMBDA}:
            stack.extend(inner.children)
    return frozenset(found)
