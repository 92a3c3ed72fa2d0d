"""Patterns of files mean what git's mean, and none takes long."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from drano.model.file_patterns import matches

SEGMENTS = st.text("ab*?[]!.", min_size=1, max_size=6) | st.sampled_from(
    ["**", "a", "*b*", "[ab]*a"]
)
PATTERNS = st.builds(
    lambda lead, parts, end: lead + "/".join(parts) + end,
    st.sampled_from(["", "/", "!"]),
    st.lists(SEGMENTS, min_size=1, max_size=5),
    st.sampled_from(["", "/"]),
)
PATHS = st.lists(st.text("abc", min_size=1, max_size=5), min_size=1, max_size=5).map("/".join)


@given(st.lists(PATTERNS, min_size=1, max_size=3), PATHS)
def test_as_pathspec_has_them(patterns: list[str], path: str) -> None:
    try:
        wanted = GitIgnoreSpec.from_lines(patterns).match_file(path)
    except ValueError:
        with pytest.raises(ValueError):
            matches(patterns, "/p", f"/p/{path}")
        return
    assert matches(patterns, "/p", f"/p/{path}") == wanted


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("*a" * 6 + "b", "a" * 200),
        ("*a" * 60 + "b", "a" * 255),
        ("[ab]*" * 30 + "c", "ab" * 120),
        ("?*" * 40 + "c", "a" * 255),
        ("**/a/" * 12 + "b", "a/" * 1500 + "a"),
        ("**/*a/" * 12 + "b", "aa/" * 1000 + "a"),
        ("x/**/" * 9 + "y", "x/" * 1500 + "x"),
    ],
)
def test_none_takes_long(pattern: str, name: str) -> None:
    started = time.perf_counter()
    assert not matches([pattern], "/p", f"/p/{name}")
    assert time.perf_counter() - started < 2
