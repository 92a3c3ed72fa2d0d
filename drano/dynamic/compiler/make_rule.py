"""The make rule that ``-MD`` and its like ask for: what an object was made of."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

from drano.support.errors import IRError


def write_dependencies(words: Sequence[str], files: Sequence[str], output: str) -> None:
    """``words``: the flags of the command line that ask for it; ``files``: that were read."""
    if not any(word in {"-MD", "-MMD"} for word in words) and "-MF" not in words:
        return
    target, place = output, str(Path(output).with_suffix(".d"))
    for word, value in itertools.pairwise(words):
        if word == "-MF":
            place = value
        elif word in {"-MT", "-MQ"}:
            target = value
    names = (name.replace(" ", "\\ ").replace("$", "$$") for name in files)
    try:
        Path(place).write_text(f"{target}: " + " \\\n  ".join(names) + "\n", encoding="utf-8")
    except OSError as error:
        raise IRError(place, error.strerror or "cannot be written") from error
