"""A PTX module as device IR in LLVM's text, which the rest of drano reads as any other.

Sources: PTX ISA 9.x; LLVM's language reference and NVPTXUsage.
Assumptions: addresses of a state space stay within it.
Limits: contents of variables that are addresses under a mask are taken for unknown.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from drano.ir.target import TRIPLE, AddressSpace
from drano.ptx.debug_lines import DebugLines
from drano.ptx.functions import FunctionText, Signature, alignment, byte_size
from drano.ptx.instructions import (
    bits,
    comparisons,
    conversions,
    floats,
    integers,
    lanes,
    memory,
)
from drano.ptx.model import Function, Module, PtxError, Reference, Variable
from drano.ptx.parser import parse
from drano.ptx.pointers import Pointers
from drano.ptx.types import type_bits
from drano.ptx.writer import Shared, instructions, symbol

TABLES: Final = (bits, comparisons, conversions, floats, integers, lanes, memory)
_SPACES: Final = {
    "global": AddressSpace.GLOBAL, "shared": AddressSpace.SHARED, "const": AddressSpace.CONSTANT,
}  # fmt: skip


def translate(text: str, path: str, timeout: float = 60.0) -> str:
    """The device IR of a PTX module. ``path``: what it is called where ``.loc`` does not say.

    Raises PtxError with the line of what is wrong; ``timeout``: seconds for all of it.
    """
    deadline = time.monotonic() + timeout

    def check_time(line: int) -> None:
        if time.monotonic() > deadline:
            raise PtxError(line, "reading it takes longer than --timeout allows")

    return _translated(parse(text, deadline), path, check_time)


def _translated(module: Module, path: str, check_time: Callable[[int], None]) -> str:
    debug = DebugLines(module, path)
    variables = {v.name: v for v in module.variables}
    for function in module.functions:
        for v in function.variables.values():
            if v.space in _SPACES:
                variables[v.name] = v
    symbols = {name: int(_SPACES[v.space]) for name, v in variables.items() if v.space in _SPACES}
    symbols |= {v.name: int(AddressSpace.SHARED) for v in module.variables if v.space == "shared"}
    functions = {f.name: f for f in module.functions}
    shared = Shared(symbols, variables, functions, module.aliases)
    found: dict[str, Pointers] = {}
    signatures: dict[str, Signature] = {}
    for function in module.functions:
        if function.body is None:
            signatures[function.name] = Signature(function, None)
            continue
        pointers = Pointers(function.variables, symbols)
        pointers.find(instructions(function.body))
        found[function.name] = pointers
        signatures[function.name] = Signature(function, pointers)
    bodies: list[str] = []
    for function in module.functions:
        check_time(function.line)
        if function.body is None:
            bodies.append(_declared(function, signatures[function.name]))
            continue
        own = found[function.name]
        text = FunctionText(shared, signatures, function, own, debug, check_time)
        bodies += text.lines()
    declared = sorted(shared.declared.items())
    return "\n".join(
        [
            f'target triple = "{TRIPLE}"',
            *(_global(v, symbols, functions) for v in variables.values() if v.space in _SPACES),
            *bodies,
            *(line for name, line in declared if name not in functions),
            "attributes #0 = { convergent nounwind }",
            *debug.lines(),
            "",
        ]
    )


def _declared(function: Function, signature: Signature) -> str:
    return f"declare {signature.result} {symbol(function.name)}({', '.join(signature.arguments)})"


# --- variables -------------------------------------------------------------------------------


def _global(v: Variable, symbols: dict[str, int], functions: dict[str, Function]) -> str:
    """A variable's definition."""
    space = _SPACES[v.space]
    size = 0 if v.count == 0 else byte_size(v)
    head = f"{symbol(v.name)} ="
    tail = f", align {alignment(v)}"
    kind = f"[{size} x i8]"
    if v.count is not None and v.count > 0 and v.vector == 1 and type_bits(v.type) >= 8:
        kind = f"[{v.count} x i{type_bits(v.type)}]"
    if v.external or (v.space == "shared" and not size):
        return f"{head} external addrspace({space}) global {kind}{tail}"
    if v.space == "shared":
        return f"{head} internal addrspace({space}) global {kind} undef{tail}"
    initial = _initial(v, kind, symbols, functions)
    return f"{head} addrspace({space}) externally_initialized global {initial}{tail}"


def _initial(
    v: Variable, kind: str, symbols: dict[str, int], functions: dict[str, Function]
) -> str:
    """Type and value."""
    given = v.initial or ()
    width = type_bits(v.type)
    scalar = v.count is None and v.vector == 1
    if scalar:
        kind = f"i{width}"
    if not given or (not scalar and not kind.endswith(f"x i{width}]")):
        return f"{kind} zeroinitializer" if not scalar else f"{kind} 0"
    elements = []
    for element in given[: 1 if scalar else v.count]:
        text = _element(element, width, symbols, functions)
        if text is None:
            return f"{kind} zeroinitializer" if not scalar else f"{kind} 0"
        elements.append(f"i{width} {text}")
    if scalar:
        return elements[0]
    elements += (
        [f"i{width} 0"] * ((v.count or 0) - len(elements)) if (v.count or 0) < 1 << 22 else []
    )
    return f"{kind} [{', '.join(elements)}]"


def _element(
    element: int | Reference, width: int, symbols: dict[str, int], functions: dict[str, Function]
) -> str | None:
    if isinstance(element, int):
        value = element & ((1 << width) - 1)
        return str(value - (1 << width) if value >> (width - 1) else value)
    if width != 64 or element.offset:
        return None
    if element.name in functions:
        return f"ptrtoint (ptr {symbol(element.name)} to i64)"
    if element.name not in symbols:
        return None
    space = symbols[element.name]
    pointer = f"ptr addrspace({space}) {symbol(element.name)}"
    if element.generic and space:
        return f"ptrtoint (ptr addrspacecast ({pointer} to ptr) to i64)"
    return f"ptrtoint ({pointer} to i64)"
