"""Constructs that need generated code and run-time library together, in one whole program."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from drano.dynamic.compiler.cc import compile_main
from drano.dynamic.profiles.profile import read_profile
from drano.support.errors import IRError

SOURCE = Path(__file__).with_name("programs") / "features.cu"
QUICKLY = ("-Xptxas", "-O0")
"""What a kernel means and what is counted is decided before it is optimised."""


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[str]]]:
    """What the program prints, by the first word of each line."""
    program = tmp_path_factory.mktemp("features") / "program"
    assert compile_main(["-O1", str(SOURCE), "-o", str(program)]) == 0
    environment = {**os.environ, "DRANO_PROFILE": "none"}
    done = subprocess.run(
        [program], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0
    (error,) = done.stderr.splitlines()
    assert "freed memory, 12 bytes into the 16 bytes of malloc in a kernel" in error
    found: dict[str, list[list[str]]] = {}
    for line in done.stdout.splitlines():
        word, *rest = line.split()
        found.setdefault(word, []).append(rest)
    return found


def test_textures(lines: dict[str, list[list[str]]]) -> None:
    fetched, normalised, filtered, cube, buffer = (
        [float(number) for number in row] for row in lines["texture"]
    )
    assert fetched == [1.5 * k for k in range(32)]
    assert normalised == pytest.approx([(k % 16) / 15 for k in range(32)], abs=1e-5)
    # between two texels, the last one of a row with itself
    assert filtered == [1.5 * (k // 8 * 8 + min(k % 8 + 0.5, 7)) for k in range(32)]
    assert cube == [1.5 * (k % 8) for k in range(32)]
    assert buffer == fetched[::-1]


def test_variables_of_both_sides(lines: dict[str, list[list[str]]]) -> None:
    assert lines["variables"] == [["74", str(3 + 16 * (1 + 2 + 3 + 4))]]


def test_calls(lines: dict[str, list[list[str]]]) -> None:
    assert lines["calls"] == [[str((2, 3)[k % 2] * k) for k in range(32)]]


def test_the_heap(lines: dict[str, list[list[str]]]) -> None:
    assert lines["heap"] == [["cudaSuccess", *map(str, range(32))]]
    assert lines["after"] == [["free", "cudaErrorIllegalAddress"]]


@pytest.mark.parametrize(
    ("body", "construct"),
    [
        ("o[0] = tex2DGrad<float>(t, 1, 2, float2(), float2());", "tex.grad"),
        ("o[0] = tex2Dgather<float4>(t, 1, 2).x;", "tld4"),
    ],
)
def test_what_is_not_supported_names_the_users_line(
    body: str, construct: str, tmp_path: Path
) -> None:
    source = tmp_path / "k.cu"
    source.write_text(f"\n__global__ void k(cudaTextureObject_t t, float *o) {{\n  {body}\n}}\n")
    with pytest.raises(IRError) as error:
        compile_main(["-O1", "-c", str(source), "-o", str(tmp_path / "k.o")])
    assert construct in str(error.value)
    assert f"{source}:3:" in str(error.value)


def checked(name: str, directory: Path, *flags: str) -> Path:
    """A program that says what is wrong says that nothing is. Its profile."""
    program, profile = directory / "program", directory / "profile.json"
    words = ["-O1", *QUICKLY, *flags, str(SOURCE.with_name(name)), "-o", str(program)]
    assert compile_main(words) == 0
    environment = {**os.environ, "DRANO_PROFILE": str(profile)}
    done = subprocess.run(
        [program], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("all as it should be\n", "")
    return profile


def stores(profile: Path, name: str, kernel: str) -> dict[str, list[int]]:
    """Sectors of each store of a kernel to global memory, by the text of its line."""
    lines = SOURCE.with_name(name).read_text().splitlines()
    found: dict[str, list[int]] = {}
    for site in read_profile(str(profile)).sites:
        if (
            f"{len(kernel)}{kernel}P" in site.kernel
            and site.kind == "store"
            and site.space == "global"
        ):
            found.setdefault(lines[site.line - 1].strip(), []).append(site.sectors)
    return {line: sorted(counts) for line, counts in found.items()}


def test_layers_cubes_and_surfaces(tmp_path: Path) -> None:
    checked("images.cu", tmp_path)


def test_kernels_launch_kernels(tmp_path: Path) -> None:
    checked("nested.cu", tmp_path, "-rdc=true")


def test_addresses_of_structures_given_by_value(tmp_path: Path) -> None:
    checked("parameters.cu", tmp_path)


def test_products_of_tiles(tmp_path: Path) -> None:
    checked("tiles.cu", tmp_path, "-arch=sm_80")
    checked("tile_shapes.cu", tmp_path, "-arch=sm_80")


def test_matrix_instructions_in_assembly(tmp_path: Path) -> None:
    checked("matrix_assembly.cu", tmp_path, "-arch=sm_90", "-DSTORES=1")


def test_groups_and_scoped_atomics(tmp_path: Path) -> None:
    checked("groups.cu", tmp_path)


@pytest.mark.parametrize("arch", ["sm_75", "sm_90"])
def test_atomic_sums_of_half_numbers(arch: str, tmp_path: Path) -> None:
    checked("halves.cu", tmp_path, f"-arch={arch}")


@pytest.mark.parametrize("arch", ["sm_75", "sm_90"])
def test_copies_past_registers_and_their_barriers(arch: str, tmp_path: Path) -> None:
    checked("copies.cu", tmp_path, f"-arch={arch}")


def test_accesses_under_predicates_of_inline_ptx(tmp_path: Path) -> None:
    """Only the lanes that the predicate lets on access memory, and are counted."""
    profile = checked("predicated.cu", tmp_path, "-arch=sm_90")
    counted = {
        (site.kind, site.line): (site.sectors, site.active_lanes)
        for site in read_profile(str(profile)).sites
        if site.space == "global" and "pieces" in site.kernel
    }
    assert sorted(counted.values()) == [(8, 16), (10, 20), (32, 63)]


def test_assembly_that_computes_its_addresses(tmp_path: Path) -> None:
    profile = checked("assembly.cu", tmp_path)
    assert list(stores(profile, "assembly.cu", "scaled").values()) == [[8]]
    assert list(stores(profile, "assembly.cu", "own_lane").values()) == [[32]]


@pytest.mark.parametrize("view", [[], ["--as-written"]])
def test_results_of_the_library_are_stored_and_counted(view: list[str], tmp_path: Path) -> None:
    profile = checked("results.cu", tmp_path, *view)
    assert stores(profile, "results.cu", "singles") == {
        "sincosf(t * 0.1f, &a[t * 2], &b[t]);": [4, 8],
        "b[t + 32] = frexpf(t + 1.0f, &n[t * 4]);": [4, 16],
        "b[t + 64] = modff(t * 1.5f, &a[64 + t * 8]);": [4, 32],
        "b[t + 96] = remquof(t * 1.5f, 2.0f, &n[128 + t]);": [4, 4],
    }
    assert stores(profile, "results.cu", "doubles") == {
        "sincos(t * 0.1, &a[t * 2], &b[t]);": [8, 16],
        "b[t + 32] = frexp(t + 1.0, &n[t * 4]);": [8, 16],
        "sincospi(t * 0.25, &a[64 + t], &a[96 + t]);": [8, 8],
    }
    assert stores(profile, "results.cu", "local") == {"b[threadIdx.x] = s * s + c * c;": [4]}


def test_units_that_name_no_architecture_do_without_newer_instructions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, program = SOURCE.with_name("barrier.cu"), tmp_path / "program"
    with pytest.raises(IRError, match=r"not supported on the CPU: inline PTX `mma\."):
        compile_main(["-O1", "-arch=sm_90", str(source), "-o", str(program)])
    assert compile_main(["-O1", *QUICKLY, str(source), "-o", str(program)]) == 0
    assert capsys.readouterr().err.rstrip().endswith("; compiled for sm_75")
    done = subprocess.run([program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "passed\n")
