"""The tree of a profile as text, JSON and HTML.

Nodes of little weight (the greater of their shares of all bytes and of all instructions) are left
out of what people read, and counted; JSON has all.
"""

from __future__ import annotations

from html import escape

from drano.dynamic.profile import Profile
from drano.dynamic.tree import Counts, Node, bottom_up, top_down
from drano.output.costs import size_text
from drano.output.pretty import indented
from drano.output.source import printable

LEAST = 0.001
_MAX_DEPTH = 200
_HEADS = ("incl.", "excl.", "efficiency", "lanes", "instr.", "importance")


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
    counted = any(node.inclusive.instructions for node, _ in shown)
    columns = [n for n, head in enumerate(_HEADS) if counted or head != "instr."]
    rows = [_HEADS, *(_cells(node) for node, _ in shown)]
    widths = [max(len(row[n]) for row in rows) for n in columns]
    labels = ["", *(f"  {'  ' * depth}{printable(node.text)}" for node, depth in shown)]
    for row, label in zip(rows, labels, strict=True):
        cells = (row[n].rjust(width) for n, width in zip(columns, widths, strict=True))
        lines.append(" ".join(cells) + label)
    return hidden


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


def _cells(node: Node) -> tuple[str, ...]:
    return (
        size_text(node.inclusive.excess_bytes),
        size_text(node.exclusive.excess_bytes),
        _percent(node.inclusive.efficiency),
        _percent(node.inclusive.active),
        _percent(node.effort) if node.inclusive.instructions else "",
        _percent(node.importance),
    )


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
        "instruction_share": round(node.effort, 6),
    }  # fmt: skip
    if node.below and depth:
        found["below"] = [_as_json(below, depth - 1) for below in node.ranked]
    return found


def _counts(counts: Counts) -> dict[str, object]:
    return {
        "requests": counts.requests, "active_lanes": counts.lanes, "sectors": counts.sectors,
        "sectors_ideal": counts.ideal, "excess_bytes": counts.excess_bytes,
        "instructions": counts.instructions, "flops": counts.flops,
    }  # fmt: skip


# --- HTML ------------------------------------------------------------------------------------


def tree_html(profile: Profile, least: float = LEAST) -> str:
    """The top-down view as lists that fold; text is escaped."""
    shown, hidden = _shown(top_down(profile).ranked, least)
    parts: list[str] = []
    open_at = -1
    for at, (node, depth) in enumerate(shown):
        parts += ["</details>"] * (open_at - depth + 1)
        open_at = depth - 1
        inner = at + 1 < len(shown) and shown[at + 1][1] > depth
        text = _html_row(node, depth)
        if inner:
            parts.append(f"<details{' open' if depth < 3 else ''}><summary>{text}</summary>")
            open_at = depth
        else:
            parts.append(f'<p class="leaf">{text}</p>')
    parts += ["</details>"] * (open_at + 1)
    if hidden:
        parts.append(f"<p>{hidden} nodes of an importance below {least:g} are left out.</p>")
    return "".join(parts)


def _html_row(node: Node, depth: int) -> str:
    cells = "".join(f"<b>{escape(cell)}</b>" for cell in _cells(node))
    label = f'<code style="padding-left:{depth}em">{escape(printable(node.text))}</code>'
    return f'<span class="cells">{cells}</span>{label}'


def html_heads() -> str:
    """The names of the columns, as the rows have them."""
    cells = "".join(f"<b>{escape(head)}</b>" for head in _HEADS)
    return f'<p class="leaf"><span class="cells">{cells}</span></p>'
