"""Excess sectors of one request: what is expected beyond the ideal.

``share`` is that of the lanes which are on where data chooses them: each is on by itself. Then
neighbours no longer fill the sectors that they touch, and a gather touches fewer.
"""

from __future__ import annotations

from collections import Counter
from math import ceil

from drano.analysis.cost import defaults
from drano.model.hardware import SECTOR_BYTES, WARP_SIZE
from drano.model.judgement import CountRange, Judgement, Pattern, Space, Verdict

_COUNTED = frozenset({Space.GLOBAL, Space.GENERIC, Space.SHARED})


def excess_sectors(judgement: Judgement, size: int, share: float = 1.0) -> tuple[float, bool]:
    """Sectors of one request beyond the ideal (for shared memory, wavefronts), and whether that is
    a guess, as the index is not known. ``size``: bytes of a lane.
    """
    if judgement.space not in _COUNTED:
        return 0.0, False
    if judgement.space is Space.SHARED:
        counts = judgement.wavefronts
        return (0.0, False) if counts is None else _expected(counts, judgement, share)
    if judgement.sectors is not None:
        known = [n for n in judgement.lanes if n is not None]
        if share < 1.0 and _all_known(known, judgement.sectors):
            return _thinned(known, size, share), False
        return _expected(judgement.sectors, judgement, share)
    if judgement.verdict is Verdict.UNCOALESCED:
        ideal = max(1, size * WARP_SIZE // SECTOR_BYTES)
        return share * max(0, WARP_SIZE - ideal), False
    return 0.0, False


def _expected(counts: CountRange, judgement: Judgement, share: float) -> tuple[float, bool]:
    most = max(0, counts.maximum - counts.ideal) * share
    unknown = judgement.verdict is Verdict.UNKNOWN and judgement.pattern is Pattern.COLUMN_MAJOR
    starts = judgement.pattern is Pattern.UNKNOWN_START  # and nothing else is open
    if (judgement.possible and not starts) or unknown:
        return most * defaults.GATHER, True  # the number between lanes may be 1
    if counts.expected is not None:
        likely = max(0.0, counts.expected - counts.ideal) * share
        if judgement.verdict is Verdict.UNKNOWN:
            likely = max(likely, most * defaults.UNPROVED)
        return likely, False
    if judgement.verdict is not Verdict.UNKNOWN:
        return most, False
    return most * defaults.GATHER, True


def _all_known(offsets: list[int], sectors: CountRange) -> bool:
    """Whether the places of lanes that are known make up what is expected of all."""
    touched = len({offset // SECTOR_BYTES for offset in offsets})
    return sectors.expected is not None and touched >= sectors.expected - 1


def _thinned(offsets: list[int], size: int, share: float) -> float:
    """Of lanes at known places, each on with the chance ``share``."""
    lanes = Counter(offset // SECTOR_BYTES for offset in offsets)
    touched = sum(1.0 - (1.0 - share) ** count for count in lanes.values())
    places = len(set(offsets)) * share
    return max(0.0, touched - ceil(max(1.0, places * size / SECTOR_BYTES)))
