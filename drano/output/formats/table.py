"""The one table of output formats: name to renderer. Each is a pure function of what it is given.

A format whose libraries take long to load is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from drano.model.report import Report
from drano.output.checkout import SourceRoot, source_root
from drano.output.formats.github import render_github
from drano.output.formats.gitlab import render_gitlab
from drano.output.formats.json import render_json, render_jsonl
from drano.output.formats.junit import render_junit
from drano.output.formats.text import TextOptions, render_text
from drano.output.roofline import DEFAULT, ROOFS
from drano.output.source_lines import Sources


@dataclass(frozen=True, slots=True)
class Scene:
    """What formats may need besides the report. ``gpu``: whose roofs kernels are shown under."""

    text: TextOptions = field(default_factory=TextOptions)
    sources: Sources = field(default_factory=Sources)
    gpu: str = DEFAULT


def _text(report: Report, scene: Scene) -> str:
    return render_text(report, scene.sources, scene.text)


def _sarif(report: Report, scene: Scene) -> str:
    from drano.output.formats.sarif import render_sarif  # noqa: PLC0415 - 0.1 s that others need not wait

    return render_sarif(report, scene.sources, root_of(report))


def _html(report: Report, scene: Scene) -> str:
    from drano.output.formats.html import render_html  # noqa: PLC0415 - jinja2

    return render_html(report, scene.sources, root_of(report), ROOFS[scene.gpu])


FORMATS: Mapping[str, Callable[[Report, Scene], str]] = {
    "full": _text,
    "concise": _text,
    "json": lambda report, scene: render_json(report, show_all=scene.text.show_all),
    "jsonl": lambda report, scene: render_jsonl(report, show_all=scene.text.show_all),
    "sarif": _sarif,
    "github": lambda report, scene: render_github(report, scene.sources, root_of(report)),
    "gitlab": lambda report, scene: render_gitlab(report, root_of(report)),
    "junit": lambda report, scene: render_junit(report, root_of(report)),
    "html": _html,
}


def root_of(report: Report) -> SourceRoot:
    """The root that the report's paths are relative to, by asking git."""
    return source_root([file.path for file in report.files])
