"""Device functions and variables of other units, as ``nvcc -rdc=true`` links them."""

from __future__ import annotations

import json
import re
from pathlib import Path

from drano.run.driver import check
from drano.run.other_units.launches_elsewhere import linked
from tests.conftest import Outcome, Run

GO = "void go(float* a, float* b) { k<<<10, 128>>>(a, b); }\n"
HEAD = "__device__ float scaled(const float* p, int i);\n"
CALLER = (
    HEAD + "__global__ void k(const float* in, float* out) {\n"
    "  out[threadIdx.x] = in[threadIdx.x] + scaled(in, 4 * threadIdx.x) + in[threadIdx.x]; }\n" + GO
)
CALLED = "__device__ float scaled(const float* p, int i) {\n  return p[i]; }\n"
ACCESS = re.compile(r"^(\S+?):(\d+):\d+: (coalesced|uncoalesced|unknown) (\w+) (\w+), (.*)$", re.M)


def write(folder: Path, **texts: str) -> list[str]:
    for name, text in texts.items():
        (folder / f"{name}.cu").write_text(text)
    return [f"{name}.cu" for name in texts]


def show(drano: Run, *arguments: str) -> Outcome:
    outcome = drano("check", "--show", "all", "--output-format", "concise", *arguments)
    assert outcome.status in {0, 1}, outcome.stderr
    return outcome


def accesses(outcome: Outcome) -> list[tuple[str, int, str, str, str]]:
    """(file, line, verdict, space, kind) of all."""
    found = ACCESS.findall(outcome.stdout)
    return [(file, int(line), *rest) for file, line, *rest, _ in found]


def of_global(outcome: Outcome) -> list[tuple[str, int, str]]:
    return [
        (file, line, verdict)
        for file, line, verdict, space, _ in accesses(outcome)
        if space in {"global", "generic"}
    ]


def why(outcome: Outcome, place: str) -> list[str]:
    """What is said of the accesses on a line, ``k.cu:3``, that are unknown."""
    found = ACCESS.finditer(outcome.stdout)
    return [m[6] for m in found if f"{m[1]}:{m[2]}" == place and m[3] == "unknown"]


def test_a_function_of_another_unit_is_followed_at_its_own_line(drano: Run, tmp_path: Path) -> None:
    write(tmp_path, k=CALLER, f=CALLED)
    outcome = show(drano, "k.cu", "f.cu")
    assert of_global(outcome) == [
        ("k.cu", 3, "coalesced"),
        ("f.cu", 2, "uncoalesced"),
        ("k.cu", 3, "coalesced"),  # once more, as the call may have changed it
        ("k.cu", 3, "coalesced"),
    ]
    assert outcome.stdout.count("DRN001") >= 1
    assert outcome.status == 1


def test_the_order_the_number_of_processes_and_a_cache_make_no_difference(
    drano: Run, tmp_path: Path
) -> None:
    write(tmp_path, k=CALLER, f=CALLED)
    one = drano("check", "--jobs", "1", "--no-cache", "--output-format", "json", ".").stdout
    assert len(json.loads(one)["findings"]) == 1
    for more in (["--jobs", "4", "--no-cache"], [], []):
        assert drano("check", *more, "--output-format", "json", ".").stdout == one
    assert of_global(show(drano, "f.cu", "k.cu")) == of_global(show(drano, "k.cu", "f.cu"))


def test_an_edit_of_the_function_is_seen_through_the_cache(drano: Run, tmp_path: Path) -> None:
    write(tmp_path, k=CALLER, f=CALLED)
    assert show(drano, ".").status == 1
    write(tmp_path, f=CALLED.replace("p[i]", "p[i / 4]"))
    assert show(drano, ".").status == 0
    write(tmp_path, f="\n" + CALLED)
    assert ("f.cu", 3, "uncoalesced") in of_global(show(drano, "."))


def test_a_finding_is_told_once_and_can_be_silenced_where_it_stands(
    drano: Run, tmp_path: Path
) -> None:
    both = CALLER.replace("in[threadIdx.x] + ", "scaled(in, 4 * threadIdx.x) + ")
    other = "__global__ void m(float* a) { a[threadIdx.x] = scaled(a, threadIdx.x * 4); }\n"
    write(tmp_path, k=both, f=CALLED + other)
    outcome = drano("check", "k.cu", "f.cu")
    assert outcome.stdout.count("warning[DRN001]") == 1
    ignored = CALLED.replace("p[i];", "p[i];  // drano: ignore[DRN001] as measured")
    write(tmp_path, f=ignored + other)
    outcome = drano("check", "k.cu", "f.cu")
    assert outcome.status == 0, outcome.stdout


