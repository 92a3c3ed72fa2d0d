"""Which kernels' launches repeat, and what decides their counts; who writes to which arrays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drano.dynamic.cpu.runtime_library import SOURCES
from drano.dynamic.gpu.replay.address_roots import Root
from drano.dynamic.gpu.replay.repeatable import Key, repeatable
from drano.dynamic.gpu.replay.written_arrays import written_arrays
from drano.dynamic.gpu.runtime_library import WRAPPED
from drano.frontend.clang import compile_unit
from drano.ir import model as m
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.settings import CompileOptions

HEAD = (
    "__constant__ int c[8]; __device__ int v[8]; struct s { int *p; int n; };\n"
    "#define T threadIdx.x\n"
)


def module_of(text: str, tmp_path: Path) -> m.Module:
    source = tmp_path / "k.cu"
    source.write_text(HEAD + text)
    unit = compile_unit(str(source), CompileOptions())
    assert unit.ir is not None, unit.diagnostics
    return read_module(prepare(unit.ir, "k.cu", trusted=True))


def key_of(
    body: str, tmp_path: Path, parameters: str = "int *p, const int *q, int n"
) -> Key | None:
    module = module_of(f"__global__ void k({parameters}) {{ {body} }}\n", tmp_path)
    (kernel,) = module.kernels
    decided = repeatable(module, kernel)
    return None if decided is None else decided.key


def shape(key: Key | None) -> str:
    """A letter for each parameter: its place in a line counts (p), all of it (x), nothing (.)."""
    assert key is not None
    return "".join("." if not p.size else "p" if p.place else "x" for p in key.parameters)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("p[T] = q[T] + n;", "pp."),
        ("if (T < n) p[T] = 1;", "p.x"),
        ("p[n + T] = 1;", "p.x"),
        ("for (int i = T; i < n; i += 32) p[i] = q[i];", "ppx"),
        # What is done with what was read does not matter, where it decides no access.
        ("p[T] = q[T] > 3 ? 1 : 2;", "pp."),
        ("int a = q[T]; if (a > 3) a = a * 5 - 1; else a = 7; p[T] = a;", "pp."),
        ("int *e = p + n; for (int *a = p + T; a < e; a += 32) *a = 1;", "p.x"),
        ("__shared__ int t[32]; t[T] = n; __syncthreads(); p[t[31 - T]] = 1;", "p.x"),
        # Chosen between, or compared: the very same pointers.
        ("*(T < 16 ? p : (int *)q) = 1;", "xx."),
        ("if (p != q) p[T] = 1;", "xx."),
        ("if (p) p[T] = 1;", "x.."),
        ("p[(unsigned long long)q / 64 % 32 + T] = 1;", "xx."),
        ("if (T < 7) return; p[T] = q[n];", "ppx"),
    ],
)
def test_what_decides_counts(body: str, expected: str, tmp_path: Path) -> None:
    key = key_of(body, tmp_path)
    assert shape(key) == expected
    assert key is not None
    assert not key.contents


@pytest.mark.parametrize(
    "body",
    [
        "p[q[T]] = 1;",
        "if (q[T] > 3) p[T] = 1;",
        "for (int i = 0; i < q[0]; i++) p[T] = i;",
        "if (q[T]) return; p[T] = 1;",
        "int i = n; if (q[T] > 3) i = T; p[i] = 1;",
        "switch (q[T]) { case 1: case 3: p[T] = 1; }",
        "__shared__ int t[32]; t[T] = q[T]; __syncthreads(); p[t[31 - T]] = 1;",
        "__shared__ int t[32]; atomicAdd(&t[q[T] & 31], 1); __syncthreads(); p[t[T]] = 1;",
        "int a[4]; for (int i = 0; i < 4; i++) a[i] = q[i]; p[a[n & 3]] = 1;",
        "int i = __shfl_sync(~0u, q[T], 3); p[i] = 1;",
    ],
)
def test_contents_decide_counts(body: str, tmp_path: Path) -> None:
    key = key_of(body, tmp_path)
    assert key is not None
    assert key.contents == {Root(1)}
    assert shape(key)[1] == "x"


@pytest.mark.parametrize(
    "body",
    [
        "p[c[T & 7]] = 1;",
        "p[v[T & 7]] = 1;",
        "p[atomicAdd(p, 1)] = 1;",
        "p[clock() & 7] = 1;",
        'unsigned s; asm volatile("mov.u32 %0, %%smid;" : "=r"(s)); p[s] = 1;',
        'if (T == n) asm volatile("exit;"); p[T] = 1;',
        "__shared__ float t[2]; atomicAdd(t, 1.0f / (T + 1)); __syncthreads(); p[(int)t[0]] = 1;",
        "__shared__ int t[2]; t[0] = atomicExch(p, 3); __syncthreads(); p[t[0]] = 1;",
        "while (atomicCAS(p, 0, 1) != 0) {} p[T] = 1;",
        "while (*(volatile int *)q == 0) {} p[T] = 1;",
        "int **r = (int **)q; r[T][0] = n;  *(int **)(r[0]) = p; if (r[1][2] > 0) *r[1] = 2;",
    ],
)
def test_nobody_knows_what_decides(body: str, tmp_path: Path) -> None:
    key = key_of(body, tmp_path)
    # Of a pointer from memory the table's content decides: what it points to then does not.
    assert key is None


def test_structures_decide_by_their_bytes(tmp_path: Path) -> None:
    key = key_of("a.p[T] = q[T];", tmp_path, "struct s a, const int *q")
    assert key is not None
    assert [(p.size, p.place) for p in key.parameters] == [(16, False), (8, True)]
    key = key_of("a.p[q[T]] = a.p[a.n];", tmp_path, "struct s a, const int *q")
    assert key is not None
    assert key.contents == {Root(1)}
    key = key_of("if (a.p[T] > 0) *q = 1;", tmp_path, "struct s a, int *q")
    assert key is not None
    assert key.contents == {Root(0, 0)}


def written(text: str, tmp_path: Path) -> frozenset[Root] | None:
    module = module_of(text, tmp_path)
    return written_arrays(module, module.kernels[0])


def test_what_kernels_write(tmp_path: Path) -> None:
    head = "__global__ void k(int *p, const int *q, int **r, struct s a) "
    assert written(head + "{ __shared__ int t[32]; t[T] = q[T]; }", tmp_path) == frozenset()
    assert written(head + "{ p[T] = q[T]; }", tmp_path) == {Root(0)}
    assert written(head + "{ atomicAdd(&a.p[q[T]], 1); }", tmp_path) == {Root(3, 0)}
    assert written(head + "{ *(T < 3 ? p : a.p) = 1; }", tmp_path) == {Root(0), Root(3, 0)}
    assert written(head + "{ r[T][0] = 1; }", tmp_path) is None
    assert written(head + "{ v[T & 7] = 1; }", tmp_path) is None
    two = "st.global.u32 [%0], 1; st.global.u32 [%0+4], 2;"
    assert written(head + f'{{ asm volatile("{two}" :: "l"(p)); }}', tmp_path) == {Root(0)}
    bulk = "st.bulk.shared::cta [%0], 64, 0;"
    assert written(head + f'{{ asm volatile("{bulk}" :: "l"(p)); }}', tmp_path) is None
    both = written(head + "{ sincosf(q[T], (float *)p, (float *)q); }", tmp_path)
    assert both == {Root(0), Root(1)}
    assert written(head + '{ int b; asm("bfind.u32 %0, 3;" : "=r"(b)); p[b] = 0; }', tmp_path) == {
        Root(0)
    }


def test_calls_that_write_are_wrapped() -> None:
    """Each function of the library that stands before one of CUDA's is among those that the
    linker leads there; and the other way round.
    """
    text = "\n".join(path.read_text() for path in sorted((SOURCES / "gpu").glob("*.c")))
    made = set(re.findall(r"\b__wrap_(\w+)\(", text)) - {"##NAME", "NAME"}
    for how, name, other in re.findall(r"^BOTH\((\w+), (\w+), (\w+),", text, re.MULTILINE):
        assert how in {"TO", "ANY", "OLD"}
        made |= {name, f"{name}_{other}"}
    macros = "TO|ANY|LOSES|NEWER|LAUNCH|WAITS|RESETS|NODE|MAKES|FREES"
    made |= set(re.findall(rf"^(?:{macros})\((\w+)", text, re.MULTILINE))
    assert made == set(WRAPPED)
