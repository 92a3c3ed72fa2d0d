"""Device code of several units in one module, for the kernels of one of them.

``code_of`` gives what others want of a unit: some of its functions and variables with all that they
need, and no kernels. ``linked`` puts such code to a unit that lacks it. What only its own unit sees
(``static``, unnamed namespaces) stays apart.

Nobody knows all that happens to a variable in memory of the grid when only a part of its unit is
here: it becomes one that can be replaced (LLVM: ``linkonce``), of which an optimiser concludes
nothing.
Assumptions: text as the compiler printed it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Sequence
from typing import Any, Final

import llvmlite.binding as llvm
from msgspec import Struct

from drano.ir.prepare.linking.separate_calls import with_marked_calls
from drano.ir.prepare.linking.unit_symbols import lacked_symbols
from drano.ir.prepare.loaded_module import LoadedModule
from drano.ir.prepare.passes import without_unused
from drano.support.errors import IRError

MAX_CODE: Final = 16 << 20
"""Characters of the code that one unit gives to others."""
_LISTS: Final = ("@llvm.used = ", "@llvm.compiler.used = ", "@llvm.global.annotations = ")
_SHARED: Final = "addrspace(3)"
_CONSTANT = re.compile(r'@(?:"[^"]*"|[-\w.$]+) = (?:[a-z_]+(?:\([^)]*\))? )*?constant ')


class UnitCode(Struct, frozen=True):
    """What a unit gets of another: ``symbols`` of the module ``text`` of the unit at ``path``."""

    path: str
    symbols: tuple[str, ...]
    text: str


def code_of(ir: str, symbols: Collection[str], path: str) -> str:
    """A module with some functions and variables of the unit at ``path``, and what they need; ""
    where that is too much. Raises IRError of what LLVM does not take.
    """
    lines = [line for line in ir.split("\n") if not line.startswith(_LISTS)]
    lacking = lacked_symbols(ir, symbols)
    loaded = LoadedModule(path)
    loaded.load("\n".join(with_marked_calls(lines, lacking)), verified=True)
    _hide_others(loaded.module, symbols, path)
    _make_replaceable(loaded.module, symbols)
    without_unused(loaded.module)
    text = str(loaded.module)
    return text if len(text) <= MAX_CODE else ""


def linked(ir: str, parts: Sequence[UnitCode], path: str) -> tuple[str, dict[str, str]]:
    """The module of the unit at ``path`` with the code of others, in which calls between units are
    marked; and, of symbols that could not be had, the reason.
    """
    wanted = {name for part in parts for name in part.symbols}
    loaded = LoadedModule(path)
    loaded.load("\n".join(with_marked_calls(ir.split("\n"), wanted)), verified=True)
    module = loaded.module
    failed: dict[str, str] = {}
    for part in parts:
        try:
            other = loaded.beside(part.text)
            _hide_others(other, part.symbols, part.path)
            without_unused(other)
            _make_replaceable(other, part.symbols)
            _make_replaceable(module, {f.name for f in other.functions if f.is_declaration})
            module.link_in(other)
        except (IRError, RuntimeError) as error:
            reason = " ".join(str(error).split())[:200]
            failed |= dict.fromkeys(part.symbols, f"the code of {part.path} does not fit: {reason}")
    return str(module), failed


def _hide_others(module: Any, symbols: Collection[str], path: str) -> None:
    """Make all but ``symbols`` what nobody else sees, and what goes when nobody needs it."""
    for function in module.functions:
        if not function.is_declaration and function.name not in symbols:
            function.linkage = llvm.Linkage.internal
    suffix = hashlib.blake2b(path.encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
    for variable in module.global_variables:
        if variable.is_declaration or variable.name in symbols:
            continue
        if _SHARED in str(variable.type) or _CONSTANT.match(str(variable)):
            variable.linkage = llvm.Linkage.internal
        elif not variable.name.endswith(suffix):
            variable.name = f"{variable.name}.{suffix}"
            variable.linkage = llvm.Linkage.linkonce_any


def _make_replaceable(module: Any, symbols: Collection[str]) -> None:
    """Have optimisers conclude nothing from what other units see."""
    for value in (*module.functions, *module.global_variables):
        if value.name in symbols and not value.is_declaration:
            value.linkage = llvm.Linkage.weak_any
