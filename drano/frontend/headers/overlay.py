"""Puts text in the place of files without touching them: clang's virtual file system overlay.

Used for unsaved editor buffers and for repaired old sources. Messages, relative includes and debug
information keep the real path.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

OVERLAY_FLAG = "-ivfsoverlay"


def overlay_flags(contents: Mapping[str, bytes], directory: Path) -> list[str]:
    """Flags that make clang see ``contents`` (absolute path -> bytes), kept in ``directory``."""
    if not contents:
        return []
    roots = []
    for number, (path, content) in enumerate(contents.items()):
        replacement = directory / f"overlay{number}.txt"
        replacement.write_bytes(content)
        roots.append({"type": "file", "name": path, "external-contents": str(replacement)})
    description = {
        "version": 0,
        "case-sensitive": "true",
        "use-external-names": "false",
        "roots": roots,
    }
    overlay = directory / "overlay.json"
    overlay.write_text(json.dumps(description), encoding="utf-8")
    return [OVERLAY_FLAG, str(overlay)]


def overlaid(flags: Sequence[str]) -> set[str]:
    """The paths that overlays among ``flags``, made by ``overlay_flags``, put text in the place of.

    Raises OSError for one that cannot be read.
    """
    paths: set[str] = set()
    for flag, value in itertools.pairwise(flags):
        if flag == OVERLAY_FLAG:
            description = json.loads(Path(value).read_bytes())
            paths.update(root["name"] for root in description["roots"])
    return paths
