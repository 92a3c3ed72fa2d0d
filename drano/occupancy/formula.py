"""Theoretical occupancy, as NVIDIA's ``cuda_occupancy.h`` computes it, and the way to more.

Four resources limit the blocks of one multiprocessor: slots for warps and for blocks, registers
(given to each warp in units of 256, in the partition that it runs in), and shared memory. The
carve-out between shared memory and L1 is taken as the driver's default, which gives a kernel what
it needs. A kernel that asks for more than 48 KiB is taken to have opted in to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from drano.model.gpus import MAX_BLOCK_THREADS, REGISTER_GRANULARITY, SHARED_PER_BLOCK, Gpu
from drano.model.hardware import WARP_SIZE

_FEWEST_REGISTERS = 16
UNLIMITED = 1 << 30


class Need(Struct, frozen=True):
    """What a kernel needs: threads of a block, registers of a thread, shared memory of a block in
    bytes (static and dynamic).
    """

    threads: int
    registers: int
    shared: int


class Occupancy(Struct, frozen=True):
    """``blocks`` and ``warps`` on a multiprocessor at once; ``share``: of its warps, 0 to 1;
    ``limits``: blocks that each resource alone would allow; ``limiting``: those that allow least.
    """

    blocks: int
    warps: int
    share: float
    limits: dict[str, int]
    limiting: tuple[str, ...]


class Step(Struct, frozen=True):
    """A change of one need that gives more: ``text`` is advice, "use 3 fewer registers (75 %)"."""

    text: str
    need: Need
    share: float


def occupancy(gpu: Gpu, need: Need) -> Occupancy:
    """Blocks of ``need`` on one multiprocessor of ``gpu``; 0 where a block does not fit at all.

    >>> from drano.model.gpus import find_gpu
    >>> occupancy(find_gpu("sm_90"), Need(256, 40, 0)).share
    0.75
    """
    warps = -(-need.threads // WARP_SIZE)
    limits = {
        "warps": gpu.warps // warps if 0 < need.threads <= MAX_BLOCK_THREADS else 0,
        "blocks": gpu.blocks,
        "registers": _by_registers(gpu, need.registers, max(warps, 1)),
        "shared memory": _by_shared(gpu, need.shared),
    }
    blocks = min(limits.values())
    limiting = tuple(name for name, limit in limits.items() if limit == blocks)
    return Occupancy(blocks, blocks * warps, blocks * warps / gpu.warps, limits, limiting)


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit


def _by_registers(gpu: Gpu, registers: int, warps: int) -> int:
    if registers == 0:
        return UNLIMITED
    of_warp = _round_up(registers * WARP_SIZE, REGISTER_GRANULARITY)
    # The hardware checks a launch as if every partition gave registers to as many warps.
    of_block = of_warp * _round_up(warps, gpu.partitions)
    if of_block > gpu.block_registers or registers > gpu.most_registers:
        return 0
    # What does not run on the other Pascals is not run on a P100, which has half the partitions.
    if gpu.partitions < 4 and not _by_registers(replace(gpu, partitions=4), registers, warps):
        return 0
    of_partition = gpu.registers // gpu.partitions // of_warp
    return of_partition * gpu.partitions // warps


def _by_shared(gpu: Gpu, shared: int) -> int:
    asked = shared + gpu.reserved
    given = _round_up(asked, gpu.shared_granularity)
    if given == 0:
        return UNLIMITED
    opted_in = gpu.major >= 7 and asked > SHARED_PER_BLOCK
    most = (gpu.opt_in if opted_in else SHARED_PER_BLOCK) + gpu.reserved
    return 0 if given > most else gpu.shared // given


def better_steps(gpu: Gpu, need: Need) -> tuple[Step, ...]:
    """For registers, shared memory and the block's size: the least change of it alone that gives a
    higher occupancy; nothing for a need that cannot.
    """
    now = occupancy(gpu, need)
    found = (_first(gpu, needs, now) for needs in (_fewer_registers(need), _less_shared(gpu, need)))
    steps = [step for step in found if step is not None]
    other = _other_block(gpu, need, now)
    return (*steps, *([other] if other is not None else []))


def _first(gpu: Gpu, needs: Iterator[tuple[str, Need]], now: Occupancy) -> Step | None:
    for text, need in needs:
        then = occupancy(gpu, need)
        if then.share > now.share:
            return Step(f"use {text} ({percent(then.share)})", need, then.share)
    return None


def _fewer_registers(need: Need) -> Iterator[tuple[str, Need]]:
    for registers in range(need.registers - 1, _FEWEST_REGISTERS - 1, -1):
        fewer = need.registers - registers
        yield (
            f"{fewer} fewer register{'s' if fewer > 1 else ''}",
            replace(need, registers=registers),
        )


def _less_shared(gpu: Gpu, need: Need) -> Iterator[tuple[str, Need]]:
    """Only what makes room for another block counts."""
    given = _round_up(need.shared + gpu.reserved, gpu.shared_granularity)
    blocks = gpu.shared // given if given else gpu.blocks
    for more in range(blocks + 1, gpu.blocks + 1):
        shared = gpu.shared // more // gpu.shared_granularity * gpu.shared_granularity
        shared -= gpu.reserved
        if 0 <= shared < need.shared:
            less = need.shared - shared
            yield f"{less} fewer bytes of shared memory", replace(need, shared=shared)


def _other_block(gpu: Gpu, need: Need, now: Occupancy) -> Step | None:
    """The block size nearest to the one there is, in whole warps, that gives most."""
    best: tuple[float, int, Need] | None = None
    for threads in range(WARP_SIZE, MAX_BLOCK_THREADS + 1, WARP_SIZE):
        other = replace(need, threads=threads)
        share = occupancy(gpu, other).share
        key = (share, -abs(threads - need.threads))
        if share > now.share and (best is None or key > best[:2]):
            best = (*key, other)
    if best is None:
        return None
    return Step(f"use blocks of {best[2].threads} threads ({percent(best[0])})", best[2], best[0])


def percent(share: float) -> str:
    """``percent(0.75) == "75 %"``."""
    return f"{100 * share:.3g} %"