def test_requests_are_those_of_separate_code(drano: Run, tmp_path: Path) -> None:
    """Neighbours are one request in one unit, and two on the two sides of a call."""
    pair = "struct __align__(8) Pair { float x, y; };\n"
    y = "__device__ float y(const Pair* p) { return p->y; }\n"
    kernel = (
        "__global__ void k(float* a, float* b) { const Pair* p = (Pair*)a + threadIdx.x;\n"
        "  b[threadIdx.x] = p->x + y(p); }\n"
    )
    write(tmp_path, one=pair + y + kernel + GO)
    assert of_global(show(drano, "one.cu")) == [("one.cu", 2 + 2, "coalesced")] * 2
    write(tmp_path, two=pair + "__device__ float y(const Pair* p);\n" + kernel + GO, y=pair + y)
    assert of_global(show(drano, "two.cu", "y.cu")) == [
        ("two.cu", 4, "uncoalesced"),
        ("y.cu", 2, "uncoalesced"),
        ("two.cu", 4, "coalesced"),
    ]


def test_callers_of_the_own_unit_have_the_function_within_them(drano: Run, tmp_path: Path) -> None:
    pair = "struct __align__(8) Pair { float x, y; };\n"
    y = "__device__ float y(const Pair* p) { return p->y; }\n"
    both = "__device__ float both(const Pair* p) {\n  return p->x + y(p); }\n"
    kernel = (
        pair + "__device__ float y(const Pair* p);\n__device__ float both(const Pair* p);\n"
        "__global__ void k(float* a, float* b) { const Pair* p = (Pair*)a + threadIdx.x;\n"
        "  b[threadIdx.x] = both(p) + y(p); }\n" + GO
    )
    write(tmp_path, k=kernel, y=pair + y + both)
    found = of_global(show(drano, "k.cu", "y.cu"))
    assert found.count(("y.cu", 2, "uncoalesced")) == 1  # the call from k.cu
    assert ("y.cu", 4, "coalesced") in found


def test_a_name_that_two_units_define_is_unknown_with_both(drano: Run, tmp_path: Path) -> None:
    write(tmp_path, k=CALLER, f=CALLED, g=CALLED.replace("p[i]", "p[7 * i]"))
    (reason,) = why(show(drano, "k.cu", "f.cu", "g.cu"), "k.cu:3")
    assert "`scaled`" in reason
    assert "f.cu and g.cu define it" in reason


def test_the_unit_of_the_own_directory_is_meant(drano: Run, tmp_path: Path) -> None:
    for name, called in (("one", CALLED), ("two", CALLED.replace("p[i]", "p[i / 4]"))):
        (tmp_path / name).mkdir()
        write(tmp_path / name, k=CALLER.replace("k(", f"k_{name}(").replace("k<", f"k_{name}<"))
        write(tmp_path / name, f=called)
    found = of_global(show(drano, "."))
    assert ("one/f.cu", 2, "uncoalesced") in found
    assert ("two/f.cu", 2, "coalesced") in found
    assert not [each for each in found if each[2] == "unknown"]


def test_the_unit_with_the_same_header_is_meant(drano: Run, tmp_path: Path) -> None:
    for name in ("src", "lib", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "lib" / "scaled.h").write_text("#pragma once\n" + HEAD)
    include = '#include "../lib/scaled.h"\n'
    write(tmp_path / "src", k=CALLER.replace(HEAD, include))
    write(tmp_path / "lib", f=include + CALLED)
    write(tmp_path / "other", f=CALLED)
    found = of_global(show(drano, "src", "lib", "other"))
    assert ("lib/f.cu", 3, "uncoalesced") in found
    assert not [each for each in found if each[2] == "unknown"]


def test_a_definition_that_is_missing_is_unknown_at_its_call(drano: Run, tmp_path: Path) -> None:
    write(tmp_path, k=CALLER)
    (reason,) = why(show(drano, "k.cu"), "k.cu:3")
    assert reason.endswith("(the code of `scaled` is not here)")
    write(tmp_path, f="// scaled(1) {\n" + CALLED, g="int x = scaled(2);\n")
    (reason,) = why(show(drano, "k.cu"), "k.cu:3")
    assert "the code of `scaled` is not here: f.cu seems to define it" in reason
    noted = drano("check", "k.cu").stderr
    assert "note: k.cu: `scaled` is not followed: f.cu seems to define it" in noted


