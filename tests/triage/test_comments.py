"""What counts as a comment to drano, and which lines it silences."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drano.triage.comments import Directive, directives


def one(text: str) -> Directive:
    (found,) = directives(text.encode())
    return found


@pytest.mark.parametrize(
    ("text", "codes", "reason", "lines"),
    [
        ("a; // drano: ignore[DRN001] why not", ("DRN001",), "why not", (1, 1)),
        ("a; //drano:ignore", (), "", (1, 1)),
        ("a; // drano: ignore[drn001, DRN004 ] -- ok", ("DRN001", "DRN004"), "ok", (1, 1)),
        ("a; /* drano: ignore[DRN] größer */ b;", ("DRN",), "größer", (1, 1)),
        ("// drano: ignore-next-line\n\n  // more\n b;", (), "", (4, 4)),
        ("// drano: ignore-next-line[A]\n/* x\n y */\nb;", ("A",), "", (4, 4)),
        ("/* one\n drano: ignore-next-line */\nb;", (), "", (3, 3)),
        ("x\n// drano: ignore-file why\ny", (), "why", (1, 3)),
        ("a\n// drano: ignore-start[A]\nb\nc // drano: ignore-end[A]\nd", ("A",), "", (2, 4)),
        ("a\n// drano: ignore-start[A]\nb\n// drano: ignore-end\nd", ("A",), "", (2, 4)),
        ("a // NOLINT(drano-DRN001): why", ("DRN001",), "why", (1, 1)),
        ("a // NOLINT(bugprone-x, drano-DRN001,drano-DRN004)", ("DRN001", "DRN004"), "", (1, 1)),
        ("a // NOLINT(drano-*)", (), "", (1, 1)),
        ("// NOLINTNEXTLINE(drano-DRN001)\nb", ("DRN001",), "", (2, 2)),
        ("// NOLINTBEGIN(drano-DRN1)\nb\n// NOLINTEND(drano-DRN1)", ("DRN1",), "", (1, 3)),
        ("a; // drano: ignore[A]\r\nb;", ("A",), "", (1, 1)),
        ("x = 1'000'000; // it's drano: ignore", (), "", (1, 1)),
        ("x = '\"'; // drano: ignore", (), "", (1, 1)),
        ('x = "\\""; // drano: ignore', (), "", (1, 1)),
    ],
)
def test_comments(text: str, codes: tuple[str, ...], reason: str, lines: tuple[int, int]) -> None:
    found = one(text)
    assert (found.codes, found.reason, (found.first, found.last)) == (codes, reason, lines)
    assert found.problem == ""


@pytest.mark.parametrize(
    "text",
    [
        'char* s = "// drano: ignore";',
        'char* s = R"x(\n// drano: ignore)x";',
        'char* s = "a\\"// drano: ignore";',
        "drano: ignore",
        "// drano: expect[DRN001]",
        "// NOLINT",
        "// NOLINT(bugprone-x)",
    ],
)
def test_what_is_no_comment_of_ours(text: str) -> None:
    assert directives(text.encode()) == ()


def test_ranges_nest_and_complain() -> None:
    text = (
        "// drano: ignore-start[A]\n// drano: ignore-start[B]\n// drano: ignore-end[A]\n"
        "// drano: ignore-end[A]\n\n"
    )
    a, b, end = directives(text.encode())
    assert (a.first, a.last, a.problem) == (1, 3, "")
    assert (b.first, b.last, b.problem) == (2, 6, "the range is never closed")
    assert (end.line, end.problem) == (4, "there is no open range to end here")


def test_unknown_words_are_told() -> None:
    assert one("// drano: ignore-nextline[A]").problem == "unknown directive 'ignore-nextline'"


@pytest.mark.parametrize(
    "piece", ["/*", '"', 'R"(', "// drano: ignore-start\n", "'", "/*drano:ignore*/", "\\", "//\\\n"]
)
def test_hostile_files_take_no_time(piece: str) -> None:
    content = (piece * (400_000 // len(piece)) + " // drano: ignore").encode()
    started = time.process_time()
    directives(content)
    assert time.process_time() - started < 5


PIECES = [*"/*\"'\\\n R()ax[]:-", "drano: ignore", "drano: ignore-start", "// drano: ignore-end"]


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_any_text_is_read(text: str) -> None:
    content = text.encode()
    for found in directives(content + b"// drano: ignore"):
        assert 1 <= found.line <= content.count(b"\n") + 1
        assert found.first <= found.last
