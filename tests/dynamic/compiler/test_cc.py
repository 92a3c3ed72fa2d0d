"""``drano cc`` in the places where nvcc stands: several units, other linkers, CMake's questions."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from drano.dynamic.compiler.cc import compile_main
from drano.dynamic.compiler.openmp import openmp_headers
from drano.dynamic.cpu.runtime_library import error_names, linker, unsupported_source
from drano.frontend.sdk.headers import cuda_headers
from drano.frontend.toolchain import find_clang
from tests.conftest import Run

PROGRAMS = Path(__file__).parents[1] / "programs"
SUM = sum(range(32))


def run(program: Path) -> str:
    environment = {**os.environ, "DRANO_PROFILE": "none"}
    return subprocess.run(
        [program], check=True, capture_output=True, text=True, env=environment, timeout=60
    ).stdout


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two CUDA units and one of C, each compiled alone."""
    directory = tmp_path_factory.mktemp("objects")
    made = []
    for name in ("first.cu", "second.cu", "add_up.c"):
        output = directory / f"{name}.o"
        assert compile_main(["-O1", "-c", str(PROGRAMS / name), "-o", str(output)]) == 0
        made.append(str(output))
    return made


def test_units_are_linked(objects: list[str], tmp_path: Path) -> None:
    program = tmp_path / "program"
    assert compile_main([*objects, "-lcudart", "-o", str(program)]) == 0
    assert run(program) == f"{SUM} {2 * SUM} 11 11 cudaSuccess\n"


