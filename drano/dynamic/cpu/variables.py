"""Device variables at module level in native code: ordinary variables of the program.

Means: definitions lose their address space and become local symbols. ``__constant__`` variables
become writable, as the host sets them. Shared variables have no definition, only an offset in the
block's shared memory. ``__managed__`` variables (section ``.drano.managed``) belong to the host's
code.
Limits: LLVM refuses an initialiser that needs the address of a shared variable.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct

from drano.dynamic.cpu.context import SharedVariable
from drano.dynamic.cpu.translated_text import SPACE
from drano.dynamic.instrument.printed_instructions import GLOBAL_TOKEN
from drano.ir import model as m
from drano.ir.llvm_text import bare_name
from drano.ir.target import AddressSpace
from drano.ir.type_layout import alloc_size

MANAGED_SECTION = ".drano.managed"
_LINE = re.compile(
    r'(@(?:"[^"]*"|[-\w.$]+)) = ((?:[a-z_]+(?:\([^)]*\))? )*?)(global|constant) (.*)$', re.DOTALL
)
_ATTACHED = re.compile(r", (?:!\w+ !\d+|section \"[^\"]*\"|comdat(?:\(\$[^)]*\))?)")
_SHARED_SPACE = AddressSpace.SHARED


class NativeVariable(Struct, frozen=True):
    """``token``: its symbol as printed, with ``@``; ``listed``: the host may ask for it by name."""

    name: str
    token: str
    definition: str
    bytes: int
    space: int
    listed: bool


def native_variables(
    rest: Iterable[str], module: m.Module, *, relocatable: bool
) -> dict[str, NativeVariable]:
    """Every variable of the unit that is not shared memory, by its name."""
    found: dict[str, NativeVariable] = {}
    for line in rest:
        match = _LINE.match(line) if line.startswith("@") else None
        if match is None:
            continue
        name = bare_name(match[1])
        variable = module.globals.get(name)
        if variable is None or variable.space == _SHARED_SPACE or name.startswith("llvm."):
            continue
        found[name] = _native(match, variable, relocatable=relocatable)
    return found


def _native(
    match: re.Match[str], variable: m.GlobalVariable, *, relocatable: bool
) -> NativeVariable:
    token, words, kind, rest = match.groups()
    rest = SPACE.sub("", rest).replace("addrspacecast", "bitcast")
    managed = f'section "{MANAGED_SECTION}"' in rest
    rest = _ATTACHED.sub("", rest)
    declared = bool({"external", "extern_weak"} & set(words.split()))
    if managed or declared:
        type_ = _type_part(rest)
        definition = f"{token} = external global {type_}"
    else:
        private = "private" in words.split()
        linkage = "private" if private and kind == "constant" else "internal"
        if relocatable and not {"internal", "private"} & set(words.split()):
            linkage = "linkonce_odr" if "linkonce_odr" in words or "weak" in words else "dso_local"
        kept = kind if variable.space == 0 else "global"
        definition = f"{token} = {linkage} {kept} {rest}"
    size = alloc_size(variable.type)
    return NativeVariable(
        variable.name, token, definition, size, variable.space or AddressSpace.GLOBAL,
        size > 0 and not declared,
    )  # fmt: skip


def exported_variables(rest: Iterable[str], module: m.Module) -> list[str]:
    """Variables that other units may know by name, or that other units define."""
    found = []
    for line in rest:
        match = _LINE.match(line) if line.startswith("@") else None
        if match is None or {"internal", "private", "appending"} & set(match[2].split()):
            continue
        variable = module.globals.get(bare_name(match[1]))
        managed = f'section "{MANAGED_SECTION}"' in match[4]
        if variable is not None and variable.space not in (0, _SHARED_SPACE) and not managed:
            found.append(variable.name)
    return found


def _type_part(rest: str) -> str:
    """``[4 x i32], align 4`` and ``i32 0`` without what follows the type."""
    depth = 0
    for position, character in enumerate(rest):
        if character in "[{<(":
            depth += 1
        elif character in "]}>)":
            depth -= 1
        elif character in ", " and not depth:
            return rest[:position]
    return rest


def mentioned(lines: Iterable[str], among: Collection[str]) -> set[str]:
    """Which of the names ``among`` the lines mention."""
    return {
        name
        for line in lines
        if "@" in line
        for name in map(bare_name, GLOBAL_TOKEN.findall(line))
        if name in among
    }


def shared_layout(
    module: m.Module, used: Iterable[str], known: Mapping[str, SharedVariable], start: int
) -> tuple[dict[str, SharedVariable], int]:
    """Places of shared variables behind those ``known``, from byte ``start``; and the end."""
    places = dict(known)
    for name in sorted(used):
        variable = module.globals[name]
        if name in places:
            continue
        if variable.external_size or variable.size == 0:
            places[name] = SharedVariable(len(places), 0, dynamic=True)
            continue
        start = -(-start // max(1, variable.align)) * max(1, variable.align)
        places[name] = SharedVariable(len(places), start, dynamic=False)
        start += variable.size
    return places, start


def shared_names(module: m.Module) -> frozenset[str]:
    """All variables in shared memory."""
    return frozenset(n for n, v in module.globals.items() if v.space == _SHARED_SPACE)
