"""Host functions that launch as they are told, and are called in other units."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from drano.host.cross_unit import Told
from drano.host.launching.unit_launches import unit_launches
from drano.model.access import Launch
from drano.model.judgement import Verdict
from drano.model.report import FileReport, KernelInfo, Report, Timings
from drano.model.settings import CompileOptions
from drano.run.driver import Task, check, run_here
from drano.run.other_units.function_mentions import may_call
from drano.run.other_units.launches_elsewhere import launches_elsewhere
from drano.run.parallel import Processes
from drano.run.result_cache import ResultCache

KERNEL = "__global__ void k(float* a, int s) { a[threadIdx.y * 64 + threadIdx.x * s] = 1; }\n"
HEAD = "void run(dim3 g, dim3 b, float* p, int s);\n"
RUN = KERNEL + "void run(dim3 g, dim3 b, float* p, int s) { k<<<g, b>>>(p, s); }\n"
CALL = HEAD + "void f(float* p) { dim3 b(4, 16); run(dim3(2), b, p, 1); }\n"
ASSUMED = Launch((32, 1, 1), assumed=True)


def shape(x: int, y: int = 1, z: int = 1) -> Launch:
    return Launch((x, y, z), assumed=False)


def analysed(folder: Path, **files: str) -> Report:
    """All units, in both orders, which gives the same."""
    paths = []
    for name, text in files.items():
        path = folder / (name.replace("_h", ".h") if name.endswith("_h") else f"{name}.cu")
        path.write_text(text)
        paths += [str(path)] if path.suffix == ".cu" else []
    report = check(paths)
    again = check(paths[::-1])
    assert {f.path: (f.kernels, f.findings) for f in report.files} == {
        f.path: (f.kernels, f.findings) for f in again.files
    }
    return report


def kernel(report: Report, name: str = "k") -> KernelInfo:
    (found,) = [k for file in report.files for k in file.kernels if k.name == name]
    return found


def test_a_shape_comes_from_another_unit(tmp_path: Path) -> None:
    report = analysed(tmp_path, a=RUN, b=CALL)
    assert kernel(report).launches == (shape(4, 16),)
    assert kernel(report).launches_known
    (access,) = report.files[0].accesses
    assert access.judgement.verdict is Verdict.UNCOALESCED


def test_calls_of_all_units_are_joined(tmp_path: Path) -> None:
    own = RUN + "void g(float* p) { run(dim3(2), dim3(64), p, 2); }\n"
    third = HEAD + (
        "void h(float* p) { for (int i = 1; i < 3; ++i) run(i, 128, p, 1); run(1, 256, p, 1); }\n"
    )
    report = analysed(tmp_path, a=own, b=CALL, c=third)
    assert set(kernel(report).launches) == {shape(4, 16), shape(64), shape(128), shape(256)}


def test_a_call_elsewhere_refutes_a_constant_of_the_own_unit(tmp_path: Path) -> None:
    strided = "__global__ void k(float* a, int s) { a[threadIdx.x * s] = 1; }\n"
    own = strided + (
        "void run(float* p, int s) { k<<<2, 64>>>(p, s); }\nvoid g(float* p) { run(p, 1); }\n"
    )
    (access,) = analysed(tmp_path, a=own).files[0].accesses
    assert access.judgement.verdict is Verdict.COALESCED
    other = "void run(float* p, int s);\nvoid h(float* p) { run(p, 3); }\n"
    (access,) = analysed(tmp_path, a=own, b=other).files[0].accesses
    assert access.judgement.verdict is Verdict.UNCOALESCED
    moved = "void run(float* p, int s);\nvoid h(float* p) { run(p + 1, 1); }\n"
    (access,) = analysed(tmp_path, a=own, b=moved).files[0].accesses
    assert access.judgement.sectors is not None
    assert access.judgement.sectors.maximum == 5  # across a boundary


OPEN = {
    "stored": HEAD + "void (*f)(dim3, dim3, float*, int) = run;\n",
    "handed on": HEAD + "void take(void (*)(dim3, dim3, float*, int));\nvoid f() { take(run); }\n",
    "unknown": HEAD + "void f(float* p, int n) { run(dim3(2), dim3(n), p, 1); }\n",
    "in error": HEAD + "void f(float* p) { what_is_this(run(dim3(2), dim3(4, 16), p, 1)); }\n",
    "by a macro": HEAD + "#define GO run\nvoid f(float* p) { GO(1, 7, p, 1); }\n",
}


@pytest.mark.parametrize("how", OPEN)
def test_calls_that_are_not_understood_leave_the_shape_open(tmp_path: Path, how: str) -> None:
    report = analysed(tmp_path, a=RUN, b=CALL, c=OPEN[how])
    if how == "by a macro":
        assert set(kernel(report).launches) == {shape(4, 16), shape(7)}
    else:
        assert any(launch.assumed for launch in kernel(report).launches)


def test_names_of_their_own_are_left_alone(tmp_path: Path) -> None:
    local = RUN.replace("void run", "static void run").replace("__global__", "static __global__")
    report = analysed(tmp_path, a=RUN, b=local + "void f(float* p) { run(2, 128, p, 1); }\n")
    (own,) = report.files[0].kernels
    (other,) = report.files[1].kernels
    assert own.launches == (ASSUMED,)
    assert other.launches == (shape(128),)


OWN = {
    "declared first": "void run(int n, char** words);\nvoid f() { run(1, 0); }\n"
    "void run(int n, char **words = 0) { }\n",
    "a pointer": "inline char* run(int n) { return 0; }\nvoid f() { run(1); }\n",
    "a member": "struct R { void run(int); };\nvoid R::run(int) { }\nvoid f(R& r) { r.run(1); }\n",
    "only declared": HEAD,
    "after a directive": "void run(int n) { }\nvoid f() {\n#ifdef X\n#endif\n  run(1);\n}\n",
}


@pytest.mark.parametrize("how", OWN)
def test_who_calls_its_own_is_not_asked(tmp_path: Path, how: str) -> None:
    report = analysed(tmp_path, a=RUN, b=OWN[how])
    told = launches_elsewhere({file.path: file for file in report.files}, {})
    assert not told
    assert kernel(report).launches == (ASSUMED,)


def test_an_inline_function_of_a_header_has_the_calls_of_its_unit(tmp_path: Path) -> None:
    (tmp_path / "run.h").write_text("#pragma once\n" + RUN.replace("void run", "inline void run"))
    caller = '#include "run.h"\nvoid f%d(float* p) { run(2, dim3(%d, 4), p, 1); }\n'
    report = analysed(tmp_path, a=caller % (1, 8), b=caller % (2, 16))
    assert [file.kernels[0].launches for file in report.files] == [(shape(8, 4),), (shape(16, 4),)]


def test_functions_of_a_header_namespace_and_structure(tmp_path: Path) -> None:
    head = (
        "#pragma once\nstruct Plan { int threads; int blocks; };\n"
        "namespace lib {\nvoid run(const Plan& plan, float* p);\n"
        "struct Op { void go(int n, float*); };\n}\n"
    )
    definer = (
        '#include "plan.h"\n' + KERNEL + "namespace lib {\n"
        "void run(const Plan& plan, float* p) { k<<<plan.blocks, plan.threads>>>(p, 1); }\n"
        "void Op::go(int n, float* p) { dim3 b(n / 16, 16); k<<<1, b>>>(p, 1); }\n}\n"
    )
    caller = (
        '#include "plan.h"\n'
        "void f(float* p) { Plan plan{96, 4}; lib::run(plan, p); lib::Op op; op.go(128, p); }\n"
    )
    (tmp_path / "plan.h").write_text(head)
    report = analysed(tmp_path, a=definer, b=caller)
    assert set(kernel(report).launches) == {shape(96), shape(8, 16)}


def test_who_is_only_asked_is_not_analysed_again(tmp_path: Path) -> None:
    own = (
        KERNEL.replace("void k(", "void other(") + "void g(float* p) { other<<<1, 32>>>(p, 1); }\n"
    )
    launch = "__global__ void k(float*, int);\nvoid h(float* p) { k<<<1, dim3(8, 8)>>>(p, 1); }\n"
    texts = {"a": RUN, "b": own + CALL + launch, "c": CALL.replace("16", "4")}
    again: list[set[str]] = []

    def noting(tasks: Sequence[Task]) -> list[FileReport]:
        reports = list(run_here(tasks))
        again.append({Path(report.path).name for report in reports if report.unchanged})
        return reports

    def forgetting(tasks: Sequence[Task]) -> list[FileReport]:
        return list(run_here([replace(task, before=None) for task in tasks]))

    analysed(tmp_path, **texts)
    paths = [str(tmp_path / f"{name}.cu") for name in texts]
    report, whole = check(paths, run=noting), check(paths, run=forgetting)
    assert again[0] == set()
    assert again[1] == {"b.cu", "c.cu"}
    assert [replace(file, timings=Timings()) for file in report.files] == [
        replace(file, timings=Timings()) for file in whole.files
    ]
    assert set(kernel(report).launches) == {shape(4, 16), shape(4, 4), shape(8, 8)}


def test_processes_and_a_cache_give_the_same(tmp_path: Path) -> None:
    alone = analysed(tmp_path, a=RUN, b=CALL)
    paths = [str(tmp_path / "a.cu"), str(tmp_path / "b.cu")]
    for first in (True, False):
        cache = ResultCache(started=time.time_ns() + 10**10)
        report = check(paths, run=Processes(2, cache))
        assert kernel(report) == kernel(alone)
        assert bool(cache.written) == first


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("int run(int); void go() { run(1); }", True),
        ("int run(int); void go() { return a::b::run(1); }", True),
        ("int run(int); int run(int x) { return x; }", False),
        ("namespace a { float* run(int); } auto f = run;", True),
        ("void a :: run(int);", False),
        ("int run(int); int x = y *\n" + " " * 4_000_000 + "::run(2);", True),
        ("int run(int);\n" + "\n" * 4_000_000 + "void go() { run(2); }", True),
    ],
)
def test_a_call_is_told_from_a_declaration_in_linear_time(text: str, calls: bool) -> None:
    """Literals and comments are blanks by then, of which there may be megabytes."""
    assert may_call(b"run", [text.encode()]) is calls


def test_a_question_leaves_launches_as_they_are(tmp_path: Path) -> None:
    """More ways lead to the launch than are followed, and the first of them asks the question."""
    ways = 40
    text = KERNEL + "void q(float*);\nstatic void go(float* p, int s) { k<<<1, 32>>>(p, s); }\n"
    calls = " ".join(f"go(p, {n});" for n in range(ways))
    text += f"void one(float* p) {{ q(p); {calls} }}\nvoid two(float* p) {{ go(p, 99); }}\n"
    path = tmp_path / "a.cu"
    path.write_text(text)
    question = Told(asked={"_Z1qPf": "q"})
    plain = unit_launches(str(path), CompileOptions())
    assert unit_launches(str(path), CompileOptions(), told=question).sites == plain.sites
