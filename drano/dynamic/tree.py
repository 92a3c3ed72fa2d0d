"""A profile from the top down (kernel, call path, line) and from the bottom up (function).

*Inclusive* counts are a node's and all below it, *exclusive* its own. Derived metrics: coalescing
efficiency is needed sectors for each that is moved; lanes the mean share of a warp that is active.
*Importance* of a node is its kernel's share of all bytes moved, times its share of the kernel's.
Calls are those that were inlined; a profile knows no loops.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from drano.dynamic.profile import Profile, Site
from drano.dynamic.ranking import kernel_name
from drano.output.costs import size_text
from drano.output.source import printable, shown_path

WARP_SIZE = 32
SECTOR = 32


@dataclass(slots=True)
class Counts:
    """Sums over sites; ``add`` mutates."""

    requests: int = 0
    lanes: int = 0
    sectors: int = 0
    ideal: int = 0

    def add(self, site: Site) -> None:
        """Count a site's requests."""
        self.requests += site.executions
        self.lanes += site.active_lanes
        self.sectors += site.sectors
        self.ideal += site.sectors_ideal

    @property
    def excess_bytes(self) -> int:
        """Bytes beyond the ideal."""
        return max(0, self.sectors - self.ideal) * SECTOR

    @property
    def efficiency(self) -> float | None:
        """Coalescing efficiency; None where nothing was moved."""
        return self.ideal / self.sectors if self.sectors else None

    @property
    def active(self) -> float | None:
        """Share of lanes that are active in a request."""
        return self.lanes / (self.requests * WARP_SIZE) if self.requests else None


@dataclass(slots=True)
class Node:
    """One level. Built once, then read."""

    label: str
    inclusive: Counts = field(default_factory=Counts)
    exclusive: Counts = field(default_factory=Counts)
    below: dict[str, Node] = field(default_factory=dict)
    importance: float = 0.0

    def child(self, label: str) -> Node:
        """The node below with this label, made when it is not there."""
        return self.below.setdefault(label, Node(label))

    @property
    def ranked(self) -> list[Node]:
        """The nodes below, what wastes most first."""
        return sorted(self.below.values(), key=lambda n: (-n.inclusive.excess_bytes, n.label))


def top_down(profile: Profile) -> Node:
    """Kernels, below them the inlined calls from the outermost inwards, below them lines."""
    root = Node("program")
    for site in _executed(profile):
        path = [f"kernel {kernel_name(site.kernel)}"]
        path += [f"call at {_place(c.path, c.line)}" for c in reversed(site.inlined_at)]
        inside = f" in {site.function}" if site.inlined_at else ""
        path.append(f"{site.kind} at {_place(site.path, site.line)}{inside}")
        node = root
        node.inclusive.add(site)
        for label in path:
            node = node.child(label)
            node.inclusive.add(site)
        node.exclusive.add(site)
    _weigh(root)
    return root


def _weigh(root: Node) -> None:
    """Kernel share times share of the kernel, which is the share of all."""
    pending = [root]
    while pending:
        node = pending.pop()
        total = root.inclusive.sectors
        node.importance = node.inclusive.sectors / total if total else 0.0
        pending += node.below.values()


def bottom_up(profile: Profile) -> list[Node]:
    """Functions by what their own lines waste, below each the kernels that it does it for."""
    root = Node("program")
    for site in _executed(profile):
        root.inclusive.add(site)
        node = root.child(site.function)
        node.inclusive.add(site)
        node.exclusive.add(site)
        inner = node.child(f"kernel {kernel_name(site.kernel)}")
        inner.inclusive.add(site)
        inner.exclusive.add(site)
    _weigh(root)
    return root.ranked


def _executed(profile: Profile) -> Iterator[Site]:
    return (site for site in profile.sites if site.executions and site.sectors)


def _place(path: str, line: int) -> str:
    return f"{shown_path(path)}:{line}"


def render_tree(profile: Profile, least: float) -> str:
    """Both views as text; nodes of an importance below ``least`` are left out, and counted."""
    root = top_down(profile)
    lines = ["Top down: kernel, calls, lines", _HEAD]
    hidden = _lines(root.ranked, least, lines)
    lines += ["", "Bottom up: functions, kernels", _HEAD]
    hidden += _lines(bottom_up(profile), least, lines)
    if hidden:
        lines += ["", f"note: {hidden} nodes of an importance below {least:g} are left out"]
    return "\n".join(lines) + "\n"


_HEAD = f"{'incl.':>10} {'excl.':>10} {'efficiency':>10} {'lanes':>6} {'importance':>10}"


def _lines(nodes: list[Node], least: float, lines: list[str]) -> int:
    hidden = 0
    pending = [(node, 0) for node in reversed(nodes)]
    while pending:
        node, depth = pending.pop()
        if node.importance < least:
            hidden += 1
            continue
        lines.append(
            f"{size_text(node.inclusive.excess_bytes):>10} "
            f"{size_text(node.exclusive.excess_bytes):>10} "
            f"{_percent(node.inclusive.efficiency):>10} {_percent(node.inclusive.active):>6} "
            f"{_percent(node.importance):>10}  {'  ' * depth}{printable(node.label)}"
        )
        pending += [(below, depth + 1) for below in reversed(node.ranked)]
    return hidden


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"
