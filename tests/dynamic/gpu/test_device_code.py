"""``drano cc --device gpu`` where there is no GPU: everything is built, and running says why not.

What the counts are is checked where there is a GPU: benchmarks/gpu_overhead.py. ``ptxas`` of the
pip packages compiles all that is built here, so that the PTX is valid.
"""

from __future__ import annotations

import ctypes.util
import json
import os
import random
import re
import struct
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from drano.analysis.access_sites import memory_sites
from drano.dynamic.compiler.cc import compile_main
from drano.dynamic.gpu.counting import proved_costs
from drano.dynamic.gpu.counting.counting_calls import Choices
from drano.dynamic.gpu.counting.loop_forms import irregular_sites
from drano.dynamic.gpu.counting.proved_costs import (
    FixedCost,
    PrefixCost,
    RunsCost,
    known_cost,
    packed,
)
from drano.dynamic.gpu.counting.sampling import within_registers
from drano.dynamic.gpu.device_code import Build, GpuUnit, gpu_unit, run_ptxas, target_of
from drano.dynamic.gpu.linking.fatbin import Image, fat_binary
from drano.frontend.clang import compile_unit
from drano.frontend.sdk.headers import cuda_headers
from drano.frontend.toolchain import find_clang
from drano.host.launching.unit_launches import unit_launches
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.settings import CompileOptions
from drano.support.errors import IRError
from tests.conftest import Run

PROGRAMS = Path(__file__).parents[1] / "programs"
NO_GPU = ctypes.util.find_library("cuda") is None


def unit_of(
    source: Path,
    arch: str = "sm_75",
    *,
    sums: bool = True,
    trips: bool = True,
    counted: bool = True,
    sample: int = 0,
    assembled: bool = True,
) -> GpuUnit:
    """``assembled``: whether ``ptxas`` has to take it, too."""
    options = CompileOptions(arch=arch)
    unit = compile_unit(str(source), options)
    assert unit.ir is not None, unit.diagnostics
    ptxas = cuda_headers().ptxas if assembled else None
    assert ptxas is not None or not assembled
    return gpu_unit(Build(
        unit.ir, "id", str(source), arch, find_clang(), ptxas, Choices(sums=sums, trips=trips),
        counted=counted, launches=lambda: unit_launches(str(source), options).sites, sample=sample,
    ))  # fmt: skip


@pytest.fixture(scope="module")
def patterns() -> GpuUnit:
    """The unit with accesses of every kind."""
    return unit_of(PROGRAMS / "patterns.cu", "sm_90")


def kernel(ptx: str, name: str) -> str:
    """The text of one kernel."""
    start = ptx.index(f".entry {name}(")
    return ptx[start : ptx.index("\n}", start)]


def test_accesses_of_a_block_are_counted_together(patterns: GpuUnit) -> None:
    straight = kernel(patterns.ptx, "_Z8straightPKfPfii_drano_proved")
    assert straight.count("activemask") == 1
    assert straight.count("ld.global") == 2
    assert straight.count("red.relaxed.gpu.global.add.u64") == 1
    # The program's own accesses do not wait for the counting.
    assert straight.index("st.global") < straight.index("activemask")


