"""Calls that stay calls: recursion, function pointers, virtual functions."""

from __future__ import annotations

import numpy as np
import pytest

from drano.model.settings import View
from tests.dynamic.cpu.harness import FaultError, program

SOURCE = """
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recursive(const int *in, int *out) {
  out[threadIdx.x] = fibonacci(in[threadIdx.x]);
}
__device__ int sum(const int *a, int n) {
  int half[2];
  if (n == 1) return a[0];
  half[0] = sum(a, n / 2); half[1] = sum(a + n / 2, n - n / 2);
  return half[0] + half[1];
}
__global__ void divided(const int *in, int *out, int n) {
  int mine[3] = {1, 2, 3};
  out[threadIdx.x] = sum(in + threadIdx.x, n) + sum(mine, 3);
}
__device__ __noinline__ float twice(float x) { return 2 * x; }
__device__ __noinline__ float square(float x) { return x * x; }
__device__ __noinline__ float negate(float x) { return -x; }
typedef float (*function)(float);
__device__ function table[3] = {twice, square, negate};
__global__ void pointers(float *x, int wrong) {
  int i = threadIdx.x;
  function f = i == wrong ? nullptr : table[i % 3];
  x[i] = f(x[i]);
}
__device__ function held[32];
__global__ void hold() { held[threadIdx.x] = threadIdx.x % 2 ? twice : square; }
__global__ void call_held(float *x) { x[threadIdx.x] = held[threadIdx.x](x[threadIdx.x]); }
struct Shape { __device__ virtual float area(float r) = 0; };
struct Square : Shape { __device__ float area(float r) override { return r * r; } };
struct Double : Shape { __device__ float area(float r) override { return 2 * r; } };
__global__ void objects(float *x) {
  Square s; Double d;
  Shape *shape = threadIdx.x % 2 ? (Shape *)&s : (Shape *)&d;
  x[threadIdx.x] = shape->area(x[threadIdx.x]);
}
__device__ int endless(int n) {
  volatile int a[64]; a[n % 64] = n; return endless(n + 1) + a[n % 7];
}
__global__ void deep(int *o) { o[0] = endless(threadIdx.x); }
"""


def test_recursion_by_lanes_of_different_depth() -> None:
    n = np.arange(32, dtype=np.int32) % 13
    out = np.zeros(32, np.int32)
    program(SOURCE).launch("recursive", 1, 32, n, out)
    known = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144]
    assert out.tolist() == [known[k] for k in n]


def test_recursion_with_local_arrays_counts_its_loads() -> None:
    values, out = np.arange(64, dtype=np.int32), np.zeros(32, np.int32)
    accesses = program(SOURCE).launch("divided", 1, 32, values, out, np.int32(7), record=True)
    assert out.tolist() == [int(values[k : k + 7].sum()) + 6 for k in range(32)]
    loads = [a for a in accesses if a.site.location.function == "sum"]
    assert len(loads) == 7 + 3
    assert all(a.mask == 0xFFFFFFFF for a in loads)


def test_function_pointers() -> None:
    x = np.arange(32, dtype=np.float32)
    program(SOURCE).launch("pointers", 1, 32, x, np.int32(-1))
    assert x.tolist() == [(2 * k, k * k, -k)[k % 3] for k in range(32)]
    with pytest.raises(FaultError, match=r"null function pointer.*00000020"):
        # An optimiser takes it for granted that no null pointer is called.
        program(SOURCE, view=View.WRITTEN).launch("pointers", 1, 32, x, np.int32(5))


def test_function_pointers_in_memory_are_whole_addresses() -> None:
    x = np.arange(32, dtype=np.float32)
    run = program(SOURCE)
    run.launch("hold", 1, 32)
    run.launch("call_held", 1, 32, x)
    assert x.tolist() == [2 * n if n % 2 else n * n for n in range(32)]


def test_virtual_functions() -> None:
    x = np.arange(32, dtype=np.float32)
    program(SOURCE).launch("objects", 1, 32, x)
    assert x.tolist() == [k * k if k % 2 else 2 * k for k in range(32)]


def test_endless_recursion_ends_the_kernel() -> None:
    with pytest.raises(FaultError, match="stack overflow"):
        program(SOURCE).launch("deep", 1, 32, np.zeros(1, np.int32))


CALLER = """
extern __device__ float twice(float x);
extern __device__ int table[4];
__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__global__ void across(float *x) {
  int i = threadIdx.x;
  x[i] = twice(x[i]) + table[i % 4] + factorial(i % 5);
}
"""
CALLED = """
__device__ int table[4] = {10, 20, 30, 40};
__device__ float twice(float x) { return 2 * x; }
"""


def test_functions_and_variables_of_another_unit() -> None:
    x = np.arange(32, dtype=np.float32)
    program(CALLER, CALLED).launch("across", 1, 32, x)
    factorial = [1, 1, 2, 6, 24]
    assert x.tolist() == [2 * k + 10 * (k % 4 + 1) + factorial[k % 5] for k in range(32)]
