"""Launches that take their arguments by an array of addresses."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.translation_unit import Shifted
from tests.host.small_units import first_arguments

BEFORE = """#include <utility>
#include <vector>
__global__ void k(float *a, int n);
void patch(void **a, void *w) { *a = w; }
void go(float *p) { float *q = p + 1; int n = 3; """
LAUNCH = "cudaLaunchKernel((void *)k, dim3(1), dim3(32), args, 0, 0); }"
CHANGED = [
    "void *args[] = {&p, &n}; args[0] = &q; " + LAUNCH,
    "void *args[] = {&p, &n}; void *other = &q; std::swap(args[0], other); " + LAUNCH,
    "void *args[] = {&p, &n}; patch(args, &q); " + LAUNCH,
    "void *args[2]; args[0] = &q; args[1] = &n; " + LAUNCH,
    "std::vector<void *> args{&q, &n}; " + LAUNCH.replace("args", "args.data()"),
    "void *args[] = {&p, &q, &n}; " + LAUNCH.replace("args", "args + 1"),
    "void *args[] = {&q, &n}; cudaLaunchConfig_t c = {}; c.blockDim = 32;"
    "cudaLaunchKernelExC(&c, (const void *)k, args); }",
]  # fmt: skip


@pytest.mark.parametrize("text", CHANGED)
def test_other_addresses(tmp_path: Path, text: str) -> None:
    (argument,) = first_arguments(tmp_path, BEFORE + text)
    assert isinstance(argument, Shifted)
    assert argument.unit == 4


def test_addresses_that_stay(tmp_path: Path) -> None:
    twice = "void *args[] = {&p, &n}; " + LAUNCH[:-1] + LAUNCH
    assert first_arguments(tmp_path, BEFORE + twice) == {None}
    configured = "void *args[] = {&p, &n}; cudaLaunchConfig_t c = {}; c.blockDim = 32;"
    configured += "cudaLaunchKernelExC(&c, (void *)k, args); }"
    assert first_arguments(tmp_path, BEFORE + configured) == {None}
