"""The list of all modules in ``drano/__init__.py``, from their docstrings' first sentences.

``python -m tests.table_of_contents`` writes it; a test checks that it is complete.
"""

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "drano"
_LAYERS = (
    "cli", "__main__", "python", "lsp", "config", "fix", "run", "dynamic", "occupancy", "triage",
    "output", "rules", "analysis", "host", "embedded", "frontend", "ptx", "ir", "traffic",
    "lattice", "model", "support",
)  # fmt: skip
_INTRODUCTION = """\
drano finds uncoalesced memory accesses in CUDA kernels, without a GPU and without a CUDA SDK.

Public API: ``check(paths, config) -> Report``, ``check_triton(kernel, …) -> Report``, and for tests
``assert_coalesced(kernel, …)``. All modules, by layer, top to bottom:
"""


def modules() -> dict[str, Path]:
    """Every module of the package but itself, by name."""
    found: dict[str, Path] = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        if name != "drano":
            found[name] = path
    return found


def first_sentence(path: Path) -> str:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    paragraph = " ".join(docstring.split("\n\n", maxsplit=1)[0].split())
    found = re.match(r"(.+?)[.:;](?:\s|$)", paragraph)
    return found[1] if found else paragraph


def table() -> str:
    lines: list[str] = []
    for name, path in sorted(modules().items(), key=_order):
        text = f"``{name}``: {first_sentence(path)}"
        lines += textwrap.wrap(text, 98, subsequent_indent="    ", break_on_hyphens=False)
    return "\n".join([_INTRODUCTION, *lines]) + "\n"


def _order(item: tuple[str, Path]) -> tuple[int, list[str]]:
    parts = item[0].split(".")
    return (_LAYERS.index(parts[1]) if parts[1] in _LAYERS else len(_LAYERS), parts)


def main() -> None:
    target = PACKAGE / "__init__.py"
    source = target.read_text(encoding="utf-8")
    rest = source[source.index('"""', 3) + 3 :]
    target.write_text(f'"""{table()}"""{rest}', encoding="utf-8")


if __name__ == "__main__":
    main()
