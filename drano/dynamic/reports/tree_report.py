"""The tree of a profile as text, JSON and HTML.

Text and HTML leave out nodes of little weight (the greatest of their shares of all bytes,
instructions and samples), and say how many; JSON has all. Columns without any value are left out,
too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from drano.dynamic.profiles.profile import Profile
from drano.dynamic.profiles.profile_tree import Counts, Node, bottom_up, top_down
from drano.output.cost_text import size_text
from drano.output.source_lines import printable
from drano.support.fast_json import indented

LEAST = 0.001
_MAX_DEPTH = 200
_COLUMNS: tuple[tuple[str, Callable[[Node], str]], ...] = (
    ("incl.", lambda n: size_text(n.inclusive.excess_bytes)),
    ("excl.", lambda n: size_text(n.exclusive.excess_bytes)),
    ("efficiency", lambda n: _percent(n.inclusive.efficiency)),
    ("lanes", lambda n: _percent(n.inclusive.active)),
    ("instr.", lambda n: _percent(n.effort if n.inclusive.instructions else None)),
    ("# Samples", lambda n: _percent(n.time if n.inclusive.samples else None)),
    ("memory", lambda n: _percent(n.inclusive.memory_share)),
    ("stall_selected", lambda n: _percent(n.inclusive.issued_share)),
    ("importance", lambda n: _percent(n.importance)),
)
_OF_WORK = frozenset({"instr."})
_OF_SAMPLES = frozenset({"# Samples", "memory", "stall_selected"})
Columns = tuple[tuple[str, Callable[[Node], str]], ...]


def render_tree(profile: Profile, least: float) -> str:
    """Both views as text; nodes of a weight below ``least`` are left out, and counted."""
    lines = ["Top down: kernel, calls, loops, lines"]
    hidden = _lines(top_down(profile).ranked, least, lines)
    lines += ["", "Bottom up: functions, kernels"]
    hidden += _lines(bottom_up(profile), least, lines)
    if hidden:
        lines += ["", f"note: {hidden} nodes of an importance below {least:g} are left out"]
    return "\n".join(lines) + "\n"


def _lines(nodes: list[Node], least: float, lines: list[str]) -> int:
    shown, hidden = _shown(nodes, least)
    columns = _columns([node for node, _ in shown])
    rows = [[head for head, _ in columns], *(_cells(node, columns) for node, _ in shown)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(columns))]
    labels = ["", *(f"  {'  ' * depth}{printable(node.text)}" for node, depth in shown)]
    for row, label in zip(rows, labels, strict=True):
        cells = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        lines.append(" ".join(cells) + label)
    return hidden


def _columns(nodes: Sequence[Node]) -> Columns:
    """Those that have something to say."""
    left_out: frozenset[str] = frozenset()
    if not any(node.inclusive.instructions for node in nodes):
        left_out |= _OF_WORK
    if not any(node.inclusive.samples for node in nodes):
        left_out |= _OF_SAMPLES
    return tuple(column for column in _COLUMNS if column[0] not in left_out)


def _shown(nodes: list[Node], least: float) -> tuple[list[tuple[Node, int]], int]:
    """Nodes with their depth, in order, and how many are left out."""
    hidden = 0
    found: list[tuple[Node, int]] = []
    pending = [(node, 0) for node in reversed(nodes)]
    while pending:
        node, depth = pending.pop()
        if node.weight < least:
            hidden += 1
            continue
        found.append((node, depth))
        pending += [(below, depth + 1) for below in reversed(node.ranked)]
    return found, hidden


def _cells(node: Node, columns: Columns) -> list[str]:
    return [text(node) for _, text in columns]


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


# --- JSON ------------------------------------------------------------------------------------


def tree_json(profile: Profile) -> dict[str, object]:
    """Both views, nodes within nodes."""
    return {
        "top_down": [_as_json(node, _MAX_DEPTH) for node in top_down(profile).ranked],
        "bottom_up": [_as_json(node, _MAX_DEPTH) for node in bottom_up(profile)],
    }


def render_tree_json(profile: Profile, _least: float) -> str:
    """The same as text."""
    return indented(tree_json(profile)) + "\n"


TREES = {"text": render_tree, "json": render_tree_json}
"""How ``drano report --tree`` prints it; the HTML report has it in any case."""


def _as_json(node: Node, depth: int) -> dict[str, object]:
    found: dict[str, object] = {
        "kind": node.kind, "label": printable(node.text),
        "inclusive": _counts(node.inclusive), "exclusive": _counts(node.exclusive),
        "importance": round(node.importance, 6),
        "instruction_share": round(node.effort, 6), "sample_share": round(node.time, 6),
    }  # fmt: skip
    if node.below and depth:
        found["below"] = [_as_json(below, depth - 1) for below in node.ranked]
    return found


def _counts(counts: Counts) -> dict[str, object]:
    return {
        "requests": counts.requests, "active_lanes": counts.lanes, "sectors": counts.sectors,
        "sectors_ideal": counts.ideal, "excess_bytes": counts.excess_bytes,
        "instructions": counts.instructions, "flops": counts.flops, "samples": counts.samples,
        "memory_stalls": counts.memory, "issued_samples": counts.issued,
    }  # fmt: skip


# --- HTML ------------------------------------------------------------------------------------


def tree_html(profile: Profile, least: float = LEAST) -> str:
    """The top-down view as lists that fold; text is escaped."""
    shown, hidden = _shown(top_down(profile).ranked, least)
    columns = _columns([node for node, _ in shown])
    heads = "".join(f"<b>{escape(head)}</b>" for head, _ in columns)
    parts = [f'<p class="leaf"><span class="cells">{heads}</span></p>']
    open_at = -1
    for at, (node, depth) in enumerate(shown):
        parts += ["</details>"] * (open_at - depth + 1)
        open_at = depth - 1
        inner = at + 1 < len(shown) and shown[at + 1][1] > depth
        text = _html_row(node, depth, columns)
        if inner:
            parts.append(f"<details{' open' if depth < 3 else ''}><summary>{text}</summary>")
            open_at = depth
        else:
            parts.append(f'<p class="leaf">{text}</p>')
    parts += ["</details>"] * (open_at + 1)
    if hidden:
        parts.append(f"<p>{hidden} nodes of an importance below {least:g} are left out.</p>")
    return "".join(parts)


def _html_row(node: Node, depth: int, columns: Columns) -> str:
    cells = "".join(f"<b>{escape(cell)}</b>" for cell in _cells(node, columns))
    label = f'<code style="padding-left:{depth}em">{escape(printable(node.text))}</code>'
    return f'<span class="cells">{cells}</span>{label}'
