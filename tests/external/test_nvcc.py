"""Findings beside what nvcc makes of the source: its PTX, its objects.

Needs nvcc and nvdisasm, on PATH, in CUDA_HOME, or of pip packages, and a host compiler that nvcc
takes.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from drano.confirm.compiled import Limits, compiled_code
from drano.frontend.sdk.tools import find_tool
from tests.confirm.test_judge import SOURCE, outcomes
from tests.conftest import Run

EXPECTED = {"whole": ["refuted"] * 4, "apart": [None] * 4, "single": ["confirmed"]}


@pytest.mark.parametrize("how", ["confirm", "ptx", "cubin", "object", "code", "built"])
def test_nvcc(drano: Run, tmp_path: Path, how: str) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)
    nvcc = [
        find_tool("nvcc", None),
        "-O3",
        "-lineinfo",
        "-gencode",
        "arch=compute_90,code=compute_90",
    ]
    code = [find_tool("nvcc", None), "-O3", "-lineinfo", "-arch=sm_90"]
    arguments = ["--confirm"]
    if how == "ptx":
        subprocess.run([*nvcc, "-ptx", "a.cu", "-o", "a.ptx"], cwd=tmp_path, check=True)
        arguments = ["--cubin", "a.ptx"]
    elif how == "cubin":
        subprocess.run([*code, "-cubin", "a.cu", "-o", "a.cubin"], cwd=tmp_path, check=True)
        arguments = ["--cubin", "a.cubin"]
    elif how == "code":
        subprocess.run([*code, "-c", "a.cu", "-o", "a.o"], cwd=tmp_path, check=True)
        arguments = ["--cubin", "a.o"]
    elif how == "object":
        subprocess.run([*nvcc, "-c", "a.cu", "-o", "a.o"], cwd=tmp_path, check=True)
        arguments = ["--cubin", "a.o"]
    elif how == "built":
        command = [*nvcc, "-c", "a.cu", "-o", "a.o"]
        subprocess.run(command, cwd=tmp_path, check=True)
        entry = {"directory": str(tmp_path), "file": "a.cu", "arguments": command}
        (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
        arguments = ["-p", "."]
    outcome = drano("check", "a.cu", "--as-written", "--format", "json", *arguments)
    assert outcome.status == 1, outcome.stderr
    report = json.loads(outcome.stdout)
    assert {kernel: outcomes(report, kernel) for kernel in EXPECTED} == EXPECTED


def test_as_compiled_agrees(drano: Run, tmp_path: Path) -> None:
    """What drano's own compiler merges is no finding; what is left of them nvcc has, too."""
    (tmp_path / "a.cu").write_text(SOURCE)
    report = json.loads(drano("check", "a.cu", "--confirm", "--format", "json").stdout)
    assert [f["confirmation"]["outcome"] for f in report["findings"]] == ["confirmed"] * 2


REQUESTS = """
#include <cuda_pipeline.h>
#define ATOMIC(NAME, T, DONE) __global__ void NAME(T* p, T v) { DONE; }
ATOMIC(add_int, int, atomicAdd(p + threadIdx.x, v))
ATOMIC(add_float, float, atomicAdd(p + threadIdx.x, v))
ATOMIC(add_double, double, atomicAdd(p + threadIdx.x, v))
ATOMIC(min_long, long long, atomicMin(p + threadIdx.x, v))
ATOMIC(swap_long, unsigned long long, v = atomicExch(p + threadIdx.x, v); p[0] = v)
template <class T>
__global__ void copy(const T* __restrict__ p, T* q) {
  T read = p[threadIdx.x * 5];
  q[threadIdx.x * 3] = read;
}
template __global__ void copy(const char*, char*);
template __global__ void copy(const short*, short*);
template __global__ void copy(const int*, int*);
template __global__ void copy(const float2*, float2*);
template __global__ void copy(const float4*, float4*);
__global__ void ahead(const float4* p, float4* q) {
  __shared__ float4 s[128];
  __pipeline_memcpy_async(&s[threadIdx.x], &p[threadIdx.x], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  q[threadIdx.x] = s[127 - threadIdx.x];
}
__global__ void some(const float* p, float* q, int n) {
  if (threadIdx.x < n) q[threadIdx.x] = p[threadIdx.x];
  else q[threadIdx.x] = 1;
}
"""


@pytest.mark.parametrize("architecture", ["sm_75", "sm_80", "sm_90", "sm_100", "sm_120"])
def test_machine_code_asks_for_what_ptx_asks_for(tmp_path: Path, architecture: str) -> None:
    """By kernel, on the lines that PTX has them on: where ptxas has nothing to merge."""
    (tmp_path / "a.cu").write_text(REQUESTS)
    made = {}
    for kind in ("ptx", "cubin"):
        nvcc = [find_tool("nvcc", None), f"-{kind}", "-lineinfo", f"-arch={architecture}"]
        subprocess.run([*nvcc, "a.cu", "-o", f"a.{kind}"], cwd=tmp_path, check=True)
        found = compiled_code(str(tmp_path / f"a.{kind}"), Limits()).functions
        made[kind] = {code.symbol: (code.requests, code.whole) for code in found}
    assert len(made["ptx"]) == 12
    assert made["cubin"] == made["ptx"]
