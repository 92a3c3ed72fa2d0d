"""Programs that are run, and what of them is recorded and checked."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from drano.model.settings import Config
from drano.python.capture import capture
from drano.python.recorder import hook_cupy, hook_extension, hook_warp
from tests.conftest import Run
from tests.ptx.test_binaries import container, entry, ptx
from tests.ptx.test_check import PTX

KERNEL = """import triton
import triton.language as tl


@triton.jit
def strided(x, out, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + offsets * 32))
"""
SCRIPT = """import sys
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from kernel import strided

source = ASTSource(fn=strided, signature={"x": "*fp32", "out": "*fp32", "BLOCK": "constexpr"},
                   constexprs={(2,): 1024})
print("compiled", triton.compile(source, target=GPUTarget("cuda", 90, 32)).metadata.name)
sys.exit(int(sys.argv[1]))
"""
CUDA = 'extern "C" __global__ void k(float* a) {\n  a[threadIdx.x * N] = 0;\n}\n'


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "kernel.py").write_text(KERNEL)
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def test_what_triton_compiles_is_checked(script: Path, tmp_path: Path, drano: Run) -> None:
    kept = tmp_path / "kept"
    ran = drano("capture", "--keep", kept, "--", sys.executable, script, "0")
    assert ran.status == 1, ran.stderr
    assert "x + offsets * 32" in ran.stdout
    assert "kernel.py:8:" in ran.stdout
    assert len(list(kept.glob("*.llir"))) == len(list(kept.glob("*.ttgir"))) == 1
    again = drano("check", kept)
    assert again.status == 1
    failed = drano("capture", "--exit-zero", "--", sys.executable, script, "3")
    assert failed.status == 0
    assert "the command ended with status 3" in failed.stderr


def test_nothing_recorded_and_nothing_run(drano: Run) -> None:
    ran = drano("capture", "--", sys.executable, "-c", "print('hello')")
    assert ran.status == 2
    assert "sitecustomize" not in ran.stderr
    assert "compiled nothing" in ran.stderr
    assert drano("capture", "--", "/no/such/program").error_lines == [
        "drano: error: /no/such/program: No such file or directory"
    ]
    assert "needs a command" in drano("capture").stderr


def test_a_program_keeps_its_own_sitecustomize(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import builtins\nbuiltins.mine = 1\n")
    check = "import sys; sys.exit(0 if mine == 1 and 'DRANO' not in ''.join(sys.path) else 5)"
    command = ["env", f"PYTHONPATH={tmp_path}", sys.executable, "-c", check]
    assert capture(command, Config()).status == 0
    import os

    os.environ["PYTHONPATH"] = f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    try:
        assert capture([sys.executable, "-c", check], Config()).status == 0
    finally:
        os.environ["PYTHONPATH"] = os.environ["PYTHONPATH"].partition(os.pathsep)[2]


def test_a_program_sees_no_trace_of_a_sitecustomize(tmp_path: Path) -> None:
    said = tmp_path / "said"
    quiet = ["sh", "-c", f"{sys.executable} -c 'import sys' 2>{said}"]
    assert capture(quiet, Config()).status == 0
    assert said.read_text() == ""


def test_sources_for_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRANO_CAPTURE", str(tmp_path))
    calls: list[tuple[object, ...]] = []
    cupy = ModuleType("cupy.cuda.compiler")
    vars(cupy)["compile_with_cache"] = lambda *given, **more: calls.append((*given, more))
    hook_cupy(cupy)
    cupy.compile_with_cache(CUDA, ("-DN=4", "--std=c++17", "-Idir"), arch="70")
    torch = ModuleType("torch.utils.cpp_extension")
    vars(torch)["load_inline"] = lambda *given, **more: calls.append((*given, more))
    hook_extension(torch)
    torch.load_inline("name", "", [CUDA.replace("N", "2")], functions=["f"])
    torch.load_inline("name", "")
    assert calls[0] == (CUDA, ("-DN=4", "--std=c++17", "-Idir"), {"arch": "70"})
    assert calls[1][0] == "name" and calls[2] == ("name", "", None, {})
    facts = [json.loads(path.read_text()) for path in tmp_path.glob("*.json")]
    assert sorted(fact["library"] for fact in facts) == ["cupy", "torch"]
    found = capture([sys.executable, "-c", ""], Config(), str(tmp_path))
    messages = [finding.message for finding in found.report.findings]
    assert any("16 bytes apart" in message for message in messages), messages
    assert any("8 bytes apart" in message for message in messages), messages


def test_what_cupy_tells_its_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drano: Run
) -> None:
    """As CuPy 14 calls it; records in a directory below the working one."""
    monkeypatch.setenv("DRANO_CAPTURE", str(tmp_path / "kept"))
    (tmp_path / "kept").mkdir()
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mine.h").write_text("#define WIDE 3\n")
    calls: list[object] = []
    cupy = ModuleType("cupy.cuda.compiler")
    vars(cupy)["_compile_module_with_cache"] = lambda *given, **more: calls.append((*given, more))
    hook_cupy(cupy)
    template = "#include <mine.h>\ntemplate <int N> __global__ void t(float* a) {\n"
    template += "  a[threadIdx.x * N * WIDE] = 0;\n}\n"
    names = {"name_expressions": ["t<2>", "int x"], "arch": 90}
    cupy._compile_module_with_cache(template, (f"-I{tmp_path / 'own'}",), **names)
    assert calls == [(template, (f"-I{tmp_path / 'own'}",), names)]
    monkeypatch.chdir(tmp_path)
    ran = drano("capture", "--keep", "kept", "--", sys.executable, "-c", "")
    assert "lanes are 24 bytes apart" in ran.stdout, ran.stderr
    assert "in t<2>" in ran.stdout


def test_what_warp_compiles_to_ptx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRANO_CAPTURE", str(tmp_path / "kept"))
    (tmp_path / "kept").mkdir()
    warp = ModuleType("warp.build")

    def build_cuda(cu_path: str, arch: int, output_path: str, *, pch_dir: str) -> None:
        Path(output_path).write_text(PTX + "\0")

    vars(warp)["build_cuda"] = build_cuda
    hook_warp(warp)
    warp.build_cuda("m.cu", 90, str(tmp_path / "m.ptx"), pch_dir="x")
    warp.build_cuda("m.cu", 90, str(tmp_path / "m.cubin"), pch_dir="x")
    found = capture([sys.executable, "-c", ""], Config(), str(tmp_path / "kept"))
    assert found.records == 1
    assert [finding.rule for finding in found.report.findings] == ["DRN001"]


LOADS = """import sys
from cuda.bindings import driver, nvjitlink, nvrtc
from cuda.core import ObjectCode, Program, ProgramOptions
import pycuda.compiler, pycuda.driver
from pathlib import Path

