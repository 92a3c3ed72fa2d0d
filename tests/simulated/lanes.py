"""Threads of a launch, one by one, and the requests that their warps make of global memory.

A thread is a Python generator (``translate.py``) that runs until it must wait for others. Threads
of a warp access memory together where they come to the same place of the source by the same calls,
in the same iterations of the loops around it.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tests.simulated.types import CType, Float, Int, Pointer, Struct, wrapped

Dim: TypeAlias = tuple[int, int, int]
Place: TypeAlias = tuple[int, str]  # line and kind
Key: TypeAlias = tuple[Any, ...]
Body: TypeAlias = Generator[tuple[Any, ...], Any, Any]
GLOBAL, SHARED, CONSTANT, STEP = 1 << 40, 1 << 32, 1 << 36, 1 << 28


@dataclass(frozen=True)
class Request:
    """What one warp asks for at once: addresses by lane. ``possible``: the lanes that exist."""

    place: Place
    size: int
    addresses: dict[int, int]
    possible: int
    run: int = 0

    @property
    def ideal(self) -> int:
        """Sectors that the bytes would fill."""
        return -(-len(set(self.addresses.values())) * self.size // 32)

    def units(self, unit: int) -> int:
        """Sectors (32) or lines (128) that are touched."""
        return len({
            part for a in self.addresses.values()
            for part in range(a // unit, (a + self.size - 1) // unit + 1)
        })  # fmt: skip


@dataclass
class Memory:
    """Bytes by address, number by number; what nobody wrote is arbitrary, but always the same."""

    seed: int
    held: dict[int, Any] = field(default_factory=dict)

    def load(self, address: int, type_: CType) -> Any:
        if address in self.held:
            return self.held[address]
        if isinstance(type_, Struct):
            return [self.load(address + m.offset, m.type) for m in type_.members]
        digest = hashlib.blake2b(f"{self.seed} {address}".encode(), digest_size=4).digest()
        value = int.from_bytes(digest, "little") % 1000
        if isinstance(type_, Pointer):
            return GLOBAL + 99 * STEP + 16 * value
        if isinstance(type_, Int) and type_.bits < 32:
            return wrapped(value, type_.bits, type_.signed)
        return float(value) if isinstance(type_, Float) else value


class Thread:
    """One thread: where it is in its block, and the calls and iterations that it is in."""

    def __init__(self, launch: Launch, block: Dim, place: Dim, number: int) -> None:
        self.launch, self.block, self.place, self.number = launch, block, place, number
        self.lane, self.warp = number % 32, number // 32
        self.path: list[Any] = []

    def access(self, line: int, kind: str, address: int, size: int) -> None:
        """Note one lane's part of a request."""
        if address >= GLOBAL:
            key = (self.block, self.warp, line, kind, *self.path)
            found = self.launch.requests[key]
            assert self.lane not in found, f"line {line}: the same lane twice in {key}"
            found[self.lane] = (address, size)

    def load(self, line: int, address: int, type_: CType) -> Any:
        self.access(line, "load", address, type_.size)
        return self.launch.memory(self.block, address).load(address, type_)

    def store(self, line: int, address: int, type_: CType, value: Any) -> Any:
        self.access(line, "store", address, type_.size)
        held = self.launch.memory(self.block, address).held
        if isinstance(type_, Struct):
            held.update((address + m.offset, v) for m, v in zip(type_.members, value, strict=True))
        else:
            held[address] = value
        return value

    def atomic(self, line: int, address: int, type_: CType, new: Callable[[Any], Any]) -> Any:
        self.access(line, "atomic", address, type_.size)
        memory = self.launch.memory(self.block, address)
        old = memory.load(address, type_)
        memory.held[address] = new(old)
        return old


