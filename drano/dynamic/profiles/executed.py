"""What kernels executed: instructions by class, operations by type, and operations for each byte.

Sums over the lines of a profile's ``work`` (see ``instrument.block_work``). *Lanes* is the mean
share of a warp that is active in an instruction: what divergence leaves. *Bytes* are the sectors of
global memory that the same kernel's requests touched, caches left aside; *intensity* is
floating-point operations for each of them, the place of a kernel under a GPU's roofs. Limits: a
device function that is called rather than inlined stands for itself. Profiles of a GPU, and those
written before version 2, have no work.
"""

from __future__ import annotations

from msgspec import Struct

from drano.analysis.instruction_classes import CLASSES
from drano.dynamic.profiles.display_names import kernel_name
from drano.dynamic.profiles.profile import Mix, Profile, Work, add_mixes
from drano.model.hardware import SECTOR_BYTES, WARP_SIZE
from drano.output.roofline import Point, Roof
from drano.output.source_lines import printable

_SHOWN = 4


class Executed(Struct, frozen=True):
    """One kernel, or a called function. ``instructions``: of warps; ``flops``: by bits."""

    symbol: str
    instructions: int
    thread_instructions: int
    flops: dict[int, int]
    integers: int
    mix: Mix
    bytes: int

    @property
    def lanes(self) -> float:
        """Active share of a warp."""
        return self.thread_instructions / (WARP_SIZE * self.instructions)

    @property
    def all_flops(self) -> int:
        """Floating-point operations of any type."""
        return sum(self.flops.values())

    @property
    def bits(self) -> int:
        """The type that most operations are of."""
        return max(self.flops, key=lambda bits: (self.flops[bits], bits == 32))

    @property
    def intensity(self) -> float | None:
        """Operations for each byte; None where nothing is computed, or nothing moved."""
        return self.all_flops / self.bytes if self.bytes and self.all_flops else None


def executed(profile: Profile) -> list[Executed]:
    """Kernels by the instructions they executed."""
    moved: dict[str, int] = {}
    for site in profile.sites:
        moved[site.kernel] = moved.get(site.kernel, 0) + site.sectors * SECTOR_BYTES
    rows: dict[str, list[Work]] = {}
    for work in profile.work:
        rows.setdefault(work.kernel, []).append(work)
    found = [_total(symbol, lines, moved.get(symbol, 0)) for symbol, lines in rows.items()]
    return sorted(found, key=lambda e: (-e.instructions, e.symbol))


def _total(symbol: str, lines: list[Work], moved: int) -> Executed:
    mix = lines[0].mix
    for line in lines[1:]:
        mix = add_mixes(mix, line.mix)
    return Executed(
        symbol=symbol,
        instructions=sum(w.instructions for w in lines),
        thread_instructions=sum(w.thread_instructions for w in lines),
        flops={
            16: sum(w.flops_f16 for w in lines),
            32: sum(w.flops_f32 for w in lines),
            64: sum(w.flops_f64 for w in lines),
        },
        integers=sum(w.integer_operations for w in lines),
        mix=mix,
        bytes=moved,
    )


def mix_shares(mix: Mix) -> list[tuple[str, float]]:
    """Classes that were executed, and their shares, the greatest first."""
    counts = {name: int(getattr(mix, name)) for name in CLASSES}
    total = sum(counts.values())
    shares = [(name, count / total) for name, count in counts.items() if count]
    return sorted(shares, key=lambda pair: (-pair[1], pair[0]))


def mix_text(mix: Mix) -> str:
    """As in "integer 31 %, memory 22 %, f32 20 %, control 11 %"."""
    return ", ".join(f"{name} {100 * share:.0f} %" for name, share in mix_shares(mix)[:_SHOWN])


def counted_points(profile: Profile, roof: Roof) -> list[Point]:
    """Kernels under a GPU's roofs by what was counted, the least intense first."""
    found = [_point(each, roof) for each in executed(profile)]
    return sorted((p for p in found if p is not None), key=lambda p: (p.intensity, p.kernel))


def _point(each: Executed, roof: Roof) -> Point | None:
    intensity = each.intensity
    if intensity is None:
        return None
    return roof.point(printable(kernel_name(each.symbol)), intensity, each.bits)