def test_loops_keep_sums(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text("__global__ void k(int *p) { while (p[threadIdx.x]) p[0] = 1; }")
    summed = kernel(unit_of(source).ptx, "_Z1kPi")
    assert summed.index("activemask") < summed.index("red.") > summed.rindex("ld.global")
    assert "change" in summed
    assert "change" not in kernel(unit_of(source, sums=False).ptx, "_Z1kPi")


def test_proved_costs_are_tables(patterns: GpuUnit) -> None:
    assert len(patterns.sites) == 44
    straight = [s for s in patterns.sites if s.location.span.line == 9]
    load, store = straight[1], straight[2]
    cost = known_cost(store, None)
    assert isinstance(cost, RunsCost)
    assert (cost.stride, len(cost.table)) == (4, 32)
    assert cost.table[0] == 0x80000000_80808080  # lanes that end a line, and a sector
    assert cost.table[1] == 0xC0000000_C0404040
    assert known_cost(straight[0], None) is None  # in[i * stride]
    assert known_cost(store, (16, 1, 1)) is None  # proved for whole warps only
    assert load.location.span.line == 9
    column, row, first = (known_cost(s, None) for s in patterns.sites if s.location.span.line == 38)
    assert isinstance(column, PrefixCost)  # tile[x][k]: one bank
    assert column.table == tuple(packed(lanes, 1, 0) for lanes in range(1, 33))
    for cost in (row, first):
        assert isinstance(cost, FixedCost)
        assert cost.counts == packed(1, 1, 0)


def test_accesses_of_one_pattern_share_a_counter(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "struct p { double a, b; };\n"
        "__global__ void __launch_bounds__(64) k(p *q, double *r, int n) {\n"
        "  __shared__ p s[64]; int i = threadIdx.x; s[i] = q[0];\n"
        "  for (int k = 0; k < n; k++) { r[i] += s[i].a * s[i].b * s[0].a; s[i].a = s[i].b; }\n"
        "}\nint main() { k<<<1, 64>>>(0, 0, 9); }\n"
    )
    unit = unit_of(source, trips=False)
    proved = kernel(unit.ptx, "_Z1kP1pPdi_drano_proved")
    looped = proved[proved.index("change") :]
    # In the loop: a look at the lanes and one address, no shuffle; nothing is added there.
    assert looped.count("activemask") <= 3
    assert "match" not in proved


def test_inner_loops_are_told_from_those_with_barriers(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "__global__ void k(float *p, int n) {\n"
        "  for (int i = 0; i < n; i++) {\n"
        "    for (int j = 0; j < n; j++) p[threadIdx.x] += p[j * 7];\n"
        "    __syncthreads();\n    p[0] = 1;\n  }\n}\n"
    )
    # Only the inner loop remembers its last request, in both forms of the kernel.
    ptx = unit_of(source, trips=False).ptx
    changes = set(re.findall(r"\bdrano\S*change\S*?\d+\b", ptx))
    assert len({name for name in changes if "param" not in name}) == 2


def test_a_sample_leaves_kernels_as_they_are(tmp_path: Path) -> None:
    plain = unit_of(PROGRAMS / "patterns.cu", "sm_90", counted=False, assembled=False)
    sampled = unit_of(PROGRAMS / "patterns.cu", "sm_90", sample=64)
    for name in ("_Z8straightPKfPfii", "_Z5loopsPKfPfi"):
        texts = (re.sub(r"BB\d+", "", kernel(unit.ptx, name)) for unit in (sampled, plain))
        assert len(set(texts)) == 1
        second = kernel(sampled.ptx, f"{name}_drano_proved_drano_sampled")
        assert "%gridid" in second
        assert second.index("%gridid") < second.index("activemask")
    assert ".maxnreg 32" in sampled.ptx
    assert "drano_word" not in sampled.ptx


def test_registers_are_limited_only_where_blocks_would_be_kept_out() -> None:
    ptx = "".join(
        f".visible .entry {name}(\n\t.param .u32 x\n)\n{{\n}}\n"
        for name in ("a", "a_drano_sampled", "b", "b_drano_proved_drano_sampled")
    )
    report = "".join(
        f"ptxas info : Compiling entry function '{name}' for 'sm_90'\nUsed {count} registers\n"
        for name, count in (
            ("a", 20), ("a_drano_sampled", 30), ("b", 41), ("b_drano_proved_drano_sampled", 60),
        )
    )  # fmt: skip
    limited = within_registers(ptx, report)
    assert limited.count(".maxnreg") == 1
    assert ".entry b_drano_proved_drano_sampled(\n\t.param .u32 x\n)\n.maxnreg 48\n{" in limited


def test_called_functions_stand_twice_in_a_sample(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "__device__ int walk(int *p, int n) {\n"
        "  return n ? walk(p, p[n - 1]) * walk(p, p[n - 2]) + 1 : p[0];\n}\n"
        "__global__ void k(int *p, int n) { p[threadIdx.x] = walk(p, n); }\n"
    )
    ptx = unit_of(source, sample=2).ptx
    assert "activemask" not in kernel(ptx, "_Z1kPii")
    bodies = re.findall(r"\.func .*?(_Z4walk\w+(?:\$\w+)*)\((?:[^{};]*)\n\{((?:.|\n)*?)\n\}", ptx)
    assert sorted("activemask" in body for _, body in bodies) == [False, True]


def test_without_counting_nothing_is_added() -> None:
    plain = unit_of(PROGRAMS / "transpose.cu", counted=False, assembled=False)
    assert "drano" not in plain.ptx
    assert "activemask" not in plain.ptx


def test_line_numbers_are_kept_on_demand(tmp_path: Path) -> None:
    unit = compile_unit(str(PROGRAMS / "transpose.cu"), CompileOptions())
    assert unit.ir is not None
    made = gpu_unit(
        Build(
            unit.ir, "id", "transpose.cu", "sm_80", find_clang(), cuda_headers().ptxas, lines=True
        )
    )
    assert ".loc" in made.ptx
    assert ", debug" not in made.ptx


def test_the_fat_binary_holds_ptx_and_machine_code(patterns: GpuUnit) -> None:
    data = patterns.fat_binary
    magic, version, head, size = struct.unpack_from("<IHHQ", data)
    assert (magic, version, head) == (0xBA55ED50, 1, 16)
    assert data[head + size :] == b"drano:id\0"
    kinds = []
    at = head
    while at < head + size:
        kind, _, own, bytes_, _, _, _, _, arch = struct.unpack_from("<HHIQIIHHI", data, at)
        start = data[at + own : at + own + 8]
        kinds.append((kind, arch, start.startswith((b"\x7fELF", b"//"))))
        at += own + bytes_
    assert kinds == [(1, 90, True), (2, 90, True)]


def test_images_are_padded() -> None:
    data = fat_binary([Image(b"abc", 70, 78, is_ptx=True)], "x")
    assert data[16 + 72 : 16 + 72 + 8] == b"abc" + b"\0" * 5


def test_an_architecture_that_ptxas_does_not_know_is_told(tmp_path: Path) -> None:
    ptxas = tmp_path / "ptxas"
    said = "ptxas fatal   : Value 'sm_70' is not defined for option 'gpu-name'"
    ptxas.write_text(f'#!/bin/sh\necho "{said}" >&2\nexit 1\n')
    ptxas.chmod(0o755)
    with pytest.raises(IRError, match="does not know sm_70: take another -arch or --cuda-path"):
        run_ptxas("", "k.cu", "sm_70", ptxas)


@pytest.mark.parametrize("arch", ["sm_61", "sm_35", "bogus"])
def test_old_architectures_cannot_count(arch: str) -> None:
    with pytest.raises(IRError, match="sm_70"):
        target_of(arch)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--device", "tpu", "x.cu"], "none of: cpu, gpu"),
        (["--device"], "needs a value"),
        (["--device", "gpu", "nowhere.cu"], "no such file"),
        (["--device", "gpu", "--sample", "0.1", "x.cu"], "is not 1/N"),
        (["--device", "gpu", "--sample=1/99999999", "x.cu"], "is not 1/N"),
        (["--sample", "1/8", "x.cu"], "for --device gpu"),
        (["--device", "gpu", "--cuda-path", "/nowhere", "x.cu"], "no such CUDA SDK"),
        (["--device", "gpu", "-arch=sm_50", str(PROGRAMS / "transpose.cu")], "sm_70 or newer"),
    ],
)
def test_bad_command_lines_are_one_line(arguments: list[str], reason: str, drano: Run) -> None:
    done = drano("cc", *arguments)
    assert done.status == 2
    assert len(done.error_lines) == 1
    assert reason in done.stderr


