"""Device code of a unit that is linked later, in a section of the host object.

Means: with relocatable device code, an object holds the unit's device IR and all that counting
needs to know of it, in a section that linkers keep when they join objects and drop from programs.
The object that a device link makes lists the identities of its units, so that a later link leaves
them out. Entries follow each other, as linkers join sections.
Assumptions: objects were made by ``drano cc`` itself, in this version.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence

import llvmlite.binding as llvm
from msgspec import Struct
from msgspec.structs import astuple

from drano.dynamic.cpu.translated_text import constant_text
from drano.model.span import Span
from drano.model.translation_unit import LaunchSite
from drano.support.errors import IRError

_SECTION, _LINKED = ".drano.device", ".drano.linked"
_HEAD = struct.Struct("<8sII")
_MAGIC, _VERSION = b"dranodev", 1
_NOWHERE = Span("", 0, 0)


class Wanted(Struct, frozen=True):
    """How a unit is to be counted: what the flags of ``drano cc`` of the same names say."""

    counted: bool = True
    lines: bool = False
    written: bool = False
    histogram: bool = False
    operations: bool = False
    sample: int = 0


class EmbeddedUnit(Struct, frozen=True):
    """``ir``: as the front end gives it; ``statics``: symbols that another unit may have as well,
    and what the host's code calls them; ``launches``: of its source, None where no proofs are
    wanted.
    """

    identity: str
    path: str
    arch: str
    ir: str
    statics: dict[str, str]
    launches: tuple[LaunchSite, ...] | None
    wanted: Wanted


def embedded_ir(unit: EmbeddedUnit) -> str:
    """IR, for the host, of an object that holds the unit."""
    launches = None
    if unit.launches is not None:
        launches = [[s.kernel, s.kernel_name, s.grid, s.block] for s in unit.launches]
    data = {
        "identity": unit.identity, "path": unit.path, "arch": unit.arch, "ir": unit.ir,
        "statics": unit.statics, "launches": launches,
        "wanted": astuple(unit.wanted),
    }  # fmt: skip
    return _section_ir(_SECTION, json.dumps(data).encode())


def linked_ir(units: Sequence[EmbeddedUnit]) -> str:
    """IR that says which units a device link has taken."""
    return _section_ir(_LINKED, json.dumps([unit.identity for unit in units]).encode())


def _section_ir(section: str, data: bytes) -> str:
    packed = zlib.compress(data, 6)
    content = _HEAD.pack(_MAGIC, _VERSION, len(packed)) + packed
    symbol = f"@drano.section{section}"
    constant = constant_text(symbol, content)
    return (
        f'{constant}, section "{section}", align 1, !exclude !0\n'
        f"@llvm.compiler.used = appending global [1 x ptr] [ptr {symbol}], "
        'section "llvm.metadata"\n!0 = !{}\n'
    )


class Embedded(Struct, frozen=True):
    """What an object holds: ``units``, and identities of units that are ``linked`` already."""

    units: tuple[EmbeddedUnit, ...] = ()
    linked: frozenset[str] = frozenset()


def embedded_in(data: bytes, name: str) -> Embedded:
    """What the object file ``data`` holds. ``name``: of the file, for errors."""
    if _SECTION.encode() not in data and _LINKED.encode() not in data:
        return Embedded()
    try:
        sections = [(s.name(), s.data()) for s in llvm.ObjectFileRef.from_data(data).sections()]
    except RuntimeError:
        return Embedded()  # the linker will say why
    units: list[EmbeddedUnit] = []
    linked: set[str] = set()
    for title, content in sections:
        if title == _SECTION.encode():
            units += [_unit(entry) for entry in _entries(content, name)]
        elif title == _LINKED.encode():
            linked.update(*(json.loads(entry) for entry in _entries(content, name)))
    return Embedded(tuple(units), frozenset(linked))


def _entries(content: bytes, name: str) -> list[bytes]:
    entries = []
    at = 0
    while at < len(content):
        try:
            magic, version, length = _HEAD.unpack_from(content, at)
            if (magic, version) != (_MAGIC, _VERSION):
                raise IRError(name, "was compiled by another version of drano; compile it again")
            at += _HEAD.size
            entries.append(zlib.decompress(content[at : at + length]))
        except (struct.error, zlib.error):
            raise IRError(name, "its device code is damaged; compile it again") from None
        at += length + 1  # a zero ends it
    return entries


def _unit(entry: bytes) -> EmbeddedUnit:
    data = json.loads(entry)
    launches = data["launches"]
    if launches is not None:
        launches = tuple(
            LaunchSite(kernel, name, tuple(grid), tuple(block), (), _NOWHERE)
            for kernel, name, grid, block in launches
        )
    return EmbeddedUnit(
        data["identity"], data["path"], data["arch"], data["ir"], data["statics"], launches,
        Wanted(*data["wanted"]),
    )  # fmt: skip
