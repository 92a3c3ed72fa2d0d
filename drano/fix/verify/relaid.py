"""Arrays of structures that the second version keeps by members, as the first one has them.

Several arrays may be called alike: one is as before if it is so as it is,
or by the layout of any of them.
Limits: an array of whose bytes not all were kept is left as it is, and so are arrays whose sizes
are not those of the same number of elements.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from drano.dynamic.profiles.display_names import first_argument
from drano.fix.edit import Relaid
from drano.fix.verify.observe import Kept


def as_before(
    first: Sequence[Kept], second: Sequence[Kept], arrays: Sequence[Relaid]
) -> tuple[Kept, ...]:
    """The allocations of the second version, members where the first version has them."""
    if len(first) != len(second):
        return tuple(second)
    found = []
    for old, new in zip(first, second, strict=True):
        name = first_argument(new.name)
        tried = [_back(old, new, array) for array in arrays if array.pointer == name]
        known = [new, *(kept for kept in tried if kept is not None)]
        same = (kept for kept in known if (kept.size, kept.digest) == (old.size, old.digest))
        found.append(next(same, known[-1]))
    return tuple(found)


def _back(old: Kept, new: Kept, array: Relaid) -> Kept | None:
    count, group = old.size // array.size, sum(size for _, size, _ in array.members) * array.lanes
    groups = -(-count // array.lanes)
    whole = len(old.content) == old.size and len(new.content) == new.size
    if not whole or new.size != groups * group:
        return None
    plain = np.frombuffer(old.content, np.uint8).copy()
    elements = plain[: count * array.size].reshape(count, array.size)
    split = np.frombuffer(new.content, np.uint8).reshape(groups, group)
    at = 0
    for offset, size, number in array.members:
        part = split[:, at : at + size * array.lanes]
        each = part.reshape(groups, number, array.lanes, size // number)
        rows = each.transpose(0, 2, 1, 3).reshape(groups * array.lanes, size)
        elements[:, offset : offset + size] = rows[:count]
        at += size * array.lanes
    content = plain.tobytes()
    same = content == old.content
    return replace(new, size=old.size, digest=old.digest if same else "", content=content)
