"""``drano occupancy`` end to end: clang, LLVM, ptxas, launches, formulas."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from drano.cli.main import main as main_here
from drano.frontend import nvcc
from drano.frontend.sdk.tools import find_tool
from drano.model.gpus import GPUS
from drano.model.symbols import common_symbol
from drano.occupancy.usage import compiled_arch, parse_usage
from tests.warm_cli import main

SOURCE = """
__global__ void __launch_bounds__(256) tile(float* out, const float* in) {
  __shared__ float part[6][1024];
  for (int i = 0; i < 6; i++) part[i][threadIdx.x] = sinf(in[threadIdx.x + 256 * i]);
  __syncthreads();
  out[threadIdx.x] = part[5][255 - threadIdx.x] * part[3][threadIdx.x ^ 1];
}
template <int N> __global__ void plain(float* out) { out[threadIdx.x] = N; }
void run(float* out, const float* in) {
  tile<<<64, 256>>>(out, in);
  plain<3><<<64, dim3(8, 8)>>>(out);
}
"""
UNROLLED = """\
__global__ void unrolled(float* a, const float* b, int n) {
  float s[24];
  for (int i = 0; i < 24; i++) s[i] = b[i * n + threadIdx.x];
  for (int k = 0; k < n; k++)
    for (int j = 0; j < 24; j++) s[j] = s[j] * b[k * 8 + j] + s[(j * 7 + 1) % 24];
  float t = 0;
  for (int j = 0; j < 24; j++) t += s[j];
  a[threadIdx.x] = t;
}
static __global__ void own(float* a) { a[threadIdx.x] = 1; }
namespace {
__global__ void unnamed(float* a) {
  a[threadIdx.x] = 1;
}
}
void run(float* a) {
  unrolled<<<1, 64>>>(a, a, 4);
  own<<<1, 96>>>(a);
  unnamed<<<1, 64>>>(a);
}
"""
SAID = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'
ptxas info    : Function properties for _Z1kPf
    16 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 255 registers, 8448 bytes smem, 376 bytes cmem[0]
ptxas info    : Compiling entry function '_Z1jv' for 'sm_90'
ptxas info    : Function properties for _Z1jv
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 4 registers, 352 bytes cmem[0]
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    return path


def test_json_says_what_each_kernel_needs(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["occupancy", "--no-cache", "--gpu", "H100", "--format", "json", str(source)]) == 0
    document = json.loads(capsys.readouterr().out)
    kernels = {kernel["kernel"]: kernel for kernel in document["kernels"]}
    assert (document["gpu"], document["compiled_for"]) == ("sm_90", "sm_90")
    tile, plain = kernels["tile"], kernels["plain<3>"]
    assert (tile["shared"], tile["block"], tile["assumed"]) == (24576, [256, 1, 1], False)
    assert 0 < plain["registers"] <= tile["registers"] < 64
    # With 32 registers, as some releases of ptxas have it, these limit it as well.
    assert (tile["blocks"], tile["limiting"][0], tile["occupancy"]) == (8, "warps", 1.0)
    assert (plain["block"], plain["limiting"]) == ([8, 8, 1], ["warps", "blocks"])


def test_text_names_the_limit_and_the_next_step(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["occupancy", "--no-cache", "--gpu", "sm_120", "--dynamic-shared", "4096"]
    assert main([*arguments, str(source)]) == 0
    out = capsys.readouterr().out
    assert "occupancy on sm_120 (compiled by nvcc)\n" in out
    assert "tile, blocks of 256x1x1 threads: 50 %" in out
    assert "limited   by shared memory" in out
    assert "fewer bytes of shared memory (66.7 %)" in out


def test_registers_are_those_of_nvccs_code(
    source: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source.write_text(UNROLLED)
    for path, compiler in ((os.environ["PATH"], "nvcc"), (str(source.parent), "clang")):
        # with no directory on PATH, nvcc finds no host compiler, but its package is there
        monkeypatch.setenv("PATH", path)
        if compiler == "clang":
            monkeypatch.setattr(nvcc, "_host_compiler", list)
        arguments = ["occupancy", "--no-cache", "-arch", "sm_90", str(source)]
        assert main_here([*arguments, "--format", "json"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert document["compiler"] == compiler
        assert (document["not_nvcc"] is None) == (compiler == "nvcc")
        kernels = {kernel["kernel"]: kernel for kernel in document["kernels"]}
        assert set(kernels) == {"unrolled", "own", "unnamed"}
        assert kernels["own"]["block"] == [96, 1, 1]
        assert kernels["unnamed"]["block_size"]["obstacles"][0]["line"] == 13
        assert main_here(arguments) == 0
        said = capsys.readouterr().out
        assert f"(compiled by {compiler})" in said
        assert ("note: registers and spills are those of clang's code" in said) == (
            compiler == "clang"
        )


def test_nvcc_itself_says_the_same(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source.write_text(UNROLLED)
    command = [find_tool("nvcc", None), "-O3", "-arch=sm_90", "-cubin", "-Xptxas", "-v"]
    done = subprocess.run(
        [*command, str(source), "-o", os.devnull], capture_output=True, text=True, check=True
    )
    wanted = {
        common_symbol(u.symbol): (u.registers, u.stack, u.spill_stores, u.spill_loads)
        for u in parse_usage(done.stdout + done.stderr)
    }
    assert main(["occupancy", "--no-cache", "--gpu", "H100", "--format", "json", str(source)]) == 0
    kernels = json.loads(capsys.readouterr().out)["kernels"]
    numbers = ("registers", "stack", "spill_stores", "spill_loads")
    assert {common_symbol(k["symbol"]): tuple(k[n] for n in numbers) for k in kernels} == wanted


def test_a_limit_of_the_build_holds(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source.write_text(UNROLLED)
    command = "nvcc -arch=sm_90 --maxrregcount 24 -use_fast_math -c a.cu"
    entry = {"directory": str(source.parent), "file": "a.cu", "command": command}
    (source.parent / "compile_commands.json").write_text(json.dumps([entry]))
    assert main(["occupancy", "--no-cache", "--format", "json", str(source)]) == 0
    kernels = {k["kernel"]: k for k in json.loads(capsys.readouterr().out)["kernels"]}
    assert kernels["unrolled"]["registers"] <= 24


def test_other_block_sizes_are_proposed_where_they_are_proved(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["occupancy", "--no-cache", "--gpu", "sm_120", "--format", "json", str(source)]
    assert main(arguments) == 0
    kernels = {k["kernel"]: k for k in json.loads(capsys.readouterr().out)["kernels"]}
    tile, plain = kernels["tile"], kernels["plain<3>"]
    assert not tile["block_size"]["independent"]
    assert "shared memory" in tile["block_size"]["obstacles"][1]["text"]
    assert {c["threads"] for c in tile["candidates"]} == {256}
    assert plain["block_size"]["proved_axes"] == "yz"  # out[threadIdx.x] is the block's
    assert 0 < plain["pressure"] <= plain["registers"]
    assert plain["direction"] == "fewer warps"

    source.write_text(
        "__global__ void free(float* a, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) a[i] *= 2;\n}\n"
        "__global__ void bound(float* a) {\n  a[threadIdx.x] = 1;\n}\n"
    )
    assert main(["occupancy", "--no-cache", "--block", "32", str(source)]) == 0
    parts = capsys.readouterr().out.split("\n\n")
    free, bound = (next(p for p in parts if p.startswith(name)) for name in ("free", "bound"))
    assert "better    use blocks of 64 threads (100 %)\n" in free
    assert "block     size can change" in free
    assert "blocks of 64 threads (100 %), if the kernel allows that block size" in bound
    assert "check line 6: the address of this store depends on threadIdx.x" in bound


def test_the_gpu_is_what_is_compiled_for(
    source: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nvcc, "_host_compiler", list)  # clang is as good here, and quicker
    monkeypatch.setenv("PATH", str(source.parent))
    source.write_text("__global__ void k(float* a) { a[threadIdx.x] = 1; }\n")
    arguments = ["occupancy", "--no-cache", "--format", "json", str(source)]
    for given, gpu in (
        ([], "sm_90"), (["-arch", "sm_75"], "sm_75"), (["-arch", "compute_86"], "sm_86"),
        (["-arch", "sm_90a"], "sm_90"),
    ):  # fmt: skip
        assert main_here([*arguments, *given]) == 0
        assert json.loads(capsys.readouterr().out)["gpu"] == gpu
    assert main_here([*arguments, "-arch", "sm_75", "--gpu", "H100"]) == 0
    assert json.loads(capsys.readouterr().out)["gpu"] == "sm_90"


def test_what_does_not_compile_costs_no_other_kernel(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source.write_text(
        "__global__ void good(float* a) { a[threadIdx.x] = 1; }\n"
        "__global__ void bad(float* a) { a[threadIdx.x] = nonsense; }\n"
        "void host() { other(); }\n"
    )
    assert main(["occupancy", "--no-cache", "--format", "json", str(source)]) == 2
    printed = capsys.readouterr()
    assert [kernel["kernel"] for kernel in json.loads(printed.out)["kernels"]] == ["good"]
    (line,) = (line for line in printed.err.splitlines() if "error:" in line)
    assert "kernel bad" in line
    assert f"{source}:2:" in line
    assert main(["check", "--select", "DRN501", "--no-cache", str(source)]) == 2
    assert "1 kernel could not be analysed" in capsys.readouterr().out


def test_bad_input_is_one_line(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--gpu", "voodoo", str(source)], [str(source.with_name("none.cu"))]):
        assert main(["occupancy", "--no-cache", *arguments]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
    source.write_text("__global__ void k() { nonsense; }")
    assert main(["occupancy", "--no-cache", str(source)]) == 2
    assert "nonsense" in capsys.readouterr().err


def test_ptxas_is_read() -> None:
    first, second = parse_usage(SAID)
    assert (first.symbol, first.registers, first.shared) == ("_Z1kPf", 255, 8448)
    assert (first.stack, first.spill_stores, first.spill_loads) == (16, 12, 8)
    assert (second.registers, second.shared, second.stack) == (4, 0, 0)
    assert parse_usage("") == ()


def test_unknown_capabilities_are_compiled_for_the_newest_known() -> None:
    known = ("sm_60", "sm_90")
    found = [compiled_arch(gpu, known) for gpu in GPUS]
    assert found[0] == "sm_60"
    assert set(found[-4:]) == {"sm_90"}


def test_low_occupancy_is_a_rule_with_settings(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def check(*settings: str) -> str:
        (source.parent / "drano.toml").write_text("\n".join(settings))
        main(["check", "--no-cache", "--output-format", "concise", str(source)])
        captured = capsys.readouterr()
        return captured.out + captured.err

    selected = 'extend-select = ["DRN501"]'
    assert "DRN501" not in check()
    said = check(selected, "[rules.DRN501]", 'gpu = "sm_120"', "min-occupancy = 0.7")
    assert "low occupancy of `tile`: 66.7 % on sm_120 with blocks of 256x1x1 threads" in said
    assert "limited by shared memory" in said
    assert "plain" not in said
    assert "DRN501" not in check(selected, "[rules.DRN501]", 'gpu = "sm_120"')
    compiled_for = check(
        selected, "[compile]", 'arch = "sm_86"', "[rules.DRN501]", "min-occupancy = 1"
    )
    assert "on sm_86 with" in compiled_for
    assert "DRN501" not in check(selected, "[rules.DRN501]", "min-occupancy = 1")
    assert "unknown GPU 'voodoo'" in check(selected, "[rules.DRN501]", 'gpu = "voodoo"')
    assert "min-excess" in check(selected, "[rules.DRN501]", "min-excess = 2")


def test_ptx_is_assembled_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(__file__).parents[2] / "examples" / "transpose.ptx"
    assert main(["occupancy", str(path), "--gpu", "h100"]) == 0
    said = capsys.readouterr().out
    assert "transpose_tiled, blocks of 256x1x1 (assumed) threads" in said
    assert "4224 bytes of shared memory" in said
    assert main(["occupancy", str(path), "--gpu", "a100"]) == 2
    assert "SM version specified by .target is higher" in capsys.readouterr().err
