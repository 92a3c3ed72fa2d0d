"""Whether two versions of a program did the same.

Means: the first version is run twice, and more often where lines of the output differ. Lines in
which its own runs differ (times, dates) are not compared; where its memory or its status differs
from run to run, nothing can be said. The second version must exit the same, print the same other
lines, leave the same bytes in its allocations, and have no conflict of accesses that the first has
not. Where sums may be rounded otherwise, numbers may differ by ``BOUND`` of their size.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from drano.dynamic.profiles.display_names import first_argument
from drano.fix.verify.observe import Kept, Observed, Race

BOUND: Final = 1e-5
LINE: Final = "line"
"""How a difference begins that more runs of the first version may explain."""
_NUMBER: Final = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def differences(
    first: Observed, others: Sequence[Observed], second: Observed, *, rounds: bool
) -> list[str]:
    """What speaks against the second version, in words; [] where nothing does. ``others``: further
    runs of the first.
    """
    for run in (first, *others):
        if run.problem:
            return [f"the program {run.problem}"]
    if second.problem:
        return [f"the fixed program {second.problem}"]
    for run in others:
        if first.status != run.status or not _same_state(first.state, run.state, rounds=False):
            return ["the program's own results differ from run to run"]
    lines = first.output.split(b"\n")
    steady = [True] * len(lines)
    for run in others:
        again = run.output.split(b"\n")
        if len(lines) != len(again):
            return ["the program's own output differs from run to run"]
        steady = [s and a == b for s, a, b in zip(steady, lines, again, strict=True)]
    found: list[str] = []
    if second.status != first.status:
        found.append(f"the fixed program exits with {second.status}, not {first.status}")
    found += _other_lines(lines, second.output.split(b"\n"), steady, rounds=rounds)
    if not _same_state(first.state, second.state, rounds=rounds):
        found.append(f"memory differs: {_where(first.state, second.state)}")
    found += [
        f"a data race in {race.kernel} on {race.array} ({race.kinds}) that was not there"
        for race in sorted(_by_pointer(second.races) - _by_pointer(first.races))
    ]
    return found


def _by_pointer(races: Iterable[Race]) -> frozenset[Race]:
    """By the arrays' names alone: how large they are, a fix may say otherwise."""
    return frozenset(replace(race, array=first_argument(race.array)) for race in races)


def _other_lines(
    before: Sequence[bytes], after: Sequence[bytes], fixed: Sequence[bool], *, rounds: bool
) -> list[str]:
    if len(before) != len(after):
        return [f"the fixed program prints {len(after)} lines, not {len(before)}"]
    for number, (old, new, known) in enumerate(zip(before, after, fixed, strict=True), 1):
        if known and old != new and not (rounds and _near_text(old, new)):
            return [f"{LINE} {number} of the output differs"]
    return []


def _near_text(old: bytes, new: bytes) -> bool:
    if _NUMBER.sub(b"", old) != _NUMBER.sub(b"", new):
        return False
    pairs = zip(_NUMBER.findall(old), _NUMBER.findall(new), strict=True)
    return all(_near(float(a), float(b)) for a, b in pairs)


def _near(a: float, b: float) -> bool:
    return a == b or abs(a - b) <= BOUND * max(abs(a), abs(b))


def _same_state(first: Sequence[Kept], second: Sequence[Kept], *, rounds: bool) -> bool:
    return len(first) == len(second) and all(
        _same_content(a, b, rounds=rounds) for a, b in zip(first, second, strict=True)
    )


def _same_content(a: Kept, b: Kept, *, rounds: bool) -> bool:
    if a.size != b.size:
        return False
    if a.digest == b.digest:
        return True
    whole = len(a.content) == len(b.content) == a.size
    return rounds and whole and any(_near_arrays(a.content, b.content, k) for k in ("f4", "f8"))


def _near_arrays(a: bytes, b: bytes, kind: str) -> bool:
    size = int(kind[1])
    if len(a) % size:
        return False
    x: npt.NDArray[np.floating] = np.frombuffer(a, "<" + kind)
    y: npt.NDArray[np.floating] = np.frombuffer(b, "<" + kind)
    with np.errstate(all="ignore"):
        scale = np.maximum(np.abs(x), np.abs(y))
        near = np.abs(x - y) <= BOUND * scale
    bits = np.frombuffer(a, f"<u{size}") == np.frombuffer(b, f"<u{size}")
    return bool(np.all(near | bits))


def _where(first: Sequence[Kept], second: Sequence[Kept]) -> str:
    if len(first) != len(second):
        return f"{len(second)} allocations, not {len(first)}"
    for a, b in zip(first, second, strict=True):
        if a.size != b.size or a.digest != b.digest:
            return a.name or "an allocation"
    return ""
