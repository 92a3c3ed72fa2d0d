"""``drano occupancy``: each kernel's needs, occupancy, what limits it, and the next better step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from drano.finding import KernelInfo
from drano.occupancy.formula import Need, Occupancy, Step, better_steps, occupancy, percent
from drano.occupancy.gpus import MAX_BLOCK_THREADS, Gpu
from drano.occupancy.usage import UnitUsage, Usage
from drano.output.pretty import indented
from drano.output.source import printable, shown_path

ASSUMED_THREADS = 256


@dataclass(frozen=True, slots=True)
class KernelOccupancy:
    """One kernel in one block shape. ``assumed``: nothing in the source or on the command line
    gave the shape.
    """

    name: str
    usage: Usage
    block: tuple[int, int, int]
    assumed: bool
    dynamic: int
    occupancy: Occupancy
    steps: tuple[Step, ...]


def kernel_occupancies(
    usage: UnitUsage, kernels: Sequence[KernelInfo], gpu: Gpu, dynamic: int
) -> tuple[KernelOccupancy, ...]:
    """Each kernel under each block shape that is known of it. ``dynamic``: bytes of shared memory
    that launches ask for.
    """
    known: Mapping[str, KernelInfo] = {kernel.symbol: kernel for kernel in kernels}
    found = []
    for item in usage.kernels:
        kernel = known.get(item.symbol)
        launches = kernel.launches if kernel is not None else ()
        known_blocks = {launch.block for launch in launches if not launch.assumed}
        for block in sorted(known_blocks or {(ASSUMED_THREADS, 1, 1)}):
            threads = block[0] * block[1] * block[2]
            if threads > MAX_BLOCK_THREADS:
                continue
            need = Need(threads, item.registers, item.shared + dynamic)
            name = kernel.name if kernel is not None else item.symbol
            now = occupancy(gpu, need)
            found.append(
                KernelOccupancy(
                    name, item, block, not known_blocks, dynamic, now, better_steps(gpu, need)
                )
            )
    return tuple(found)


def render_text(path: str, gpu: Gpu, usage: UnitUsage, found: Sequence[KernelOccupancy]) -> str:
    """For people: a paragraph for each kernel."""
    as_for = "" if usage.arch == gpu.arch else f" (registers as counted for {usage.arch})"
    lines = [f"{printable(shown_path(path))}: occupancy on {gpu.arch}{as_for}"]
    if not found:
        lines.append("no kernel in this file")
    for item in found:
        lines += ["", *_kernel_lines(gpu, item)]
    return "\n".join(lines) + "\n"


def _kernel_lines(gpu: Gpu, item: KernelOccupancy) -> list[str]:
    block = "x".join(map(str, item.block)) + (" (assumed)" if item.assumed else "")
    usage, now = item.usage, item.occupancy
    shared = f"{usage.shared} bytes of shared memory"
    if item.dynamic:
        shared += f" and {item.dynamic} dynamic"
    lines = [
        f"{printable(item.name)}, blocks of {block} threads: {percent(now.share)}",
        f"  uses      {usage.registers} registers, {shared}{_spills(usage)}",
        f"  resident  {now.blocks} blocks, {now.warps} of {gpu.warps} warps",
        f"  limited   by {' and '.join(now.limiting)}",
    ]
    if not now.blocks:
        lines[-1] += ": such a block does not fit at all"
    return lines + [f"  better    {step.text}" for step in item.steps]


def _spills(usage: Usage) -> str:
    stores, loads = usage.spill_stores, usage.spill_loads
    return f", spills {stores} bytes of stores and {loads} of loads" if stores or loads else ""


def render_json(path: str, gpu: Gpu, usage: UnitUsage, found: Sequence[KernelOccupancy]) -> str:
    """The same as one JSON document."""
    return indented({
        "file": shown_path(path),
        "gpu": gpu.arch,
        "compiled_for": usage.arch,
        "kernels": [_json(gpu, item) for item in found],
    })  # fmt: skip


def _json(gpu: Gpu, item: KernelOccupancy) -> dict[str, Any]:
    now, usage = item.occupancy, item.usage
    return {
        "kernel": item.name,
        "symbol": usage.symbol,
        "block": list(item.block),
        "assumed": item.assumed,
        "registers": usage.registers,
        "shared": usage.shared,
        "dynamic_shared": item.dynamic,
        "stack": usage.stack,
        "spill_stores": usage.spill_stores,
        "spill_loads": usage.spill_loads,
        "blocks": now.blocks,
        "warps": now.warps,
        "max_warps": gpu.warps,
        "occupancy": round(now.share, 4),
        "limiting": list(now.limiting),
        "steps": [
            {
                "text": step.text, "occupancy": round(step.share, 4), "threads": step.need.threads,
                "registers": step.need.registers, "shared": step.need.shared,
            }
            for step in item.steps
        ],
    }  # fmt: skip
