"""What one warp access costs, counted as plainly as can be: the run-time library must agree."""

from __future__ import annotations

from dataclasses import dataclass

LOAD, STORE, ATOMIC = 0, 1, 2
SHARED = 3
PHASES = {1: 32, 2: 32, 4: 32, 8: 16, 16: 8}


@dataclass(frozen=True)
class Request:
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
    width = PHASES[request.bytes]
    if width == 32:
        return [request.active]
    found = []
    for start in range(0, 32, 2 * width):
        both = {k: a for k, a in request.active.items() if start <= k < start + 2 * width}
        if any(all(both.get(k ^ d, a) == a for k, a in both.items()) for d in (1, 2)):
            found.append(both)
        else:
            found.append({k: a for k, a in both.items() if k < start + width})
            found.append({k: a for k, a in both.items() if k >= start + width})
    return [phase for phase in found if phase]


def wavefronts(request: Request) -> int:
    total = 0
    unit = max(4, request.bytes)
    for phase in phases(request):
        words = {at // unit for at in phase.values()}
        banks = 128 // unit
        total += max(sum(word % banks == bank for word in words) for bank in range(banks))
    return total
