"""Wavefronts of one warp's request to shared memory, from the address of every lane.

Shared memory has 32 banks of 4-byte words, word ``w`` in bank ``w % 32``. One *wavefront* (Nsight
Compute's ``memory_l1_wavefronts_shared``) serves one word of each bank, to all lanes that ask for
it. So a request takes as many wavefronts as the most asked bank has different words, and:

* 8-byte accesses go by half-warps, 16-byte ones by quarter-warps: *phases*, whose wavefronts add up
* a load whose active lanes all ask for what lane ``i ^ 1`` asks for, or all for what lane ``i ^ 2``
  does, needs half the phases; a store never does
* an atomic serves one lane of a word at a time, at worst.

That is what an H200 counts for 960 random patterns of loads and stores of 4, 8 and 16 bytes
(``tests/data/shared_wavefronts.csv``), and what Rodinia's rows of shared memory show. The *ideal*
is the number of phases with an active lane.

Fewer active lanes never take more wavefronts. A shift of all lanes by a whole word only renames
banks, so the array's place does not matter; that of narrower accesses within a word does. What is
unknown of an address is treated as in ``transactions``: groups of lanes at unknown distance may
share words or banks, or not; an address that may be anything is bounded by its lanes alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from itertools import product
from math import gcd
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from drano.lattice.congruence import Congruence
from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Atom, Form, Predicate
from drano.lattice.warp.lanes import Array, high, low
from drano.lattice.warp.operations.level_sets import each_set
from drano.lattice.warp.operations.uniform_bits import MOST_BITS
from drano.lattice.warp.substitution import substitute
from drano.model.hardware import BANKS, WARP_SIZE, WORD_BYTES
from drano.traffic.lane_groups import Cloud, make_cloud, span, taken_apart
from drano.traffic.phase_cases import cases_by_phase

Truth: TypeAlias = npt.NDArray[np.bool_]

SIZES = frozenset({1, 2, 4, 8, 16})
_MAX_CHOICES = 4
_FAR: Final = np.iinfo(np.int64).max
_REACH = 1 << 20  # bytes; more than shared memory has, on all GPUs


class Request(Enum):
    """What a request does; decides what lanes at one address cost."""

    LOAD = "load"
    STORE = "store"
    ATOMIC = "atomic"


class Wavefronts(Struct, frozen=True):
    """What one access costs. ``least, most``: of one request, over all that is unknown.

    ``typical_least, typical_most``: means over the block's warps when all lanes that may be active
    are. ``ideal``: of the costliest warp; ``ideal_mean`` over the warps. ``unknown``: the varying
    atoms that keep the lanes' addresses from being known. ``offsets``: byte offset per lane of the
    costliest warp from its first active lane; None where inactive or not known. ``groups``: parts
    of a warp at unknown distance. ``warps``: with an active lane.
    """

    least: int
    most: int
    typical_least: float
    typical_most: float
    ideal: int
    ideal_mean: float
    unknown: tuple[Atom, ...]
    offsets: tuple[int | None, ...]
    groups: int
    warps: int

    @property
    def exact(self) -> bool:
        """Whether the count is known for blocks whose lanes are all active."""
        return self.warps > 0 and not self.unknown and self.typical_least == self.typical_most


class _Row(Struct, frozen=True):
    """One warp. ``sure``: wavefronts at the least for the lanes that are surely active."""

    sure: int
    low: int
    high: int
    ideal: int
    groups: int
    offsets: tuple[int | None, ...]


def wavefronts(addresses: Sequence[int | None], size: int, kind: Request = Request.LOAD) -> int:
    """Of one request with these byte addresses, None for an inactive lane.

    >>> wavefronts([4 * lane for lane in range(32)], 4)
    1
    >>> wavefronts([128 * lane for lane in range(32)], 4), wavefronts([0] * 32, 4)
    (32, 1)
    >>> [wavefronts([16 * lane for lane in range(32)], 16), wavefronts([0] * 32, 16)]
    [4, 2]
    """
    on = np.array([a is not None for a in addresses], dtype=np.bool_)
    data = np.array([a or 0 for a in addresses], dtype=np.int64)
    return _count(data, on, size, kind)


def count_wavefronts(
    warp: Warp, address: Form, size: int, mask: Predicate, kind: Request
) -> Wavefronts | None:
    """Wavefronts of one access of ``size`` bytes per lane at ``address`` under ``mask``.

    None where the hardware has no such access (``size`` not in ``SIZES``: it is split in parts).
    """
    if size not in SIZES:
        return None
    sets = [(address, one) for one in each_set(warp, mask)]
    cases = cases_by_phase(warp, address, mask)
    if cases or sets:
        counted = [_wavefronts(warp, *case, size, kind) for case in cases or sets]
        ideals = {found.ideal_mean for found in counted}
        if len(ideals) == 1 and not any(found.unknown for found in counted):
            return _either(counted)
    return _wavefronts(warp, address, mask, size, kind)


def _wavefronts(warp: Warp, address: Form, mask: Predicate, size: int, kind: Request) -> Wavefronts:
    lanes = warp.space.array(mask.lanes)
    maybe, sure = lanes != 0, lanes == 1
    parts = taken_apart(warp, address)
    address, plain, unknown = parts.whole, parts.plain, (*parts.unknown, *parts.steps)
    if parts.wraps:
        unknown = (*unknown, *_near_wraps(warp, address, plain))
    uniform, per_lane = parts.uniform, list(parts.per_lane)
    bits = sum(atom.bit_of is not None for atom in uniform)
    choices = len(uniform) + len(per_lane) - bits
    if not unknown and (choices > _MAX_CHOICES or bits > MOST_BITS):
        unknown = (*uniform, *per_lane)
    if unknown:
        return _bounds(maybe, size, span(warp, address, size), unknown, kind)
    found: list[Wavefronts] = []
    for values in product((0, 1), repeat=len(uniform)):
        fixed = plain
        for atom, value in zip(uniform, values, strict=True):
            fixed = substitute(warp, fixed, atom.number, value)
        found.append(_remembered(warp, fixed, size, maybe, sure, per_lane, kind))
    return found[0] if len(found) == 1 else _either(found)


def _near_wraps(warp: Warp, address: Form, plain: Form) -> tuple[Atom, ...]:
    """Wrap-arounds that part lanes by whole lines: into the same banks, at other words, unless that
    is further than shared memory reaches.
    """
    kept = {monomial for monomial, _ in plain.terms}
    return tuple(
        warp.atoms[number]
        for monomial, coefficient in address.terms
        if monomial not in kept and min(abs(low(coefficient)), abs(high(coefficient))) <= _REACH
        for number in monomial
    )


def phases(on: Truth, size: int) -> int:
    """Parts of a request, with an active lane, that go one after the other."""
    parts = max(1, size // WORD_BYTES)
    return int(on.reshape(parts, -1).any(axis=1).sum())


def _bounds(
    maybe: Truth, size: int, extent: int | None, unknown: tuple[Atom, ...], kind: Request
) -> Wavefronts:
    """Nothing but bounds: a wavefront for all, or one for each lane."""
    rows = [on for on in maybe if on.any()]
    if not rows:
        return Wavefronts(0, 0, 0, 0, 0, 0, unknown, (None,) * WARP_SIZE, 0, 0)
    fullest = max(rows, key=lambda on: int(on.sum()))
    most = int(fullest.sum())
    ideal = phases(fullest, size)
    if extent is not None and kind is not Request.ATOMIC:
        words = extent // WORD_BYTES + 2
        most = min(most, ideal * -(-words // BANKS))
    mean = sum(phases(on, size) for on in rows) / len(rows)
    return Wavefronts(1, most, 1, most, ideal, mean, unknown, (None,) * WARP_SIZE, 1, len(rows))


def _either(found: Sequence[Wavefronts]) -> Wavefronts:
    """One of several patterns: the bounds of all, the picture of the worst."""
    worst = max(found, key=lambda w: w.typical_most)
    return Wavefronts(
        min(w.least for w in found), max(w.most for w in found),
        min(w.typical_least for w in found), max(w.typical_most for w in found),
        worst.ideal, worst.ideal_mean, (), worst.offsets, max(w.groups for w in found), worst.warps,
    )  # fmt: skip


def _remembered(
    warp: Warp, address: Form, size: int, maybe: Truth, sure: Truth, per_lane: list[Atom],
    kind: Request,
) -> Wavefronts:  # fmt: skip
    """``_pattern``; equal patterns are counted once."""
    if per_lane:
        return _pattern(warp, address, size, maybe, sure, per_lane, kind)
    base = warp.congruence([(m, c) for m, c in address.terms if isinstance(c, int)])
    step = gcd(base.modulus, WORD_BYTES)
    vectors = tuple(
        (c, warp.congruence([(m, 1)])) for m, c in address.terms if not isinstance(c, int)
    )
    place = (address.const, step, base.residue % step, vectors)
    key = ("banks", place, size, maybe.tobytes(), sure.tobytes(), kind)
    found = warp.traffic_memo.get(key)
    if not isinstance(found, Wavefronts):
        found = _pattern(warp, address, size, maybe, sure, per_lane, kind)
        warp.traffic_memo[key] = found
    return found


def _pattern(
    warp: Warp, address: Form, size: int, maybe: Truth, sure: Truth, per_lane: list[Atom],
    kind: Request,
) -> Wavefronts:  # fmt: skip
    """An address whose only varying atoms are choices that each lane makes for itself."""
    keys: dict[tuple[tuple[tuple[int, ...], int], ...], int] = {}
    residues: dict[int, Congruence] = {}
    clouds = []
    for values in product((0, 1), repeat=len(per_lane)):
        fixed = address
        for atom, value in zip(per_lane, values, strict=True):
            fixed = substitute(warp, fixed, atom.number, value)
        clouds.append(make_cloud(warp, fixed, keys, residues, likely=False))
    counted: dict[bytes, _Row] = {}
    rows: list[_Row] = []
    for row, key in enumerate(_keys_of_rows(clouds, maybe, sure)):
        if not maybe[row].any():
            continue
        if key not in counted:
            counted[key] = _row(clouds, residues, row, maybe[row], sure[row], size, kind)
        rows.append(counted[key])
    if not rows:
        return Wavefronts(0, 0, 0, 0, 0, 0, (), (None,) * WARP_SIZE, 0, 0)
    worst = max(rows, key=lambda r: r.high / r.ideal)
    n = len(rows)
    return Wavefronts(
        min(r.sure for r in rows), max(r.high for r in rows),
        sum(r.low for r in rows) / n, sum(r.high for r in rows) / n,
        worst.ideal, sum(r.ideal for r in rows) / n,
        (), worst.offsets, max(r.groups for r in rows), n,
    )  # fmt: skip


def _keys_of_rows(clouds: Sequence[Cloud], maybe: Truth, sure: Truth) -> list[bytes]:
    """Equal for warps that cost the same: their offsets differ by whole words."""
    parts = [maybe, sure]
    for cloud in clouds:
        first = np.where(maybe, cloud.offsets, _FAR).min(axis=1, keepdims=True)
        start = first // WORD_BYTES * WORD_BYTES
        parts += [np.where(maybe, cloud.offsets - start, 0), np.where(maybe, cloud.groups, 0)]
    return [row.tobytes() for row in np.hstack(parts)]


def _row(
    clouds: Sequence[Cloud], residues: dict[int, Congruence], row: int, on: Truth, sure: Truth,
    size: int, kind: Request,
) -> _Row:  # fmt: skip
    lanes = int(on.sum())
    cloud = clouds[0]
    offsets, groups = cloud.offsets[row], cloud.groups[row]
    present = list(dict.fromkeys(groups[on].tolist()))
    if len(clouds) == 1 and len(present) == 1:
        residue = residues[present[0]]
        low, high = _range(offsets, on, residue, size, kind)
        least = _range(offsets, sure, residue, size, kind)[0]
    else:
        low, high = _parted(clouds, residues, row, on, size, kind)
        least = 1
        if len(clouds) == 1:
            least = _parted(clouds, residues, row, sure, size, kind)[0]
    first = int(np.argmax(on))
    picture = tuple(
        int(offsets[lane]) - int(offsets[first])
        if on[lane] and groups[lane] == groups[first] and len(clouds) == 1
        else None
        for lane in range(WARP_SIZE)
    )
    number = len(present) if len(clouds) == 1 else max(2, len(present))
    return _Row(max(least, 1), low, min(high, lanes), phases(on, size), number, picture)


def _parted(
    clouds: Sequence[Cloud], residues: dict[int, Congruence], row: int, on: Truth, size: int,
    kind: Request,
) -> tuple[int, int]:  # fmt: skip
    """Groups at unknown distance, or places that each lane chooses among: the words of each may be
    those of another, or lie in the same banks.
    """
    low, high = (1, 0) if on.any() else (0, 0)
    apart = Request.STORE if kind is Request.LOAD else kind  # lanes of other groups keep it so
    for cloud in clouds:
        groups = cloud.groups[row]
        for group in dict.fromkeys(groups[on].tolist()):
            chosen = on & (groups == group)
            residue = residues[group]
            if len(clouds) == 1:
                low = max(low, _range(cloud.offsets[row], chosen, residue, size, kind)[0])
            high += _range(cloud.offsets[row], chosen, residue, size, apart)[1]
    return low, min(high, int(on.sum()))


def _range(
    offsets: Array, on: Truth, residue: Congruence, size: int, kind: Request
) -> tuple[int, int]:
    """Least and most over what is unknown of the place within a word."""
    if not on.any():
        return 0, 0
    start = int(offsets[on].min()) // WORD_BYTES * WORD_BYTES
    relative = np.where(on, offsets - start, 0)
    step = gcd(residue.modulus, WORD_BYTES)
    return _range_of(relative.tobytes(), on.tobytes(), step, residue.residue % step, size, kind)


@lru_cache(maxsize=1 << 14)
def _range_of(
    addresses: bytes, active: bytes, step: int, residue: int, size: int, kind: Request
) -> tuple[int, int]:
    offsets, on = np.frombuffer(addresses, np.int64), np.frombuffer(active, np.bool_)
    places = list(range(residue, WORD_BYTES, step))
    first = int(offsets[int(np.argmax(on))])
    width = min(size, WORD_BYTES)
    natural = [p for p in places if (first + p) % width == 0]  # or the hardware faults
    cheap = Request.STORE if kind is Request.ATOMIC else kind
    least = min(_count(offsets + place, on, size, cheap) for place in natural or places)
    return least, max(_count(offsets + place, on, size, kind) for place in natural or places)


def _count(addresses: Array, on: Truth, size: int, kind: Request) -> int:
    """Wavefronts of one request; of an atomic, when nothing of it is combined."""
    parts = max(1, size // WORD_BYTES)
    if kind is Request.LOAD and parts > 1 and _pairs(addresses, on):
        parts //= 2
    lanes = WARP_SIZE // parts
    total = 0
    for start in range(0, WARP_SIZE, lanes):
        chosen = on[start : start + lanes]
        if chosen.any():
            total += _busiest(addresses[start : start + lanes][chosen], size, kind)
    return total


def _pairs(addresses: Array, on: Truth) -> bool:
    """Whether active lanes ``i`` and ``i ^ 1`` agree, for all ``i``, or all ``i`` and ``i ^ 2``."""
    lanes = np.arange(WARP_SIZE)
    return any(
        bool(((addresses == addresses[lanes ^ bit]) | ~on | ~on[lanes ^ bit]).all())
        for bit in (1, 2)
    )


def _busiest(addresses: Array, size: int, kind: Request) -> int:
    """Different words, or for atomics requests, in the bank that has most."""
    first = addresses // WORD_BYTES
    words = np.concatenate([first + k for k in range(max(1, size // WORD_BYTES))])
    if kind is not Request.ATOMIC:
        words = np.unique(words)
    return int(np.bincount(words % BANKS, minlength=BANKS).max())
