"""``python -m tests.dynamic.fuzz.replays [--count N] [--seed S]``: launches that the host counts.

Random kernels are built as for a GPU, and run with a CUDA run-time library of a device that does
nothing (``idle_cudart.c``): what is then in the profile has been counted by the host, while the
kernel would run. It must be what a run on the CPU counts. No machine code for the GPU is made.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from drano.dynamic.compiler.cc import compile_main
from drano.dynamic.gpu import device_code
from drano.frontend.sdk.headers import cuda_headers
from tests.dynamic.fuzz.__main__ import drawn
from tests.dynamic.fuzz.batch import Run, runs_of, source_of
from tests.dynamic.fuzz.kernel import ARRAYS, ELEMENTS, RESULTS

IDLE = Path(__file__).parents[1] / "idle_cudart.c"
COUNTS = (
    "executions", "active_lanes", "lines", "sectors", "sectors_ideal", "wavefronts",
    "wavefronts_ideal", "conflicts", "shared_executions",
)  # fmt: skip
_SECONDS = 600


class Compared(Struct):
    """``kernels``: how many the host counted; ``sites``: their accesses; ``wrong``: by kernel."""

    kernels: int = 0
    sites: int = 0
    requests: int = 0
    wrong: dict[str, list[str]] = field(default_factory=dict)


def idle_library(directory: Path) -> Path:
    """The directory of a library that stands for CUDA's own."""
    versions = directory / "versions.map"
    versions.write_text("libcudart.so.13 { global: *; };\n")
    subprocess.run(
        ["g++", "-xc", "-w", "-shared", "-fPIC", f"-I{cuda_headers().root / 'include'}", str(IDLE),
         f"-Wl,--version-script={versions}", "-Wl,-soname,libcudart.so.13", "-o",
         str(directory / "libcudart.so.13")],
        check=True,
    )  # fmt: skip
    return directory


@contextmanager
def without_ptxas() -> Iterator[None]:
    """Programs for a GPU without code for it."""
    ptx_of, run_ptxas = device_code.ptx_of, device_code.run_ptxas
    device_code.ptx_of = lambda *_, **__: ""
    device_code.run_ptxas = lambda *_, **__: (b"", "")
    try:
        yield
    finally:
        device_code.ptx_of, device_code.run_ptxas = ptx_of, run_ptxas


def profile_of(program: Path, library: Path | None, *arguments: str) -> dict[str, Any]:
    """What a run of the program has counted; ``library``: where CUDA's is."""
    place = program.with_suffix(".json")
    place.unlink(missing_ok=True)
    environment = {**os.environ, "DRANO_PROFILE": str(place)}
    if library is not None:
        environment["LD_LIBRARY_PATH"] = str(library)
    done = subprocess.run(
        [str(program), *arguments], env=environment, capture_output=True, text=True,
        timeout=_SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(place.read_text())
    return {**found, "said": done.stderr}


def compare(cpu: dict[str, Any], gpu: dict[str, Any]) -> Compared:
    """Site by site, of the kernels that the host has counted."""
    found = Compared()
    on_cpu = {_key(site): site for site in cpu["sites"]}
    by_kernel: dict[str, list[dict[str, Any]]] = {}
    for site in gpu["sites"]:
        by_kernel.setdefault(site["kernel"], []).append(site)
    for kernel, sites in by_kernel.items():
        if not any(site["executions"] for site in sites):
            continue
        found.kernels += 1
        for site in sites:
            other = on_cpu[_key(site)]
            found.sites += 1
            found.requests += site["executions"]
            mine = [site[name] for name in COUNTS]
            theirs = [other[name] for name in COUNTS]
            if mine != theirs:
                found.wrong.setdefault(kernel, []).append(
                    f"{site['line']}:{site['column']} {site['kind']}: {mine}, on the CPU {theirs}"
                )
    return found


def _key(site: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(site[k] for k in ("kernel", "ordinal", "line", "column", "kind", "function"))


def program_of(source: str) -> str:
    """A unit with a host that gives each kernel the same contents."""
    runs = runs_of(source)
    types = [*ARRAYS.values(), *RESULTS.values()]
    lines = ["#include <cstdlib>", source, "int main() {"]
    for number, type_ in enumerate(types):
        lines += [
            f"  static {type_} h{number}[{ELEMENTS}]; {type_} *d{number};",
            f"  for (int i = 0; i < {ELEMENTS}; i++) *(unsigned char *)&h{number}[i] = "
            f"(i * 7 + i / 32 * {number + 3} + i % 5) & 63;",
            f"  cudaMalloc(&d{number}, sizeof h{number});",
        ]
    for run in runs:
        lines += [_launch(run, types)]
    return "\n".join([*lines, "  return cudaDeviceSynchronize() != cudaSuccess;", "}"]) + "\n"


def _launch(run: Run, types: Sequence[str]) -> str:
    fill = " ".join(
        f"cudaMemcpy(d{k}, h{k}, sizeof h{k}, cudaMemcpyHostToDevice);" for k in range(len(types))
    )
    arguments = ", ".join(f"d{k}" for k in range(len(types)))
    x, y, z = run.block
    return (
        f"  {fill}\n  {run.name}<<<{run.grid}, dim3({x}, {y}, {z})>>>({arguments}, {run.n}, "
        f"{run.m}, {run.u}u);"
    )


def check(source: str, directory: Path, library: Path) -> Compared:
    """Build both programs, run them, compare."""
    place = directory / "unit.cu"
    place.write_text(source)
    programs = []
    for device, words in (
        ("gpu", ["--device", "gpu", "-arch=sm_75"]),
        ("cpu", ["--as-written", "-Xptxas", "-O0"]),
    ):
        program = directory / device
        with without_ptxas():
            status = compile_main([*words, "-w", "-O1", str(place), "-o", str(program)])
        assert status == 0
        programs.append(program)
    return compare(profile_of(programs[1], None), profile_of(programs[0], library))


def main() -> int:
    """Exit status 1 when something differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":", 1)[1].strip())
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=25, help="kernels in a translation unit")
    options = parser.parse_args()
    stream = islice(drawn(options.seed), options.count)
    done, started, total = 0, time.monotonic(), Compared()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        library = idle_library(directory)
        while batch := list(islice(stream, options.batch)):
            found = check(program_of(source_of(batch, options.seed)), directory, library)
            done += len(batch)
            total.kernels += found.kernels
            total.sites += found.sites
            total.requests += found.requests
            total.wrong |= {f"{done}: {k}": v for k, v in found.wrong.items()}
            for kernel, problems in found.wrong.items():
                text = batch[int(kernel[kernel.index("k") + 1 :][:3])].text("k")
                print("\n".join([kernel, *problems, text]), flush=True)
            print(
                f"{done} kernels, {total.kernels} counted by the host: {total.sites} accesses, "
                f"{total.requests} requests, {len(total.wrong)} kernels differ; "
                f"{time.monotonic() - started:.0f} s",
                flush=True,
            )
    return int(bool(total.wrong))


if __name__ == "__main__":
    sys.exit(main())
