"""Tables for people (rich), and the same figures as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from drano.output.atomic_write import write_whole

Cell = str | int | float | None


def percent(part: int, whole: int) -> str:
    """``"97.3 %"``, or ``"-"`` of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def share(part: int, whole: int) -> float | None:
    """For JSON: rounded to four places, None of nothing."""
    return round(part / whole, 4) if whole else None


def table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    total: Sequence[Cell] | None = None,
) -> Table:
    """Texts to the left, figures to the right; ``total`` is a row below a rule."""
    body = [list(row) for row in rows]
    shown = Table(title=escape(title), title_justify="left", title_style="bold")
    for number, name in enumerate(columns):
        texts = any(isinstance(row[number], str) and not _figure(row[number]) for row in body)
        shown.add_column(
            escape(name), justify="left" if texts else "right", overflow="fold", no_wrap=not number
        )
    for row in body:
        shown.add_row(*map(_cell, row))
    if total is not None:
        shown.add_section()
        shown.add_row(*map(_cell, total))
    return shown


def _figure(cell: Cell) -> bool:
    return str(cell)[:1].isdigit() or str(cell) in ("-", "")


def _cell(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{cell:.2f}" if isinstance(cell, float) else escape(str(cell))


def plain(console: Console, text: str) -> None:
    """A line as it is: no markup, no folding."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def write_json(path: str, data: object) -> None:
    """Write ``data``, indented and with a final newline. Raises OSError."""
    write_text(Path(path), json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all, and the folders that it lies in. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(str(path), text)
