"""Launches that the host counts while a GPU would run them: as a run on the CPU counts them."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import pytest

from drano.dynamic.compiler.cc import compile_main
from drano.dynamic.gpu.replay.repeatable import PLAIN, repeatable
from drano.dynamic.gpu.replay.slices import Slice, slice_of
from tests.dynamic.fuzz.__main__ import drawn
from tests.dynamic.fuzz.batch import source_of
from tests.dynamic.fuzz.replays import (
    check,
    compare,
    idle_library,
    profile_of,
    program_of,
    without_ptxas,
)
from tests.dynamic.gpu.test_device_code import kernel, unit_of
from tests.dynamic.gpu.test_repeats import module_of

PROGRAM = Path(__file__).parents[1] / "programs/replays.cu"
ARRAY = ("reads", "writes", "atomics", "sectors")
SEED, COUNT = 5, 8


PARAMETERS = "int *p, int *q, int n, const int *r, const float *f"


def slice_in(body: str, tmp_path: Path, *, flushes: bool = False) -> Slice | None:
    head = "#define G blockIdx.x * blockDim.x + T\n"
    module = module_of(f"{head}__global__ void k({PARAMETERS}) {{ {body} }}\n", tmp_path)
    (kernel,) = module.kernels
    decided = repeatable(module, kernel)
    return None if decided is None else slice_of(module, kernel, decided, flushes=flushes)


@pytest.mark.parametrize(
    ("body", "reads", "writes"),
    [
        ("p[T * n] = q[T] * q[n];", 0, 0),
        ("for (int i = T; i < n; i += 32) p[i] = q[i] > 3 ? 5 : n;", 0, 0),
        ("p[c[0] > 3 ? 1 : 2] = 1;", None, None),
        ("p[T] = c[T & 7] + v[T & 7];", 0, 0),
        ("p[q[T]] = 1;", 1, 0),
        ("p[__popc(q[T])] = (int)(0.5f * q[n]);", 1, 0),
        ("if (q[T] > q[T + 1]) p[T] = 1;", 2, 0),
        ("__shared__ int t[32]; t[T] = T ^ n; __syncthreads(); p[t[31 - T]] = 1;", 0, 0),
        # Its own element only: nobody else reads what it stores.
        ("if (q[G] > 3) { p[T] = 1; q[G] = 0; } if (q[G]) p[n] = 1;", 2, 1),
        ("if (q[T] > 3) { p[T] = 1; q[T] = 0; } if (q[T]) p[n] = 1;", None, None),
        ("if (*q) p[T] = 1; else *q = 1;", None, None),
        # What is stored decides as well, and whether it is.
        ("if (q[G]) p[T] = 1; q[G] = clock();", None, None),
        ("if (q[G]) p[T] = 1; q[G] = clock(); if (q[G]) p[n] = 1;", None, None),
        ("if (q[G]) p[T] = 1; q[G] = r[T]; if (q[G]) p[n] = 1;", 3, 1),
        ("if (q[G]) p[T] = 1; if (r[T] > 3) q[G] = 1; if (q[G]) p[n] = 1;", 3, 1),
        ("int a[16] = {}; a[n & 15] = 3; p[a[T & 15]] = 1;", 0, 0),
        ("__shared__ int t[32]; t[T] = n; p[((long long)&t[T] >> 2) & 31] = 1;", None, None),
        ("if (f[T] > 0.5f) p[T] = 1;", 1, 0),
        ("q[T] = n; p[q[T + 1] & 31] = 1;", None, None),
        ("q[q[T] & 31] = n; p[q[T] & 31] = 1;", None, None),
        ("atomicMax(&q[T], n); p[q[T] & 31] = 1;", None, None),
        # What a GPU may contract, and what lanes give each other.
        ("p[(int)(0.5f * T + 1.25f * n)] = 1;", None, None),
        ("p[__shfl_sync(~0u, T, 3)] = 1;", None, None),
        # Whether a loop without accesses ends must be known.
        ("int a = q[T]; while (a != 1) a = a & 1 ? 3 * a + 1 : a / 2; p[T] = a;", None, None),
        ("for (int i = 0; i < 9; i++) if (q[T] & i) n += i * n; p[T] = n;", 0, 0),
    ],
)
def test_what_is_needed(body: str, reads: int | None, writes: int | None, tmp_path: Path) -> None:
    found = slice_in(body, tmp_path)
    counts = (None, None) if found is None else (len(found.reads), len(found.writes))
    assert counts == (reads, writes)


def test_numbers_that_a_gpu_takes_for_zero_do_not_decide_here(tmp_path: Path) -> None:
    assert slice_in("if (f[T] > 0.5f) p[T] = 1;", tmp_path, flushes=True) is None


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        ("p[(int)__powf(2, n)] = 1;", 1),
        ("p[(int)exp2f(T) + (int)expf(n)] = 1;", 2),
        ("if (T < log2f(16)) p[T] = 1;", 1),
        ("p[(int)__powf(n, 2)] = 1;", None),
        ("p[(int)exp2f(f[T])] = 1;", None),
        ("p[(int)__sinf(n)] = 1;", None),
        ("p[(int)exp2(n)] = 1;", None),
    ],
)
def test_the_gpu_is_asked_for_powers(body: str, asked: int | None, tmp_path: Path) -> None:
    found = slice_in(body, tmp_path)
    assert (None if found is None else len(found.asked)) == asked
    assert asked is None or slice_in(body, tmp_path, flushes=True) is None


def test_what_the_gpu_does_not_answer_it_counts(
    programs: tuple[Path, Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_ANSWERS", "1")
    assert compare(profile_of(programs[0], None), profile_of(*programs[1:])).kernels == 0


def test_memory_that_is_filled_is_filled_here(tmp_path: Path) -> None:
    filled = slice_in("int a[16] = {}; a[n & 15] = 3; p[a[T & 15]] = 1;", tmp_path)
    only = slice_in("int a[16]; a[n & 15] = 3; p[a[T & 15]] = 1;", tmp_path)
    assert filled is not None
    assert only is not None
    assert len(filled.needed) > len(only.needed)


def test_what_decides_nothing_is_left_out(tmp_path: Path) -> None:
    found = slice_in("float a = q[T]; a = a * a + sqrtf(a); p[T] = (int)(a / n);", tmp_path)
    less = slice_in("p[T] = q[T];", tmp_path)
    assert found is not None
    assert less is not None
    assert len(found.needed) == len(less.needed)


def build(tmp_path: Path, *words: str) -> Path:
    program = tmp_path / f"program{len(words)}"
    with without_ptxas():
        assert (
            compile_main([*words, "-Xptxas", "-O0", "-w", "-O1", str(PROGRAM), "-o", str(program)])
            == 0
        )
    return program


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """For the CPU, for a GPU, and the directory of a library that stands for CUDA's."""
    directory = tmp_path_factory.mktemp("replays")
    gpu = build(directory, "--device", "gpu", "-arch=sm_80")
    return build(directory, "--as-written"), gpu, idle_library(directory)


