"""What one warp access costs, counted as plainly as can be: the run-time library must agree."""

from __future__ import annotations

from msgspec import Struct

LOAD, STORE, ATOMIC = 0, 1, 2
SHARED = 3
PHASES = {1: 32, 2: 32, 4: 32, 8: 16, 16: 8}


class Request(Struct, frozen=True):
    """``offsets``: of all 32 lanes, from a base aligned to 128 bytes; ``mask``: active ones."""

    bytes: int
    kind: int
    shared: bool
    mask: int
    offsets: tuple[int, ...]

    @property
    def active(self) -> dict[int, int]:
        return {k: at for k, at in enumerate(self.offsets) if self.mask >> k & 1}


def units(request: Request, size: int) -> int:
    touched = {
        byte // size for at in request.active.values() for byte in range(at, at + request.bytes)
    }
    return len(touched)


def ideal_sectors(request: Request) -> int:
    return min(units(request, 32), -(-len(request.active) * request.bytes // 32))


def conflicts(request: Request) -> int:
    return len(request.active) - len(set(request.active.values()))


def phases(request: Request) -> list[dict[int, int]]:
    """The parts in which the hardware takes a request to shared memory."""
    width, active = PHASES[request.bytes], request.active
    pairs = any(all(active.get(k ^ d, a) == a for k, a in active.items()) for d in (1, 2))
    if request.kind == LOAD and width < 32 and pairs:
        width *= 2
    starts = range(0, 32, width)
    found = [{k: a for k, a in active.items() if at <= k < at + width} for at in starts]
    return [phase for phase in found if phase]


def wavefronts(request: Request) -> int:
    total = 0
    unit = max(4, request.bytes)
    for phase in phases(request):
        words = {at // unit for at in phase.values()}
        banks = 128 // unit
        total += max(sum(word % banks == bank for word in words) for bank in range(banks))
    return total
