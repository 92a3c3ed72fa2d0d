"""Kernels that one unit defines and others launch."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest

from drano.host.launching.launch_text import decoded, encoded
from drano.model.access import Launch
from drano.model.judgement import Verdict
from drano.model.report import FileReport, KernelInfo, Report
from drano.model.span import Span
from drano.model.translation_unit import HostLoop, LaunchSite, Shifted
from drano.run.driver import Task, check, run_here
from drano.run.other_units.launches_elsewhere import linked
from drano.run.parallel import Processes
from drano.run.result_cache import ResultCache

DECLARED = "__global__ void k(float* a, int s);\n"
DEFINED = "__global__ void k(float* a, int s) { a[threadIdx.y * 64 + threadIdx.x * s] = 1; }\n"
LAUNCH = DECLARED + "void f(float* p) { k<<<2, dim3(4, 16)>>>(p, 1); }\n"
ASSUMED = Launch((32, 1, 1), assumed=True)


def shape(x: int, y: int = 1, z: int = 1) -> Launch:
    return Launch((x, y, z), assumed=False)


def write(folder: Path, files: Mapping[str, str]) -> list[str]:
    for name, text in files.items():
        (folder / name).write_text(text)
    return [str(folder / name) for name in files if name.endswith(".cu")]


def analysed(folder: Path, **files: str) -> Report:
    """All units, in both orders, which gives the same."""
    paths = write(folder, {f"{name}.cu": text for name, text in files.items()})
    report = check(paths)
    again = check(paths[::-1])
    assert {f.path: (f.kernels, f.findings) for f in report.files} == {
        f.path: (f.kernels, f.findings) for f in again.files
    }
    return report


def kernel(report: Report, name: str = "k") -> KernelInfo:
    (found,) = [k for file in report.files for k in file.kernels if k.name == name]
    return found


def test_a_launch_in_another_unit_counts(tmp_path: Path) -> None:
    report = analysed(tmp_path, a=DEFINED, b=LAUNCH)
    found = kernel(report)
    assert found.launches == (shape(4, 16),)
    assert found.launches_known
    assert [span.path for span in found.launch_sites] == [str(tmp_path / "b.cu")]
    (access,) = report.files[0].accesses
    assert access.judgement.verdict is Verdict.UNCOALESCED


def test_launches_of_all_units_are_joined(tmp_path: Path) -> None:
    own = DEFINED + "void g(float* p) { k<<<2, dim3(4, 16)>>>(p, 1); }\n"
    other = DECLARED + "void h(float* p) { k<<<2, 64>>>(p, 2); }\n"
    report = analysed(tmp_path, a=own, b=LAUNCH, c=other)
    assert set(kernel(report).launches) == {shape(4, 16), shape(64)}
    assert len(kernel(report).launch_sites) == 3
    (access,) = report.files[0].accesses
    assert access.judgement.verdict is Verdict.UNCOALESCED
    same = analysed(tmp_path, a=own, b=LAUNCH.replace("(p, 1)", "(p, 3)"))
    assert kernel(same).launches == (shape(4, 16),)


def test_an_argument_is_constant_where_all_launches_say_so(tmp_path: Path) -> None:
    strided = "__global__ void k(float* a, int s) { a[threadIdx.x * s] = 1; }\n"
    launch = DECLARED + "void f(float* p) { k<<<2, 64>>>(p, 1); }\n"
    (access,) = analysed(tmp_path, a=strided, b=launch).files[0].accesses
    assert access.judgement.verdict is Verdict.COALESCED
    own = strided + "void g(float* p, int n) { k<<<2, 64>>>(p, n); }\n"
    (access,) = analysed(tmp_path, a=own, b=launch).files[0].accesses
    assert access.judgement.verdict is not Verdict.COALESCED
    moved = launch.replace("(p, 1)", "(p + 1, 1)").replace("f(", "g(")
    (access,) = analysed(tmp_path, a=strided, b=launch, c=moved).files[0].accesses
    assert (
        access.judgement.sectors is not None and access.judgement.sectors.maximum == 5
    )  # across a boundary


INTERNAL = {
    "static": ("static " + DEFINED, "static " + DECLARED),
    "unnamed": (f"namespace {{ {DEFINED} }}", f"namespace {{ {DECLARED} }}"),
    "another": (DEFINED, DECLARED.replace("int s", "long s")),
    "space": (f"namespace n {{ {DEFINED} }}", DECLARED),
}


@pytest.mark.parametrize("how", INTERNAL)
def test_other_kernels_of_the_name_have_nothing_to_do_with_it(tmp_path: Path, how: str) -> None:
    defined, declared = INTERNAL[how]
    report = analysed(tmp_path, a=defined, b=LAUNCH.replace(DECLARED, declared))
    (found,) = report.files[0].kernels
    assert found.launches == (ASSUMED,)


def test_instances_and_c_names_match(tmp_path: Path) -> None:
    template = "template <class T> __global__ void t(T* a) { a[threadIdx.y] = 1; }\n"
    report = analysed(
        tmp_path,
        a=template
        + "template __global__ void t<float>(float*);\ntemplate __global__ void t<int>(int*);\n"
        + 'extern "C" __global__ void c(float* a) { a[threadIdx.y] = 1; }\n',
        b="template <class T> __global__ void t(T* a);\n"
        'extern "C" __global__ void c(float* a);\n'
        "void f(float* p) { t<<<1, dim3(8, 8)>>>(p); c<<<1, 96>>>(p); }\n",
    )
    assert kernel(report, "t<float>").launches == (shape(8, 8),)
    assert kernel(report, "t<int>").launches == (ASSUMED,)
    assert kernel(report, "c").launches == (shape(96),)


NAMING = {
    "table": DECLARED + "void* table[] = {(void*)k};\n",
    "beside a launch": DECLARED
    + "__global__ void z() {}\nvoid g() { z<<<1, 1>>>(); }\nvoid* table[] = {(void*)k};\n",
    "given away": DECLARED
    + "void use(const void*);\nvoid g() { use(reinterpret_cast<void*>(k)); }",
    "failed": DECLARED + "void g(float* p) { k<<<1, 3>>>(p, 3); }\n#error no\n",
    "pointer": LAUNCH + "void (*g)(float*, int) = &k;\n",
}


@pytest.mark.parametrize("how", NAMING)
def test_a_kernel_that_another_unit_names_may_be_launched_otherwise(
    tmp_path: Path, how: str
) -> None:
    for definition in (DEFINED, DEFINED + LAUNCH.removeprefix(DECLARED)):
        report = analysed(tmp_path, a=definition, b=LAUNCH, c=NAMING[how].replace("f(", "e("))
        found = kernel(report) if how != "failed" else report.files[0].kernels[0]
        assert found.launches == (shape(4, 16), ASSUMED), definition
        assert not found.launches_known


def test_the_defining_unit_names_it(tmp_path: Path) -> None:
    report = analysed(tmp_path, a=DEFINED + "void* get() { return (void*)k; }\n", b=LAUNCH)
    assert kernel(report).launches == (shape(4, 16), ASSUMED)


def test_words_like_a_name_are_no_mention(tmp_path: Path) -> None:
    quiet = (
        "// k is k\n" + DECLARED + "int f2(int); /* k */ __global__ void z(int* b) { int k = *b; }"
    )
    report = analysed(tmp_path, a=DEFINED, b=LAUNCH, c=quiet, d="int k = 3; int l = k;\n")
    assert kernel(report).launches == (shape(4, 16),)


def test_a_symbol_of_several_units_is_not_known(tmp_path: Path) -> None:
    report = analysed(tmp_path, a=DEFINED, b=LAUNCH, c=DEFINED)
    for file in (report.files[0], report.files[2]):
        assert file.kernels[0].launches == (shape(4, 16), ASSUMED)


def test_headers_and_directories(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "k.cuh": "#pragma once\n" + DECLARED,
            "a.cu": '#include "k.cuh"\n' + DEFINED,
            "b.cu": '#include "k.cuh"\n' + LAUNCH.removeprefix(DECLARED),
            "part.cu": DEFINED.replace("k(", "m("),
            "whole.cu": '#include "part.cu"\n' + "void w(float* p) { m<<<1, 64>>>(p, 1); }\n",
            "far.cu": DECLARED.replace("k(", "m(") + "void v(float* p) { m<<<1, 96>>>(p, 1); }\n",
        },
    )
    report = check([str(tmp_path)])
    assert kernel(report).launches == (shape(4, 16),)
    assert set(kernel(report, "m").launches) == {shape(64), shape(96)}


def test_units_that_nobody_else_launches_are_analysed_once(tmp_path: Path) -> None:
    paths = write(tmp_path, {"a.cu": DEFINED, "b.cu": LAUNCH, "c.cu": DEFINED.replace("k(", "m(")})
    ran: list[list[str]] = []

    def run(tasks: Sequence[Task]) -> Iterable[FileReport]:
        ran.append([Path(task.path).name for task in tasks])
        return run_here(tasks)

    check(paths, run=run)
    assert ran == [["a.cu", "b.cu", "c.cu"], ["a.cu"]]


def test_jobs_and_the_cache_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    from drano.support.cache_directory import cache_dir

    place = tmp_path / "cache"
    place.mkdir()
    for name in ("pch", "headers"):
        (place / name).symlink_to(cache_dir(name))
    monkeypatch.setenv("DRANO_CACHE_DIR", str(place))
    folder = tmp_path / "project"
    folder.mkdir()
    paths = write(folder, {"a.cu": DEFINED, "b.cu": LAUNCH})
    time.sleep(0.1)

    def facts(report: Report) -> list[object]:
        return [(f.path, f.kernels, f.accesses, f.findings, f.shown) for f in report.files]

    plain = facts(check(paths))
    written: list[int] = []
    for jobs, order in itertools.product((1, 2), (paths, paths[::-1])):
        cache = ResultCache()
        report = check(order, run=Processes(jobs, cache))
        assert sorted(facts(report), key=str) == sorted(plain, key=str)
        written.append(cache.written)
    assert written == [3, 0, 0, 0]  # the later ones took all from there
    (folder / "b.cu").write_text(LAUNCH.replace("dim3(4, 16)", "96"))
    time.sleep(0.1)
    report = check(paths, run=Processes(2, ResultCache()))
    assert kernel(report).launches == (shape(96),)
    assert facts(report) == facts(check(paths))


def test_texts_are_the_launches() -> None:
    site = LaunchSite(
        "_Z1kPf", "k", (1, None, 1), (32, 1, 1), (None, 7, Shifted(4)), Span("b.cu", 3, 5),
        (HostLoop(Span("b.cu", 2, 1), "i", 0, ("-", ("*", "n", 2), 1), 1, "+", "lt"),),
        external=True,
    )  # fmt: skip
    assert decoded(encoded(site)) == site


def test_linked_units(tmp_path: Path) -> None:
    report = analysed(tmp_path, a=DEFINED, b=LAUNCH, c=DEFINED.replace("k(", "m("))
    a, b, c = report.files
    assert linked(report.files, [a]) == linked(report.files, [b]) == {a.path, b.path}
    assert linked(report.files, [c]) == {c.path}
