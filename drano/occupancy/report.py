"""``drano occupancy``: each kernel's needs, occupancy, what limits it, and the next better step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from drano.analysis.blocks.block_size_independence import BlockSize, Obstacle
from drano.analysis.blocks.launch_sums import AXES
from drano.model.gpus import MAX_BLOCK_THREADS, Gpu
from drano.model.report import KernelInfo
from drano.occupancy.formula import Need, Occupancy, Step, better_steps, occupancy, percent
from drano.occupancy.tuning import Candidate, Tuning, other_blocks, tune
from drano.occupancy.usage import UnitUsage, Usage
from drano.output.source_lines import printable, shown_path
from drano.support.fast_json import indented

ASSUMED_THREADS = 256
_MOST_OBSTACLES = 16


class KernelOccupancy(Struct, frozen=True):
    """One kernel in one block shape. ``assumed``: nothing in the source or on the command line
    gave the shape. ``axes``: along which a change of the block's size is proved to be safe;
    ``obstacles``: what stands against the axes that the block has and that are not among them.
    """

    name: str
    usage: Usage
    block: tuple[int, int, int]
    assumed: bool
    dynamic: int
    occupancy: Occupancy
    steps: tuple[Step, ...]
    tuning: Tuning
    axes: str
    obstacles: tuple[Obstacle, ...]


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
        known_blocks = {launch.block for launch in launches if launch.exact}
        for block in sorted(known_blocks or {(ASSUMED_THREADS, 1, 1)}):
            threads = block[0] * block[1] * block[2]
            if threads > MAX_BLOCK_THREADS:
                continue
            need = Need(threads, item.registers, item.shared + dynamic)
            name = kernel.name if kernel is not None else item.symbol
            now = occupancy(gpu, need)
            axes, obstacles = _independence(item.block_size, block)
            blocks = other_blocks(item.max_threads) if not obstacles else ()
            found.append(
                KernelOccupancy(
                    name, item, block, not known_blocks, dynamic, now, better_steps(gpu, need),
                    tune(gpu, need, item.pressure, blocks), axes, obstacles,
                )
            )  # fmt: skip
    return tuple(found)


def _axes_of(block: tuple[int, int, int]) -> list[str]:
    """The axes that a block has, x always."""
    return [axis for axis, size in zip(AXES, block, strict=True) if axis == "x" or size > 1]


def _independence(
    answer: BlockSize | None, block: tuple[int, int, int]
) -> tuple[str, tuple[Obstacle, ...]]:
    """Axes that are proved, and what stands against the others that the block has."""
    if answer is None:
        return "", (Obstacle(frozenset(AXES), None, "the kernel source was not analysed"),)
    wanted = {axis for axis in _axes_of(block) if axis not in answer.proved}
    found = tuple(obstacle for obstacle in answer.obstacles if obstacle.axes & wanted)
    return "".join(sorted(answer.proved)), found


def render_text(path: str, gpu: Gpu, usage: UnitUsage, found: Sequence[KernelOccupancy]) -> str:
    """For people: a paragraph for each kernel."""
    lines = [f"{printable(shown_path(path))}: occupancy on {gpu.arch}{_counted_for(gpu, usage)}"]
    if usage.not_nvcc:
        lines.append(
            f"note: registers and spills are those of clang's code, nvcc's may differ "
            f"({printable(usage.not_nvcc)})"
        )
    if not found:
        lines.append("no kernel in this file")
    for item in found:
        lines += ["", *_kernel_lines(gpu, item)]
    return "\n".join(lines) + "\n"


def _counted_for(gpu: Gpu, usage: UnitUsage) -> str:
    """Whose code it is, and of which GPU if of another."""
    compiler = f"compiled by {usage.compiler}" if usage.compiler else ""
    other = "" if usage.arch == gpu.arch else f"register counts for {usage.arch}"
    said = ", ".join(filter(None, (compiler, other)))
    return f" ({said})" if said else ""


def render_table(path: str, gpu: Gpu, usage: UnitUsage, found: Sequence[KernelOccupancy]) -> str:
    """A line for each kernel, the lowest occupancy first."""
    head = ("occupancy", "block", "registers", "shared", "spills", "limited by", "kernel")
    rows = [
        (
            percent(item.occupancy.share),
            shape_text(item),
            str(item.usage.registers),
            str(item.usage.shared + item.dynamic),
            str(item.usage.spill_stores + item.usage.spill_loads),
            " and ".join(item.occupancy.limiting),
            printable(item.name),
        )
        for item in sorted(found, key=lambda item: (item.occupancy.share, item.name))
    ]
    widths = [max(len(row[n]) for row in (head, *rows)) for n in range(len(head) - 1)]
    lines = [
        "  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[-1]])
        for row in (head, *rows)
    ]
    return "\n".join(lines) + "\n"


def shape_text(item: KernelOccupancy) -> str:
    """The block's shape, and whether it is only assumed."""
    return "x".join(map(str, item.block)) + (" (assumed)" if item.assumed else "")


