"""Kernels under a GPU's roofs: operations for each byte, against what the GPU can do at that.

The *roof* at an intensity is the lesser of the peak rate of operations and the intensity times the
memory's bandwidth (Williams, Waterman, Patterson, "Roofline", 2009). Intensities are static (see
``analysis.cost.kernel_work``) or counted in a run (``dynamic.profiles.executed``). A kernel stands
under the roof of the width that most of its operations are of; the line drawn is that of single
precision.

Peaks are those of NVIDIA's data sheets and whitepapers at boost clocks, without tensor cores, of
the boards P100 and V100 SXM2, A100 SXM4 40 GB, H100 and H200 SXM5, and the only ones of the others.
Compared with public tables: P100 and T4 at sysrqmts.com, A100, T4 and L4 at hmc-tech.com, H100 at
hpctech.co.jp and glennklockwood.com/garden/processors/h100 (whose H200 differs by its memory only),
RTX 3090 and 4090 at cuttingedgegamer.com (2022/12), single precision of V100, L4 and GTX 1080 at
ozyphus.github.io/gpu-maths.html, pcpartcomparison.com and ctc.archdevil.net. Not found there, and
taken from the ratio of units in the CUDA C++ programming guide ("Arithmetic instructions"): double
and half precision of GTX 1080 (1/32, 1/64), half of V100 (2), double of L4 (1/64).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape

from msgspec import Struct

from drano.model.report import KernelInfo
from drano.output.plurals import count
from drano.output.source_lines import printable

_WIDTH, _HEIGHT, _MARGIN = 640, 320, 48
_LEFT, _RIGHT = -2.0, 3.0  # powers of ten of operations for each byte
_LABEL = 24
_DOT, _MOST_LABELS = 4, 40


class Roof(Struct, frozen=True):
    """``rate``: 10^9 operations of single precision a second, ``double`` and ``half`` those of the
    other widths; ``bandwidth``: 10^9 bytes a second.
    """

    name: str
    rate: float
    double: float
    half: float
    bandwidth: float

    def rate_of(self, bits: int) -> float:
        """The peak rate of operations of a width."""
        return {16: self.half, 64: self.double}.get(bits, self.rate)

    def at(self, intensity: float, bits: int = 32) -> float:
        """10^9 operations a second that can be had.

        >>> ROOFS["t4"].at(1.0), ROOFS["t4"].at(1000.0), ROOFS["t4"].at(1000.0, 64)
        (320.0, 8100.0, 254.0)
        """
        return min(self.rate_of(bits), intensity * self.bandwidth)

    @property
    def ridge(self) -> float:
        """Operations of single precision for each byte from which on memory is no limit."""
        return self.rate / self.bandwidth

    def point(self, kernel: str, intensity: float, bits: int = 32) -> Point:
        """A kernel under this roof."""
        bound = "memory" if intensity * self.bandwidth < self.rate_of(bits) else "arithmetic"
        return Point(kernel, intensity, self.at(intensity, bits), bound)


ROOFS = {
    name.lower(): Roof(name, *figures)
    for name, *figures in (
        ("P100", 10600.0, 5300.0, 21200.0, 732.0),
        ("GTX 1080", 8900.0, 277.0, 139.0, 320.0),
        ("V100", 15700.0, 7800.0, 31400.0, 900.0),
        ("T4", 8100.0, 254.0, 16200.0, 320.0),
        ("A100", 19500.0, 9700.0, 78000.0, 1555.0),
        ("RTX 3090", 35600.0, 556.0, 35600.0, 936.0),
        ("L4", 30300.0, 473.0, 30300.0, 300.0),
        ("RTX 4090", 82600.0, 1290.0, 82600.0, 1008.0),
        ("H100", 67000.0, 34000.0, 134000.0, 3350.0),
        ("H200", 67000.0, 34000.0, 134000.0, 4800.0),
    )
}
DEFAULT = "h100"


class Point(Struct, frozen=True):
    """One kernel: operations for each byte, and what its GPU allows at that."""

    kernel: str
    intensity: float
    allowed: float
    bound: str


def points(kernels: Iterable[KernelInfo], roof: Roof) -> list[Point]:
    """Kernels that compute and move something, the least intense first."""
    found: dict[str, Point] = {}
    for kernel in kernels:
        if kernel.operations <= 0 or kernel.bytes <= 0:
            continue
        intensity = kernel.operations / kernel.bytes
        found.setdefault(
            kernel.symbol,
            roof.point(printable(kernel.name), intensity, kernel.operation_bits),
        )
    return sorted(found.values(), key=lambda p: (p.intensity, p.kernel))


def plot(found: Iterable[Point], roof: Roof) -> str:
    """The plot, both axes by powers of ten; each dot has the name of a kernel there as its title.
    Kernels whose dots would cover each other have one; names are beside dots that are few.
    """
    top = math.log10(roof.rate) + 0.3
    bottom = math.log10(roof.at(10**_LEFT))

    def x(intensity: float) -> float:
        place = (min(max(math.log10(intensity), _LEFT), _RIGHT) - _LEFT) / (_RIGHT - _LEFT)
        return round(_MARGIN + place * (_WIDTH - 2 * _MARGIN), 1)

    def y(rate: float) -> float:
        place = (min(max(math.log10(rate), bottom), top) - bottom) / (top - bottom)
        return round(_HEIGHT - _MARGIN - place * (_HEIGHT - 2 * _MARGIN), 1)

    corners = [(10**_LEFT, roof.at(10**_LEFT)), (roof.ridge, roof.rate), (10**_RIGHT, roof.rate)]
    line = " ".join(f"{x(a)},{y(b)}" for a, b in corners)
    parts = [
        f'<svg class="roofline" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" role="img" aria-label="Roofline of {escape(roof.name)}">',
        f'<polyline points="{line}" fill="none" stroke="currentColor" stroke-width="2"/>',
    ]
    for power in range(int(_LEFT), int(_RIGHT) + 1):
        place = x(10.0**power)
        parts.append(
            f'<text x="{place}" y="{_HEIGHT - _MARGIN + 18}" text-anchor="middle" font-size="11" '
            f'fill="currentColor">{10.0**power:g}</text>'
        )
    parts += [
        f'<text x="{_MARGIN - 6}" y="{y(10.0**power) + 4}" text-anchor="end" font-size="11" '
        f'fill="currentColor">{10.0**power:g}</text>'
        for power in range(math.ceil(bottom), int(top) + 1)
    ]
    parts.append(
        f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 8}" text-anchor="middle" font-size="12" '
        f'fill="currentColor">operations for each byte</text>'
    )
    places: dict[tuple[float, float], list[Point]] = {}
    for point in found:
        cx, cy = x(point.intensity), y(point.allowed)
        places.setdefault((cx // _DOT * _DOT, cy // _DOT * _DOT), []).append(point)
    for (cx, cy), here in places.items():
        first = here[0]
        more = f" and {count(len(here) - 1, 'more kernel')}" if len(here) > 1 else ""
        label = ""
        if len(places) <= _MOST_LABELS:
            short = first.kernel[: _LABEL - 1] + "…" if len(first.kernel) > _LABEL else first.kernel
            label = (
                f'<text x="{cx + 7}" y="{cy + 12}" font-size="10" fill="currentColor">'
                f"{escape(short)}</text>"
            )
        parts.append(
            f"<g><title>{escape(first.kernel)}: {first.intensity:.3g}{more}</title>"
            f'<circle cx="{cx}" cy="{cy}" r="4" fill="#d9534f"/>{label}</g>'
        )
    return "".join([*parts, "</svg>"])
