"""What all texts for people are made of: places, block shapes, sectors as bars, coloured lines."""

from __future__ import annotations

import io

from rich.console import Console
from rich.text import Text

from drano.model.access import Access, Launch
from drano.model.finding import Severity
from drano.model.hardware import SECTOR_BYTES
from drano.model.span import Span
from drano.output.lane_picture import picture
from drano.output.source_lines import printable, shown_path

STYLE = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.NOTE: "bold cyan"}


def to_text(lines: list[Text], *, color: bool) -> str:
    """Lines as one string, never wrapped, so that output does not depend on the terminal."""
    if not color:
        return "".join(f"{line.plain}\n" for line in lines)
    buffer = io.StringIO()
    console = Console(
        file=buffer,
        force_terminal=True,
        color_system="standard",
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    for line in lines:
        console.print(line, soft_wrap=True)
    return buffer.getvalue()


def place(span: Span) -> str:
    """``path:line:column`` with the path as shown, without the parts that are not known."""
    parts = [printable(shown_path(span.path))]
    if span.line:
        parts.append(str(span.line))
        if span.column:
            parts.append(str(span.column))
    return ":".join(parts)


def shape(launch: Launch) -> str:
    """Block shape as launched: "256", "16x16"; assumed ones say so, and "?" stands for a size that
    is not known where others are.

    >>> shape(Launch((16, 16, 1), assumed=True))
    '16x16 threads assumed'
    >>> shape(Launch((4, 8, 1), assumed=False, partly=(4, 8, None)))
    '4x8x? threads'
    """
    sizes: list[int | str] = list(launch.block)
    if launch.partly is not None and launch.partly[0] is not None:
        sizes = ["?" if size is None else size for size in launch.partly]
    while len(sizes) > 1 and sizes[-1] == 1:
        sizes.pop()
    text = "x".join(map(str, sizes)) + " threads"
    return f"{text} assumed" if launch.assumed else text


_BARS = "▁▂▃▄▅▆▇█"
_MAX_BARS = 32


def sectors(access: Access) -> str:
    """The sectors that a warp touches, a bar each as high as its share of bytes that are used,
    those of one 128-byte line together: ``▂▂▂▂ ▂▂▂▂ ▂▂▂▂ ▂▂▂▂ 8 of 32 bytes used``.

    "" where the lanes' places are not known, or all in one sector; and for shared memory.
    """
    judgement = access.judgement
    if judgement.wavefronts is not None:
        return ""
    shown = picture(access)
    if shown is None or not shown.exact or not 1 < len(shown.rows) <= _MAX_BARS:
        return ""
    bars, used = "", list[int]()
    for row in shown.rows:
        # Accesses are naturally aligned: none lies in two sectors.
        places = {judgement.lanes[lane] for lane in row.lanes}
        count = min(len(places) * access.bytes, SECTOR_BYTES)
        used.append(count)
        bars += (" " if row.new_line else "") + _BARS[-(-count * 8 // SECTOR_BYTES) - 1]
    share = "in each" if len(set(used)) == 1 else "on average"
    return f"{bars} {sum(used) / len(used):.3g} of {SECTOR_BYTES} bytes used {share}"
