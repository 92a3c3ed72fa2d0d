"""``drano report``: a profile for people (text, HTML) and for tools (JSON, SARIF).

Tables: source lines by the bytes they move beyond what they need, arrays by their accesses, arrays
that blocks read again, kernels by their time, and what kernels executed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec
from msgspec import Struct, to_builtins

from drano.dynamic.profiles.display_names import kernel_name
from drano.dynamic.profiles.executed import executed, mix_text
from drano.dynamic.profiles.line_ranking import ranked_arrays, ranked_lines
from drano.dynamic.profiles.nsight_compute import HardwareLines
from drano.dynamic.profiles.profile import Profile, Samples
from drano.dynamic.profiles.warp_stalls import (
    KERNEL_HEADS,
    LINE_HEADS,
    STALLS,
    kernel_rows,
    line_rows,
    stalls_json,
)
from drano.model.hardware import SECTOR_BYTES
from drano.output.cost_text import size_text
from drano.output.roofline import DEFAULT, ROOFS, Roof
from drano.output.source_lines import Sources, printable, shown_path
from drano.support.fast_json import indented

_MOST_ROWS = 40
_AGAIN = 1.5  # reads of each word by a block, from which on an array is shown
EXECUTED = "What kernels executed (flops: floating-point operations; mix: instructions by class)"


class Setting(Struct, frozen=True):
    """What formats may need besides the profile; ``version``: of drano; ``hardware``: what Nsight
    Compute has measured, to stand beside it; ``roof``: of the GPU that kernels are shown under.
    """

    sources: Sources
    version: str
    hardware: HardwareLines | None = None
    roof: Roof = ROOFS[DEFAULT]


Table = tuple[Sequence[str], list[Sequence[str]]]


def line_table(
    profile: Profile, rows: int | None = _MOST_ROWS, hardware: HardwareLines | None = None
) -> Table:
    """Source lines, worst first."""
    heads: tuple[str, ...] = (
        "excess",
        "sectors",
        "ideal",
        "ratio",
        "lines",
        "wavefronts",
        "place",
        "kernel",
    )
    body = [
        (
            size_text(total.excess_bytes),
            f"{total.sectors:,}",
            f"{total.sectors_ideal:,}",
            f"{total.ratio:.2f}" if total.sectors else "",
            f"{total.lines_per_request:.1f}" if total.sectors else "",
            f"{total.wavefronts:,}/{total.wavefronts_ideal:,}" if total.wavefronts else "",
            f"{shown_path(total.path)}:{total.line}",
            ", ".join(total.kernels),
        )
        for total in ranked_lines(profile)[:rows]
    ]
    if hardware is None:
        return heads, list(body)
    heads = (*heads[:4], "ncu sectors", "ncu ratio", *heads[4:])
    beside = [hardware.at(total.path, total.line) for total in ranked_lines(profile)[:rows]]
    joined: list[Sequence[str]] = [
        (*row[:4], *((f"{h.sectors:,}", f"{h.ratio:.2f}") if h else ("", "")), *row[4:])
        for row, h in zip(body, beside, strict=True)
    ]
    return heads, joined


def array_table(profile: Profile, rows: int | None = _MOST_ROWS) -> Table:
    """Arrays by accesses; many accesses of a small array ask for shared memory."""
    heads = ("array", "size", "reads", "writes", "atomics", "per element of 4 B", "moved", "from")
    body = [
        (
            array.label,
            size_text(array.largest),
            f"{array.reads:,}",
            f"{array.writes:,}",
            f"{array.atomics:,}",
            f"{array.accesses * 4 / array.bytes:.1f}" if array.bytes else "",
            size_text(array.sectors * SECTOR_BYTES),
            f"{array.api} {shown_path(array.path)}:{array.line}" if array.path else array.api,
        )
        for array in ranked_arrays(profile)[:rows]
    ]
    return heads, list(body)


def reuse_table(profile: Profile, rows: int | None = _MOST_ROWS) -> Table:
    """Arrays that blocks read again, by the reads that staging in shared memory would save."""
    heads = ("reads by a block", "of words", "times", "tile", "array", "kernel")
    again = [one for one in profile.reuse if one.times >= _AGAIN and not one.written]
    again.sort(key=lambda one: (one.words - one.reads, one.kernel, one.name))
    body = [
        (
            f"{one.reads / one.blocks:,.0f}",
            f"{one.words / one.blocks:,.0f}",
            f"{one.times:.1f}",
            size_text(one.most_words * 4),
            one.label,
            kernel_name(one.kernel),
        )
        for one in again[:rows]
    ]
    return heads, list(body)


def kernel_table(profile: Profile, rows: int | None = _MOST_ROWS) -> Table:
    """Kernels by the time they took here."""
    heads = ("kernel", "launches", "time here", "grids x blocks")
    body = []
    for kernel in sorted(profile.kernels, key=lambda k: (-k.nanoseconds, k.name))[:rows]:
        shapes = [f"{_dims(s.grid)} x {_dims(s.block)}" for s in kernel.shapes[:3]]
        more = len(kernel.shapes) - 3
        listed = ", ".join(shapes) + (f" and {more} more" if more > 0 else "")
        time = f"{kernel.nanoseconds / 1e6:.1f} ms"
        body.append((kernel_name(kernel.name), f"{kernel.launches:,}", time, listed))
    return heads, list(body)


def executed_table(profile: Profile, roof: Roof, rows: int | None = _MOST_ROWS) -> Table:
    """Kernels by the instructions that their warps executed; what the GPU allows at that."""
    heads = (
        "executed", "instructions", "lanes", "flops", "f64", "f16", "integer", "flops/B",
        f"{roof.name} allows", "by", "mix",
    )  # fmt: skip
    body = []
    for each in executed(profile)[:rows]:
        point = (
            None if each.intensity is None else roof.point(each.symbol, each.intensity, each.bits)
        )
        body.append(
            (
                kernel_name(each.symbol),
                f"{each.instructions:,}",
                f"{100 * each.lanes:.1f} %",
                f"{each.all_flops:,}",
                f"{each.flops[64]:,}" if each.flops[64] else "",
                f"{each.flops[16]:,}" if each.flops[16] else "",
                f"{each.integers:,}",
                _intensity(point.intensity) if point else "",
                f"{point.allowed:,.0f} GFLOP/s" if point else "",
                point.bound if point else "",
                mix_text(each.mix),
            )
        )
    return heads, list(body)


def _intensity(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def _dims(dims: tuple[int, int, int]) -> str:
    x, y, z = dims
    return f"{x}x{y}x{z}" if z > 1 else f"{x}x{y}" if y > 1 else f"{x}"


def remarks(profile: Profile) -> list[str]:
    """What a reader of the numbers must know, one sentence each."""
    notes = [fault.message for fault in profile.faults]
    notes += [
        f"{call.name} is not supported and returned an error ({call.calls} times)"
        for call in profile.unsupported
    ]
    if profile.ended not in {"exit", "_exit"}:
        notes.append(f"the program was ended by {profile.ended}: counts are up to then")
    notes += _of_samples(profile)
    whole = [k for k in profile.kernels if not k.blocks]
    skipped = sum(s.launches - s.counted for k in whole for s in k.shapes)
    if skipped:
        notes.append(f"{skipped} launches were run without being counted")
    pruned = sum(site.pruned for site in profile.sites)
    if pruned:
        notes.append(f"{pruned} sites have a proved pattern: full warps are counted from one lane")
    idle = sum(not site.executions for site in profile.sites)
    if idle:
        notes.append(f"{idle} of {len(profile.sites)} sites were never executed")
    return notes


def _of_samples(profile: Profile) -> list[str]:
    """Where blocks were sampled: counts are of so many, and are not scaled up."""
    sampled = [kernel for kernel in profile.kernels if kernel.blocks]
    if not sampled:
        return []
    shares = [k.sampled_blocks / k.blocks for k in sampled]
    none = sum(not k.sampled_blocks for k in sampled)
    part = f"{min(shares):.3g} to {max(shares):.3g} of them by kernel"
    text = f"counts are of a sample of the blocks, {part}, and not scaled up"
    return [text + (f"; of {none} kernels no block is in it" if none else "")]


# --- formats ---------------------------------------------------------------------------------


def render_text(profile: Profile, setting: Setting) -> str:
    """The tables, and notes."""
    parts = [
        "Lines by bytes moved beyond the ideal\n"
        + _aligned(line_table(profile, hardware=setting.hardware)),
        "Arrays by accesses\n" + _aligned(array_table(profile)),
        "Kernels\n" + _aligned(kernel_table(profile)),
    ]
    if profile.reuse:
        again = "Arrays that blocks read again: candidates for shared memory\n"
        parts.insert(2, again + _aligned(reuse_table(profile)))
    if profile.work:
        parts.append(f"{EXECUTED}\n" + _aligned(executed_table(profile, setting.roof)))
    for title, table in stall_tables(profile, setting.hardware, _MOST_ROWS):
        parts.append(f"{title}\n" + _aligned(table))
    notes = remarks(profile)
    if notes:
        parts.append("\n".join(f"note: {printable(note)}" for note in notes) + "\n")
    return "\n".join(parts)


def _all_samples(profile: Profile, hardware: HardwareLines | None) -> tuple[Samples, ...]:
    """Of the profile, or else of what stands beside it."""
    return profile.samples or (hardware.samples if hardware else ())


def stall_tables(
    profile: Profile, hardware: HardwareLines | None, rows: int | None
) -> list[tuple[str, Table]]:
    """Lines and kernels by samples; nothing where there are none."""
    samples = _all_samples(profile, hardware)
    if not samples:
        return []
    return [
        (STALLS, (LINE_HEADS, line_rows(samples, rows))),
        ("Sampled kernels", (KERNEL_HEADS, kernel_rows(samples, rows))),
    ]


def _aligned(table: Table) -> str:
    heads, body = table
    if not body:
        return "  none\n"
    rows = [heads, *([printable(cell) for cell in row] for row in body)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(heads))]
    lines = []
    for row in rows:
        cells = (
            cell.ljust(width) if n in _left(heads) else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  " + "  ".join(cells).rstrip())
    return "\n".join(lines) + "\n"


def _left(heads: Sequence[str]) -> set[int]:
    """Columns of text."""
    words = {"place", "kernel", "array", "from", "grids x blocks", "executed", "by", "mix"}
    words |= {"waits", "sampled kernel"}
    return {n for n, head in enumerate(heads) if head in words}


def render_json(profile: Profile, setting: Setting) -> str:
    """Everything the tables show, and all lines."""
    lines = [
        {
            **to_builtins(total),
            "excess_bytes": total.excess_bytes,
            "excess_wavefronts": total.excess_wavefronts,
            **_measured(setting.hardware, total.path, total.line),
        }
        for total in ranked_lines(profile)
    ]
    arrays = [
        {
            "name": array.label, "api": array.api, "path": array.path, "line": array.line,
            "allocations": array.allocations, "bytes": array.bytes, "largest": array.largest,
            "reads": array.reads, "writes": array.writes, "atomics": array.atomics,
            "sectors": array.sectors,
        }
        for array in ranked_arrays(profile)
    ]  # fmt: skip
    kernels = [
        {
            "name": kernel_name(kernel.name), "symbol": kernel.name, "launches": kernel.launches,
            "threads": kernel.threads, "nanoseconds": kernel.nanoseconds,
        }
        for kernel in profile.kernels
    ]  # fmt: skip
    reuse = [
        {
            "kernel": kernel_name(one.kernel), "array": one.label, "path": one.path,
            "line": one.line, "blocks": one.blocks, "reads": one.reads, "words": one.words,
            "most_words": one.most_words, "written": one.written,
        }
        for one in profile.reuse
    ]  # fmt: skip
    report = {
        "program": profile.program,
        "gpu": profile.gpu,
        "runs": profile.runs,
        "lines": lines,
        "arrays": arrays,
        "kernels": kernels,
        "reuse": reuse,
        "executed": executed_json(profile, setting.roof),
        "work": msgspec.to_builtins(profile.work),
        "stalls": stalls_json(_all_samples(profile, setting.hardware)),
        "notes": remarks(profile),
    }
    return indented(json.loads(json.dumps(report))) + "\n"


def executed_json(profile: Profile, roof: Roof) -> list[dict[str, object]]:
    """What kernels executed, and their place under the GPU's roofs."""
    rows: list[dict[str, object]] = []
    for each in executed(profile):
        row: dict[str, object] = {
            "name": kernel_name(each.symbol), "symbol": each.symbol,
            "instructions": each.instructions, "thread_instructions": each.thread_instructions,
            "lanes": round(each.lanes, 6), "flops_f16": each.flops[16],
            "flops_f32": each.flops[32], "flops_f64": each.flops[64],
            "integer_operations": each.integers, "global_bytes": each.bytes,
            "mix": msgspec.to_builtins(each.mix),
        }  # fmt: skip
        if each.intensity is not None:
            point = roof.point(each.symbol, each.intensity, each.bits)
            row |= {
                "flops_per_byte": round(point.intensity, 6), "gpu": roof.name,
                "allowed_gflops": round(point.allowed, 3), "bound": point.bound,
            }  # fmt: skip
        rows.append(row)
    return rows


def _measured(hardware: HardwareLines | None, path: str, line: int) -> dict[str, int]:
    found = hardware.at(path, line) if hardware else None
    if found is None:
        return {}
    return {"ncu_sectors": found.sectors, "ncu_sectors_ideal": found.sectors_ideal}