def test_the_host_counts_what_a_run_would(programs: tuple[Path, Path, Path]) -> None:
    cpu, gpu, library = programs
    expected, found = profile_of(cpu, None), profile_of(gpu, library)
    compared = compare(expected, found)
    assert compared.wrong == {}
    assert compared.kernels == 10
    assert found["said"] == ""
    mine, theirs = (
        [(a["name"], *(a[name] for name in ARRAY)) for a in profile["arrays"]]
        for profile in (found, expected)
    )
    assert sorted(mine) == sorted(theirs)


@pytest.mark.parametrize("name", ["DRANO_REPLAY", "DRANO_REPEATS"])
def test_nothing_is_counted_where_it_is_not_wanted(
    programs: tuple[Path, Path, Path], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "0")
    assert compare(profile_of(programs[0], None), profile_of(*programs[1:])).kernels == 0


def test_one_thread_counts_the_same(
    programs: tuple[Path, Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = profile_of(programs[0], None)
    monkeypatch.setenv("DRANO_WORKERS", "1")
    assert compare(expected, profile_of(*programs[1:])).wrong == {}


def test_in_a_sample_are_all_blocks_of_launches_that_the_host_counts(
    programs: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    sampled = build(tmp_path, "--device", "gpu", "-arch=sm_80", "--sample", "1/64")
    found = profile_of(sampled, programs[2])
    compared = compare(profile_of(programs[0], None), found)
    assert compared.wrong == {}
    assert compared.kernels == 10
    counted = [k for k in found["kernels"] if k["launches"] and k["sampled_blocks"]]
    assert len(counted) == 10
    assert all(k["blocks"] == k["sampled_blocks"] for k in counted)


def test_an_index_from_outside_of_its_array_is_not_guessed(
    programs: tuple[Path, Path, Path],
) -> None:
    _, gpu, library = programs
    # A block is tried before the launch: the GPU is left to count it.
    sites = profile_of(gpu, library, "beyond")["sites"]
    assert [s["executions"] for s in sites if "beyond" in s["kernel"]] == [0, 0]


@pytest.mark.parametrize(("how", "counted"), [("alias", 0), ("distinct", 2)])
def test_an_array_by_two_pointers_is_not_two_arrays(
    programs: tuple[Path, Path, Path], how: str, counted: int
) -> None:
    _, gpu, library = programs
    sites = [s for s in profile_of(gpu, library, how)["sites"] if "3twoPi" in s["kernel"]]
    assert max(site["executions"] for site in sites) == counted


def test_a_copy_of_the_process_ends(programs: tuple[Path, Path, Path]) -> None:
    assert profile_of(programs[1], programs[2], "fork")["ended"] == "exit"


OPCODE = re.compile(r"^\t(?:@%\w+ )?(?:bra\.uni|[a-z]\w*(?:\.\w+)*)", re.MULTILINE)


@pytest.mark.parametrize("name", ["replays", "reuse", "loops", "repeats"])
def test_uncounted_kernels_are_those_of_a_build_that_does_not_count(name: str) -> None:
    """Counting their likes beside them must not keep LLVM from anything."""
    source = PROGRAM.with_name(f"{name}.cu")
    with_counts = unit_of(source).ptx
    without = unit_of(source, counted=False, assembled=False).ptx
    found = re.findall(rf"\.entry (\w+){PLAIN}\(", with_counts)
    assert found
    for entry in found:
        mine, theirs = kernel(with_counts, entry + PLAIN), kernel(without, entry)
        assert OPCODE.findall(mine) == OPCODE.findall(theirs), entry


def test_random_kernels(tmp_path: Path) -> None:
    batch = list(islice(drawn(SEED), COUNT))
    found = check(program_of(source_of(batch, SEED)), tmp_path, idle_library(tmp_path))
    assert found.wrong == {}
    assert found.kernels >= COUNT // 3
