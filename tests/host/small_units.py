"""What is read of small units that a test writes: arguments of launches, and what a store costs."""

from __future__ import annotations

from pathlib import Path

from drano.host.launching.unit_launches import unit_launches
from drano.model.access import AccessKind
from drano.model.settings import CompileOptions, Config
from drano.model.translation_unit import Argument
from drano.run.driver import check_unit


def first_arguments(folder: Path, text: str) -> set[Argument]:
    """The first argument of each launch."""
    path = folder / "unit.cu"
    path.write_text(text + "\n")
    found = unit_launches(str(path), CompileOptions())
    assert found.reason == ""
    return {site.arguments[0] for site in found.sites}


def most_sectors(folder: Path, text: str) -> int:
    """The bound of sectors of the unit's only store."""
    path = folder / "unit.cu"
    path.write_text(text + "\n")
    (store,) = [a for a in check_unit(str(path), Config()).accesses if a.kind is AccessKind.STORE]
    sectors = store.judgement.sectors
    assert sectors is not None
    return sectors.maximum
