"""Launches as text, for other units: of kernels that are declared where they are launched and
defined elsewhere.

The text of a launch is data that any process and any cache can keep; the same launch has the same
text, and texts sort.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from msgspec import to_builtins

from drano.host.arithmetic import UNKNOWN_DIM
from drano.model.report import ShownLaunch
from drano.model.span import Span
from drano.model.translation_unit import Argument, HostAmount, HostLoop, LaunchSite, Shifted

_NO_PLACE: Final = (0, 0)


def shown_elsewhere(sites: Iterable[LaunchSite], own: Collection[str]) -> tuple[ShownLaunch, ...]:
    """Of a unit's sites those that other units may have the kernel of: it is seen by the linker,
    and its symbol is not among the unit's ``own``.
    """
    return tuple(
        ShownLaunch(site.kernel, encoded(site))
        for site in sites
        if site.external and site.kernel not in own
    )


def unknown_launch(symbol: str, name: str, path: str) -> str:
    """The text for a kernel that the host code of ``path`` may launch in ways unknown."""
    place = Span(path, *_NO_PLACE)
    return encoded(
        LaunchSite(symbol, name, UNKNOWN_DIM, UNKNOWN_DIM, (), place, named=True, external=True)
    )


def encoded(site: LaunchSite) -> str:
    """The text of a launch."""
    return json.dumps(to_builtins(site), separators=(",", ":"))


def decoded(text: str) -> LaunchSite:
    """The launch of a text that ``encoded`` gave."""
    raw = json.loads(text)
    return LaunchSite(
        kernel=raw["kernel"],
        kernel_name=raw["kernel_name"],
        grid=_dim(raw["grid"]),
        block=_dim(raw["block"]),
        arguments=tuple(map(_argument, raw["arguments"])),
        span=Span(**raw["span"]),
        loops=tuple(map(loop_of, raw["loops"])),
        named=raw["named"],
        external=raw["external"],
    )


def _dim(sizes: Sequence[int | None]) -> tuple[int | None, int | None, int | None]:
    x, y, z = sizes
    return x, y, z


def _argument(raw: Any) -> Argument:
    if isinstance(raw, dict):
        return Shifted(**raw)
    return None if raw is None else int(raw)


def loop_of(raw: dict[str, Any]) -> HostLoop:
    """The loop that ``encoded`` took apart."""
    amounts = {name: _amount(raw[name]) for name in ("first", "end", "step")}
    return HostLoop(**{**raw, **amounts, "span": Span(**raw["span"])})


def _amount(raw: Any) -> HostAmount:
    if isinstance(raw, list):
        operator, left, right = raw
        return str(operator), _amount(left), _amount(right)
    return raw if isinstance(raw, str) else int(raw)
