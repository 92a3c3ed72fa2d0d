"""Rows of shared memory at a line where the source has no such access: which access it may be.

nvcc gives an instruction the line of a neighbour, of a loop's test or of a caller now and then, and
reads several neighbouring elements at once. Two general ways to compare such a row all the same:

* *resized*: the line has accesses of that kernel and kind, of another size. Of at most a word, a
  part of an access is served as the whole. A wider row is an access whose lanes all lie at
  multiples of the wider size, if only one number comes of these: elements side by side of one
  thread, taken together.
* *moved*: else the row is held against the accesses that have *vanished*: of the same kernel, kind,
  size and block shape, on lines that have no such row themselves. Only where all these have one
  and the same exact number can the row be compared, with that.

Limits: a row that the compiler made of several accesses in different branches is none of them and
shows as a difference. The lanes of a wider access are those of the warp that has most conflicts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from drano.model.access import Access
from drano.model.hardware import WORD_BYTES
from drano.model.judgement import CountRange
from drano.traffic import banks
from rodinia.measured.lines import Place, base_name

Shape: TypeAlias = tuple[int, int, int]
# Kernel, kind, bytes and block shape: what rows and accesses must agree in.
Key: TypeAlias = tuple[str, str, int, Shape]


class Vanished(Struct, frozen=True):
    """The accesses whose own line has no row like them, by program and ``Key``."""

    accesses: Mapping[tuple[str, Key], tuple[Access, ...]]

    def like(self, place: Place, key: Key) -> tuple[Access, ...]:
        """Those that a row at ``place`` may be, none where they have no one exact number."""
        found = self.accesses.get((_program(place), key), ())
        numbers = {_exact(access) for access in found}
        return found if len(numbers) == 1 and None not in numbers else ()


def vanished(
    accesses: Mapping[Place, Sequence[Access]], measured: Mapping[Place, Iterable[Key]]
) -> Vanished:
    """Accesses of known block shapes that ``measured`` has no row for on their line."""
    found: dict[tuple[str, Key], list[Access]] = defaultdict(list)
    for place, members in accesses.items():
        there = frozenset(measured.get(place, ()))
        for access in members:
            if access.launch is None or access.launch.assumed:
                continue
            key = (base_name(access.kernel), str(access.kind), access.bytes, access.launch.block)
            if key not in there:
                found[_program(place), key].append(access)
    return Vanished({key: tuple(members) for key, members in found.items()})


def resized(accesses: Iterable[Access], size: int) -> tuple[Access, ...]:
    """Accesses of another size, as accesses of ``size``; none where that is not known."""
    others = [access for access in accesses if access.bytes != size]
    if size <= WORD_BYTES:
        return tuple(replace(a, bytes=size) for a in others if size < a.bytes <= WORD_BYTES)
    found = [wide for access in others if (wide := _widened(access, size))]
    return tuple(found) if len({_exact(access) for access in found}) == 1 else ()


def _widened(access: Access, size: int) -> Access | None:
    lanes = access.judgement.lanes
    if not lanes or _exact(access) is None or size % access.bytes or size <= access.bytes:
        return None
    if any(offset is None or offset % size for offset in lanes):
        return None
    number = banks.wavefronts(lanes, size, banks.Request(access.kind.value))
    counts = CountRange(number, number, size // WORD_BYTES, float(number))
    return replace(access, bytes=size, judgement=replace(access.judgement, wavefronts=counts))


def _exact(access: Access) -> float | None:
    wavefronts = access.judgement.wavefronts
    return wavefronts.expected if wavefronts is not None else None


def _program(place: Place) -> str:
    return place.file.split("/", 1)[0]
