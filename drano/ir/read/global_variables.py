"""Module-level variables from their printed definitions.

Means: name, space, type, size, alignment, whether constant; the values of small constant integer
tables; the symbols that an initialiser names (a string's text may seem to name some).
Assumptions: LLVM's own printing, one definition a line.
What the host may write before a launch (``__constant__ int n;``) has no values that are known.
Limits: initialisers longer than ``MAX_TABLE`` elements, or of anything but integers, are not kept.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from drano.ir.llvm_text import TextError, TypeTable, bare_name, tokenize
from drano.ir.model import (
    ArrayType,
    GlobalVariable,
    IntConst,
    IntType,
    NullConst,
    Operand,
    Type,
    VectorConst,
)
from drano.ir.read.debug_info import DebugInfo
from drano.ir.read.operands import OperandTokens
from drano.ir.target import AddressSpace
from drano.ir.type_layout import alignment, alloc_size
from drano.model.symbols import plain_symbol

MAX_TABLE = 1024
MAX_LINE = 1 << 16

_DEFINITION = re.compile(
    r'(@(?:"[^"]*"|[-\w.$]+)) = ((?:[a-z_]+(?:\([^)]*\))? )*?)(global|constant) (.*)$'
)
_SYMBOL = re.compile(r'@(?:"[^"]*"|[-\w.$]+)')
_HOST = "externally_initialized"
_UNCONSTRUCTED = "__drano_shared"  # see DRANO_SHARED in frontend/prelude/predefined.h
_SPACE = re.compile(r"\baddrspace\((\d+)\)")
_ALIGN = re.compile(r", align (\d+)")
_LOCATION = re.compile(r", !dbg (!\d+)")


def read_globals(
    lines: Iterable[str], types: TypeTable, functions: Container[str], debug: DebugInfo
) -> dict[str, GlobalVariable]:
    """All global variables that ``lines`` define or declare."""
    found = {}
    for line in lines:
        match = _DEFINITION.match(line) if line.startswith("@") else None
        if match:
            variable = _variable(match, types, functions, debug)
            found[variable.name] = variable
    return found


def _variable(
    match: re.Match[str], types: TypeTable, functions: Container[str], debug: DebugInfo
) -> GlobalVariable:
    name = bare_name(match[1])
    space_match = _SPACE.search(match[2])
    space = int(space_match[1]) if space_match else 0
    constant = match[3] == "constant"
    rest = match[4]
    # A long initialiser is not looked at, but its type comes first and its attributes last.
    tail = rest[-MAX_LINE:]
    aligns = _ALIGN.findall(tail)
    places = _LOCATION.findall(tail)
    tokens = OperandTokens(types, functions, tokenize(rest[:MAX_LINE]), {})
    try:
        type_ = tokens.type()
    except TextError:
        if len(rest) <= MAX_LINE:
            raise
        # A table of structs with defaults has a type of its own, as long as its initialiser.
        type_ = OperandTokens(types, functions, tokenize(rest), {}).type()
    words = match[2].split()
    declared = "external" in words or "extern_weak" in words
    initializer = None
    if (
        constant
        and not declared
        and _HOST not in words
        and len(rest) <= MAX_LINE
        and _is_table(type_)
    ):
        initializer = _integers(tokens.value(type_), type_)
    display = (debug.global_name(places[-1]) if places else "") or _plain(name)
    return GlobalVariable(
        name=name,
        display=display.removesuffix(_UNCONSTRUCTED),
        space=space,
        type=type_,
        size=alloc_size(type_),
        align=int(aligns[-1]) if aligns else alignment(type_),
        constant=constant,
        external_size=declared and space == AddressSpace.SHARED,
        initializer=initializer,
        refers=_referred(name, rest),
    )


def _referred(name: str, rest: str) -> tuple[str, ...]:
    if "@" not in rest or name.startswith("llvm."):  # lists for the compiler
        return ()
    return tuple(dict.fromkeys(map(bare_name, _SYMBOL.findall(rest))))


def _plain(name: str) -> str:
    return plain_symbol(name) if name.startswith("_Z") else name


def _count(type_: Type) -> int:
    count = 1
    while isinstance(type_, ArrayType):
        count *= type_.count
        type_ = type_.element
    return count if isinstance(type_, IntType) else MAX_TABLE + 1


def _is_table(type_: Type) -> bool:
    return 0 < _count(type_) <= MAX_TABLE


def _integers(value: Operand, type_: Type) -> tuple[int, ...] | None:
    """The integers of ``value`` in memory order, None if there is anything else among them."""
    if isinstance(value, NullConst):
        return (0,) * _count(type_)
    if isinstance(value, IntConst):
        return (value.value,)
    if not isinstance(value, VectorConst) or not isinstance(type_, ArrayType):
        return None
    parts = [_integers(element, type_.element) for element in value.elements]
    known = [part for part in parts if part is not None]
    return tuple(n for part in known for n in part) if len(known) == len(parts) else None
