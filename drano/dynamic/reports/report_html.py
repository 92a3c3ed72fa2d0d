"""A profile as one HTML file: tables, kernels under a GPU's roofs, and the lines that waste most.

jinja2 escapes everything; the page has no script and loads nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import jinja2
from markupsafe import Markup

from drano.dynamic.profiles.executed import counted_points
from drano.dynamic.profiles.line_ranking import ranked_lines
from drano.dynamic.profiles.nsight_compute import HardwareLines
from drano.dynamic.profiles.profile import Profile
from drano.dynamic.reports.report import (
    Table,
    array_table,
    executed_table,
    kernel_table,
    line_table,
    remarks,
    reuse_table,
    stall_tables,
)
from drano.dynamic.reports.tree_report import tree_html
from drano.output.cost_text import size_text
from drano.output.roofline import DEFAULT, ROOFS, Roof, plot
from drano.output.source_lines import Sources, printable, shown_path

_MOST_LINES = 200
_PAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Profile of {{ program }}</title>
<style>
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; }
table { border-collapse: collapse; margin: 0 0 2em; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .25em .6em; text-align: left; }
td { font-variant-numeric: tabular-nums; vertical-align: top; }
.table td:not(:last-child) { white-space: nowrap; }
code { font: 13px/1.4 ui-monospace, monospace; white-space: pre-wrap; }
.cells b { display: inline-block; font-weight: normal; padding-right: .8em; text-align: right;
  width: 5.2em; }
.leaf { margin: 0; padding-left: 1.05em; }
.bar { background: #d9534f; display: inline-block; height: .7em; margin-right: .5em; }
@media (prefers-color-scheme: dark) { body { background: #16181c; color: #ddd; } }
</style></head><body>
<h1>Memory accesses of {{ program }}</h1>
<p>Counted on the CPU, warp by warp, as on {{ gpu }}. {{ runs }} run{{ "" if runs == 1 else "s" }}.
</p>
{% for note in notes %}<p>Note: {{ note }}</p>{% endfor %}
<h2>Lines by bytes moved beyond the ideal</h2>
<table><tr><th>excess</th><th>source</th></tr>
{% for line in worst %}<tr><td><span class="bar" style="width:{{ line.width }}px"></span>
{{ line.excess }}<br>{{ line.ratio }} times the ideal</td>
<td>{{ line.place }}<br><code>{{ line.text }}</code></td></tr>
{% else %}<tr><td>none</td><td></td></tr>{% endfor %}</table>
<h2>Kernels, calls, loops, lines</h2>
<p>Bytes beyond the ideal with and without what is below; sectors needed for each that is moved;
active lanes of a request; share of all instructions; of samples, if there are any, the share of
all, and of them those that waited for memory and that issued; share of all bytes.</p>
<div class="tree">{{ tree }}</div>
{% for title, heads, rows in tables %}<h2>{{ title }}</h2>
<table class="table"><tr>{% for head in heads %}<th>{{ head }}</th>{% endfor %}</tr>
{% for row in rows %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}</table>{% endfor %}
{% if roofline %}<h2>Kernels under the roofs of {{ roof }}</h2>
<p>Floating-point operations for each byte of global memory, as counted; no caches.</p>
<figure>{{ roofline }}</figure>{% endif %}
</body></html>
"""


def render_html(
    profile: Profile,
    sources: Sources,
    hardware: HardwareLines | None = None,
    roof: Roof = ROOFS[DEFAULT],
) -> str:
    """The page."""
    totals = [total for total in ranked_lines(profile) if total.excess_bytes][:_MOST_LINES]
    most = totals[0].excess_bytes if totals else 1
    worst = [
        {
            "width": max(1, round(160 * total.excess_bytes / most)),
            "excess": size_text(total.excess_bytes),
            "ratio": f"{total.ratio:.2f}",
            "place": printable(f"{shown_path(total.path)}:{total.line}"),
            "text": _text(sources, total.path, total.line),
        }
        for total in totals
    ]
    tables = [
        ("All lines", *_shown(line_table(profile, None, hardware))),
        ("Arrays by accesses", *_shown(array_table(profile, None))),
        *(
            [("Arrays that blocks read again", *_shown(reuse_table(profile, None)))]
            if profile.reuse
            else []
        ),
        ("Kernels", *_shown(kernel_table(profile, None))),
    ]
    if profile.work:
        tables.append(("What kernels executed", *_shown(executed_table(profile, roof, None))))
    tables += [(title, *_shown(table)) for title, table in stall_tables(profile, hardware, None)]
    points = counted_points(profile, roof)
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    return environment.from_string(_PAGE).render(
        program=printable(shown_path(profile.program)),
        gpu=printable(profile.gpu),
        runs=profile.runs,
        notes=[printable(note) for note in remarks(profile)],
        worst=worst,
        tables=tables,
        tree=Markup(tree_html(profile)),
        roof=roof.name,
        roofline=Markup(plot(points, roof)) if points else "",
    )


def _text(sources: Sources, path: str, line: int) -> str:
    return printable(sources.line(path, line).decode("utf-8", "replace")).strip()


def _shown(table: Table) -> tuple[Sequence[str], list[list[str]]]:
    heads, rows = table
    return heads, [[printable(cell) for cell in row] for row in rows]
