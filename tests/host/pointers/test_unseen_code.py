"""Pointers that code writes which the unit does not show: maybe no starts of arrays."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.translation_unit import Shifted
from tests.host.small_units import first_arguments, most_sectors

BEFORE = """#include <dlfcn.h>
#include <cstring>
#include <functional>
enum Op { ADD, MUL };
template <class L, class F> void each(L &l, F f) { f(l); }
__global__ void k(float *a) { a[threadIdx.x] = 1; }
struct S { float *b; float *get(); void fill(); int size() const; operator float *(); };
struct A { virtual float *at(float *p) { return p; } };
struct B : A { float *at(float *p) override { return p + 1; } };
extern float *shared, *rows[4];
extern S object;
float *get(int);
template <class T> T *any();
S made(int);
void fill(float **), fill(float *&), fill(S *), fill(S &);
float *up(float *p) { return p + 1; }
float &at(int i) { return get(1)[i]; }
float &cell(S *s, int i) { return s->b[i]; }
float &far(int i);
"""

UNSEEN = [
    "k<<<1, 64>>>(get(1));",
    "float *p = get(1); k<<<1, 64>>>(p);",
    "k<<<1, 64>>>(any<float>());",
    "k<<<1, 64>>>(shared);",
    "k<<<1, 64>>>(rows[1]);",
    "k<<<1, 64>>>(object.b);",
    "float *p; fill(&p); k<<<1, 64>>>(p);",
    "float *p; fill(p); k<<<1, 64>>>(p);",
    "S t; fill(&t); k<<<1, 64>>>(t.b);",
    "S t; fill(t); k<<<1, 64>>>(t.b);",
    "fill(s); k<<<1, 64>>>(s.b);",
    "s.fill(); k<<<1, 64>>>(s.b);",
    "k<<<1, 64>>>(s.get());",
    "k<<<1, 64>>>(s);",
    "S t = made(1); k<<<1, 64>>>(t.b);",
    "k<<<1, 64>>>(made(1).b);",
    "k<<<1, 64>>>(f());",
    "k<<<1, 64>>>(g());",
    'auto h = (float *(*)())dlsym(0, "h"); k<<<1, 64>>>(h());',
    "k<<<1, 64>>>(&at(0));",
    "k<<<1, 64>>>(&far(0));",
    "S t; fill(&t); k<<<1, 64>>>(&cell(&t, 0));",
    "S t; memcpy(&t, &s, sizeof t); k<<<1, 64>>>(t.b);",
    "union { float *p; long n; } u; u.n = s.size(); k<<<1, 64>>>(u.p);",
    "struct L { Op *o; S *s; } l; l.s = &s; each(l, [](L &m) { m.o += 1; }); k<<<1, 64>>>(l.s->b);",
]
MAYBE_MOVED = [
    "std::function<float *(float *)> h = up; k<<<1, 64>>>(h(q));",
    "k<<<1, 64>>>(std::invoke(up, q));",
    "k<<<1, 64>>>(a.at(q));",
]
STILL = [
    "float *p; cudaMalloc(&p, 4); k<<<1, 64>>>(p);",
    "s.size(); k<<<1, 64>>>(s.b);",
    "printf(\"%p\", &s); k<<<1, 64>>>(s.b);",
    "k<<<1, 64>>>(std::max(q, q));",
]  # fmt: skip


def _unit(body: str) -> str:
    given = "S &s, float *(*f)(), std::function<float *()> &g, A &a, float *q"
    return f"{BEFORE}void go({given}) {{ {body} }}"


@pytest.mark.parametrize("body", UNSEEN)
def test_what_nobody_shows_is_a_start_most_likely(tmp_path: Path, body: str) -> None:
    (argument,) = first_arguments(tmp_path, _unit(body))
    assert isinstance(argument, Shifted)
    assert argument.likely_start
    assert most_sectors(tmp_path, _unit(body)) == 5


HEADER = "#pragma once\nstruct H { float *b; };\nextern float *common;\nstatic float *own;\n"
SHARED = [
    ("h->b", True),
    ("common", True),
    ("own", True),
    ("i->b", False),
    ("mine", False),
    ("pitched.ptr", False),
]


@pytest.mark.parametrize(("given", "maybe"), SHARED)
def test_what_a_header_declares_may_be_written_by_others(
    tmp_path: Path, given: str, maybe: bool
) -> None:
    (tmp_path / "h.h").write_text(HEADER)
    unit = (
        '#include "h.h"\n__global__ void k(float *a) { a[threadIdx.x] = 1; }\n'
        "float *common, *mine;\nstruct I { float *b; };\n"
        f"void go(H *h, I *i, cudaPitchedPtr pitched) {{ k<<<1, 64>>>((float *){given}); }}"
    )
    (argument,) = first_arguments(tmp_path, unit)
    assert argument == (Shifted(4, likely_start=True) if maybe else None)


@pytest.mark.parametrize("made", ["(float *)malloc(400)", "new float[100]"])
def test_memory_of_the_host_is_aligned_to_16_bytes(tmp_path: Path, made: str) -> None:
    expected = {Shifted(16, likely_start=True)}
    assert first_arguments(tmp_path, _unit(f"k<<<1, 64>>>({made});")) == expected
    assert first_arguments(tmp_path, _unit(f"q = {made}; k<<<1, 64>>>(q);")) == expected


@pytest.mark.parametrize("body", MAYBE_MOVED)
def test_functions_that_may_be_others_may_move(tmp_path: Path, body: str) -> None:
    assert first_arguments(tmp_path, _unit(body)) == {Shifted(4)}


@pytest.mark.parametrize("body", STILL)
def test_what_is_read_alone_stays_a_start(tmp_path: Path, body: str) -> None:
    assert first_arguments(tmp_path, _unit(body)) == {None}