def test_a_unit_that_does_not_compile_defines_nothing(drano: Run, tmp_path: Path) -> None:
    write(tmp_path, k=CALLER, f=CALLED + "}}} ?\n")
    outcome = drano("check", "--show", "all", "k.cu", "f.cu")
    assert outcome.status == 2
    assert "`scaled` is not here: f.cu seems to define it" in outcome.stdout


def test_calls_in_a_circle_stay_calls_of_which_nothing_is_lost(drano: Run, tmp_path: Path) -> None:
    even = (
        "__device__ int odd(int n, float* q);\n"
        "__device__ int even(int n, float* q) {\n  q[n] = 1; return n ? odd(n - 1, q) : 1; }\n"
    )
    odd = (
        "__device__ int even(int n, float* q);\n"
        "__device__ int odd(int n, float* q) {\n  q[2 * n] = 1; return n ? even(n - 1, q) : 0; }\n"
    )
    kernel = "__global__ void k(float* a, float* b) {\n  b[threadIdx.x] = even(7, a); }\n" + GO
    write(tmp_path, k=even + kernel, f=odd)
    outcome = show(drano, "k.cu", "f.cu")
    found = of_global(outcome)
    assert sorted(set(found)) == [
        ("f.cu", 3, "unknown"),
        ("k.cu", 3, "unknown"),
        ("k.cu", 5, "coalesced"),
    ]
    assert "is not here" not in outcome.stdout


def test_variables_of_another_unit(drano: Run, tmp_path: Path) -> None:
    kernel = (
        "extern __device__ float table[];\nextern __constant__ int step;\n"
        "extern __device__ const int two;\n"
        "__global__ void k(float* a, float* b) {\n"
        "  b[threadIdx.x] = table[4 * threadIdx.x];\n"
        "  a[threadIdx.x * step] = 0;\n"
        "  a[threadIdx.x * two] = 0; }\n" + GO
    )
    write(
        tmp_path,
        k=kernel,
        f="__device__ float table[4096];\n__constant__ int step = 1;\n"
        "extern __device__ const int two = 2;\n",
    )
    found = of_global(show(drano, "k.cu", "f.cu"))
    assert ("k.cu", 5, "uncoalesced") in found
    assert found.count(("k.cu", 6, "uncoalesced")) == 1  # the host may change it
    assert ("k.cu", 7, "uncoalesced") in found


def test_a_variable_that_its_own_unit_writes_keeps_no_first_value(
    drano: Run, tmp_path: Path
) -> None:
    unit = (
        "static __device__ int step = 1;\n"
        "__device__ float scaled(const float* p, int i) {\n  return p[threadIdx.x * step]; }\n"
        "__global__ void set(int n) { step = n; }\n"
    )
    write(tmp_path, k=CALLER, f=unit)
    found = of_global(show(drano, "k.cu", "f.cu"))
    assert ("f.cu", 3, "coalesced") in found  # the variable itself
    assert [each for each in found if each[:2] == ("f.cu", 3) and each[2] != "coalesced"]


def test_an_instance_of_a_template_is_where_it_is_instantiated(drano: Run, tmp_path: Path) -> None:
    kernel = (
        "template <typename T> __device__ T get(const T* p, int i);\n"
        "__global__ void k(float* a, float* b) {\n  b[threadIdx.x] = get(a, 2 * threadIdx.x); }\n"
    )
    template = "template <typename T> __device__ T get(const T* p, int i) {\n  return p[i]; }\n"
    write(tmp_path, k=kernel + GO, f=template + "template __device__ float get(const float*, int);")
    assert ("f.cu", 2, "uncoalesced") not in of_global(show(drano, "k.cu"))
    assert ("f.cu", 2, "uncoalesced") in of_global(show(drano, "k.cu", "f.cu"))
    write(tmp_path, f=template + "template __device__ int get(const int*, int);\n")
    assert why(show(drano, "k.cu", "f.cu"), "k.cu:3")


