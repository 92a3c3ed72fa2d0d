"""Launches that a text of host code is read to have."""

from __future__ import annotations

from pathlib import Path

from drano.host.arithmetic import Dim
from drano.host.launching.launches import Launches
from drano.host.launching.unit_launches import unit_launches
from drano.model.settings import CompileOptions
from drano.model.translation_unit import LaunchSite

KERNEL = "__global__ void k(float *p, int n) { p[n] = 0; }\n"


def read(tmp_path: Path, text: str, options: CompileOptions | None = None) -> Launches:
    path = tmp_path / "unit.cu"
    path.write_text(text)
    return unit_launches(str(path), options or CompileOptions())


def sites(tmp_path: Path, text: str) -> tuple[LaunchSite, ...]:
    result = read(tmp_path, text)
    assert result.reason == ""
    return result.sites


def shapes(
    tmp_path: Path, body: str, before: str = "", parameters: str = ""
) -> list[tuple[Dim, Dim]]:
    """(grid, block) of each launch in a host function with ``body``."""
    text = f"{before}\n{KERNEL}void host(float *p{parameters}) {{\n{body}\n}}\n"
    return [(site.grid, site.block) for site in sites(tmp_path, text)]


N = None
