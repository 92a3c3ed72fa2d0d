"""The sizes of grids and blocks in the text of launches.

Means: a ``Dimensions`` is a ``dim3`` that is written out at a launch, or a variable of the function
that is declared as one, and of which every use is seen. ``extent`` tells what a size of a grid
covers: a number of blocks, or so many that they have ``of`` threads at least.
Assumptions: sums of a size and a block's do not overflow.
Limits: of ``dim3`` in other forms, and of sizes that are written otherwise, nothing is known.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from drano.fix.host.calls import Call, divided
from drano.fix.host.device_arrays import HostText
from drano.frontend.libclang import Kind, Node, constant, is_constant, key
from drano.frontend.text.cpp_lexer import NAME, NOT_CODE, blanked, closing, macros
from drano.host.function_bodies import is_dim3, is_lasting, is_outside, preorder, survey
from drano.host.unit_functions import Function

_WRITTEN: Final = re.compile(rb"dim3\s*\(")
_AXES: Final = b"xyz"
_NUMBER: Final = re.compile(rb"\s*\(?\s*\d+\s*\)?\s*")
_STEPS: Final = re.compile(rb"\+\s*\+|-\s*-")
_PLAIN: Final = re.compile(rb"[\w\s+*-]+")


class Dimensions(Struct, frozen=True):
    """``axes``: where its sizes stand; ``variable``: its name, b"" if it has none; ``uses``: all
    places of that name but its declaration.
    """

    path: str
    function: Function
    axes: tuple[tuple[int, int], ...]
    variable: bytes = b""
    uses: frozenset[int] = frozenset()


class Extent(Struct, frozen=True):
    """Of an axis of a grid. ``blocks``: how many, 0 where that is no number; ``of``: they are the
    least that have so many threads, b"" where that is not known; ``follows``: the text asks the
    block's own variable for its size.
    """

    blocks: int = 0
    of: bytes = b""
    follows: bool = False


def dimensions(host: HostText, launch: Call, position: int) -> Dimensions | None:
    """The grid (0) or the block (1) of a launch."""
    code = host.codes[launch.path]
    line = code.count(b"\n", 0, launch.place) + 1
    function = host.unit.function_at(launch.path, line)
    start, end = launch.shape(code)[position]
    if function is None or function.pattern:
        return None
    axes = _written(code, start, end)
    if axes is not None:
        return Dimensions(launch.path, function, axes)
    return _variable(host, launch.path, function, code[start:end])


def _written(code: bytes, start: int, end: int) -> tuple[tuple[int, int], ...] | None:
    """Where the sizes stand of ``dim3(…)``."""
    match = _WRITTEN.match(code, start, end)
    if match is None or closing(code, match.end() - 1) != end:
        return None
    return _sizes(code, match.end(), end - 1)


def _sizes(code: bytes, start: int, end: int) -> tuple[tuple[int, int], ...] | None:
    axes = tuple(divided(code, start, end))
    third = code[slice(*axes[2])] if len(axes) == len(_AXES) else b"1"
    return axes[:2] if len(axes) in {2, 3} and third == b"1" else None


def _variable(host: HostText, path: str, function: Function, name: bytes) -> Dimensions | None:
    """A variable of the function that is declared once, and has no name elsewhere in it."""
    root, code = host.tree(function), host.codes[path]
    if root is None or not NAME.fullmatch(name) or name in host.hidden:
        return None
    found = [n for n in preorder(root) if n.kind == Kind.VAR and n.spelling.encode() == name]
    if len(found) != 1 or not is_dim3(found[0].cursor) or is_lasting(found[0].cursor):
        return None
    place = host.place(found[0].cursor)
    declared = re.compile(rb"%b\s*(?:=\s*dim3\s*)?\(" % name)
    match = declared.match(code, place[1]) if place is not None and place[0] == path else None
    end = None if match is None else closing(code, match.end() - 1)
    axes = None if match is None or end is None else _sizes(code, match.end(), end - 1)
    if place is None or axes is None:
        return None
    extent = function.cursor.extent
    standing = host.mentions(path, name, int(extent.start.offset), int(extent.end.offset))
    uses = frozenset(at for _, at in standing if at != place[1])
    mine = {
        host.place(n.cursor) for n in preorder(root)
        if n.kind == Kind.DECL_REF and n.key == key(found[0].cursor)
    }  # fmt: skip
    known = {(path, at) for at in uses} == mine
    return Dimensions(path, function, axes, name, uses) if known else None


def value(host: HostText, path: str, function: Function, place: tuple[int, int]) -> int | None:
    """The number that an expression is, if it is one for the compiler."""
    text = host.codes[path][slice(*place)]
    if re.fullmatch(rb"[1-9][0-9]*", text):
        return int(text)
    root = host.tree(function)
    for node in preorder(root) if root is not None else ():
        spanned = node.cursor.extent
        at = host.place(node.cursor)
        if at is None or at[0] != path:
            continue
        if (int(spanned.start.offset), int(spanned.end.offset)) == place:
            return constant(node.cursor) if _is_fixed(node) else None
    return None


def _is_fixed(expression: Node) -> bool:
    """Whether all variables in it are constants, which clang takes others for, too."""
    named = (n.declared() for n in preorder(expression) if n.kind == Kind.DECL_REF)
    return all(
        d is not None and (d._kind_id == Kind.ENUM_CONSTANT or is_constant(d)) for d in named
    )


def extent(host: HostText, grid: Dimensions, axis: int, block: Dimensions, size: int) -> Extent:
    """What a size of a grid covers, for blocks of ``size`` threads along the axis."""
    place = grid.axes[axis]
    code = host.codes[grid.path]
    text = code[slice(*place)]
    member = rb"%b\s*\.\s*%c" % (re.escape(block.variable), _AXES[axis]) if block.variable else b""
    follows = bool(member and re.search(rb"\b" + member, text))
    own = re.escape(code[slice(*block.axes[axis])])
    sizes = (member,) if follows else (own, b"%d" % size)
    of = next(filter(None, (_covered(text, each, size) for each in sizes)), b"")
    if not of and size == 1 and not follows and _PLAIN.fullmatch(text):
        of = text
    of = of if _is_repeatable(host, of) else b""
    number = None if follows else value(host, grid.path, grid.function, place)
    return Extent(number if number is not None and number > 0 else 0, of, follows)


def _covered(text: bytes, size: bytes, number: int) -> bytes | None:
    """What is divided by a size, and rounded up."""
    sums = (b"\\+ SIZE - 1", b"- 1 \\+ SIZE", b"\\+ \\( SIZE - 1 \\)", b"\\+ %d" % (number - 1))
    forms = (
        *(b"\\( (PLAIN?) %b \\) / SIZE" % each for each in sums),
        b"\\( (PLAIN?) - 1 \\) / SIZE \\+ 1",
    )
    for form in forms:
        pattern = form.replace(b" ", rb"\s*").replace(b"PLAIN", _PLAIN.pattern)
        match = re.fullmatch(pattern.replace(b"SIZE", size), text)
        if match is not None:
            return match[1].strip()
    return None


def _is_repeatable(host: HostText, text: bytes) -> bool:
    """Whether the text is one and the same number, wherever it stands in an expression."""
    names = set(NAME.findall(text))
    defined = [
        macro for path in host.unit.files for macro in macros(host.unit.text(path))
        if macro.name in names
    ]  # fmt: skip
    numbers = all(_NUMBER.fullmatch(blanked(macro.body, NOT_CODE)) for macro in defined)
    once = len({macro.name for macro in defined}) == len(defined)
    return numbers and once and not _STEPS.search(text)


def stays(host: HostText, function: Function, text: bytes) -> bool:
    """Whether an expression has one value throughout a function: it is of numbers, of macros that
    are, and of variables of the function that are written nowhere but where they are declared.
    """
    root = host.tree(function)
    names = {name for name in NAME.findall(text) if not name.isdigit()}
    if root is None:
        return False
    known = survey(root, None)
    changing = {*known.unknown, *known.written, *known.exposing.values(), *known.references}
    return all(name in host.hidden or _is_kept(root, name, changing) for name in names)


def _is_kept(root: Node, name: bytes, changing: set[int]) -> bool:
    found = [
        n for n in preorder(root)
        if n.kind in {Kind.VAR, Kind.PARM} and n.spelling.encode() == name
    ]  # fmt: skip
    return len(found) == 1 and not is_outside(found[0].cursor) and (
        not is_lasting(found[0].cursor) and key(found[0].cursor) not in changing
    )  # fmt: skip
