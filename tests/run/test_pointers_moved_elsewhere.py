"""Pointers that a kernel is launched with, moved by callers in other units of the run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from drano.model.report import FileReport
from drano.run.driver import Task, check, run_here
from drano.run.other_units.launches_elsewhere import linked

KERNEL = "__global__ void k(float* a) { a[threadIdx.x] = 1; }\n"
GO = KERNEL + "void go(float* p) { k<<<1, 64>>>(p); }\n"
PAIR = "struct P { float* a; int n; };\n"
VIEW = (
    "template <class T> struct View {\n  T* a; int n;\n"
    "  View(T* a, int n) : a(a), n(n) {}\n"
    "  View from(int i) { return View(a + i, n - i); }\n};\n"
)
FLOAT = "struct alignas(4) R { float a; };\n"

MOVED = {
    "plain": (GO, "void go(float*);\nvoid f(float* p) { go(p + 1); }\n"),
    "in a row of functions": (
        KERNEL + "static void in(float* p) { float* q = p; k<<<1, 64>>>(q); }\n"
        "void go(float* p) { in(p); }\n",
        "void go(float*);\nvoid f(float* p) { go(p + 1); }\n",
    ),
    "in an object": (
        PAIR + KERNEL + "void go(P p) { k<<<1, 64>>>(p.a); }\n",
        PAIR + "void go(P);\nvoid f(P p) { p.a += 1; go(p); }\n",
    ),
    "in an object of a template": (
        VIEW + KERNEL + "void go(View<float> p) { k<<<1, 64>>>(p.a); }\n",
        VIEW + "void go(View<float>);\nvoid f(View<float> p) { go(p.from(1)); }\n",
    ),
    "in an object by reference": (
        PAIR + KERNEL + "void go(const P& p) { k<<<1, 64>>>(p.a); }\n",
        PAIR + "void go(const P&);\nvoid f(P p) { p.a += 1; go(p); }\n",
    ),
    "by reference": (
        KERNEL + "void go(float*& p) { k<<<1, 64>>>(p); }\n",
        "void go(float*&);\nvoid f(float* p) { p += 1; go(p); }\n",
    ),
    "in an array": (
        KERNEL + "void go(float** p) { k<<<1, 64>>>(p[0]); }\n",
        "void go(float**);\nvoid f(float* p) { float* q[1] = {p + 1}; go(q); }\n",
    ),
    "by the address of an argument": (
        KERNEL + "void go(float* p) {\n  void* args[] = {&p};\n"
        "  cudaLaunchKernel((void*)k, dim3(1), dim3(64), args, 0, 0);\n}\n",
        "void go(float*);\nvoid f(float* p) { go(p + 1); }\n",
    ),
    "by way of a third unit": (
        GO,
        "void go(float*);\nvoid mid(float* p) { go(p); }\n",
        "void mid(float*);\nvoid f(float* p) { mid(p + 1); }\n",
    ),
    "by way of two more": (
        GO,
        "void go(float*);\nvoid mid(float* p) { go(p); }\n",
        "void mid(float*);\nvoid more(float* p) { mid(p); }\n",
        "void more(float*);\nvoid f(float* p) { more(p + 1); }\n",
    ),
    "by way of a method": (
        GO,
        "struct S { void mid(float* p); };\nvoid go(float*);\n"
        "static void in(float* p) { go(p); }\nvoid S::mid(float* p) { in(p); }\n",
        "struct S { void mid(float* p); };\nvoid f(float* p) { S s; s.mid(p + 1); }\n",
    ),
    "by way of a constructor": (
        GO,
        "struct S { S(float* p); };\nvoid go(float*);\nS::S(float* p) { go(p); }\n",
        "struct S { S(float* p); };\nvoid f(float* p) { S s(p + 1); }\n",
    ),
    "to an instance of a template": (
        "template <class T> __global__ void k(T* a) { a[threadIdx.x] = 1; }\n"
        "template <class T> void go(T* p) { k<<<1, 64>>>(p); }\n"
        "template void go<float>(float*);\n",
        "template <class T> void go(T* p);\nvoid f(float* p) { go(p + 1); }\n",
    ),
    "to a method": (
        KERNEL + "struct S { void go(float* p); };\nvoid S::go(float* p) { k<<<1, 64>>>(p); }\n",
        "struct S { void go(float* p); };\nvoid f(float* p) { S s; s.go(p + 1); }\n",
    ),
    "by a function's address": (GO, "void go(float*);\nvoid (*f)(float*) = go;\n"),
    "of objects": (
        FLOAT + "__global__ void k(R* a) { a[threadIdx.x].a = 1; }\n"
        "void go(R* p) { k<<<1, 64>>>(p); }\n",
        FLOAT + "void go(R*);\nvoid f(R* p) { go(p + 1); }\n",
    ),
    "in a variable": (
        KERNEL + "float* g;\nvoid go() { k<<<1, 64>>>(g); }\n",
        "extern float* g;\nvoid f(float* p) { g = p + 1; }\n",
    ),
    "as a number": (
        KERNEL + "void go(size_t p) { k<<<1, 64>>>((float*)p); }\n",
        "void go(size_t);\nvoid f(float* p) { go((size_t)(p + 1)); }\n",
    ),
    "as any pointer": (
        KERNEL + "void go(void* p) { k<<<1, 64>>>((float*)p); }\n",
        "void go(void*);\nvoid f(float* p) { go(p + 1); }\n",
    ),
}


def most_sectors(folder: Path, units: Sequence[str]) -> list[int | None]:
    """The upper bound of sectors of each access of the units, in both orders of theirs."""
    paths = [str(folder / f"{'abcd'[at]}.cu") for at in range(len(units))]
    for path, text in zip(paths, units, strict=True):
        Path(path).write_text(text)
    found: list[list[int | None]] = []
    for order in (paths, paths[::-1]):
        accesses = [access for file in check(order).files for access in file.accesses]
        found.append([a.judgement.sectors and a.judgement.sectors.maximum for a in accesses])
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize("how", MOVED)
def test_what_another_unit_moves_is_no_start_of_an_array(tmp_path: Path, how: str) -> None:
    assert most_sectors(tmp_path, MOVED[how]) == [5]


STILL = {
    "given on": "void go(float*);\nvoid f(float* p) { go(p); }\n",
    "by whole lines": "void go(float*);\nvoid f(float* p) { go(p + 64); }\n",
    "a function of that name": "static void go(float* p) { }\nvoid f(float* p) { go(p + 1); }\n",
    "a variable of that name": "void go(float*);\nvoid f() { extern int p; go(0); }\n",
    "not called": "void go(float*);\nvoid f(float* p) { p += 1; }\n",
}


@pytest.mark.parametrize("how", STILL)
def test_what_no_unit_moves_is_one(tmp_path: Path, how: str) -> None:
    assert most_sectors(tmp_path, [GO, STILL[how]]) == [4]


def test_calls_that_move_nothing_cost_no_analysis(tmp_path: Path) -> None:
    """The caller's host code is read for its calls; the unit that launches is left alone."""
    (tmp_path / "a.cu").write_text(GO)
    (tmp_path / "b.cu").write_text(STILL["given on"])
    rounds: list[list[tuple[str, bool]]] = []

    def noting(tasks: Sequence[Task]) -> list[FileReport]:
        reports = list(run_here(tasks))
        rounds.append([(Path(report.path).name, report.unchanged) for report in reports])
        return reports

    check([str(tmp_path / "a.cu"), str(tmp_path / "b.cu")], run=noting)
    assert rounds == [[("a.cu", False), ("b.cu", False)], [("b.cu", True)]]


def test_objects_that_a_function_reads_pointers_from_ask_nobody(tmp_path: Path) -> None:
    """What a caller does with the pointer to the object says nothing of the pointers in it."""
    tensor = "struct T { void* data; int n; };\n"
    (tmp_path / "a.cu").write_text(
        tensor + KERNEL + "void go(T* t) { k<<<1, 64>>>((float*)t->data); }\n"
    )
    (report,) = check([str(tmp_path / "a.cu")]).files
    assert report.open_functions == ()


def test_a_change_may_declare_another_units_variable(tmp_path: Path) -> None:
    """A commit is compared with what its units said, of which one may be told of the variable."""
    (tmp_path / "a.cu").write_text(KERNEL + "float* g;\nvoid go() { k<<<1, 64>>>(g); }\n")
    (tmp_path / "b.cu").write_text(KERNEL.replace(" k(", " other("))
    (tmp_path / "c.cu").write_text(KERNEL.replace(" k(", " third("))
    own, changed, other = check([str(tmp_path / f"{name}.cu") for name in "abc"]).files
    assert linked([own, changed, other], [changed]) == {own.path, changed.path}
    assert linked([own, changed, other], []) == set()
