"""The lexer of C++: what a token is, and what only looks like one."""

from __future__ import annotations

import doctest
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drano.frontend.clang import compile_unit
from drano.frontend.text import cpp_lexer
from drano.frontend.text.cpp_lexer import (
    LITERALS,
    NOT_CODE,
    WORDS,
    Kind,
    blanked,
    closing,
    identifiers,
    includes,
    macros,
    statement_start,
    tokens,
)
from drano.model.settings import CompileOptions

ALL = frozenset(Kind)
COMMENT, STRING, CHARACTER = {Kind.COMMENT}, {Kind.STRING}, {Kind.CHARACTER}


def cut(text: bytes, kinds: frozenset[Kind] | set[Kind] = ALL) -> list[bytes]:
    return [token.text for token in tokens(text, kinds)]


def test_doctests() -> None:
    assert doctest.testmod(cpp_lexer).failed == 0


@pytest.mark.parametrize(
    ("text", "kinds", "expected"),
    [
        (b"a // b\nc", COMMENT, [b"// b"]),
        (b"a // b\\\n c\nd", COMMENT, [b"// b\\\n c"]),
        (b"a // b\\\r\n c\r\nd", COMMENT, [b"// b\\\r\n c"]),
        (b"// b\\", COMMENT, [b"// b\\"]),
        (b"a /* b\n c */ d /* e", COMMENT, [b"/* b\n c */", b"/* e"]),
        (b'"// no" /* "yes" */', COMMENT, [b'/* "yes" */']),
        (b"\"\\\"//\" // b", COMMENT, [b"// b"]),
        (b'R"(" // no)" // b', COMMENT, [b"// b"]),
        (b'u8R"x()" // no)x" // b', COMMENT, [b"// b"]),
        (b'FOOR"( // b', COMMENT, []),  # a name, and a string that the line's end closes
        (b"'\"' // b", COMMENT, [b"// b"]),
        (b"1'000'000 // it's", COMMENT, [b"// it's"]),
        (b"0xA'B // it's", COMMENT, [b"// it's"]),
        (b"case'\"': // b", COMMENT, [b"// b"]),
        (b"don't // it's", COMMENT, []),  # as in text that no compiler reads
        (b"don't; \n // b", COMMENT, [b"// b"]),
        (b'"open\n// b', COMMENT, [b"// b"]),
        (b"u8'x' L'\\x41' '\\U0001F600'", CHARACTER, [b"'x'", b"'\\x41'", b"'\\U0001F600'"]),
        (b'a "b" R"-(c)d)-" e', STRING, [b'"b"', b'R"-(c)d)-"']),
        (b'R"(never closed " \n', STRING, [b'R"(never closed " \n']),
        (b"#define A 'x' // b\nc", NOT_CODE, [b"#define A 'x' // b"]),
        (b" # define A \\\n 1 /* b\n */ 2\nc", NOT_CODE, [b" # define A \\\n 1 /* b\n */ 2"]),
        (b"a # b", NOT_CODE, []),
        (b"a::b->c<<<1, 2.5e3>>>();", WORDS,
         [b"a", b"::", b"b", b"-", b">", b"c", b"<", b"<", b"<", b"1", b",", b"2.5e3", b">", b">",
          b">", b"(", b")", b";"]),
        (b"$a gr\xc3\xb6\xc3\x9fe _1", WORDS, [b"$a", b"gr\xc3\xb6\xc3\x9fe", b"_1"]),
    ],
)  # fmt: skip
def test_tokens(text: bytes, kinds: frozenset[Kind], expected: list[bytes]) -> None:
    assert cut(text, kinds) == expected


@given(st.binary(max_size=60) | st.text("aR\"'\\/*(){}#<>\r\n 1;", max_size=40).map(str.encode))
def test_tokens_cover_any_text(text: bytes) -> None:
    found = list(tokens(text, ALL))
    assert [text[token.start : token.end] for token in found] == [token.text for token in found]
    ends = [0, *(token.end for token in found)]
    gaps = [text[end : token.start] for end, token in zip(ends, found, strict=False)]
    assert not any(gap.strip() for gap in (*gaps, text[ends[-1] :]))
    for kinds in (NOT_CODE, LITERALS, COMMENT):
        hidden = blanked(text, kinds)
        assert len(hidden) == len(text)
        assert [i for i, c in enumerate(hidden) if c in b"\r\n"] == [
            i for i, c in enumerate(text) if c in b"\r\n"
        ]


@pytest.mark.parametrize("repeated", [b"/*", b'"', b"'", b'R"(', b"//\\", b"#\\\n", b"((", b"1'"])
def test_long_texts_take_linear_time(repeated: bytes) -> None:
    text = repeated * 50_000
    start = time.process_time()
    for kinds in (NOT_CODE, COMMENT, ALL):
        blanked(text, kinds)
    closing(b"(" + text, 0)
    assert time.process_time() - start < 2


def test_brackets_and_statements() -> None:
    assert closing(b"x[a[1]]", 1) == 7
    assert closing(b"x[a", 1) is None
    assert statement_start(b"a; b = c", 7) == 2
    assert statement_start(b"a", 1) == 0


def test_directives_by_name() -> None:
    text = b'#include "a.h"\n # include <b>\n#include C\n#define D(x) x \\\n + 1\n#define E\nD(2)'
    assert [(i.name, i.angled) for i in includes(text)] == [
        (b"a.h", False), (b"b", True), (b"", False),
    ]  # fmt: skip
    assert [tuple(m) for m in macros(text)] == [(b"D", b"(x)", b" x \\\n + 1"), (b"E", b"", b"")]
    assert identifiers(b"a1 // b\n2c") == {b"a1", b"b", b"c"}


def test_clang_sees_the_same_code(tmp_path: Path) -> None:
    """What is blank for the lexer is blank for the compiler: both read the same code."""
    source = (
        b"__global__ void k(char *a) { // it's { one\n"
        b"  a[0] = '\\''; a[1] = '\"'; /* } ' */ a[2] = R\"x(\" })x\"[0]; // \\\n still } */\n"
        b"  a[3] = 1'0 + u8'}'; \n}\n"
    )
    path = tmp_path / "a.cu"
    path.write_bytes(source)
    assert compile_unit(str(path), CompileOptions(flags=("-std=c++17",))).ir is not None
    code = blanked(source, NOT_CODE)
    assert code.count(b"{") == code.count(b"}") == 1
    assert code.count(b"a[") == 4
