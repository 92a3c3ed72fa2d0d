"""Pointers that go into objects of the library's types and come out of them elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.translation_unit import Shifted
from tests.host.small_units import first_arguments

BEFORE = """#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>
__global__ void k(float *a);
struct T { float *d; int n; T(float *x) : d(x) {} };
struct P { float *d; int n; };
"""
METHODS = [
    ("std::vector<float *> v;", "v.push_back(p + 1);", "k<<<1, 32>>>(v[0]);"),
    ("std::vector<float *> v;", "v = {p, p + 1};", "for (auto *q : v) k<<<1, 32>>>(q);"),
    ("std::vector<float *> v;", "fill(this->v, p);", "k<<<1, 32>>>(v.back());"),
    ("std::pair<float *, int> v;", "v.first = p + 1;", "k<<<1, 32>>>(v.first);"),
    ("std::pair<float *, int> v;", "v = {p + 1, 2};", "k<<<1, 32>>>(v.first);"),
    ("std::optional<float *> v;", "v = p + 1;", "k<<<1, 32>>>(*v);"),
    ("std::map<int, float *> v;", "v[1] = p + 1;", "for (auto &[i, q] : v) k<<<1, 32>>>(q);"),
    ("std::unique_ptr<float> v;", "v.reset(p + 1);", "k<<<1, 32>>>(v.get());"),
    ("std::vector<T> v;", "v.emplace_back(p + 1);", "for (auto &t : v) k<<<1, 32>>>(t.d);"),
    ("std::vector<P> v;", "v.push_back({p + 1, 3});", "for (auto &t : v) k<<<1, 32>>>(t.d);"),
    ("std::shared_ptr<T> t;", "t = std::make_shared<T>(p + 1);", "k<<<1, 32>>>(t->d);"),
]
BODIES = [
    "std::vector<float *> v; float *x = p + 1; v.push_back(x); k<<<1, 32>>>(v[0]);",
    "std::vector<float *> v; v.push_back(p + 1); auto w = v; k<<<1, 32>>>(w[0]);",
    "std::vector<float *> v, w; v.push_back(p + 1); w = v; k<<<1, 32>>>(w[0]);",
    "std::map<int, float *> m; float *x = p; x += 1; m[1] = x; k<<<1, 32>>>(m[1]);",
    "std::map<int, float *> m; m.emplace(1, p + 1); auto i = m.find(1); k<<<1, 32>>>(i->second);",
]
STILL = [
    "std::vector<float *> v; v.push_back(p); auto w = v; k<<<1, 32>>>(w[0]);",
    "float *h; std::vector<float> v(h, h + 3); v.insert(v.end(), h + 1, h + 2);"
    "std::vector<float *> w{p}; k<<<1, 32>>>(w[0]);",
]  # fmt: skip
OTHERS = [
    "std::vector<float *> v; void add(float *p) { v.push_back(p); }\n"
    "void go(float *p) { add(p + 1); k<<<1, 32>>>(v[0]); }",
    "struct M { std::vector<float *> v; M(float *p) : v{p, p + 1} {}\n"
    "void go() { k<<<1, 32>>>(v[1]); } };\nvoid go(float *p) { M(p).go(); }",
    "struct M { std::vector<float *> v; M(float *p) : v(2, p) {}\n"
    "void go() { k<<<1, 32>>>(v[1]); } };\nvoid go(float *p) { M(p + 1).go(); }",
    "struct M { std::vector<float *> v; std::vector<float *> &all() { return v; }\n"
    "void go() { k<<<1, 32>>>(v[0]); } };\n"
    "void go(float *p) { M m; m.all().push_back(p + 1); m.go(); }",
    "void inner(float *p) { std::vector<float *> v; v.push_back(p); k<<<1, 32>>>(v[0]);\n"
    "k<<<1, 32>>>(v[0]); }\nvoid go(float *p) { inner(p + 1); }",
]  # fmt: skip


@pytest.mark.parametrize(("member", "change", "launch"), METHODS)
def test_moved_by_another_method(tmp_path: Path, member: str, change: str, launch: str) -> None:
    text = (
        f"struct M {{ {member}\nvoid add(float *p) {{ {change} }} void go() {{ {launch} }}\n"
        "static void fill(std::vector<float *> &w, float *p) { w.push_back(p + 1); } };\n"
        "void run(float *p) { M m; m.add(p); m.go(); }"
    )
    (argument,) = first_arguments(tmp_path, BEFORE + text)
    assert argument == Shifted(4)
    still = first_arguments(tmp_path, BEFORE + text.replace("p + 1", "p"))
    assert still == {None}


@pytest.mark.parametrize("body", BODIES)
def test_moved_in_the_function(tmp_path: Path, body: str) -> None:
    assert first_arguments(tmp_path, BEFORE + f"void go(float *p) {{ {body} }}") == {Shifted(4)}


@pytest.mark.parametrize("text", OTHERS)
def test_moved_by_others(tmp_path: Path, text: str) -> None:
    assert first_arguments(tmp_path, BEFORE + text) == {Shifted(4)}


@pytest.mark.parametrize("body", STILL)
def test_not_moved(tmp_path: Path, body: str) -> None:
    assert first_arguments(tmp_path, BEFORE + f"void go(float *p) {{ {body} }}") == {None}
