"""The formats of ``drano report``, by name; slow ones are imported when asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from drano.dynamic.profiles.profile import Profile
from drano.dynamic.reports.report import Setting, render_json, render_text


def _html(profile: Profile, setting: Setting) -> str:
    from drano.dynamic.reports.report_html import render_html  # noqa: PLC0415 - jinja2

    return render_html(profile, setting.sources, setting.hardware, setting.roof)


def _sarif(profile: Profile, setting: Setting) -> str:
    from drano.dynamic.reports.report_sarif import render_sarif  # noqa: PLC0415 - slow to load

    return render_sarif(profile, setting.version)


REPORTS: Mapping[str, Callable[[Profile, Setting], str]] = {
    "text": render_text,
    "json": render_json,
    "html": _html,
    "sarif": _sarif,
}
