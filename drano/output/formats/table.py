"""The one table of output formats: what each is for, and how it is made of a report.

A format whose libraries take long to load is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from drano.model.report import FileReport, Report
from drano.output.checkout import SourceRoot, source_root
from drano.output.formats.text import TextOptions, render_text
from drano.output.roofline import DEFAULT, ROOFS
from drano.output.source_lines import Sources


class Scene(Struct, frozen=True):
    """What formats may need besides the report. ``gpu``: whose roofs kernels are shown under."""

    text: TextOptions = field(default_factory=TextOptions)
    sources: Sources = field(default_factory=Sources)
    gpu: str = DEFAULT


def _text(report: Report, scene: Scene) -> str:
    return render_text(report, scene.sources, scene.text)


def _json(report: Report, scene: Scene) -> str:
    from drano.output.formats.json import render_json  # noqa: PLC0415 - each takes milliseconds

    return render_json(report, show_all=scene.text.show_all)


def _jsonl(report: Report, scene: Scene) -> str:
    from drano.output.formats.json import render_jsonl  # noqa: PLC0415 - as above

    return render_jsonl(report, show_all=scene.text.show_all)


def _github(report: Report, scene: Scene) -> str:
    from drano.output.formats.github import render_github  # noqa: PLC0415 - as above

    return render_github(report, scene.sources, root_of(report))


def _gitlab(report: Report, _scene: Scene) -> str:
    from drano.output.formats.gitlab import render_gitlab  # noqa: PLC0415 - as above

    return render_gitlab(report, root_of(report))


def _junit(report: Report, _scene: Scene) -> str:
    from drano.output.formats.junit import render_junit  # noqa: PLC0415 - as above

    return render_junit(report, root_of(report))


def _checkstyle(report: Report, _scene: Scene) -> str:
    from drano.output.formats.checkstyle import render_checkstyle  # noqa: PLC0415 - as above

    return render_checkstyle(report, root_of(report))


def _sarif(report: Report, scene: Scene) -> str:
    from drano.output.formats.sarif import render_sarif  # noqa: PLC0415 - 0.1 s that others need not wait

    return render_sarif(report, scene.sources, root_of(report))


def _html(report: Report, scene: Scene) -> str:
    from drano.output.formats.html import render_html  # noqa: PLC0415 - jinja2

    return render_html(report, scene.sources, root_of(report), ROOFS[scene.gpu])


class Format(Struct, frozen=True):
    """``use``: what it is for, a row of the reference; formats of one use are told together.
    ``kept``: what it needs of each file's report, unless all accesses are asked for.
    """

    use: str
    render: Callable[[Report, Scene], str]
    kept: Callable[[FileReport], FileReport] = lambda report: report.without_accesses

    def __call__(self, report: Report, scene: Scene) -> str:
        """The report as text."""
        return self.render(report, scene)


_PEOPLE = "people at a terminal"
_SCRIPTS = "scripts: one document, or one line for each finding; `--show all` adds every access"

FORMATS: Mapping[str, Format] = {
    "full": Format(_PEOPLE, _text),
    "concise": Format(_PEOPLE, _text),
    "json": Format(_SCRIPTS, _json),
    "jsonl": Format(_SCRIPTS, _jsonl),
    "sarif": Format(
        "GitHub code scanning, editors with SARIF viewers, other dashboards",
        _sarif,
    ),
    "github": Format(
        "annotations in a GitHub workflow, without code scanning",
        _github,
    ),
    "gitlab": Format(
        "GitLab's code quality widget",
        _gitlab,
    ),
    "junit": Format(
        "any CI server that shows test results",
        _junit,
    ),
    "checkstyle": Format(
        "reviewdog, Jenkins' warnings, and other tools that read Checkstyle's XML",
        _checkstyle,
    ),
    "html": Format(
        "a single page to view or share: findings, a heat map of source lines, lanes and sectors",
        _html,
        kept=lambda report: report.with_global_accesses,
    ),
}


def root_of(report: Report) -> SourceRoot:
    """The root that the report's paths are relative to, by asking git."""
    return source_root([file.path for file in report.files])
