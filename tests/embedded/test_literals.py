"""Literals mean what Python says they mean, and each character has its place."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drano.embedded.constants import Evaluator, NotConstantError
from drano.embedded.scopes import read_module
from drano.embedded.traced import Lines, Placed, Traced, placed


def text_of(source: str, name: str = "s") -> Traced:
    """The text that the one assignment to ``name`` gives it."""
    tree = ast.parse(source)
    module = read_module(tree)
    top = module.nodes[0][1]
    value, scope = top.find(name) or pytest.fail("not bound once")
    return Evaluator(Lines(source)).text(value, scope)


@pytest.mark.parametrize(
    "literal",
    [
        "'a'", '"a\\nb"', "r'a\\nb'", "'''a\n  b'''", "'a' 'b'", "('a'\n  # why\n  r'\\b' \"c\")",
        r"'\x41\u00e9\U0001F600\101\N{BULLET}'", "'a\\\nb'", "u'x'", "''", "'é' + 'b'", "R'\\''",
        "f'a{1}b{{}}'", "f'{2 * 3 + 1}'", "f'''{'''", "'%d, %s %%' % (1 << 3, 'x')",
        "'%(n)d' % {'n': 4}", "'{1} {0} {{'.format(1, 2)", "'{n}'.format(n=3)", "' a\\n'.strip()",
        "'NUM'.replace('NUM', str(3))", "'\\n'.join(['a', 'b', 'c'])",
    ],
)  # fmt: skip
def test_as_python_has_it(literal: str) -> None:
    source = f"s = {literal}\n"
    try:
        value = eval(literal)
    except SyntaxError:
        with pytest.raises(SyntaxError):
            ast.parse(source)
        return
    except (IndexError, KeyError):
        with pytest.raises(NotConstantError):
            text_of(source)
        return
    found = text_of(source)
    assert found.text == value
    assert len(found.origins) == len(value)
    for char, origin in zip(found.text, found.origins, strict=True):
        assert 0 <= origin < len(source)
        if char in "é ab" and literal[0] in "'\"r(":
            assert source[origin] in (char, "\\")


@given(st.text(max_size=30), st.sampled_from(["'", '"', "'''", '"""']))
def test_any_text(value: str, quotes: str) -> None:
    value = value.replace("\0", "")
    escaped = (
        value.encode("unicode_escape", "surrogatepass")
        .decode()
        .replace(quotes[0], "\\" + quotes[0])
    )
    source = f"s = {quotes}{escaped}{quotes}\n"
    assert text_of(source).text == value


def test_dedent_keeps_places() -> None:
    source = 'import textwrap\ns = textwrap.dedent("""\n    a\n      b\n""")\n'
    found = text_of(source)
    assert found.text == "\na\n  b\n"
    lines = Lines(source)
    assert lines.place(found.origins[1]) == (3, 5)
    assert lines.place(found.origins[5]) == (4, 7)


@pytest.mark.parametrize(
    "source",
    [
        "def f(s): pass",
        "s = 'a'\ns = 'b'",
        "s = 'a'\nfor s in x: pass",
        "s = 'a'\ns += 'b'",
        "s = 'a'\ndef f():\n  global s\n  s = 'b'",
        "s = 'a'\nimport s",
        "with open('f') as s: pass",
        "(s := 'a')",
        "s = 'a'\ndel s",
    ],
)
def test_names_bound_otherwise_are_unknown(source: str) -> None:
    module = read_module(ast.parse(source))
    assert module.nodes[0][1].find("s") is None


@pytest.mark.parametrize(
    "value",
    ["x", "s", "f'{x}'", "f'{1:d}'", "'a' * 2", "b'a'", "'%5d' % 1", "'{:d}'.format(1)", "g('a')",
     "'a' if x else 'b'", "2 ** 9999 * 'a'"],
)  # fmt: skip
def test_not_constant(value: str) -> None:
    with pytest.raises(NotConstantError):
        text_of(f"s = {value}")


def test_a_raw_text_is_laid_out_where_it_stands() -> None:
    source = 'x = 1\nk = f(r"""\n  é a[i]\n""")\n'
    tree = ast.parse(source)
    call = tree.body[1].value  # type: ignore[attr-defined]
    lines = Lines(source)
    module = read_module(tree)
    found = Evaluator(lines).text(call.args[0], module.nodes[0][1])
    laid = placed(found, lines)
    assert laid == Placed("\n" + " " * 10 + "\n  é a[i]\n")
    assert laid.place(3, 6) == (3, 6)


def test_what_is_moved_is_found_again() -> None:
    source = "s = ('é\\tab\\n'\n     '  c' + 'd')\n"
    found = text_of(source)
    laid = placed(found, Lines(source))
    assert found.text == "é\tab\n  cd"
    rows = source.encode().split(b"\n")
    for line, row in enumerate(laid.text.encode().split(b"\n"), start=1):
        for column, byte in enumerate(row, start=1):
            if chr(byte) in "abcd":
                there = laid.place(line, column)
                assert rows[there[0] - 1][there[1] - 1] == byte
