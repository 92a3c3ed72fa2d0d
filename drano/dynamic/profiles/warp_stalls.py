"""Where sampled warps were, and what they waited for: Nsight Compute's samples by line and kernel.

Columns have ncu's names: *# Samples* of warps at a line, in the share of all of its kernel;
*stall_selected*, the samples whose warp issued an instruction, is how busy the GPU's warps are;
every other ``stall_...`` is a wait. The *memory* share is that of waits for memory off the
multiprocessor: ``stall_long_sb`` (a value of global, local or texture memory), ``stall_lg`` and
``stall_tex`` (their queues are full), ``stall_drain`` (stores that a warp's end waits for) and
``stall_membar``; the *shared* share of ``stall_short_sb`` and ``stall_mio``, the same for shared
memory and for special functions.
Limits: as ncu says, samples of one pass; a wait is counted where the warp stands, not at the load
that it waits for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from drano.dynamic.profiles.display_names import kernel_name
from drano.dynamic.profiles.profile import Samples
from drano.output.source_lines import shown_path

MEMORY = frozenset({"stall_long_sb", "stall_lg", "stall_tex", "stall_drain", "stall_membar"})
SHARED = frozenset({"stall_short_sb", "stall_mio"})
ISSUED = "stall_selected"
_REASONS = 3
STALLS = "Where sampled warps were (Nsight Compute's samples; shares of a line's samples)"
LINE_HEADS = ("# Samples", "of kernel", "memory", "shared", ISSUED, "place", "kernel", "waits")
KERNEL_HEADS = ("sampled kernel", "# Samples", "memory", "shared", ISSUED, "waits")


class Waits(Struct):
    """Samples of a line or of a kernel; ``add`` mutates."""

    samples: int = 0
    stalls: Counter[str] = field(default_factory=Counter)

    def add(self, found: Samples) -> None:
        """Count a line's samples."""
        self.samples += found.samples
        self.stalls.update(found.stalls)

    def share(self, names: Iterable[str]) -> float:
        """Of the samples that wait for one of ``names``; their sum where all samples have one."""
        total = sum(self.stalls.values())
        return sum(self.stalls[name] for name in names) / total if total else 0.0

    @property
    def reasons(self) -> list[tuple[str, float]]:
        """What is waited for most, with its share."""
        found = [(name, self.share([name])) for name in self.stalls if name != ISSUED]
        waits = sorted((pair for pair in found if pair[1]), key=lambda p: (-p[1], p[0]))
        return waits[:_REASONS]


def kernel_waits(samples: Iterable[Samples]) -> dict[str, Waits]:
    """Kernels, those with most samples first."""
    found: dict[str, Waits] = {}
    for each in samples:
        found.setdefault(each.kernel, Waits()).add(each)
    return dict(sorted(found.items(), key=lambda pair: (-pair[1].samples, pair[0])))


def line_rows(samples: Sequence[Samples], most: int | None) -> list[Sequence[str]]:
    """Lines with most samples first, as ``LINE_HEADS``."""
    totals = kernel_waits(samples)
    rows: list[Sequence[str]] = []
    for each in sorted(samples, key=lambda s: (-s.samples, s.path, s.line, s.kernel))[:most]:
        waits = Waits()
        waits.add(each)
        rows.append(
            (
                f"{each.samples:,}",
                _percent(each.samples / max(1, totals[each.kernel].samples)),
                *_shares(waits),
                f"{shown_path(each.path)}:{each.line}",
                _name(each.kernel),
                _reasons(waits),
            )
        )
    return rows


def kernel_rows(samples: Sequence[Samples], most: int | None) -> list[Sequence[str]]:
    """Kernels with most samples first, as ``KERNEL_HEADS``."""
    return [
        (_name(kernel), f"{waits.samples:,}", *_shares(waits), _reasons(waits))
        for kernel, waits in list(kernel_waits(samples).items())[:most]
    ]


def _shares(waits: Waits) -> tuple[str, str, str]:
    return (
        _percent(waits.share(MEMORY)),
        _percent(waits.share(SHARED)),
        _percent(waits.share([ISSUED])),
    )


def _reasons(waits: Waits) -> str:
    return ", ".join(f"{name} {_percent(share)}" for name, share in waits.reasons)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _name(kernel: str) -> str:
    return kernel_name(kernel).partition("(")[0]


def stalls_json(samples: Sequence[Samples]) -> dict[str, object]:
    """Kernels and lines, with shares of their samples."""
    lines: list[dict[str, object]] = []
    for each in samples:
        waits = Waits()
        waits.add(each)
        lines.append(
            {
                "path": each.path, "line": each.line, "kernel": each.kernel,
                "samples": each.samples, "not_issued": each.not_issued, **_figures(waits),
            }
        )  # fmt: skip
    kernels: list[dict[str, object]] = [
        {"kernel": kernel, "samples": waits.samples, **_figures(waits)}
        for kernel, waits in kernel_waits(samples).items()
    ]
    return {"kernels": kernels, "lines": lines}


def _figures(waits: Waits) -> dict[str, object]:
    return {
        "memory_share": round(waits.share(MEMORY), 6),
        "shared_share": round(waits.share(SHARED), 6),
        "issued_share": round(waits.share([ISSUED]), 6),
        "stalls": dict(waits.stalls),
    }
