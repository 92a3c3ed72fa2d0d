"""The container of device code in a host object: PTX and machine code side by side.

Means: the layout that CUDA's run-time and driver read: a header of 16 bytes, then for each image a
header of 64 bytes, its options and its bytes, padded to 8. Behind it, where CUDA does not look, is
the unit's identity, by which drano's run-time library finds the unit's table of sites.
"""

from __future__ import annotations

import struct

from msgspec import Struct

_MAGIC = 0xBA55ED50
_PTX, _CUBIN = 1, 2
_FLAGS = 0x11  # 64 bits, for Linux
IDENTITY = b"drano:"


class Image(Struct, frozen=True):
    """``code``: PTX as text, or a cubin; ``arch``: 70 for sm_70; ``version``: PTX's, 78 for 7.8."""

    code: bytes
    arch: int
    version: int
    is_ptx: bool


def fat_binary(images: list[Image], identity: str) -> bytes:
    """The container's bytes."""
    body = b"".join(_entry(image) for image in images)
    head = struct.pack("<IHHQ", _MAGIC, 1, 16, len(body))
    return head + body + IDENTITY + identity.encode() + b"\0"


def _entry(image: Image) -> bytes:
    code = image.code + (b"\0" if image.is_ptx else b"")
    code += b"\0" * (-len(code) % 8)
    # PTX may bring options for its compiler, a string behind the header: none.
    options = b"\0" * 8 if image.is_ptx else b""
    head = struct.pack(
        "<HHIQIIHHIIIQQQ",
        _PTX if image.is_ptx else _CUBIN, 0x0101, 64 + len(options), len(code), 0,
        64 if image.is_ptx else 0, image.version % 10, image.version // 10, image.arch,
        0, 0, _FLAGS, 0, 0,
    )  # fmt: skip
    return head + options + code
