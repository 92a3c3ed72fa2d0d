"""Device code that a link has to take, from its objects and archives.

Means: the linker's command line is read as the linker reads it. Objects are taken as they are; of
archives, named directly or by ``-l``, those members that launch kernels or hold what others lack
(``link`` decides that).
Limits: thin archives, and files named in linker scripts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from drano.dynamic.gpu.linking.embedded import EmbeddedUnit, embedded_in
from drano.support.errors import IRError

_ARCHIVE, _THIN = b"!<arch>\n", b"!<thin>\n"
_MEMBER = 60
_END = b"`\n"
_LISTS = (b"/ ", b"//", b"/SYM64/", b"__.SYMDEF")  # of symbols, of long names


class Gathered(Struct, frozen=True):
    """``units``: of objects; ``members``: of archives, to be taken where they are needed."""

    units: tuple[EmbeddedUnit, ...]
    members: tuple[EmbeddedUnit, ...]


def gather(words: Sequence[str]) -> Gathered:
    """What the inputs among a linker's ``words`` hold. Raises IRError for damaged ones."""
    units: dict[str, EmbeddedUnit] = {}
    members: dict[str, EmbeddedUnit] = {}
    linked: set[str] = set()
    for name in _inputs(words):
        data = _read(name)
        if data.startswith(_THIN):
            raise IRError(name, "device code of thin archives cannot be linked")
        archive = data.startswith(_ARCHIVE)
        for part in _members(data, name) if archive else (data,):
            found = embedded_in(part, name)
            linked |= found.linked
            (members if archive else units).update((unit.identity, unit) for unit in found.units)
    return Gathered(
        tuple(unit for key, unit in units.items() if key not in linked),
        tuple(unit for key, unit in members.items() if key not in linked | units.keys()),
    )


def _inputs(words: Sequence[str]) -> Iterator[str]:
    """Files that the linker will read and that may hold device code."""
    directories = [word[2:] for word in words if word.startswith("-L")]
    previous = ""
    for word in words:
        if word.startswith("-l"):
            yield from _library(word[2:], directories)
        elif not word.startswith("-") and previous not in {"-Xlinker", "-T", "-u", "-z", "-rpath"}:
            yield word
        previous = word


def _library(name: str, directories: Sequence[str]) -> Iterator[str]:
    """The archive that ``-lNAME`` finds; of a shared library nothing is taken."""
    for directory in directories:
        exact = name.removeprefix(":")
        if exact == name and (Path(directory) / f"lib{name}.so").is_file():
            return
        path = Path(directory) / (f"lib{name}.a" if exact == name else exact)
        if path.is_file():
            yield str(path)
            return


def _read(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError:
        return b""  # the linker will say why


def _members(data: bytes, name: str) -> Iterator[bytes]:
    """The files in an archive, without its lists."""
    at = len(_ARCHIVE)
    while at + _MEMBER <= len(data):
        head = data[at : at + _MEMBER]
        size = head[48:58].strip()
        if not head.endswith(_END) or not size.isdigit():
            raise IRError(name, "is a damaged archive")
        at += _MEMBER
        if not head.startswith(_LISTS):
            yield data[at : at + int(size)]
        at += int(size) + int(size) % 2
