"""Macros for what a function is, whose header is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.frontend.headers.function_qualifiers import missed
from tests.conftest import Run

SOURCE = """#include "their/macros.h"
#pragma once
struct Range {
    HOSTDEVICE_QUALIFIER FORCE_INLINE explicit Range(int n) : n(n) {}
    THEIR_DEVICE_INLINE int at(int i) const { return 2 * i < n ? 2 * i : 0; }
    HOST_QUALIFIER int size() const { return n; }
    int n;
};
THEIR_API void launch(float *v, int n);
GLOBAL_QUALIFIER void spread(Range range, const float *from, float *to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[range.at(i)];
}
int main() { spread<<<16, 256>>>(Range(8192), nullptr, nullptr); }
"""


def test_they_say_what_the_function_is(tmp_path: Path, drano: Run) -> None:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    ran = drano("check", path, "--show", "all")
    assert ran.status == 1
    assert "blocks of 256 threads" in ran.stdout
    assert "2 global accesses (1 coalesced, 1 uncoalesced)" in ran.stdout
    assert "took HOSTDEVICE_QUALIFIER, " in ran.stderr
    assert "and 2 more for the function qualifiers that they say: headers are miss" in ran.stderr


def test_without_a_missing_header_the_source_is_wrong(tmp_path: Path, drano: Run) -> None:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE.partition("\n")[2])
    ran = drano("check", path)
    assert ran.status == 2
    assert "unknown type name 'HOSTDEVICE_QUALIFIER'" in ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("HOSTDEVICEQUALIFIER", "__host__ __device__"),
        ("XGBOOST_DEVICE", "__host__ __device__"),
        ("GPU_CALLABLE", "__host__ __device__"),
        ("THEIR_HD", "__host__ __device__"),
        ("HOST_ONLY_FUNC", "__host__"),
        ("GLOBALQUALIFIER", "__global__"),
        ("CUDA_KERNEL", "__global__"),
        ("FORCEINLINE", "__host__ __device__"),
        ("THEIR_INLINE_FUNCTION", "__host__ __device__"),
        ("LIB_EXPORT", ""),
    ],
)
def test_meanings(name: str, meaning: str) -> None:
    assert missed([f"unknown type name '{name}'"]) == (f"{name}={meaning}",)


@pytest.mark.parametrize(
    "name",
    [
        40 * "HOSTDEV" + "X",
        7 * "HOST_DEV" + "X",
        "Device",
        "DEVICE_COUNT",
        "KERNELS",
        "ADHD",
        "API_RESULT",
        "T",
    ],
)
def test_no_qualifiers(name: str) -> None:
    assert missed([f"unknown type name '{name}'"]) == ()