def test_a_program_says_that_there_is_no_gpu(tmp_path: Path) -> None:
    program = tmp_path / "program"
    arguments = ["--device", "gpu", "-O2", str(PROGRAMS / "transpose.cu"), "-o", str(program)]
    assert compile_main(arguments) == 0
    if not NO_GPU:
        return
    done = subprocess.run(
        [program], capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path,
        env={**os.environ, "DRANO_PROFILE": str(tmp_path / "profile.json")},
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("drano: error: this program was compiled for a GPU")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "profile.json").exists()


def test_runs_are_counted_for_any_lanes() -> None:
    """The formula of the counting library (``runs``), against lanes one by one."""
    draw = random.Random(3)
    for _ in range(300):
        stride = draw.choice([4, 8, 12, 36, 128, -4, 132])
        place, unit = draw.randrange(0, 128, 4), draw.choice([32, 128])
        mask = draw.getrandbits(32) & draw.getrandbits(32) | 1 << draw.randrange(32)
        units = {(4096 + place + stride * lane) // unit for lane in range(32) if mask >> lane & 1}
        table = proved_costs.ends(stride, place, unit)
        carried = ((mask & ~table) + (~table & 0xFFFFFFFF)) & 0xFFFFFFFF
        assert ((carried | mask) & table).bit_count() == len(units)


def test_steps_in_shared_memory_have_a_formula() -> None:
    """That of the counting library (``stepped``), against banks one by one."""
    for step in range(-66, 67):
        twos = min((step & -step).bit_length() - 1, 5) if step else 5
        for lanes in range(1, 33):
            words = Counter((1000 + step * lane) % 32 for lane in range(lanes))
            most = max(words.values()) if step else 1
            assert most == ((lanes + (32 >> twos) - 1) >> (5 - twos) if step else 1)


def test_accesses_that_hang_on_what_a_loop_reads_are_irregular(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "__global__ void k(int *p, const int *q, int n) {\n"
        "  int base = q[0];\n"
        "  for (int i = 0; i < n; i++) {\n"
        "    p[base + i] = 1;\n"
        "    p[q[i]] = 2;\n"
        "  }\n}\n"
    )
    unit = compile_unit(str(source), CompileOptions())
    assert unit.ir is not None
    module = read_module(prepare(unit.ir, "k.cu", trusted=True))
    (function,) = module.kernels
    sites = {site.ordinal: site for site in memory_sites(function)}
    places = [sites[n].location for n in irregular_sites(function, module.globals)]
    lines = {place.span.line for place in places if place}
    assert lines == {4, 5}  # the first moves on by an element


def test_samples_are_told_in_reports(tmp_path: Path, drano: Run) -> None:
    shape = {
        "launches": 4, "counted": 1, "grid": [16, 1, 1], "block": [64, 1, 1], "shared_bytes": 0,
        "nanoseconds": 5,
    }  # fmt: skip
    kernel_row = {
        "name": "_Z1kPi", "launches": 4, "threads": 4096, "nanoseconds": 5,
        "static_shared_bytes": 0, "other_shapes": 0, "blocks": 64, "sampled_blocks": 16,
        "shapes": [shape],
    }  # fmt: skip
    profile = {
        "format": "drano-profile", "version": 1, "program": "p", "gpu": "g", "ended": "exit",
        "workers": 1, "nanoseconds": 9, "kernels": [kernel_row], "arrays": [], "sites": [],
    }  # fmt: skip
    place, merged = tmp_path / "p.json", tmp_path / "sum.json"
    place.write_text(json.dumps(profile))
    done = drano("report", place)
    assert "a sample of the blocks, 0.25 to 0.25 of them by kernel" in done.stdout
    assert "without being counted" not in done.stdout
    full = {**kernel_row, "blocks": 0, "sampled_blocks": 0}
    full["shapes"] = [{**shape, "counted": 4}]
    (tmp_path / "q.json").write_text(json.dumps({**profile, "kernels": [full]}))
    drano("profile", "merge", place, tmp_path / "q.json", "-o", merged)
    (row,) = json.loads(merged.read_text())["kernels"]
    assert (row["blocks"], row["sampled_blocks"]) == (128, 80)


def test_requests_are_counted_by_their_lines(tmp_path: Path) -> None:
    """Each access then has counters of its own: two, and five for the histogram."""
    source = tmp_path / "k.cu"
    source.write_text(
        "__global__ void k(const float *in, float *out, int n) {\n"
        "  for (int i = threadIdx.x; i < n; i += 32) out[i] = in[i] + in[2 * i];\n}\n"
    )
    unit = compile_unit(str(source), CompileOptions(arch="sm_80"))
    assert unit.ir is not None
    made = gpu_unit(Build(
        unit.ir, "id", str(source), "sm_80", find_clang(), cuda_headers().ptxas,
        Choices(histogram=True),
    ))  # fmt: skip
    text = kernel(made.ptx, "_Z1kPKfPfi")
    calls = text.count("call.uni") + text.count("call ")
    assert calls >= len(made.sites) == 3


def test_a_gpus_flags_are_for_a_gpu(drano: Run) -> None:
    for flag in ("--operations", "--histogram"):
        done = drano("cc", flag, "x.cu")
        assert done.status == 2
        assert f"{flag}: is for --device gpu" in done.error_lines[0]
