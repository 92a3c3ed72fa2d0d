"""Whose C and C++ headers are used, and that kernels mean the same with either."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from drano.cli.doctor import examine
from drano.frontend import clang, clang_command
from drano.frontend.clang import compile_host, compile_unit
from drano.frontend.toolchain import LIBCXX, LIBSTDCXX, HostHeaders, choose_headers, find_clang
from drano.host.launching import unit_launches
from drano.model.settings import CompileOptions
from drano.model.system_headers import is_system_header
from tests.conftest import ROOT

SOURCE = """\
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <execinfo.h>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <sys/time.h>
#include <unistd.h>
#include <vector>
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#ifdef ALL
#include <thrust/device_vector.h>
#endif

__global__ void strided(float4* out, const float* in, uint n, double* wide) {
  __shared__ float tile[32][33];
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < n);
  tile[threadIdx.y][threadIdx.x] = in[i * 7] + fmaxf(in[i], sqrtf(in[i + 1])) + min(i, n);
  __syncthreads();
  cooperative_groups::this_thread_block().sync();
  out[i] = make_float4(tile[threadIdx.x][0], expf(in[n - i]), isnan(in[i]), powf(in[i], 2.5f));
  wide[i * 2] = fabs(wide[i]) + sin(wide[i + 1]) + (double)__half2float(__float2half(in[i]));
  if (i == 0) printf("%f\\n", in[0]);
}

int main(int argc, char** argv) {
  const int n = 1 << 12;
  std::vector<float> host(n);
#ifdef ALL
  thrust::device_vector<float> all(host.begin(), host.end());
  float* in = thrust::raw_pointer_cast(all.data());
#else
  float* in = host.data();
#endif
  const long null = NULL;
  double seconds = std::isnan(host[0]) + std::sqrt(2.0) + isinf(host[1]);
  seconds += null + *reinterpret_cast<double*>(NULL);
  float4* out;
  double* wide;
  cudaMalloc(&out, n * sizeof *out);
  cudaMalloc(&wide, 2 * n * sizeof *wide);
  strided<<<n / 256, dim3(32, 8)>>>(out, in, n, wide);
  std::cout << std::string("done ") << seconds << std::endl;
  return cudaDeviceSynchronize();
}
"""


def directory(root: Path, name: str, *headers: str) -> Path:
    made = root / name
    made.mkdir()
    for header in headers:
        (made / header).touch()
    return made


def test_headers_are_the_hosts_where_it_has_them(tmp_path: Path) -> None:
    gnu = directory(tmp_path, "gnu", "cmath", "cstdlib", "stdlib.h")
    llvm = directory(tmp_path, "llvm", "cmath", "cstdlib", "stdlib.h")
    wrappers = directory(tmp_path, "cuda_wrappers", "cmath")
    c = directory(tmp_path, "c", "stdlib.h")

    def chosen(*gnus: Path, llvms: tuple[Path, ...], own: bool = True) -> HostHeaders:
        found = {LIBSTDCXX: [wrappers, *gnus], LIBCXX: [wrappers, *llvms]}
        return choose_headers(found, own_libc=own)

    assert chosen(gnu, c, llvms=(llvm, c)) == HostHeaders((LIBSTDCXX,), None)
    assert chosen(c, llvms=(llvm, c)) == HostHeaders((LIBCXX,), None)
    missing = chosen(c, llvms=(c,))
    assert missing.problem is not None
    assert "g++" in missing.problem

    for gnus in ((), (gnu,)):
        bare = chosen(*gnus, llvms=(llvm,))
        assert bare.flags[0] == LIBCXX
        assert (bare.problem, bare.own_libc) == (None, True)
        assert "libc6-dev" in str(bare.linking_problem)
    for llvms, own in (((llvm,), False), ((), True)):
        nothing = chosen(llvms=llvms, own=own)
        assert "libc6-dev" in str(nothing.problem)
        assert nothing.linking_problem == nothing.problem


def bare(root: Path) -> HostHeaders:
    """What is chosen on a machine without any headers, which ``root`` is for clang."""
    found = {LIBSTDCXX: [], LIBCXX: [Path(find_clang().path).parents[1] / "include/c++/v1"]}
    headers = choose_headers(found, own_libc=True)
    return replace(headers, flags=(f"--sysroot={root}", *headers.flags))


def without_headers(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For one unit with such headers precompiling them costs more than it saves."""
    monkeypatch.setattr(clang_command, "prelude_of", lambda *_: None)
    for module in (clang, unit_launches):
        monkeypatch.setattr(module, "host_headers", lambda _: bare(root))


def kernels(ir: str | None) -> list[str]:
    """The texts of a unit's kernels, without what numbers metadata and attributes."""
    assert ir is not None
    texts = re.findall(r"^define .*ptx_kernel void @_Z7strided.*?^}", ir, re.DOTALL | re.MULTILINE)
    return [re.sub(r"[!#]\d+", "", text) for text in texts]


def test_kernels_mean_the_same_with_our_c_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "all.cu"
    source.write_text(SOURCE)
    options = CompileOptions(timeout=300)
    more = CompileOptions(timeout=300, defines=("ALL",))
    theirs = compile_unit(str(source), options)
    launches = unit_launches.unit_launches(str(source), options)
    without_headers(tmp_path, monkeypatch)
    ours = compile_unit(str(source), more)
    assert not ours.diagnostics
    assert kernels(ours.ir) == kernels(theirs.ir) != []
    assert unit_launches.unit_launches(str(source), options) == launches
    assert [site.kernel for site in launches.sites] == ["_Z7stridedP6float4PKfjPd"]
    host = compile_host(str(source), more, ["-fsyntax-only"], str(tmp_path / "none"))
    assert not host.diagnostics
    libraries = [path for path in ours.dependencies if path != str(source)]
    assert any("/libc/musl/" in path for path in libraries)
    assert all(map(is_system_header, libraries))


def test_every_header_of_ours_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone; those of the kernel's that musl's ``sys/kd.h`` and its like only pass on, apart."""
    root = ROOT / "drano/frontend/libc"
    names = {str(path.relative_to(top)) for top in root.iterdir() for path in top.rglob("*.h")}
    names -= {name for name in names if name.startswith("bits/")}
    names -= {"sys/kd.h", "sys/soundcard.h", "sys/vt.h"}
    assert len(names) > 150
    source = tmp_path / "all.cu"
    source.write_text("".join(f"#include <{name}>\n" for name in sorted(names)))
    without_headers(tmp_path, monkeypatch)
    assert not compile_unit(str(source), CompileOptions(timeout=300)).diagnostics


def test_doctor_says_whose_headers_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drano.cli.doctor.host_headers", lambda _: bare(tmp_path))
    facts = {fact.name: fact for fact in examine(CompileOptions(), str(tmp_path))}
    assert facts["host headers"].ok
    assert facts["host headers"].detail.startswith("bundled libc++ and musl")
