"""What the source calls a part of an object: ``grid.size[2]`` of its bytes 16 to 20."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

from drano.ir.model import ArrayType, StructInfo, StructType, Type
from drano.ir.type_layout import alloc_size

_MAX_DEPTH = 16


def member_name(structs: Mapping[str, StructInfo], type_: Type, offset: int, size: int) -> str:
    """The path of members to the ``size`` bytes from ``offset`` of an object of ``type_``, with its
    dots; "" where a name on the way is not known, or they are not just one member.

    >>> from drano.ir.model import FloatType, IntType
    >>> size = StructType("struct.Size", (IntType(32), ArrayType(2, FloatType(32))), (0, 4), 12, 4)
    >>> names = {"struct.Size": StructInfo("struct.Size", ("n", "scale"))}
    >>> [member_name(names, size, *place) for place in ((0, 4), (8, 4), (2, 4), (4, 8))]
    ['.n', '.scale[1]', '', '']
    """
    path = ""
    for _ in range(_MAX_DEPTH):
        if isinstance(type_, StructType):
            number = bisect_right(type_.offsets, offset) - 1
            info = structs.get(type_.name)
            several = type_.name.startswith("union.")
            if number < 0 or info is None or number >= len(info.fields) or several:
                return ""
            name = info.fields[number]  # a base class has none
            path += f".{name}" if name else ""
            offset -= type_.offsets[number]
            type_ = type_.elements[number]
        elif isinstance(type_, ArrayType):
            number, offset = divmod(offset, max(alloc_size(type_.element), 1))
            if number >= type_.count:
                return ""
            path += f"[{number}]"
            type_ = type_.element
        else:
            return path if offset == 0 and size == alloc_size(type_) else ""
    return ""
