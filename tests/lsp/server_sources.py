"""Sources that tests of the server open, and what it says of them."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from drano.model.finding import Finding
from drano.model.settings import Config
from drano.run.driver import check_unit

BAD = "__global__ void k(float* a) {\n  a[2 * threadIdx.x] = 0;\n}\n"

GOOD = "__global__ void k(float* a) {\n  a[threadIdx.x] = 0;\n}\n"

BROKEN = "__global__ void k(float* a) {\n  a[2 * threadIdx.x] = 0;\n  b c\n}\n"


def findings(path: Path) -> list[Finding]:
    return list(check_unit(str(path), Config()).findings)


def codes(diagnostics: list[types.Diagnostic]) -> list[str]:
    return [str(diagnostic.code) for diagnostic in diagnostics]
