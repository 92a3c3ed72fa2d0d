"""Integers by names whose header is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.frontend.headers.integer_names import flags, missed
from tests.conftest import Run

SOURCE = """#include "their/types.h"
using ::uint64;
__global__ void gather(const int32 *index, const uint64 *from, uint64 *to, u32 n) {
    int32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i] + (uint64)index[2 * i];
}
int main() { gather<<<16, 256>>>(nullptr, nullptr, nullptr, 4096); }
"""


def test_they_are_what_they_say(tmp_path: Path, drano: Run) -> None:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    ran = drano("check", path, "--show", "all")
    assert ran.status == 1
    assert "blocks of 256 threads" in ran.stdout
    assert "3 global accesses (2 coalesced, 1 uncoalesced)" in ran.stdout
    assert "took int32, u32, uint64 for the integers that they say" in ran.stderr


def test_without_a_missing_header_the_source_is_wrong(tmp_path: Path, drano: Run) -> None:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE.partition("\n")[2])
    ran = drano("check", path)
    assert ran.status == 2
    assert "not analysed: " in ran.stdout


def test_what_the_project_declares_otherwise_stays(tmp_path: Path, drano: Run) -> None:
    path = tmp_path / "a.cu"
    own = "typedef long long int64;\ntypedef char u8;\n"
    path.write_text(SOURCE.replace("using", f"{own}using"))
    ran = drano("check", path)
    assert ran.status == 1
    assert "took int32, u32, uint64 for" in ran.stderr


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("unknown type name 'int16'; did you mean 'int1'?", ("int16",)),
        ("no member named 'uint8' in the global namespace", ("uint8",)),
        ("use of undeclared identifier 'int32'", ("int32",)),
        ("use of undeclared identifier 'u32'", ()),  # a variable of any type
        ("unknown type name 'ulong'", ("ulong",)),
        ("no member named 'int32' in namespace 'std'", ()),
        ("unknown type name 'int24'", ()),
    ],
)
def test_names_that_clang_misses(message: str, names: tuple[str, ...]) -> None:
    assert missed([message]) == names
    assert len(flags(names)) == (3 if names else 0)
