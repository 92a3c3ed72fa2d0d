"""A PTX module as device IR in LLVM's text, which the rest of drano reads as any other.

Sources: PTX ISA 9.x; LLVM's language reference and NVPTXUsage.
Assumptions: addresses of a state space stay within it.
Limits: contents of variables that are addresses under a mask are taken for unknown.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from drano.model.nvptx import TRIPLE, AddressSpace
from drano.ptx.debug_lines import DebugLines
from drano.ptx.functions import FunctionText
from drano.ptx.model import Function, Module, PtxError, Reference, Variable
from drano.ptx.parser import parse
from drano.ptx.pointers import Pointers
from drano.ptx.signatures import Signature, alignment, byte_size
from drano.ptx.types import type_bits
from drano.ptx.writer import NamesOf, Shared, instructions

_MOST_ZEROS: Final = 1 << 16
_SPACES: Final = {
    "global": AddressSpace.GLOBAL, "shared": AddressSpace.SHARED, "const": AddressSpace.CONSTANT,
}  # fmt: skip


def translate(text: str, path: str, timeout: float = 60.0, names: NamesOf | None = None) -> str:
    """The device IR of a PTX module. ``path``: what it is called where ``.loc`` does not say.

    Raises PtxError with the line of what is wrong; ``timeout``: seconds for all of it.
    """
    return translate_all([(path, text)], timeout, names)


def translate_all(
    modules: Sequence[tuple[str, str]], timeout: float = 60.0, names: NamesOf | None = None
) -> str:
    """The device IR of several modules, names and texts, as one; of names that several define,
    each has its own, but of kernels the first one counts.
    """
    deadline = time.monotonic() + timeout
    taken: set[str] = set()
    declared: dict[str, str] = {}
    debug: DebugLines | None = None
    found: list[str] = [f'target triple = "{TRIPLE}"']
    for number, (path, text) in enumerate(modules):
        module = parse(text, deadline)
        debug = DebugLines(module, path, debug)
        own = _Translation(module, debug, deadline, taken, declared, number)
        own.shared.names = names
        found += own.lines()
    assert debug is not None
    found += [line for name, line in sorted(declared.items()) if name not in taken]
    return "\n".join([*found, "attributes #0 = { convergent nounwind }", *debug.lines(), ""])


class _Translation:
    """One module among those that become one. ``taken``: global names of those before it."""

    def __init__(
        self,
        module: Module,
        debug: DebugLines,
        deadline: float,
        taken: set[str],
        declared: dict[str, str],
        number: int,
    ) -> None:
        self.debug = debug
        self.deadline = deadline
        self.functions = {f.name: f for f in module.functions if not (f.kernel and f.name in taken)}
        variables = {v.name: v for v in module.variables if v.space in _SPACES}
        for function in self.functions.values():
            for v in function.variables.values():
                if v.space in _SPACES:
                    variables[v.name] = v
        self.variables = variables
        symbols = {name: int(_SPACES[v.space]) for name, v in variables.items()}
        defined = {n for n, f in self.functions.items() if f.body is not None}
        defined |= {n for n, v in variables.items() if not v.external}
        outside = (self.functions.keys() | variables.keys()) - defined
        renamed = {name: f"{name}~m{number}" for name in defined & taken}
        self.skipped = frozenset(outside & taken)
        taken |= defined | outside
        self.shared = Shared(symbols, self.functions, module.aliases, renamed, declared)

    def check_time(self, line: int) -> None:
        """Raises PtxError when the time is up."""
        if time.monotonic() > self.deadline:
            raise PtxError(line, "reading it takes longer than --timeout allows")

    def lines(self) -> list[str]:
        """Variables and functions."""
        shared = self.shared
        found: dict[str, Pointers] = {}
        signatures: dict[str, Signature] = {}
        for name, function in self.functions.items():
            self.check_time(function.line)
            if function.body is None:
                signatures[name] = Signature(function, None)
                continue
            pointers = found[name] = Pointers(function.variables, shared.symbols)
            pointers.find(instructions(function.body), self.check_time)
            signatures[name] = Signature(function, pointers)
        lines = [
            _global(v, shared, self.debug)
            for name, v in self.variables.items()
            if name not in self.skipped
        ]
        for name, function in self.functions.items():
            self.check_time(function.line)
            if function.body is not None:
                text = FunctionText(
                    shared, signatures, function, found[name], self.debug, self.check_time
                )
                lines += text.lines()
            elif name not in self.skipped:
                lines.append(_declared(shared, function, signatures[name]))
        return lines


def _declared(shared: Shared, function: Function, signature: Signature) -> str:
    name = shared.symbol(function.name)
    return f"declare {signature.result} {name}({', '.join(signature.arguments)})"


# --- variables -------------------------------------------------------------------------------


def _global(v: Variable, shared: Shared, debug: DebugLines) -> str:
    """A variable's definition."""
    space = _SPACES[v.space]
    size = 0 if v.count == 0 else byte_size(v)
    head = f"{shared.symbol(v.name)} ="
    tail = f", align {alignment(v)}{debug.variable(v)}"
    kind = f"[{size} x i8]"
    if v.count is not None and v.count > 0 and v.vector == 1 and type_bits(v.type) >= 8:
        kind = f"[{v.count} x i{type_bits(v.type)}]"
    if v.external or (v.space == "shared" and not size):
        return f"{head} external addrspace({space}) global {kind}{tail}"
    if v.space == "shared":
        # Not internal: what is stored there and not read again is stored all the same.
        return f"{head} addrspace({space}) global {kind} undef{tail}"
    initial = _initial(v, kind, shared)
    return f"{head} addrspace({space}) externally_initialized global {initial}{tail}"


def _initial(v: Variable, kind: str, shared: Shared) -> str:
    """Type and value."""
    given = v.initial or ()
    width = type_bits(v.type)
    scalar = v.count is None and v.vector == 1
    if scalar:
        kind = f"i{width}"
    if not given or (not scalar and not kind.endswith(f"x i{width}]")):
        return f"{kind} zeroinitializer" if not scalar else f"{kind} 0"
    missing = 0 if scalar else (v.count or 0) - len(given)
    if missing > _MOST_ZEROS:
        return f"{kind} zeroinitializer"
    elements = []
    for element in given[: 1 if scalar else v.count]:
        text = _element(element, width, shared)
        if text is None:
            return f"{kind} zeroinitializer" if not scalar else f"{kind} 0"
        elements.append(f"i{width} {text}")
    if scalar:
        return elements[0]
    elements += [f"i{width} 0"] * missing
    return f"{kind} [{', '.join(elements)}]"


def _element(element: int | Reference, width: int, shared: Shared) -> str | None:
    if isinstance(element, int):
        value = element & ((1 << width) - 1)
        return str(value - (1 << width) if value >> (width - 1) else value)
    if width != 64 or element.offset:
        return None
    if element.name in shared.functions:
        return f"ptrtoint (ptr {shared.symbol(element.name)} to i64)"
    if element.name not in shared.symbols:
        return None
    space = shared.symbols[element.name]
    pointer = f"ptr addrspace({space}) {shared.symbol(element.name)}"
    if element.generic and space:
        return f"ptrtoint (ptr addrspacecast ({pointer} to ptr) to i64)"
    return f"ptrtoint ({pointer} to i64)"
