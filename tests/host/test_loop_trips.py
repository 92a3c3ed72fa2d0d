"""Loops of host code around launches: each form of head, bodies that spoil it, calls in loops."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.host.launching.unit_launches import unit_launches
from drano.model.settings import CompileOptions
from drano.model.translation_unit import HostLoop

KERNEL = "__global__ void k(float *p, int n) { p[n] = 0; }\n"
LAUNCH = "k<<<4, 64>>>(p, 1);"


def loops(tmp_path: Path, text: str) -> list[tuple[HostLoop, ...]]:
    """The loops around each launch of a source."""
    path = tmp_path / "unit.cu"
    path.write_text(KERNEL + text)
    found = unit_launches(str(path), CompileOptions())
    assert found.reason == ""
    return [site.loops for site in found.sites]


def head(loop: HostLoop) -> tuple[object, ...]:
    return loop.counter, loop.first, loop.relation, loop.end, loop.op, loop.step


COUNTED = [
    ("for (int i = 0; i < 10; i++) LAUNCH", ("i", 0, "lt", 10, "add", 1)),
    ("for (int i = 1; i <= n; i += 2) LAUNCH", ("i", 1, "le", "n", "add", 2)),
    ("int i; for (i = n - 1; i >= 0; --i) LAUNCH", ("i", ("-", "n", 1), "ge", 0, "sub", 1)),
    ("for (int i = 2; n > i; i <<= 1) LAUNCH", ("i", 2, "lt", "n", "shl", 1)),
    ("for (int i = 0; i != n / 2; ++i) LAUNCH", ("i", 0, "ne", ("/", "n", 2), "add", 1)),
    ("for (int i = 0; i < n && go; i = i + m) LAUNCH", ("i", 0, "lt", "n", "add", "m")),
    ("int s = 20; for (int i = 0; i < s; i++) LAUNCH", ("i", 0, "lt", 20, "add", 1)),
    ("int i = 3; while (i < n) { LAUNCH i += 4; }", ("i", 3, "lt", "n", "add", 4)),
    ("int i = 64; do { LAUNCH i = i / 2; } while (i > 0);", ("i", 64, "gt", 0, "sdiv", 2)),
    ("for (int i = 0; i < q.steps; i++) LAUNCH", ("i", 0, "lt", "steps", "add", 1)),
    ("for (int i = 0, j = 9; i < n; i++, j--) LAUNCH", ("i", 0, "lt", "n", "add", 1)),
]

NOT_COUNTED = [
    "while (go) LAUNCH",
    "for (;;) { LAUNCH if (go) break; }",
    "do { LAUNCH } while (next());",
    "for (int i = 0; i < n; i++) { LAUNCH i += 2; }",
    "for (int i = 0; i < n; i++) { LAUNCH n--; }",
    "for (int i = 0; i < n; i = next()) LAUNCH",
    "for (int i = next(); i < next(); i++) LAUNCH",
    "int i = next(); while (i < n) { LAUNCH i++; }",
    "float x = 0; while (x < 1) { LAUNCH x += next(); }",
    "for (int each : list) LAUNCH",
]


def body(text: str) -> str:
    return (
        "struct Q { int steps; }; int next();\n"
        "void host(float *p, int n, int m, bool go, Q q) {\n  int list[3] = {1, 2, 3};\n  "
        + text.replace("LAUNCH", LAUNCH)
        + "\n}\n"
    )


@pytest.mark.parametrize(("text", "expected"), COUNTED)
def test_counted(tmp_path: Path, text: str, expected: tuple[object, ...]) -> None:
    ((loop,),) = loops(tmp_path, body(text))
    assert head(loop) == expected
    assert loop.span.line == 5
    assert not loop.spent


@pytest.mark.parametrize("text", NOT_COUNTED)
def test_not_counted(tmp_path: Path, text: str) -> None:
    ((loop,),) = loops(tmp_path, body(text))
    assert (loop.relation, loop.counter) == ("", "")


def test_nests_are_in_order_and_calls_bring_their_loops(tmp_path: Path) -> None:
    found = loops(
        tmp_path,
        "static void step(float *p, int n) { for (int j = 0; j < 3; j++) k<<<1, 32>>>(p, n); }\n"
        "void host(float *p, int n) {\n"
        "  for (int i = 0; i < n; i++) { step(p, n); k<<<1, 32>>>(p, n); }\n"
        "  step(p, n);\n"
        "}\n",
    )
    assert [[loop.counter for loop in around] for around in found] == [["i", "j"], ["j"], ["i"]]


def test_of_deep_nests_the_outer_loops_are_looked_at(tmp_path: Path) -> None:
    heads = "".join(f"for (int i{n} = 0; i{n} < {n + 2}; i{n}++) " for n in range(30))
    (found,) = loops(tmp_path, body(heads + "LAUNCH"))
    assert [loop.end for loop in found] == [2, 3, 4, 5, 6, 7, 8, 9]


def test_one_pass_is_no_loop(tmp_path: Path) -> None:
    assert loops(tmp_path, body("do { LAUNCH } while (0);")) == [()]


@pytest.mark.parametrize(
    ("text", "spent"),
    [
        ("while (n > 1) { int b = (n + 255) / 256; k<<<b, 64>>>(p, n); n = b; }", True),
        ("for (int s = n; s > 1; s >>= 1) k<<<(s + 63) / 64, 64>>>(p, s);", True),
        ("dim3 g(n); while (n) { k<<<g, 64>>>(p, n); n /= 2; g.x = n; }", True),
        ("while (n > 1) { k<<<m, 64>>>(p, n); n = (n + 255) / 256; }", False),
        ("for (int i = 0; i < n; i++) k<<<i, 64>>>(p, i);", False),
    ],
)
def test_a_grid_that_gets_less_is_spent(tmp_path: Path, text: str, spent: bool) -> None:
    ((loop,),) = loops(tmp_path, body(text))
    assert loop.spent == spent
