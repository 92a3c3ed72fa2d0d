"""Which way to tune a kernel's occupancy, and the few versions that are worth a run.

After "Orion: A Framework for GPU Occupancy Tuning" (Middleware 2016): whether more or fewer warps
help is a question for a measurement, but the compiler can prune what has to be measured to at most
five versions. The *direction* follows from the register pressure: a kernel that needs more
registers than a multiprocessor has for each of its threads holds fewer warps than it could, and is
tried with more, its registers capped; so is one of which another block size alone lets more be
there. Any other already has all warps that it can, and is tried with fewer, which leave each thread
more cache. Of versions of equal occupancy only that which is least short of registers stays, and of
those the one whose blocks are most like the present ones.

Block sizes are varied only for kernels that are proved not to depend on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from drano.model.gpus import MAX_BLOCK_THREADS, Gpu
from drano.model.hardware import WARP_SIZE
from drano.occupancy.formula import Need, occupancy

MOST_CANDIDATES = 5
_FEWEST_REGISTERS = 16
_REGISTER_STEP = 8  # 256 registers of a warp
_BLOCKS = (64, 96, 128, 192, 256, 384, 512, 768, 1024)


class Direction(StrEnum):
    """Of the versions to try."""

    MORE = "more warps"
    FEWER = "fewer warps"


class Candidate(Struct, frozen=True):
    """A version to measure. ``short``: registers that it has too few of, so that it may spill;
    ``padding``: bytes of dynamic shared memory that keep blocks away.
    """

    need: Need
    share: float
    short: int
    padding: int = 0


class Tuning(Struct, frozen=True):
    """``pressure``: registers that the kernel needs; ``fair``: registers of each thread when
    all warps are there; ``candidates``: the present version first.
    """

    pressure: int
    fair: int
    direction: Direction
    candidates: tuple[Candidate, ...]


def tune(gpu: Gpu, need: Need, pressure: int, blocks: Iterable[int] = ()) -> Tuning:
    """``blocks``: other block sizes that are allowed, in threads."""
    fair = gpu.registers // gpu.threads
    now = Candidate(need, occupancy(gpu, need).share, max(0, pressure - need.registers))
    better = [c for c in _capped(gpu, need, pressure, blocks) if c.share > now.share]
    if pressure > fair or any(c.short == 0 for c in better):
        return Tuning(pressure, fair, Direction.MORE, (now, *_pruned(need, better)))
    return Tuning(pressure, fair, Direction.FEWER, (now, *_pruned(need, _padded(gpu, need))))


def _capped(gpu: Gpu, need: Need, pressure: int, blocks: Iterable[int]) -> Iterator[Candidate]:
    """Fewer registers, in the steps that the hardware gives them out, in blocks of all sizes."""
    top = -(-need.registers // _REGISTER_STEP) * _REGISTER_STEP
    for threads in dict.fromkeys((need.threads, *blocks)):
        for cap in range(top, _FEWEST_REGISTERS - 1, -_REGISTER_STEP):
            version = replace(need, threads=threads, registers=min(cap, need.registers))
            share = occupancy(gpu, version).share
            yield Candidate(version, share, max(0, pressure - version.registers))


def _padded(gpu: Gpu, need: Need) -> Iterator[Candidate]:
    """Fewer blocks at once, by shared memory that nobody uses."""
    now = occupancy(gpu, need)
    for blocks in range(now.blocks - 1, 0, -1):
        most = gpu.shared // blocks // gpu.shared_granularity * gpu.shared_granularity
        padding = most - gpu.reserved - need.shared
        version = replace(need, shared=need.shared + padding)
        then = occupancy(gpu, version)
        if padding > 0 and then.blocks == blocks:
            yield Candidate(need, then.share, 0, padding)


def _pruned(need: Need, versions: Iterable[Candidate]) -> list[Candidate]:
    """The best version of each occupancy; of many occupancies some, spread evenly."""
    best: dict[float, Candidate] = {}
    for version in versions:
        old = best.get(version.share)
        if old is None or _order(need, version) < _order(need, old):
            best[version.share] = version
    levels = [best[share] for share in sorted(best)]
    room = MOST_CANDIDATES - 1
    if len(levels) <= room:
        return levels
    picked = [round(n * (len(levels) - 1) / (room - 1)) for n in range(room)]
    return [levels[n] for n in picked]


def _order(need: Need, version: Candidate) -> tuple[int, int, int]:
    return (
        version.short, abs(version.need.threads - need.threads), -version.need.registers,
    )  # fmt: skip


def other_blocks(limit: int | None) -> tuple[int, ...]:
    """Usual block sizes, in whole warps, up to a kernel's ``__launch_bounds__``."""
    most = min(limit or MAX_BLOCK_THREADS, MAX_BLOCK_THREADS)
    return tuple(n for n in _BLOCKS if n <= most and n % WARP_SIZE == 0)
