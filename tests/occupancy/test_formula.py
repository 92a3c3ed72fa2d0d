"""The formulas against NVIDIA's own header, compiled by the clang that drano uses."""

from __future__ import annotations

import doctest
import random
import subprocess
from pathlib import Path

import pytest

from drano.frontend.sdk.headers import cuda_headers
from drano.frontend.toolchain import find_clang
from drano.model import gpus
from drano.model.gpus import GPUS, SHARED_PER_BLOCK, Gpu, find_gpu
from drano.occupancy import formula
from drano.occupancy.formula import Need, better_steps, occupancy

PROGRAM = r"""
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "cuda_occupancy.h"
int main(void) {
  int v[11], threads, registers, shared;
  while (scanf("%d %d %d %d %d %d %d %d %d %d %d", v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6,
               v + 7, &threads, &registers, &shared) == 11) {
    struct cudaOccDeviceProp p;
    memset(&p, 0, sizeof p);
    p.computeMajor = v[0], p.computeMinor = v[1], p.maxThreadsPerBlock = 1024;
    p.maxThreadsPerMultiprocessor = v[2], p.regsPerBlock = v[3], p.regsPerMultiprocessor = v[4];
    p.warpSize = 32, p.sharedMemPerBlock = 48 << 10, p.sharedMemPerMultiprocessor = v[5];
    p.numSms = 1, p.sharedMemPerBlockOptin = v[6], p.reservedSharedMemPerBlock = v[7];
    struct cudaOccFuncAttributes a;
    memset(&a, 0, sizeof a);
    a.maxThreadsPerBlock = INT_MAX, a.numRegs = registers, a.sharedSizeBytes = shared / 2;
    a.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    a.maxDynamicSharedSizeBytes = shared - shared / 2, a.numBlockBarriers = 1;
    struct cudaOccDeviceState s = {CACHE_PREFER_NONE, SHAREDMEM_CARVEOUT_DEFAULT};
    struct cudaOccResult r;
    memset(&r, 0, sizeof r);
    int status = cudaOccMaxActiveBlocksPerMultiprocessor(&r, &p, &a, &s, threads,
                                                         shared - shared / 2);
    printf("%d %d\n", status, r.activeBlocksPerMultiprocessor);
  }
  return 0;
}
"""
PER_GPU = 3000


def cases(gpu: Gpu, draw: random.Random) -> list[Need]:
    found = []
    for _ in range(PER_GPU):
        threads = draw.choice((draw.randint(1, 1024), 32 * draw.randint(1, 33)))
        registers = draw.choice((draw.randint(0, 256), 8 * draw.randint(2, 32)))
        edge = gpu.shared // draw.randint(1, 33) + draw.randint(-1200, 200)
        most = gpu.opt_in + draw.choice((-1, 0, 1, 2000))
        shared = draw.choice((0, draw.randint(0, most), edge, SHARED_PER_BLOCK, most))
        found.append(Need(threads, registers, max(0, min(shared, most))))
    return found


@pytest.fixture(scope="module")
def header_says(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("occupancy")
    (directory / "main.c").write_text(PROGRAM)
    clang = find_clang()
    program = directory / "main"
    include = cuda_headers().root / "include"
    command = [clang.path, "-x", "c", "-w", "-O1", f"-I{include}", "main.c", "-o", str(program)]
    subprocess.run(command, cwd=directory, check=True)
    return program


def test_tens_of_thousands_of_needs_are_as_the_header_says(header_says: Path) -> None:
    draw = random.Random(20)
    needs = [(gpu, need) for gpu in GPUS if gpu.major <= 9 for need in cases(gpu, draw)]
    lines = [
        f"{g.major} {g.minor} {g.threads} {g.block_registers} {g.registers} {g.shared} {g.opt_in} "
        f"{g.reserved} {n.threads} {n.registers} {n.shared}\n"
        for g, n in needs
    ]
    answers = subprocess.run(
        [str(header_says)], input="".join(lines), text=True, capture_output=True, check=True
    ).stdout.splitlines()
    assert len(answers) == len(needs) >= 40_000
    different = [
        (gpu.arch, need, answer)
        for (gpu, need), answer in zip(needs, answers, strict=True)
        if answer != f"0 {occupancy(gpu, need).blocks}"
    ]
    assert different == []


@pytest.mark.parametrize("gpu", GPUS, ids=lambda gpu: gpu.arch)
def test_steps_do_as_they_say(gpu: Gpu) -> None:
    draw = random.Random(gpu.arch)
    for need in cases(gpu, draw)[:60]:
        now = occupancy(gpu, need)
        assert 0 <= now.share <= 1
        for step in better_steps(gpu, need):
            assert occupancy(gpu, step.need).share == step.share > now.share
            assert formula.percent(step.share) in step.text


def test_a_step_names_the_least_change() -> None:
    gpu = find_gpu("h100")
    assert gpu is not None
    steps = better_steps(gpu, Need(256, 43, 0))
    assert [step.text for step in steps][:1] == ["use 3 fewer registers (75 %)"]
    assert occupancy(gpu, Need(256, 43, 0)).limiting == ("registers",)
    assert better_steps(gpu, Need(256, 32, 0)) == ()


def test_each_gpu_is_found_by_its_names() -> None:
    for gpu in GPUS:
        for name in (gpu.arch, f"{gpu.major}.{gpu.minor}", *gpu.names):
            assert find_gpu(name) is gpu
            assert find_gpu(name.upper()) is gpu
    assert find_gpu("") is None


def test_doctests() -> None:
    assert doctest.testmod(formula).failed == 0
    assert doctest.testmod(gpus).failed == 0
