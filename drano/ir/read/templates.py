"""Printed instructions of one shape, decoded once: ``add nsw i32 %a, 4`` for all values ``%a``.

Means: a line apart from the names in it is its *shape*. The first line of a shape is decoded with
marks in the place of its names; what comes of it, with the marks replaced, is the instruction of
every other line of that shape.
Assumptions: as in ``instructions.py``: LLVM's own printing, cut before its metadata.
Limits: lines that mention types by name, variables, quoted text, or functions other than the one
they call mean something in their module only, and have no template; nor have unknown opcodes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any, TypeAlias

from msgspec import Struct

from drano.ir import model as m
from drano.ir.llvm_text import TextError, TypeTable, tokenize
from drano.ir.read.decoding import Header
from drano.ir.read.instructions import decode
from drano.ir.read.operands import OperandTokens
from drano.model.span import Location

CALL_PREFIXES = frozenset({"tail", "musttail", "notail"})
_NAME = re.compile(r"(%[-\w.$]+)")
_CALL = re.compile(r"(?:(?:tail|musttail|notail) )?call [^@]*@[-\w.$]+\([^@]*")
_HEAD = frozenset({"index", "name", "location"})
_CONTROL = (m.Phi, m.Jump, m.Branch, m.Switch)
_MARK = 1 << 40
"""From here on, numbers of values and blocks stand for names."""
_HUGE = re.compile(r"\d{12}")
_SHAPES = 1 << 14

Part: TypeAlias = m.Operand | int
_Filler: TypeAlias = Callable[[list[Part]], Any]


class _NoTemplateError(Exception):
    """Only its own module can tell what the line means."""


class Template(Struct, frozen=True):
    """``fixed``: fields that all lines of the shape share; ``fillers``: what makes the others of
    the parts in the places of names; ``blocks``: for each name whether it is a block's.
    """

    kind: Callable[..., m.Instruction]
    fixed: Mapping[str, object]
    fillers: tuple[tuple[str, _Filler], ...]
    blocks: tuple[bool, ...]


def shape(line: str) -> tuple[tuple[str, ...], list[str]]:
    """A line as what stands between its names, and the names."""
    parts = _NAME.split(line)
    return tuple(parts[::2]), parts[1::2]


@lru_cache(maxsize=_SHAPES)
def template(texts: tuple[str, ...], invariant: bool) -> Template | None:
    """Of the lines of a shape; None when they have none. ``invariant``: marked as a load of what
    never changes.
    """
    marks = {f"%{n}": n for n in range(len(texts) - 1)}
    line = "".join(t + mark for t, mark in zip(texts, [*marks, ""], strict=True))
    if '"' in line or _HUGE.search(line) or ("@" in line and not _CALL.fullmatch(line)):
        return None
    tokens = OperandTokens(
        TypeTable(()), (), tokenize(line), {mark: m.Local(_MARK + n) for mark, n in marks.items()}
    )
    numbers = {mark: _MARK + n for mark, n in marks.items()}
    try:
        opcode = tokens.take()
        if opcode in CALL_PREFIXES:
            opcode = tokens.take()
        made = decode(tokens, opcode, Header(0, "", None, numbers, invariant, _told_by_llvm))
        return _template(made, len(marks))
    except (TextError, _NoTemplateError):
        return None


def filled(
    known: Template,
    index: int,
    name: str,
    location: Location | None,
    parts: list[Part],
) -> m.Instruction:
    """The instruction of a line of a shape. ``parts``: values and blocks that its names mean."""
    values: dict[str, Any] = dict(known.fixed)
    for field, filler in known.fillers:
        values[field] = filler(parts)
    return known.kind(index=index, name=name, location=location, **values)


def _told_by_llvm() -> m.Type:
    raise _NoTemplateError


def _template(made: m.Instruction, count: int) -> Template:
    fixed: dict[str, object] = {}
    fillers: list[tuple[str, _Filler]] = []
    blocks: dict[int, bool] = {}
    for field in made.__struct_fields__:
        if field in _HEAD:
            continue
        value = getattr(made, field)
        filler = _filler(value, blocks, control=isinstance(made, _CONTROL))
        if filler is None:
            fixed[field] = value
        else:
            fillers.append((field, filler))
    if len(blocks) != count:  # a name is a type's, or is not read
        raise _NoTemplateError
    return Template(type(made), fixed, tuple(fillers), tuple(blocks[n] for n in range(count)))


def _filler(value: object, blocks: dict[int, bool], *, control: bool) -> _Filler | None:
    """What makes a value of the parts in the places of names; None where no mark is in it.

    Notes which marks it found, and whether they are blocks. ``control``: whether any may be.
    """
    if isinstance(value, m.Local):
        return _picker(value.index - _MARK, blocks, block=False)
    if control and isinstance(value, int) and value >= _MARK:
        return _picker(value - _MARK, blocks, block=True)
    if isinstance(value, m.GepStep):
        index = _filler(value.index, blocks, control=False)
        if index is None:
            return None
        bits, stride = value.index_bits, value.stride
        return lambda parts: m.GepStep(index(parts), bits, stride)
    if isinstance(value, tuple):
        inner = [_filler(element, blocks, control=control) for element in value]
        if not any(inner):
            return None
        each = [f or _constant(element) for f, element in zip(inner, value, strict=True)]
        return lambda parts: tuple([make(parts) for make in each])
    return None


def _picker(number: int, blocks: dict[int, bool], *, block: bool) -> _Filler:
    if blocks.setdefault(number, block) != block:
        raise _NoTemplateError
    return itemgetter(number)


def _constant(value: object) -> _Filler:
    return lambda _: value