def test_what_is_static_stays_apart(drano: Run, tmp_path: Path) -> None:
    own = "static __device__ float at(const float* p) {\n  return p[threadIdx.x * %d]; }\n"
    kernel = CALLER.replace("in[threadIdx.x] + ", "at(in) + ").replace(HEAD, HEAD + own % 2)
    unit = own % 8 + "__device__ float scaled(const float* p, int i) { return at(p); }\n"
    write(tmp_path, k=kernel, f=unit)
    outcome = show(drano, "k.cu", "f.cu")
    assert re.search(r"^k\.cu:3:.* uncoalesced global load, .*\[8/4", outcome.stdout, re.M)
    assert re.search(r"^f\.cu:2:.* uncoalesced global load, .*\[32/4", outcome.stdout, re.M)
    hidden = "static " + CALLED
    write(tmp_path, k=CALLER, f=hidden)
    assert why(show(drano, "k.cu", "f.cu"), "k.cu:3")


def test_kernels_that_nobody_else_sees_and_kernels_of_one_name(drano: Run, tmp_path: Path) -> None:
    hidden = CALLER.replace("__global__", "namespace { __global__").replace(
        "; }\nvoid", "; } }\nvoid"
    )
    write(tmp_path, k=hidden, f=CALLED)
    assert ("f.cu", 2, "uncoalesced") in of_global(show(drano, "k.cu", "f.cu"))
    same = "static __global__ void k(float* a, float* b) {\n  a[threadIdx.x * 3] = 1; }\n" + GO
    write(tmp_path, k=CALLER.replace("__global__", "static __global__"), f=CALLED + same)
    found = of_global(show(drano, "k.cu", "f.cu"))
    assert ("f.cu", 2, "uncoalesced") in found
    assert found.count(("f.cu", 4, "uncoalesced")) == 1


def test_functions_that_are_reached_through_others(drano: Run, tmp_path: Path) -> None:
    middle = (
        "__device__ float last(const float* p);\n"
        "__device__ float scaled(const float* p, int i) { return last(p); }\n"
    )
    write(tmp_path, k=CALLER, f=middle)
    write(tmp_path, g="__device__ float last(const float* p) {\n  return p[threadIdx.x * 9]; }\n")
    assert ("g.cu", 2, "uncoalesced") in of_global(show(drano, "k.cu", "f.cu", "g.cu"))
    assert "`last` is not here: g.cu seems" in show(drano, "k.cu", "f.cu").stdout


def test_structures_and_references_cross_units(drano: Run, tmp_path: Path) -> None:
    head = (
        "struct Box { const float* p; int at; };\n__device__ float get(Box box);\n"
        "__device__ void next(int& i);\n"
    )
    kernel = (
        head + "__global__ void k(float* a, float* b) {\n  int i = threadIdx.x; next(i);\n"
        "  b[i] = get(Box{a, i}); }\n" + GO
    )
    unit = (
        head + "__device__ float get(Box box) {\n  return box.p[box.at]; }\n"
        "__device__ void next(int& i) { i *= 2; }\n"
    )
    write(tmp_path, k=kernel, f=unit)
    found = of_global(show(drano, "k.cu", "f.cu"))
    assert found == [("f.cu", 5, "uncoalesced"), ("k.cu", 6, "uncoalesced")]


def test_units_of_a_compile_database(drano: Run, tmp_path: Path) -> None:
    write(tmp_path, k=CALLER, f="#ifdef WIDE\n" + CALLED + "#endif\n")
    entries = [
        {"directory": str(tmp_path), "file": f"{name}.cu", "command": f"nvcc -DWIDE -dc {name}.cu"}
        for name in "kf"
    ]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    assert ("f.cu", 3, "uncoalesced") in of_global(show(drano, "-p", "."))


def test_all_views_and_domains_follow(drano: Run, tmp_path: Path) -> None:
    write(tmp_path, k=CALLER, f=CALLED)
    for more in (["--as-written"], ["--domain", "gpudrano"]):
        assert ("f.cu", 2, "uncoalesced") in of_global(show(drano, *more, "k.cu", "f.cu"))


def test_units_that_share_code_are_told_to_be_linked(tmp_path: Path) -> None:
    paths = [str(tmp_path / name) for name in write(tmp_path, k=CALLER, f=CALLED, g="int x;\n")]
    k, f, g = check(paths).files
    assert linked([k, f, g], [f]) == {k.path, f.path}
    assert k.joined == (f.path,)
