"""``python -m rodinia plots``: the evaluation as pictures, PNG and SVG, with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rodinia.pages.table import Against, Row

_COLOURS = {"warp": "#1b7837", "gpudrano": "#762a83", "original": "#b2abd2"}


def write(
    directory: Path, rows: Sequence[Row], points: Sequence[tuple[float, float]]
) -> tuple[Path, ...]:
    """All pictures; ``rows`` without the total, ``points``: (predicted, counted) sectors of a warp
    request, one per line. Raises ImportError where matplotlib is not installed.
    """
    import matplotlib as mpl  # noqa: PLC0415 - of an extra

    mpl.use("Agg")
    # the same file from the same figures
    mpl.rcParams["svg.hashsalt"] = "drano"
    directory.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for name, figure in (
        ("accuracy", _accuracy(rows)), ("sectors", _sectors(points)), ("seconds", _seconds(rows)),
    ):  # fmt: skip
        for kind in ("png", "svg"):
            path = directory / f"{name}.{kind}"
            metadata = {"Date": None} if kind == "svg" else {"Software": None}
            figure.savefig(path, dpi=120, metadata=metadata)
            written.append(path)
    return tuple(written)


def _figure(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure  # noqa: PLC0415 - optional

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _plain_numbers() -> Any:
    from matplotlib.ticker import FuncFormatter  # noqa: PLC0415 - optional

    return FuncFormatter(lambda value, _: f"{abs(value):g}")


def _accuracy(rows: Sequence[Row]) -> Any:
    """Per program and analysis: real lines found and missed, and false alarms."""
    shown = [row for row in rows if row.real is not None]
    figure, axes = _figure(9, 1.2 + 0.42 * max(len(shown), 1))
    names = {"warp": "warp", "gpudrano": "paper_domain", "original": "original"}
    for number, (label, attribute) in enumerate(names.items()):
        for place, row in enumerate(shown):
            figures: Against | None = getattr(row, attribute)
            if figures is None:
                continue
            y = place + (number - 1) * 0.27
            axes.barh(y, figures.found, 0.25, color=_COLOURS[label])
            axes.barh(y, -figures.false, 0.25, color=_COLOURS[label], alpha=0.35)
            axes.barh(y, figures.missed, 0.25, left=figures.found, color="white",
                      edgecolor=_COLOURS[label], linewidth=0.6)  # fmt: skip
    axes.set_yticks(range(len(shown)), [row.program for row in shown])
    axes.invert_yaxis()
    axes.axvline(0, color="black", linewidth=0.6)
    axes.set_xscale("symlog", linthresh=10)
    axes.xaxis.set_major_formatter(_plain_numbers())
    axes.set_xlabel("lines: false alarms (left) | found (filled) and missed (open)")
    for label in names:
        axes.barh(0, 0, color=_COLOURS[label], label=label)
    figure.legend(frameon=False, loc="outside upper center", ncols=3)
    return figure


def _sectors(points: Sequence[tuple[float, float]]) -> Any:
    """Predicted against counted sectors of one warp request."""
    figure, axes = _figure(5.5, 5)
    axes.plot([1, 64], [1, 64], color="#999999", linewidth=0.8)
    axes.scatter([p for p, _ in points], [c for _, c in points], s=14, alpha=0.5, color="#1b7837")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(_plain_numbers())
    axes.set_xlabel("predicted sectors per request")
    axes.set_ylabel("counted sectors per request")
    return figure


def _seconds(rows: Sequence[Row]) -> Any:
    """Where the time goes: clang, our own analysis; and the program's run on the CPU, counted."""
    figure, axes = _figure(8, 1 + 0.3 * max(len(rows), 1))
    places = range(len(rows))
    axes.barh(places, [row.clang_seconds for row in rows], color="#bbbbbb", label="clang")
    axes.barh(places, [row.own_seconds for row in rows], left=[row.clang_seconds for row in rows],
              color="#1b7837", label="drano")  # fmt: skip
    axes.scatter([row.run_seconds or 0 for row in rows], places, marker="|", s=60,
                 color="#762a83", label="run on the CPU")  # fmt: skip
    axes.set_xscale("symlog", linthresh=1)
    axes.xaxis.set_major_formatter(_plain_numbers())
    axes.set_yticks(places, [row.program for row in rows])
    axes.invert_yaxis()
    axes.set_xlabel("seconds")
    axes.legend(frameon=False)
    return figure
