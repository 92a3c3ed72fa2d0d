"""The PTX and the machine code in binaries: objects, libraries, executables, archives, fatbins,
without NVIDIA's tools.

Means: nvcc puts device code into containers (section ``.nv_fatbin`` or ``__nv_relfatbin``, or a
file of its own) that begin with a magic number: they are looked for in whatever the file is. Each
has entries, of machine code or of PTX, stored plain, or compressed by LZ4 or zstd. Of those of one
kind in one container, which are the same code for several architectures, the newest is taken. A
file may be machine code itself: an ELF file for NVIDIA's processors.
Source: the layout as nvcc 13 writes it, which NVIDIA does not describe.
Limits: ``MAX_PTX`` bytes in all, as much of machine code.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

MAX_PTX: Final = 64 << 20
_MAX_ENTRIES: Final = 10_000
_CONTAINER: Final = struct.Struct("<IHHQ")
_ENTRY: Final = struct.Struct("<HHIQIIHHIIIQQQ")
_ELF: Final = b"\x7fELF"
_NVIDIA: Final = b"\xbe\x00"
_MAGIC: Final = b"\x50\xed\x55\xba"
_PTX: Final = 1
_CODE: Final = 2
_LZ4: Final = 0x2000
_ZSTD: Final = 0x8000


class BinaryError(Exception):
    """Why no PTX can be had from a binary."""


class Entry(Struct, frozen=True):
    """One module. ``arch``: 90 for ``compute_90``; ``container``: its number in the file."""

    container: int
    arch: int
    text: bytes


def ptx_in(content: bytes) -> tuple[Entry, ...]:
    """The PTX modules of a binary. BinaryError where there is none."""
    if found := _newest(content, _PTX):
        return tuple(replace(entry, text=entry.text.rstrip(b"\0")) for entry in found)
    entries = (_entries(content, start, end) for start, end in _containers(content))
    if _is_code(content) or any(kind == _CODE for found in entries for kind, *_ in found):
        raise BinaryError(
            "holds machine code, but no PTX: compile it with "
            "-gencode arch=compute_90,code=compute_90"
        )
    raise BinaryError("holds no PTX")


def code_in(content: bytes) -> tuple[Entry, ...]:
    """The modules of machine code in a binary, each an ELF file. BinaryError if it is damaged."""
    if _is_code(content):
        return (Entry(0, 0, content),)
    return _newest(content, _CODE)


def _is_code(content: bytes) -> bool:
    return content.startswith(_ELF) and content[18:20] == _NVIDIA


def _newest(content: bytes, wanted: int) -> tuple[Entry, ...]:
    """What is newest of one kind in each container."""
    found: list[Entry] = []
    total = 0
    for number, (start, end) in enumerate(_containers(content)):
        entries = [e[1:] for e in _entries(content, start, end) if e[0] == wanted]
        if entries:
            arch, flags, place, size, whole = max(entries, key=lambda entry: entry[0])
            text = _plain(content[place : place + size], flags, whole, MAX_PTX - total)
            total += len(text)
            found.append(Entry(number, arch, text))
    return tuple(found)


def _containers(content: bytes) -> Iterator[tuple[int, int]]:
    """Where the entries of each container begin and end."""
    at = content.find(_MAGIC)
    while at >= 0:
        after = at + 1
        if at + _CONTAINER.size <= len(content):
            _, version, header, size = _CONTAINER.unpack_from(content, at)
            end = at + header + size
            if version == 1 and header == _CONTAINER.size and end <= len(content):
                yield at + header, end
                after = end
        at = content.find(_MAGIC, after)


def _entries(content: bytes, start: int, end: int) -> Iterator[tuple[int, int, int, int, int, int]]:
    """Kind, architecture, flags, place, stored size and size of each entry."""
    for _ in range(_MAX_ENTRIES):
        if start + _ENTRY.size > end:
            return
        kind, _, header, padded, packed, *_, arch, _, _, flags, _, whole = _ENTRY.unpack_from(
            content, start
        )
        place = start + header
        if header < _ENTRY.size or place + padded > end:
            raise BinaryError("its device code is damaged")
        compressed = flags & (_LZ4 | _ZSTD)
        size = packed if compressed else padded
        if size > padded:
            raise BinaryError("its device code is damaged")
        yield kind, arch, flags, place, size, whole if compressed else padded
        start = place + padded


def _plain(data: bytes, flags: int, size: int, most: int) -> bytes:
    if size > most:
        raise BinaryError(f"holds more than {MAX_PTX >> 20} MB of device code")
    try:
        if flags & _LZ4:
            import lz4.block  # noqa: PLC0415 - of an extra

            return bytes(lz4.block.decompress(data, uncompressed_size=size))
        if flags & _ZSTD:
            import zstandard  # noqa: PLC0415 - of an extra

            # In pieces: the frame may claim any size, of which memory would be taken at once.
            unpacker = zstandard.ZstdDecompressor(max_window_size=MAX_PTX)
            with unpacker.stream_reader(data) as reader:
                text = bytes(reader.read(size + 1))
            if len(text) > size:
                raise ValueError(f"more than {size} bytes")
            if len(text) < size:
                raise ValueError(f"{len(text)} of {size} bytes")
            return text
    except ImportError:
        raise BinaryError(
            "its device code is compressed: pip install 'drano[binaries]' to read it"
        ) from None
    except Exception as error:  # each library has its own
        raise BinaryError(f"its device code cannot be unpacked: {error}") from None
    return data