def test_another_linker_finds_libcudart(
    objects: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert compile_main(["--cuda-root"]) == 0
    root = Path(capfd.readouterr().out.strip())
    assert (root / "include" / "cuda_runtime.h").is_file()
    program = tmp_path / "program"
    gcc = ["--rtlib=libgcc", "--unwindlib=libgcc", "-lpthread", "-lm", "-ldl"]
    subprocess.run(
        [*linker(find_clang()), *objects, f"-L{root / 'lib64'}", "-lcudart", *gcc, "-o", program],
        check=True,
    )
    assert run(program).startswith(f"{SUM} {2 * SUM} ")
    told = subprocess.run(
        [root / "bin" / "nvcc", "--version"], capture_output=True, text=True, check=True
    )
    version = cuda_headers().version_text
    assert f"Cuda compilation tools, release {version}, V{version}.89" in told.stdout


def test_relocatable_device_code(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("""#include <cstdio>
extern __device__ int value; __device__ int twice(int x);
static __global__ void k(int *o) { o[threadIdx.x] = twice(threadIdx.x) + value; }
int main() {
  int *d, h[32], v = 100; cudaMalloc(&d, 128);
  k<<<1, 32>>>(d); cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost); printf("%d ", h[5]);
  cudaMemcpyToSymbol(value, &v, 4);
  k<<<1, 32>>>(d); cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost); printf("%d\\n", h[5]);
}
""")
    (tmp_path / "b.cu").write_text(
        "__device__ int value = 7; __device__ int twice(int x) { return 2 * x; }\n"
    )
    program = str(tmp_path / "program")
    sources = [str(tmp_path / "a.cu"), str(tmp_path / "b.cu")]
    assert compile_main(["-rdc=true", *sources, "-o", program]) == 0
    assert run(Path(program)) == "17 110\n"


def test_kernels_launch_kernels_of_other_units(tmp_path: Path) -> None:
    common = "template <class T> __global__ void both(T *o) { o[threadIdx.x] += 1000; }\n"
    (tmp_path / "a.cu").write_text(
        f"#include <cstdio>\n{common}__global__ void other(int *, int);\n"
        "__global__ void parent(int *o) { other<<<1, 32>>>(o, 7); both<<<1, 32>>>(o); }\n"
        "int main() { int *d, h[32]; cudaMalloc(&d, 128); cudaMemset(d, 0, 128);\n"
        "parent<<<1, 1>>>(d); cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);\n"
        'printf("%d\\n", h[9]); }\n'
    )
    (tmp_path / "b.cu").write_text(
        f"{common}__global__ void other(int *o, int n) {{ o[threadIdx.x] += n; }}\n"
        "void unused(int *d) { both<<<1, 32>>>(d); }\n"
    )
    program = str(tmp_path / "program")
    sources = [str(tmp_path / "a.cu"), str(tmp_path / "b.cu")]
    assert compile_main(["-rdc=true", *sources, "-o", program]) == 0
    assert run(Path(program)) == "1007\n"


def test_relocatable_units_may_have_equal_names(tmp_path: Path) -> None:
    """Static kernels and variables are each unit's own, copies of a template are one."""
    common = (
        "template <class T> __global__ void both(T *o) { o[threadIdx.x] += 1000; }\n"
        "static __device__ int step = STEP;\n"
        "static __global__ void add(int *o) { o[threadIdx.x] += step; }\n"
    )
    (tmp_path / "a.cu").write_text(
        f"#define STEP 3\n{common}#include <cstdio>\nvoid other(int *);\n"
        "int main() { int *d, h[32]; cudaMalloc(&d, 128); cudaMemset(d, 0, 128);\n"
        "add<<<1, 32>>>(d); both<<<1, 32>>>(d); other(d);\n"
        'cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost); printf("%d\\n", h[9]); }\n'
    )
    (tmp_path / "b.cu").write_text(
        f"#define STEP 50\n{common}"
        "void other(int *d) { add<<<1, 32>>>(d); both<<<1, 32>>>(d);\n"
        "int s = 400; cudaMemcpyToSymbol(step, &s, 4); add<<<1, 32>>>(d); }\n"
    )
    program = str(tmp_path / "program")
    sources = [str(tmp_path / "a.cu"), str(tmp_path / "b.cu")]
    assert compile_main(["-rdc=true", *sources, "-o", program]) == 0
    assert run(Path(program)) == "2453\n"


def test_device_code_may_include_omp(tmp_path: Path) -> None:
    """gcc's header is found for both sides."""
    if not openmp_headers():
        return
    source, program = tmp_path / "a.cu", tmp_path / "program"
    source.write_text(
        "#include <omp.h>\n#include <cstdio>\n__global__ void k(int *p) { *p = 1; }\n"
        "int main() { k<<<1, 1>>>(nullptr); "
        'printf("%d\\n", omp_get_max_threads() > 0); }\n'
    )
    command = [str(source), "-Xcompiler", "-fopenmp", "-o", str(program)]
    assert compile_main(command) == 0
    assert run(program) == "1\n"


def test_what_cmake_asks(capfd: pytest.CaptureFixture[str]) -> None:
    from drano.support.errors import IRError

    with pytest.raises(IRError, match="__cmake_determine_cuda"):
        compile_main(["-v", "-c", "-x", "cu", "__cmake_determine_cuda"])
    said = capfd.readouterr().err
    assert "#$ TOP=/" in said
    assert "-arch compute_90" in said


def test_dependencies_are_written(tmp_path: Path) -> None:
    (tmp_path / "part.h").write_text("#define N 4\n")
    source = tmp_path / "a.cu"
    source.write_text('#include "part.h"\n__global__ void k(int *p) { *p = N; }\n')
    output, rule = tmp_path / "a.o", tmp_path / "a.d"
    command = ["-c", str(source), "-o", str(output), "-MD", "-MT", "x.o", "-MF", str(rule)]
    assert compile_main(command) == 0
    text = rule.read_text()
    assert text.startswith("x.o: ")
    assert str(tmp_path / "part.h") in text


def test_a_source_that_does_not_compile(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.cu").write_text("__global__ void k(int *p) { *p = q; }\n")
    found = drano("cc", "-c", "bad.cu")
    assert found.status == 1
    assert "bad.cu:1:34: error: use of undeclared identifier 'q'" in found.stderr
    assert drano("cc", "-c", "none.cu").error_lines == ["drano: error: none.cu: no such file"]
    assert drano("cc").error_lines == ["drano: error: drano cc: no input files"]


def test_run_and_validate(drano: Run, tmp_path: Path) -> None:
    source = str(PROGRAMS / "transpose.cu")
    found = drano("run", source, "-O1")
    assert (found.status, found.stdout) == (0, "")
    assert "drano-profile.json" in found.stderr
    report = json.loads(drano("report", "--format", "json").stdout)
    assert report["lines"][0]["sectors"] == 32 * 2048 + 4 * 2048
    valid = drano("validate", "--format", "json", source)
    assert valid.status == 0, valid.stdout + valid.stderr
    totals = json.loads(valid.stdout)["totals"]
    assert totals == {
        "missed": 0, "spurious": 0, "agreed": 2, "undecided": 0, "never executed": 0
    }  # fmt: skip


def test_what_the_headers_declare_is_defined() -> None:
    text = """enum __attribute__((x)) cudaError { cudaSuccess = 0, cudaErrorInvalidValue = 1 };
extern cudaError_t cudaNew(int a,
   void (*f)(int));"""
    assert error_names("enum cudaError { cudaSuccess = 0, cudaErrorInvalidValue = 1 };") == (
        "DRANO_ERROR(cudaSuccess)\nDRANO_ERROR(cudaErrorInvalidValue)\n"
    )
    assert 'drano_unsupported("cudaNew")' in unsupported_source(text)
