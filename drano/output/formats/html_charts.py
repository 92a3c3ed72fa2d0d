"""Where the traffic goes, as bars: the picture that the HTML report opens with."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup
from msgspec import Struct

_LABEL, _BAR, _TEXT, _HEIGHT = 300, 220, 250, 22
_MAX_LABEL = 42


class Bar(Struct, frozen=True):
    """``share``: of the longest bar, 0 to 1; ``text``: what it stands for, in words; ``link``: to
    an element of the page, or "".
    """

    label: str
    share: float
    text: str
    link: str = ""


def chart(bars: Sequence[Bar], title: str) -> Markup:
    """One bar below the other; "" where there are none."""
    if not bars:
        return Markup()
    width, height = _LABEL + _BAR + _TEXT, len(bars) * _HEIGHT
    head = Markup('<svg class="chart" role="img" viewBox="0 0 {0} {1}" width="{0}" height="{1}">')
    parts = [head.format(width, height), Markup("<title>{}</title>").format(title)]
    parts += [_drawn(bar, number * _HEIGHT) for number, bar in enumerate(bars)]
    return Markup().join([*parts, Markup("</svg>")])


def _drawn(bar: Bar, top: int) -> Markup:
    cut = len(bar.label) > _MAX_LABEL
    label = f"…{bar.label[-_MAX_LABEL + 1 :]}" if cut else bar.label
    name = Markup('<text class="name" x="{}" y="{}">{}</text>').format(_LABEL - 8, top + 15, label)
    if bar.link:
        name = Markup('<a href="#{}">{}</a>').format(bar.link, name)
    length = max(1, round(_BAR * min(bar.share, 1.0)))
    return Markup(
        '<g><title>{}: {}</title>{}<rect x="{}" y="{}" width="{}" height="{}" rx="2"/>'
        '<text x="{}" y="{}">{}</text></g>'
    ).format(
        bar.label, bar.text, name, _LABEL, top + 4, length, _HEIGHT - 8,
        _LABEL + length + 8, top + 15, bar.text,
    )  # fmt: skip
