"""Include directories among clang's flags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def include_directories(flags: Sequence[str], kinds: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The kind and the place of each that is given by one of ``kinds``, joined or as two words.

    >>> list(include_directories(["-isystem", "a", "-Ib", "-O1", "-isystemc"], ("-I", "-isystem")))
    [('-isystem', 'a'), ('-I', 'b'), ('-isystem', 'c')]
    """
    words = iter(flags)
    for word in words:
        kind = next((kind for kind in kinds if word.startswith(kind)), None)
        place = "" if kind is None else word.removeprefix(kind) or next(words, "")
        if kind is not None and place:
            yield kind, place
