"""Where the expression of an access stands in its line: ``|`` marks the compiler's column."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.analysis.explain.source_expressions import access_expression, definition, subscript
from drano.model.access import AccessKind
from drano.model.span import Span

LOAD, STORE, ATOMIC = AccessKind.LOAD, AccessKind.STORE, AccessKind.ATOMIC


def _find(
    tmp_path: Path, marked: str, kind: AccessKind, *, called: bool = False, pointer: bool = False
) -> tuple[str, str]:
    """Text of the expression, and what its columns enclose."""
    column = marked.encode().index(b"|") + 1
    line = marked.replace("|", "", 1)
    source = tmp_path / "a.cu"
    source.write_text(f"// first\n{line}\n", encoding="utf-8")
    found = access_expression(Span(str(source), 2, column), kind, called=called, pointer=pointer)
    return found.text, line.encode()[found.start - 1 : found.end - 1].decode()


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        ("  x = |in[y * n + x];", "in[y * n + x]"),
        ("  x = in[i] + |a[b[i]](2);", "a[b[i]]"),
        ("  x = particles[i].|x * 2;", "particles[i].x"),
        ("  x = (p + i)->pos.|x;", "(p + i)->pos.x"),
        ("  x = |v.data[3 * i];", "v.data[3 * i]"),
        ("  x = |m[i][j].x;", "m[i][j]"),
        ("  x = |*p + 1;", "*p"),
        ("  x = |*ns::get(p) + 1;", "*ns::get(p)"),
        ("  x = |*it.at - 1;", "*it.at"),
        ("  x = |*(p + i) + 1;", "*(p + i)"),
        ("  x = |((float4*)p)[i];", "((float4*)p)[i]"),
        ("  x = |reinterpret_cast<const float4*>(p)[i];", "reinterpret_cast<const float4*>(p)[i]"),
        ("  p[i] |= q[2 * i];", "q[2 * i]"),
        ("  p[i].x |+= 2;", "p[i].x"),
        ('  print("größe"); x = |größe[i];', "größe[i]"),
    ],
)
def test_loads(tmp_path: Path, marked: str, text: str) -> None:
    assert _find(tmp_path, marked, LOAD) == (text, text)


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        ("  x = |in[", "in[…]"),
        ("  x = |in[y * n +", "in[…]"),
        ("  x = |in[k[i] +", "in[…]"),
        ("  x = |m[i][f(j,", "m[i][…]"),
        ("  x = |*(p + f(j,", "*(…)"),
        ("  x = |reinterpret_cast<float4 *>(&in[", "reinterpret_cast<float4 *>(…)"),
    ],
)
def test_what_goes_on_in_the_next_line_is_left_out(tmp_path: Path, marked: str, text: str) -> None:
    assert _find(tmp_path, marked, LOAD) == (text, marked.partition("|")[2])


@pytest.mark.parametrize(
    "marked",
    [
        '  |asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(p + i));',
        '  |__asm__("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(p + i));',
        "  x = |((s + y) < n && i < m) ?",
        "  x = |(i < n) ? a[i] : 0;",
        "  x = |(i + 1) * a;",
        "  *(float4 *)&s[y] |= ((i + y) < n && j < m) ?",
    ],
)
def test_what_is_no_place_has_no_name(tmp_path: Path, marked: str) -> None:
    assert _find(tmp_path, marked, LOAD)[0] == ""


@pytest.mark.parametrize("text", ["(a[i])", "(*p)", "((*p).x)", "(p + i)[2]", "(p + i)->x[2]"])
def test_places_in_brackets(tmp_path: Path, text: str) -> None:
    assert _find(tmp_path, f"  x = |{text} + 1;", LOAD)[0] == text


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        ("  a[3 * i] |= 1;", "a[3 * i]"),
        ("  if (i < n) a[i] |= 1;", "a[i]"),
        ("  for (int k = 0; k < n; ++k) a[i * n + k] |+= 1;", "a[i * n + k]"),
        ("  else a[i] |= 1;", "a[i]"),
        ("  case 3: *p |= 4;", "*p"),
        ("  if (x) *p |= 4;", "*p"),
        ("  a[f(i, 2)] = b[i] |= 4;", "b[i]"),
        ("  a[f(i, 2)] |= b[i] = 4;", "a[f(i, 2)]"),
        ("  x = 1, p[i].x |<<= 4;", "p[i].x"),
        ("  (p + i)->z |-= 2;", "(p + i)->z"),
        ("  *(float2*)&a[6 * i] |= v;", "*(float2*)&a[6 * i]"),
        ("  float &r |= v;", "r"),
        ("  a[7 * i]|++;", "a[7 * i]"),
        ("  if (x) (*p)|--;", "(*p)"),
        ("  |++a[7 * i];", "a[7 * i]"),
        ("  x = 2 * a[7 * i]|++;", "a[7 * i]"),
        ("  AT(a, i) |= 2;", "AT(a, i)"),
        ("  /* why */ a[i] |= 2;", "a[i]"),
        ("  ns::table[i] |= 2;", "ns::table[i]"),
    ],
)
def test_stores(tmp_path: Path, marked: str, text: str) -> None:
    assert _find(tmp_path, marked, STORE) == (text, text)


@pytest.mark.parametrize(
    ("marked", "kind", "text", "shown"),
    [
        ("  |atomicAdd(&hist[b[i]], 1);", ATOMIC, "hist[b[i]]", "hist[b[i]]"),
        ("  |atomicAdd(hist + i, 1);", ATOMIC, "*(hist + i)", "hist + i"),
        ("  |atomicAdd((unsigned*)&hist[i], 1);", ATOMIC, "hist[i]", "hist[i]"),
        ("  |atomicMax(slot, 1);", ATOMIC, "*slot", "slot"),
        ("  x = |__ldg(&in[2 * i]);", LOAD, "in[2 * i]", "in[2 * i]"),
        ("  |memcpy(&a[i], &b[i], 16);", LOAD, "b[i]", "b[i]"),
        ("  |memcpy(&a[i], &b[i], 16);", STORE, "a[i]", "a[i]"),
        ("  |pick(&a[i], 16);", LOAD, "", "pick(&a[i], 16)"),
    ],
)
def test_library_calls(
    tmp_path: Path, marked: str, kind: AccessKind, text: str, shown: str
) -> None:
    assert _find(tmp_path, marked, kind, called=True) == (text, shown)


def test_a_pointer_that_is_loaded_has_one_subscript_less(tmp_path: Path) -> None:
    assert _find(tmp_path, "  x = |rows[i][j];", LOAD, pointer=True)[0] == "rows[i]"
    assert _find(tmp_path, "  x = |data[j];", LOAD, pointer=True)[0] == "data"


def test_macros_and_calls_hide_the_expression(tmp_path: Path) -> None:
    assert _find(tmp_path, "  |SET(a, i, 3);", STORE) == ("", "SET(a, i, 3)")


def test_an_expression_that_starts_a_line_before(tmp_path: Path) -> None:
    assert _find(tmp_path, "    i * 6] |= 5;", STORE) == ("", "i * 6]")


@pytest.mark.parametrize("marked", ["|", "x|", "  ) |= 2;", "(((((|[", "]|= 1", "|*&(", "|++"])
def test_any_text_is_survived(tmp_path: Path, marked: str) -> None:
    for kind in AccessKind:
        _find(tmp_path, marked, kind)
        _find(tmp_path, marked, kind, called=True)


def test_no_file_no_text(tmp_path: Path) -> None:
    found = access_expression(Span(str(tmp_path / "none.cu"), 3, 7), LOAD)
    assert (found.text, found.start, found.end) == ("", 7, 7)


@pytest.mark.parametrize(
    ("marked", "name", "text"),
    [
        ("  int x = blockIdx.x |+ threadIdx.x, y = 2;  // x", "x", "x = blockIdx.x + threadIdx.x"),
        ("  for (int j = |0; j < n; j += 8) f(j);", "j", "j = 0"),
        ("  for (int j = 0; j < n; j |+= 8) f(j);", "j", "j += 8"),
        ("  for (int j = 0; j < n; |++j) f(j);", "j", "++j"),
        ("  for (int j = 0; j < n; j|++) f(j);", "j", "j++"),
        ("  if (x == |y) return;", "x", ""),
        ("  return f(|2 * x);", "i", ""),
    ],
)
def test_definitions(tmp_path: Path, marked: str, name: str, text: str) -> None:
    column = marked.index("|") + 1
    source = tmp_path / "a.cu"
    source.write_text(marked.replace("|", "", 1))
    assert definition(Span(str(source), 1, column), name).text == text


def test_subscripts() -> None:
    assert subscript("a[b[i] + 1].x") == "b[i] + 1"
    assert subscript("m[i][j]") == "j"
    assert subscript("*p") == ""