class Launch:
    """One launch: ``kernel(thread)`` gives the generator of each thread."""

    def __init__(
        self, kernel: Callable[[Thread], Body], grid: Dim, block: Dim, seed: int,
        constants: dict[int, Any],
    ) -> None:  # fmt: skip
        self.grid, self.block, self.kernel = grid, block, kernel
        self.requests: dict[Key, dict[int, tuple[int, int]]] = defaultdict(dict)
        self._global = Memory(seed, dict(constants))
        self._shared: dict[Dim, Memory] = defaultdict(lambda: Memory(seed))

    def memory(self, block: Dim, address: int) -> Memory:
        return self._shared[block] if SHARED <= address < CONSTANT else self._global

    def run(self) -> list[Request]:
        """All requests of all warps."""
        for block in _places(self.grid):
            self._run_block(block)
        count = self.block[0] * self.block[1] * self.block[2]
        found = []
        for (_, warp, line, kind, *_), lanes in self.requests.items():
            sizes = {size for _, size in lanes.values()}
            assert len(sizes) == 1
            addresses = {lane: a for lane, (a, _) in sorted(lanes.items())}
            possible = min(32, count - 32 * warp)
            found.append(Request((line, kind), sizes.pop(), addresses, possible))
        return found

    def _run_block(self, block: Dim) -> None:
        threads = [Thread(self, block, p, n) for n, p in enumerate(_places(self.block))]
        running = {thread: self.kernel(thread) for thread in threads}
        waiting: dict[Thread, tuple[Any, ...]] = {}
        answers: dict[Thread, Any] = dict.fromkeys(threads)
        while answers:
            for thread, answer in list(answers.items()):
                try:
                    waiting[thread] = running[thread].send(answer)
                except StopIteration:
                    waiting.pop(thread, None)
            answers = _answered(waiting)
            for thread in answers:
                del waiting[thread]


def _places(size: Dim) -> Iterator[Dim]:
    return ((x, y, z) for z in range(size[2]) for y in range(size[1]) for x in range(size[0]))


def _answered(waiting: dict[Thread, tuple[Any, ...]]) -> dict[Thread, Any]:
    """Who goes on, and what it gets: first warps whose lanes look at each other, then barriers."""
    groups: dict[Key, list[Thread]] = defaultdict(list)
    for thread, (what, site, *_) in waiting.items():
        if what != "barrier":
            groups[thread.warp, what, site, *thread.path].append(thread)
    if not groups:
        return dict.fromkeys(waiting)
    return {
        thread: answer
        for (_, what, *_), group in groups.items()
        for thread, answer in _exchange(what, group, [waiting[t][2:] for t in group]).items()
    }


def _exchange(what: str, group: list[Thread], values: list[Any]) -> dict[Thread, Any]:
    by_lane = {t.lane: v for t, v in zip(group, values, strict=True)}
    active = sum(1 << lane for lane in by_lane)
    if what == "active":
        return dict.fromkeys(group, active)
    if what == "rank":
        return {t: (active & ((1 << t.lane) - 1)).bit_count() for t in group}
    if what == "size":
        return dict.fromkeys(group, len(group))
    if what in {"ballot", "any", "all"}:
        votes = sum(1 << lane for lane, (_, vote) in by_lane.items() if vote)
        answer = {"ballot": votes, "any": int(votes != 0), "all": int(votes == active)}[what]
        return dict.fromkeys(group, answer)
    if what == "match":
        same: dict[Any, int] = defaultdict(int)
        for lane, (_, value) in by_lane.items():
            same[value] |= 1 << lane
        return {t: same[by_lane[t.lane][1]] for t in group}
    if what == "shfl":
        return {t: _shuffled(t.lane, by_lane) for t in group}
    raise ValueError(what)


def _shuffled(lane: int, by_lane: dict[int, Any]) -> Any:
    _, value, mode, by, width = by_lane[lane]
    first = lane - lane % width
    if mode == "idx":
        source = first + by % width
    elif mode == "up":
        source = lane - by if lane - by >= first else lane
    elif mode == "down":
        source = lane + by if lane + by < first + width else lane
    else:
        source = lane ^ by if (lane ^ by) < first + width else lane
    return by_lane[source][1] if source in by_lane else value
