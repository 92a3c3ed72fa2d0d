"""Units that edits read as trees."""

from __future__ import annotations

import gc
import weakref

from drano.fix.catalogue.base import Scene
from drano.fix.search import candidates, ranked
from tests.fix.test_pad_shared_array import SOURCE
from tests.fix.units import trials


def test_a_tree_ends_with_who_asked_for_it() -> None:
    """Collections of garbage come late: they do not know how much memory libclang has."""
    asked = trials(SOURCE)
    scene = Scene(asked.unit, asked.report)
    findings = ranked(asked.report)
    assert any(list(candidates(scene, finding, unsafe=True)) for finding in findings)
    assert scene.body(findings[0]) is scene.body(findings[0])
    assert scene.tree is not None
    kept = weakref.ref(scene.tree)
    gc.disable()
    try:
        del scene
        assert kept() is None
    finally:
        gc.enable()
