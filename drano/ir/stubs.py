"""Stands in for missing headers, when asked to: host-only ones do not matter to device code.

Two sources: drano's own stand-ins in ``stubs/`` (OpenGL, OpenMP, the SDK samples' helpers: the few
names that host code uses), searched after all real directories, and empty files made for whatever
else clang does not find. Every stand-in used is told to the user.
Limits: code that needs what an empty file does not declare still fails to compile.
"""

from __future__ import annotations

import re
from pathlib import Path

from drano.finding import Diagnostic, Severity

OWN_STUBS = Path(__file__).with_name("stubs")
OWN_STUB_FLAGS = ("-idirafter", str(OWN_STUBS))
MAX_STUBS = 40
_MISSING = re.compile(r"^'(?P<name>[^']+)' file not found$")
# Room for `#include "../../x.h"`: an include directory this deep keeps it inside the root.
_DEPTH = Path("a/b/c/d/e/f")


def missing_header(diagnostics: tuple[Diagnostic, ...]) -> tuple[str, Diagnostic] | None:
    """Name of the header whose absence stopped clang, and clang's message."""
    for diagnostic in diagnostics:
        found = _MISSING.match(diagnostic.message)
        if diagnostic.severity is Severity.ERROR and found is not None:
            return found["name"], diagnostic
    return None


def stub_flags(root: Path) -> list[str]:
    """Flags that make clang look for stand-ins last: empty ones under ``root``, then our own."""
    return [*OWN_STUB_FLAGS, "-idirafter", str(root / _DEPTH)]


def make_stub(root: Path, name: str) -> bool:
    """Make an empty header ``name``; False when it cannot be (absolute, or leaves ``root``)."""
    base = root / _DEPTH
    base.mkdir(parents=True, exist_ok=True)
    target = (base / name).resolve()
    if Path(name).is_absolute() or not target.is_relative_to(root.resolve()):
        return False
    try:
        # `a/../b.h` is looked up through `a`, which must exist.
        for parent in reversed((base / name).parents):
            parent.mkdir(exist_ok=True)
        if target.exists():
            return False
        target.write_bytes(b"")
    except OSError:
        return False
    return True


def stub_note(message: Diagnostic, name: str) -> Diagnostic:
    """What the user is told of an empty stand-in, at the ``#include``."""
    text = f"missing header '{name}' was taken to be empty"
    return Diagnostic(message.path, message.line, message.column, Severity.NOTE, text)


def own_stub_note(unit: str, dependencies: tuple[str, ...]) -> tuple[Diagnostic, ...]:
    """What the user is told of our own stand-ins that ``unit`` included."""
    names = [
        str(Path(dependency).relative_to(OWN_STUBS))
        for dependency in dependencies
        if Path(dependency).is_relative_to(OWN_STUBS)
    ]
    if not names:
        return ()
    text = f"stand-ins were used for headers that were not found: {', '.join(names)}"
    return (Diagnostic(unit, 0, 0, Severity.NOTE, text),)
