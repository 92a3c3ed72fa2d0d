"""How a helper function is written: one line of parameters, one instruction a line."""

from __future__ import annotations

CONTEXT = "ptr %w, i64 %lane, i32 %mask"
"""Parameters of helpers that need to know the warp, their lane and the active lanes."""


def define(name: str, result: str, parameters: str, body: str) -> str:
    """The definition of helper ``name``, to be inlined wherever it is called."""
    lines = "\n".join(f"  {line.strip()}" for line in body.strip().splitlines())
    return f"define internal {result} @{name}({parameters}) alwaysinline nounwind {{\n{lines}\n}}\n"
