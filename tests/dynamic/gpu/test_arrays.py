"""Counts of arrays on a GPU: what of it needs none.

``programs/arrays.cu`` has run on an H200: the arrays of its profile were, count by count, those
that the CPU's has here, with and without pruning.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from drano.dynamic.compiler.cc import compile_main
from drano.dynamic.cpu.runtime_library import SOURCES, linker
from drano.dynamic.gpu.device_code import Build, GpuUnit, gpu_unit
from drano.dynamic.gpu.replay.address_roots import Root, roots_of
from drano.dynamic.gpu.replay.repeatable import PLAIN
from drano.frontend.clang import compile_unit
from drano.frontend.sdk.headers import cuda_headers
from drano.frontend.toolchain import find_clang
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.settings import CompileOptions

PROGRAM = Path(__file__).parents[1] / "programs/arrays.cu"
COUNTS = {
    "scale": (9476, 0, 0, 1185),
    "shift": (1992, 0, 0, 63),
    "&x, bytes": (4512, 3000, 0, 939),
    "&y, bytes": (4512, 4012, 0, 1066),
    "&z, 2 * bytes": (7988, 2504, 0, 1561),
    "&rows[k], bytes": (3504, 1976, 0, 685),
    "(void **)&pinned, bytes": (3476, 0, 0, 435),
    "&counters, 8 * sizeof(int)": (0, 0, 1700, 54),
    "&late, bytes": (700, 1000, 0, 213),
}


def test_the_cpu_counts_what_the_gpu_did(tmp_path: Path) -> None:
    program, profile = tmp_path / "program", tmp_path / "profile.json"
    assert compile_main(["-O2", str(PROGRAM), "-o", str(program)]) == 0
    subprocess.run(
        [program], check=True, timeout=60, stdout=subprocess.DEVNULL,
        env={**os.environ, "DRANO_PROFILE": str(profile)},
    )  # fmt: skip
    arrays = json.loads(profile.read_text())["arrays"]
    fields = ("reads", "writes", "atomics", "sectors")
    assert {a["name"]: tuple(a[field] for field in fields) for a in arrays} == COUNTS


def roots_in(path: Path) -> dict[str, list[tuple[Root, ...]]]:
    """By kernel, as in the source, in the order of accesses."""
    unit = compile_unit(str(path), CompileOptions())
    assert unit.ir is not None
    module = read_module(prepare(unit.ir, str(path), trusted=True))
    found: dict[str, list[tuple[Root, ...]]] = {}
    names = {kernel.name: kernel.display for kernel in module.kernels}
    for (kernel, _), roots in sorted(roots_of(module).items()):
        found.setdefault(names[kernel], []).append(roots)
    return found


def test_addresses_come_from_parameters_and_variables() -> None:
    roots = roots_in(PROGRAM)
    a, b, c, scale = (Root(0), Root(1), Root(2), Root(variable="scale"))
    assert sorted(roots["add"], key=str) == sorted([(a,), (b,), (c,), (scale,)], key=str)
    assert (Root(0, 8),) in roots["part"]
    assert (Root(0, 16),) in roots["part"]
    assert {frozenset(one) for one in roots["either"]} == {frozenset({a, b}), frozenset({c})}
    assert set(roots["tally"]) == {(a,), (b,)}


def test_a_structure_that_the_kernel_changes_has_no_roots(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "struct Two { float *a, *b; };\n"
        "__global__ void kept(Two two) { two.a[threadIdx.x] = two.b[threadIdx.x]; }\n"
        "__global__ void swapped(Two two, int n) {\n"
        "  if (n > 3) { float *a = two.a; two.a = two.b; two.b = a; }\n"
        "  Two *which = &two;\n"
        "  for (int i = 0; i < n; i++) which->a[i] = which->b[threadIdx.x];\n"
        "}\n"
    )
    found = roots_in(source)
    assert set(found["kept"]) == {(Root(0, 0),), (Root(0, 8),)}
    # What the joins of both branches make of it, or nothing: never the launch's pointer alone.
    assert not {(Root(0, 0),), (Root(0, 8),)} & set(found.get("swapped", ()))


def test_pointers_from_memory_and_the_blocks_own_have_no_root(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "__global__ void k(float **rows, float *out, int n) {\n"
        "  __shared__ float tile[64];\n"
        "  tile[threadIdx.x] = rows[blockIdx.x][threadIdx.x];\n"
        "  float *to = n > 3 ? &tile[threadIdx.x ^ 1] : &out[threadIdx.x];\n"
        "  *to += 1;\n"
        "  out[n] = tile[0];\n}\n"
    )
    (found,) = roots_in(source).values()
    # That of the table of rows, not of a row; `*to` is out's where it is not the block's.
    assert sorted(found, key=str) == [(Root(0),), (Root(1),), (Root(1),), (Root(1),)]


TABLE = 128 * 40


def unit_of(*, written: bool = False, sample: int = 0) -> GpuUnit:
    unit = compile_unit(str(PROGRAM), CompileOptions(arch="sm_90"))
    assert unit.ir is not None
    ptxas = cuda_headers().ptxas
    return gpu_unit(
        Build(
            unit.ir,
            "id",
            str(PROGRAM),
            "sm_90",
            find_clang(),
            ptxas,
            written=written,
            sample=sample,
        )
    )


def parameters(ptx: str) -> dict[str, int]:
    """How many the kernels have."""
    kernels = re.findall(r"\.entry (\w+)\(([^)]*)\)", ptx)
    return {name: text.count(".param") for name, text in kernels}


def test_counted_kernels_are_told_which_counters_are_theirs() -> None:
    found = parameters(unit_of().ptx)
    plain = {name: count for name, count in found.items() if name.endswith(PLAIN)}
    assert {name[2:8]: count for name, count in found.items() if name not in plain} == {
        "3addPK": 5, "4part3": 2, "6eithe": 6, "5tally": 4, "7nothi": 0,
    }  # fmt: skip
    # Launches like one that was counted get the kernel without it.
    assert plain
    assert all(count == found[name.removesuffix(PLAIN)] - 1 for name, count in plain.items())
    assert set(parameters(unit_of(sample=4).ptx).values()) == {4, 1, 5, 3, 0}


def test_accesses_stay_as_written() -> None:
    def accesses(ptx: str, kind: str) -> int:
        lines = re.findall(rf"^\s*(?:@%p\d+ )?{kind}\S*(?<!param)\.[bfus]\d+ ", ptx, re.MULTILINE)
        return sum("param" not in line for line in lines)

    plain, written = unit_of().ptx, unit_of(written=True).ptx
    assert accesses(written, r"ld\.volatile\.global") >= 6
    assert not accesses(plain, r"(?:ld|st)\.volatile\.global")
    assert accesses(written, r"st\.volatile\.global") >= 3
    assert not accesses(written, r"(?:ld|st)\.global")


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that gives launches their counters."""
    headers = cuda_headers()
    directory = tmp_path_factory.mktemp("sets")
    source = Path(__file__).parents[1] / "sets.c"
    arguments = [
        *linker(find_clang()), "-std=gnu11", "-w", f"-I{SOURCES}", f"-I{headers.root / 'include'}",
        str(source), "-lpthread", "-o", str(directory / "sets"),
    ]  # fmt: skip
    subprocess.run(arguments, check=True, timeout=120)
    return directory / "sets"


