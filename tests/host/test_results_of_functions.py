"""Functions that are followed for what they return, and no longer than that is open."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.host.launching.unit_launches import unit_launches
from drano.model.settings import CompileOptions

KERNEL = "__global__ void k(int *p) { p[threadIdx.x] = 0; }\n"


def blocks(tmp_path: Path, text: str) -> set[int | None]:
    path = tmp_path / "unit.cu"
    path.write_text(KERNEL + text)
    found = unit_launches(str(path), CompileOptions())
    assert found.reason == ""
    return {site.block[0] for site in found.sites}


@pytest.mark.parametrize(
    ("body", "block"),
    [
        ("if (n > 4) return 64; return 64;", 64),
        ("if (n > 4) return 64; return 32;", None),
        ("if (n > 4) return n; return 32;", None),
        ("auto f = [](int m) { return m + 1; }; f(n); return 96;", 96),
        ("for (int i = 0; i < n; i++) if (i == 7) return i; return 32;", None),
        ("switch (n) { case 1: return 8; case 2: return 8; default: return 8; }", 8),
        ("switch (n) { case 1: return 8; case 2: return 16; default: return 8; }", None),
    ],
)
def test_all_returns_have_to_agree(tmp_path: Path, body: str, block: int | None) -> None:
    text = f"int size(int n) {{ {body} }}\nvoid go(int *p, int n) {{ k<<<1, size(n)>>>(p); }}\n"
    assert blocks(tmp_path, text) == {block}


def test_a_function_of_many_returns_leaves_room_for_others(tmp_path: Path) -> None:
    cases = "".join(f"if (n == {number}) return {number};\n" for number in range(2000))
    calls = "n += size(n);\n" * 40
    text = (
        f"int size(int n) {{ {cases} return 0; }}\nvoid go(int *p, int n) {{ int t = 64;\n{calls}"
    )
    assert blocks(tmp_path, text + "k<<<1, t>>>(p); }\n") == {64}