source = b'extern "C" __global__ void of_nvrtc(float* a) { a[threadIdx.x * N] = 0; }'
_, program = nvrtc.nvrtcCreateProgram(source, b"a.cu", 0, [], [])
assert nvrtc.nvrtcCompileProgram(program, 1, [b"-DN=3"])[0] == 0
for load in (
    lambda: driver.cuModuleLoadData(Path("loaded.ptx").read_bytes()),
    lambda: driver.cuModuleLoadData(4096),
    lambda: nvjitlink.add_data(0, 0, Path("linked.fatbin").read_bytes(), 9, "x"),
):
    try:
        load()
    except Exception as error:
        print(type(error).__name__)
program = Program('extern "C" __global__ void of_core(float* a) { a[threadIdx.x * N] = 0; }',
                  "c++", ProgramOptions(arch="sm_90", define_macro=("N", "11")))
assert isinstance(program, Program)
assert isinstance(ObjectCode.from_ptx("object.ptx"), ObjectCode)
assert pycuda.driver.module_from_file("code.cubin") == "module_from_file"
pycuda.compiler.SourceModule("__global__ void of_pycuda(float* a) { a[threadIdx.x * 5] = 0; }")
"""
PYCUDA = {
    "driver": "module_from_file = lambda path: 'module_from_file'\n"
    "module_from_buffer = lambda code: code\n",
    "compiler": "import pycuda.driver\n"
    "def compile(source, nvcc='nvcc', options=None, keep=False, no_extern_c=False):\n"
    "    return source.encode()\n"
    "def SourceModule(source):\n"
    "    return pycuda.driver.module_from_buffer(compile(source, 'nvcc', [], False))\n",
}


def test_what_a_program_loads_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drano: Run
) -> None:
    (tmp_path / "pycuda").mkdir()
    for name, text in PYCUDA.items():
        (tmp_path / "pycuda" / f"{name}.py").write_text(text)
    (tmp_path / "loaded.ptx").write_text(PTX)
    (tmp_path / "object.ptx").write_text(ptx(9, "object"))
    (tmp_path / "linked.fatbin").write_bytes(container(entry(ptx(7, "linked"))))
    (tmp_path / "code.cubin").write_bytes(container(entry("", kind=2)))
    (tmp_path / "program.py").write_text(LOADS)
    monkeypatch.chdir(tmp_path)
    ran = drano("capture", "--", sys.executable, "program.py")
    strides = {"of_nvrtc": 12, "of_pycuda": 20, "of_core": 44}
    strides |= {"interleave": 8, "linked": 28, "object": 36}
    for kernel, stride in strides.items():
        assert f"in {kernel}, " in ran.stdout, ran.stdout + ran.stderr
        assert f"lanes are {stride} bytes apart" in ran.stdout
    assert "6 kernels" in ran.stdout
    assert "that the program loads is not analysed: it holds machine code" in ran.stderr


def test_a_hook_that_fails_stays_out_of_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRANO_CAPTURE", "/no/such/directory")
    cupy = ModuleType("cupy.cuda.compiler")
    vars(cupy)["compile_with_cache"] = lambda source, options: "module"
    hook_cupy(cupy)
    assert cupy.compile_with_cache(CUDA, ()) == "module"
