"""A profile from the top down (kernel, calls, loops, line) and from the bottom up (function).

*Inclusive* counts are those of a node and all below it. *Exclusive* ones, as HPCToolkit has them,
are of the lines of a function itself with its loops but without what it calls, of the lines in a
loop without loops and calls inside, and all of a line. Derived metrics: coalescing efficiency is
needed sectors for each that is moved; lanes the mean share of a warp that is active in a request.
Where Nsight Compute's samples were imported: the share of all samples, and of a node's own samples
those whose warp waited for memory, and those whose warp issued an instruction.
*Importance* of a node is its kernel's share of all bytes moved, times its share of the kernel's.
Limits: calls are those that were inlined; a function that is called stands for itself. Profiles
that were written before version 2, or imported, know no loops, and no instructions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from drano.dynamic.profiles.display_names import kernel_name
from drano.dynamic.profiles.profile import Call, Loop, Profile, Samples, Site, Work
from drano.dynamic.profiles.warp_stalls import ISSUED, MEMORY
from drano.model.hardware import SECTOR_BYTES, WARP_SIZE
from drano.output.source_lines import shown_path

Part = Site | Work | Samples


class Counts(Struct):
    """Sums over sites and lines; ``add`` and ``add_work`` mutate."""

    requests: int = 0
    lanes: int = 0
    sectors: int = 0
    ideal: int = 0
    instructions: int = 0
    flops: int = 0
    samples: int = 0
    memory: int = 0
    issued: int = 0

    def add(self, part: Part) -> None:
        """Count a site's requests to global memory, a line's instructions, or its samples."""
        if isinstance(part, Work):
            self.instructions += part.instructions
            self.flops += part.flops
            return
        if isinstance(part, Samples):
            self.samples += part.samples
            self.memory += sum(part.stalls.get(name, 0) for name in MEMORY)
            self.issued += part.stalls.get(ISSUED, 0)
            return
        self.requests += part.executions
        self.lanes += part.active_lanes
        self.sectors += part.sectors
        self.ideal += part.sectors_ideal

    @property
    def excess_bytes(self) -> int:
        """Bytes beyond the ideal."""
        return max(0, self.sectors - self.ideal) * SECTOR_BYTES

    @property
    def efficiency(self) -> float | None:
        """Coalescing efficiency; None where nothing was moved."""
        return self.ideal / self.sectors if self.sectors else None

    @property
    def active(self) -> float | None:
        """Share of lanes that are active in a request."""
        return self.lanes / (self.requests * WARP_SIZE) if self.requests else None

    @property
    def memory_share(self) -> float | None:
        """Of the samples, those whose warp waited for memory."""
        return self.memory / self.samples if self.samples else None

    @property
    def issued_share(self) -> float | None:
        """Of the samples, those whose warp issued an instruction."""
        return self.issued / self.samples if self.samples else None


Key = tuple[str, str, str, int]


class Node(Struct):
    """One level. ``kind``: kernel, function, call, loop or line; ``note``: what a line accesses.
    Built once, then read.
    """

    kind: str
    label: str
    inclusive: Counts = field(default_factory=Counts)
    exclusive: Counts = field(default_factory=Counts)
    below: dict[Key, Node] = field(default_factory=dict)
    importance: float = 0.0
    effort: float = 0.0
    time: float = 0.0
    notes: dict[str, None] = field(default_factory=dict)

    def child(self, key: Key, label: str) -> Node:
        """The node below with this key, made when it is not there."""
        found = self.below.get(key)
        if found is None:
            found = self.below[key] = Node(key[0], label)
        return found

    @property
    def text(self) -> str:
        """The label, with what a line accesses."""
        return f"{self.label}: {', '.join(self.notes)}" if self.notes else self.label

    @property
    def weight(self) -> float:
        """The greatest of its shares of all bytes, of all instructions and of all samples."""
        return max(self.importance, self.effort, self.time)

    @property
    def ranked(self) -> list[Node]:
        """The nodes below, what wastes most first."""
        return sorted(
            self.below.values(),
            key=lambda n: (
                -n.inclusive.excess_bytes, -n.inclusive.sectors, -n.inclusive.instructions,
                -n.inclusive.samples, n.label,
            ),
        )  # fmt: skip


def top_down(profile: Profile) -> Node:
    """Kernels; below them calls and loops from the outermost inwards; below them lines."""
    root = Node("program", "program")
    kernels = {kernel.name: kernel.label for kernel in profile.kernels}
    for part in _parts(profile):
        root.inclusive.add(part)
        path = [root]
        for key, label in _path(part, kernels):
            path.append(path[-1].child(key, label))
            path[-1].inclusive.add(part)
        if isinstance(part, Site):
            path[-1].notes[part.kind] = None
        for node in _own(path):
            node.exclusive.add(part)
    _weigh(root)
    return root


def _own(path: list[Node]) -> Iterator[Node]:
    """Whose own a line is: of itself, its innermost loop and its function."""
    yield path[-1]
    inner = True
    for node in reversed(path[1:-1]):
        if node.kind != "loop":
            yield node
            return
        if inner:
            yield node
        inner = False


def _path(part: Part, kernels: Mapping[str, str]) -> Iterator[tuple[Key, str]]:
    calls: tuple[Call, ...] = () if isinstance(part, Samples) else part.inlined_at[::-1]
    loops: tuple[Loop, ...] = () if isinstance(part, Samples) else part.loops
    names = [*(call.function for call in calls), _function(part)]
    kind = "kernel" if part.kernel in kernels else "function"
    name = kernels.get(part.kernel) or names[0] or kernel_name(part.kernel)
    yield (kind, part.kernel, "", 0), f"{kind} {name}"
    for depth in range(len(calls) + 1):
        if depth:
            yield _call(calls[depth - 1], names[depth] if names[depth - 1] else "")
        for loop in loops:
            if min(loop.depth, len(calls)) == depth:
                yield _loop(loop)
    inside = f" in {_function(part)}" if calls and not names[0] else ""
    yield ("line", "", part.path, part.line), f"{_place(part.path, part.line)}{inside}"


def _function(part: Part) -> str:
    """The function that holds the line; of a sample its kernel, whatever was inlined."""
    if isinstance(part, Samples):
        return kernel_name(part.kernel).partition("(")[0]
    return part.function


def _call(call: Call, function: str) -> tuple[Key, str]:
    said = f"{function}, called" if function else "call"
    return ("call", function, call.path, call.line), f"{said} at {_place(call.path, call.line)}"


def _loop(loop: Loop) -> tuple[Key, str]:
    over = f" over `{loop.counter}`" if loop.counter else ""
    place = _place(loop.path, loop.line)
    return ("loop", loop.counter, loop.path, loop.line), f"loop{over} at {place}"


def _weigh(root: Node) -> None:
    """Kernel share times share of the kernel, which is the share of all."""
    pending = [root]
    sectors, instructions = root.inclusive.sectors, root.inclusive.instructions
    samples = root.inclusive.samples
    while pending:
        node = pending.pop()
        node.importance = node.inclusive.sectors / sectors if sectors else 0.0
        node.effort = node.inclusive.instructions / instructions if instructions else 0.0
        node.time = node.inclusive.samples / samples if samples else 0.0
        pending += node.below.values()


def bottom_up(profile: Profile) -> list[Node]:
    """Functions by what their own lines waste, below each the kernels that it does it for."""
    root = Node("program", "program")
    kernels = {kernel.name: kernel.label for kernel in profile.kernels}
    for part in _parts(profile):
        root.inclusive.add(part)
        function = _function(part)
        node = root.child(("function", function, "", 0), function)
        name = kernels.get(part.kernel) or _outermost(part)
        inner = node.child(("kernel", part.kernel, "", 0), f"kernel {name}")
        for each in (node, inner):
            each.inclusive.add(part)
            each.exclusive.add(part)
    _weigh(root)
    return root.ranked


def _outermost(part: Part) -> str:
    calls = () if isinstance(part, Samples) else part.inlined_at
    named = calls[-1].function if calls else _function(part)
    return named or kernel_name(part.kernel)


def _parts(profile: Profile) -> Iterable[Part]:
    yield from (site for site in profile.sites if site.executions and site.sectors)
    yield from profile.work
    yield from profile.samples


def _place(path: str, line: int) -> str:
    return f"{shown_path(path)}:{line}"