def launches(program: Path, *arguments: str) -> tuple[list[int], dict[str, int]]:
    """Distances of the launches' sets; the array of each site in each set."""
    done = subprocess.run(
        [program, *arguments], check=True, timeout=60, capture_output=True, text=True
    )
    first, second = done.stdout.splitlines()
    found = dict(part.split("=") for part in second.split())
    return [int(word) for word in first.split()], {k: int(v) for k, v in found.items()}


def test_launches_with_other_arrays_get_other_counters(sets: Path) -> None:
    distances, arrays = launches(sets, "yes", "12", "21", "12", "22", "21")
    # In tables of their own: each has 128 rows of the unit's 40 slots.
    assert distances == [0, TABLE, 0, 2 * TABLE, TABLE]
    assert arrays == {
        "0:0": 1, f"0:{TABLE}": 2, f"0:{2 * TABLE}": 2,
        "1:0": 0, f"1:{TABLE}": 0, f"1:{2 * TABLE}": 2,
        "2:0": 77, f"2:{TABLE}": 77, f"2:{2 * TABLE}": 77,
        "3:0": 0,
    }  # fmt: skip


def test_without_room_launches_share_counters(sets: Path) -> None:
    pairs = [f"{a}{b}" for a in range(1, 5) for b in range(1, 4)]
    distances, arrays = launches(sets, "yes", *pairs, "11", "99")
    assert distances[:5] == [0, TABLE, 2 * TABLE, 3 * TABLE, 4 * TABLE]
    assert set(distances[5:]) == {0, 4 * TABLE}
    assert distances[-2:] == [0, 4 * TABLE]
    assert arrays["0:0"] == 1
    assert arrays[f"0:{4 * TABLE}"] == 0


def test_without_a_parameter_there_is_one_set(sets: Path) -> None:
    distances, arrays = launches(sets, "no", "12", "13")
    assert distances == [0, 0]
    assert (arrays["0:0"], arrays["1:0"], arrays["2:0"]) == (1, 0, 77)
