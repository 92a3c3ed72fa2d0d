"""What ``drano validate`` prints: each access where analysis and run differ, and the totals."""

from __future__ import annotations

import json
from collections.abc import Sequence

from drano.dynamic.profiles.cost_agreement import (
    agreement_json,
    agreement_text,
    order_of,
    place_text,
)
from drano.dynamic.profiles.nsight_compute import HardwareLines
from drano.dynamic.profiles.static_against_measured import Comparison, Outcome, counts
from drano.output.source_lines import printable, shown_path
from drano.support.fast_json import indented

_TOLD = (Outcome.MISSED, Outcome.SPURIOUS)


def render_comparison(
    comparisons: Sequence[Comparison],
    *,
    show_all: bool = False,
    hardware: HardwareLines | None = None,
) -> str:
    """A line for each access that differs (with ``show_all``: for each), then the totals.
    ``hardware``: what Nsight Compute says of the access's line stands behind our own ratio.
    """
    lines = []
    for found in comparisons:
        if not show_all and found.outcome not in _TOLD:
            continue
        access = found.access
        ratio = "" if found.ratio is None else f" (measured {found.ratio:.2f} times the ideal)"
        reason = f": {found.reason}" if found.reason else ""
        span = access.location.span
        theirs = hardware.at(span.path, span.line) if hardware else None
        ratio += f" (ncu: {theirs.ratio:.2f} on this line)" if theirs else ""
        place = f"{shown_path(span.path)}:{span.line}:{span.column}"
        lines.append(
            f"{place}: {found.outcome}: {access.kind} {access.judgement.array or 'access'} in "
            f"{access.kernel}, {access.judgement.verdict}{reason}{ratio}"
        )
    total = counts(comparisons)
    lines.append(", ".join(f"{number} {outcome}" for outcome, number in total.items()))
    order = order_of(comparisons)
    if order is not None:
        lines.append(agreement_text(order))
    return "\n".join(map(printable, lines)) + "\n"


def comparison_json(
    comparisons: Sequence[Comparison], hardware: HardwareLines | None = None
) -> str:
    """The same for tools."""
    rows = []
    for found in comparisons:
        access, site = found.access, found.site
        span = access.location.span
        theirs = hardware.at(span.path, span.line) if hardware else None
        rows.append(
            {
                "outcome": str(found.outcome),
                "path": span.path,
                "line": span.line,
                "column": span.column,
                "kernel": access.kernel,
                "kind": str(access.kind),
                "ordinal": access.ordinal,
                "verdict": str(access.judgement.verdict),
                "reason": found.reason,
                "executions": site.executions if site else 0,
                "sectors": site.sectors if site else 0,
                "sectors_ideal": site.sectors_ideal if site else 0,
                **({"ncu_sectors": theirs.sectors} if theirs else {}),
                **({"ncu_sectors_ideal": theirs.sectors_ideal} if theirs else {}),
            }
        )
    total = {str(outcome): number for outcome, number in counts(comparisons).items()}
    order = order_of(comparisons)
    data = {"totals": total, "order": order and agreement_json(order, place_text), "accesses": rows}
    return indented(json.loads(json.dumps(data))) + "\n"