def advice(item: KernelOccupancy) -> str:
    """The least changes that give more, in one sentence."""
    return "; ".join(_step(step, item) for step in item.steps)


def _kernel_lines(gpu: Gpu, item: KernelOccupancy) -> list[str]:
    block = shape_text(item)
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
        lines[-1] += ": a block of this size does not fit"
    lines += [f"  better    {_step(step, item)}" for step in item.steps]
    return [*lines, *_tuning_lines(item), _block_line(item)]


def _step(step: Step, item: KernelOccupancy) -> str:
    """Another block size is proposed where it is proved to be safe, else with what to check."""
    if step.need.threads == item.tuning.candidates[0].need.threads or not item.obstacles:
        return step.text
    return f"{step.text}, if the kernel allows that block size"


def _tuning_lines(item: KernelOccupancy) -> list[str]:
    tuning = item.tuning
    leaves = (
        f"  pressure  {tuning.pressure} registers; full occupancy leaves {tuning.fair} per thread"
    )
    if item.occupancy.share >= 1.0:
        return [leaves]  # nothing to gain
    head = f"{leaves}: try {tuning.direction}"
    now, *others = tuning.candidates
    if not others:
        return [f"{head} (no variant with this block size has them)"]
    return [head, *(f"  try       {_candidate(now, other)}" for other in others)]


def _candidate(now: Candidate, other: Candidate) -> str:
    parts = []
    if other.need.threads != now.need.threads:
        parts.append(f"blocks of {other.need.threads} threads")
    if other.need.registers != now.need.registers:
        parts.append(f"at most {other.need.registers} registers")
    if other.padding:
        parts.append(f"{other.padding} more bytes of dynamic shared memory")
    short = f", {other.short} registers short" if other.short else ""
    return f"{percent(other.share)}: {' and '.join(parts)}{short}"


def _block_line(item: KernelOccupancy) -> str:
    if not item.obstacles:
        return (
            "  block     size can change: proved not to affect the result as long as the total "
            "number of threads (grid times block) and the arguments stay the same"
        )
    first = item.obstacles[0]
    line = f"line {first.location.span.line}: " if first.location is not None else ""
    text = printable(first.text)
    more = f" (and {len(item.obstacles) - 1} more)" if len(item.obstacles) > 1 else ""
    return f"  block     size may not be free to change; check {line}{text}{more}"


def _spills(usage: Usage) -> str:
    stores, loads = usage.spill_stores, usage.spill_loads
    return f", spills {stores} bytes of stores and {loads} of loads" if stores or loads else ""


def render_json(path: str, gpu: Gpu, usage: UnitUsage, found: Sequence[KernelOccupancy]) -> str:
    """The same as one JSON document."""
    return indented({
        "file": shown_path(path),
        "gpu": gpu.arch,
        "compiled_for": usage.arch,
        "compiler": usage.compiler or None,
        "not_nvcc": usage.not_nvcc or None,
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
        "max_live": usage.max_live,
        "pressure": item.tuning.pressure,
        "registers_with_all_warps": item.tuning.fair,
        "direction": str(item.tuning.direction),
        "candidates": [
            {
                "occupancy": round(c.share, 4), "threads": c.need.threads,
                "registers": c.need.registers, "short": c.short, "padding": c.padding,
            }
            for c in item.tuning.candidates
        ],
        "block_size": {
            "independent": not item.obstacles,
            "proved_axes": item.axes,
            "obstacles": [
                {
                    "line": o.location.span.line if o.location is not None else 0,
                    "axes": "".join(sorted(o.axes)), "text": o.text,
                }
                for o in item.obstacles[:_MOST_OBSTACLES]
            ],
        },
    }  # fmt: skip


FORMATS = {"text": render_text, "table": render_table, "json": render_json}
