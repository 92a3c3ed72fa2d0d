"""Empty shared libraries, in place of those that the loader misses and nothing uses.

clang's package links its C++ library with GCC's ``libatomic.so.1`` without using anything of it,
and slim images have none. A library of that name without content lets clang start.

Limits: 64-bit x86 Linux, as clang's package.
"""

from __future__ import annotations

import ctypes
import re
import struct
from pathlib import Path

from drano.support.cache_directory import cache_dir, publish_file
from drano.support.limited_process import search_first

_UNUSED = frozenset(("libatomic.so.1",))
_MISSING = re.compile(r"error while loading shared libraries: ([^:\s]+): cannot open")

_HEADER, _SEGMENT, _SEGMENTS = 64, 56, 3
_LOAD, _DYNAMIC, _STACK = 1, 2, 0x6474E551
_READ_WRITE = 6
_DT_HASH, _DT_STRTAB, _DT_SYMTAB, _DT_STRSZ, _DT_SYMENT, _DT_SONAME = 4, 5, 6, 10, 11, 14
_SYMBOL = 24


def supply(complaint: str) -> bool:
    """Whether the library that the loader has complained about is there from now on, for the tools
    that we start and in this process. Raises IRError when the cache cannot be written.
    """
    missing = _MISSING.search(complaint)
    if missing is None or missing[1] not in _UNUSED:
        return False
    place = stand_in(missing[1])
    search_first(place.parent)
    try:
        ctypes.CDLL(str(place))  # the loader takes it for the one that libclang asks for
    except OSError:
        return False
    return True


def stand_in(name: str) -> Path:
    """An empty library of that name in the cache. Raises IRError."""
    place = cache_dir("libraries") / name
    content = empty_library(name)

    def build(target: Path) -> bool:
        target.write_bytes(content)
        return True

    if not place.is_file() or place.read_bytes() != content:
        publish_file(place, build)
    return place


def empty_library(name: str) -> bytes:
    """An ELF file that says it is the library ``name`` and defines nothing."""
    strings = b"\0" + name.encode("ascii") + b"\0"
    symbols_at = _HEADER + _SEGMENTS * _SEGMENT
    hash_at = symbols_at + _SYMBOL  # the one symbol that every table begins with
    hashes = struct.pack("<4I", 1, 1, 0, 0)
    dynamic_at = hash_at + len(hashes)
    entries = (
        (_DT_SONAME, 1),
        (_DT_HASH, hash_at),
        (_DT_SYMTAB, symbols_at),
        (_DT_SYMENT, _SYMBOL),
        (_DT_STRTAB, dynamic_at + 7 * 16),
        (_DT_STRSZ, len(strings)),
        (0, 0),
    )
    dynamic = b"".join(struct.pack("<2Q", *entry) for entry in entries)
    size = dynamic_at + len(dynamic) + len(strings)
    segments = (
        _segment(_LOAD, 0, size, 4096)
        + _segment(_DYNAMIC, dynamic_at, len(dynamic), 8)
        + _segment(_STACK, 0, 0, 16)  # without it the stack would have to be executable
    )
    return _elf_header() + segments + bytes(_SYMBOL) + hashes + dynamic + strings


def _elf_header() -> bytes:
    identity = b"\x7fELF" + bytes((2, 1, 1)) + bytes(9)  # 64 bits, little-endian
    shared, x86_64 = 3, 62
    rest = (shared, x86_64, 1, 0, _HEADER, 0, 0, _HEADER, _SEGMENT, _SEGMENTS, 0, 0, 0)
    return identity + struct.pack("<2HI3QI6H", *rest)


def _segment(kind: int, at: int, size: int, alignment: int) -> bytes:
    return struct.pack("<2I6Q", kind, _READ_WRITE, at, at, at, size, size, alignment)
