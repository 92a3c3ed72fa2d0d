"""Advice: one sentence for each pattern, in the names of the code."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from drano.analysis.explain import advice
from drano.analysis.explain.advice import Facts, advise
from drano.model.access import AccessKind
from drano.model.judgement import Pattern
from drano.model.settings import Config
from drano.run.driver import check_unit

LOAD, STORE, ATOMIC = AccessKind.LOAD, AccessKind.STORE, AccessKind.ATOMIC


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (
            Facts(
                LOAD,
                Pattern.STRIDED,
                "p",
                "p[i].x",
                4,
                28,
                record="Particle",
                field="x",
                members=("x", "y", "id"),
                record_size=28,
            ),
            ["array of `Particle`", "`x`, `y`, `id`", "`x[i]`"],
        ),
        (
            Facts(
                STORE,
                Pattern.STRIDED,
                "p",
                "p[i].pos.x",
                4,
                16,
                record="P",
                field="pos.x",
                members=("pos", "w"),
                record_size=16,
            ),
            ["write the whole `P` at once", "__align__(16)", "`pos_x[i]`"],
        ),
        (
            Facts(STORE, Pattern.COLUMN_MAJOR, "out", pitch="h", slow="x", fast="y", across=True),
            ["swap x and y", "`y`, which is added", "`x`, which is multiplied by `h`"],
        ),
        (
            Facts(
                STORE,
                Pattern.COLUMN_MAJOR,
                "out",
                pitch="h",
                slow="x",
                fast="y",
                across=True,
                partner="in",
                element="double",
            ),
            ["transpose through shared memory", "read `in`", "double tile[32][33]", "write `out`"],
        ),
        (
            Facts(LOAD, Pattern.COLUMN_MAJOR, "a", pitch="n", slow="row", counter="k"),
            ["chunk of `n` elements", "t + threads", "`k` is multiplied"],
        ),
        (
            Facts(LOAD, Pattern.COLUMN_MAJOR, "a", pitch="n", slow="i", fast="column"),
            ["map lanes to `column`", "instead of `i`", "store `a` transposed"],
        ),
        (Facts(LOAD, Pattern.COLUMN_MAJOR, "a", pitch="n", slow="i"), ["`i` is added"]),
        (
            Facts(
                STORE,
                Pattern.COLUMN_MAJOR,
                "c",
                pitch="n",
                slow="row",
                fast="y",
                across=True,
                run=16,
            ),
            ["16 bytes of each row", "stage a tile of `c` in shared memory"],
        ),
        (
            Facts(LOAD, Pattern.STRIDED, "a", stride=16, neighbours=4, element="float"),
            ["4 adjacent elements", "`reinterpret_cast<float4*>(a)[…]`"],
        ),
        (
            Facts(LOAD, Pattern.STRIDED, "a", stride=12, neighbours=3),
            ["3 adjacent elements", "t + threads"],
        ),
        (
            Facts(LOAD, Pattern.STRIDED, "a", stride=64, counter="k"),
            ["chunk of 16 elements", "`k`"],
        ),
        (Facts(LOAD, Pattern.STRIDED, "a", stride=32), ["one in 8 elements of `a`"]),
        (Facts(LOAD, Pattern.STRIDED, stride=32), ["one in 8 elements of the array:"]),
        (Facts(LOAD, Pattern.COLUMN_MAJOR, pitch="n", slow="i"), ["store the array transposed"]),
        (Facts(LOAD, Pattern.DATA_DEPENDENT, "f[…]", index="f[…]"), ["sort `f[…]` so that"]),
        (
            Facts(STORE, Pattern.STRIDED, "a", stride=64, block=(8, 32, 1), wide_enough=True),
            ["at least 32 threads wide", "in a block of 8x32 threads", "4 rows"],
        ),
        (
            Facts(LOAD, Pattern.UNALIGNED, "a", size=8, pitches=("w",)),
            ["`w` to a multiple of 4 elem"],
        ),
        (Facts(LOAD, Pattern.UNALIGNED, "a", shift=-1), ["1 element later"]),
        (Facts(LOAD, Pattern.DATA_DEPENDENT, "x", index="col"), ["sort `col`", "elements of `x`"]),
        (
            Facts(ATOMIC, Pattern.DATA_DEPENDENT, "bins"),
            ["per-block copy of `bins` in shared memory"],
        ),
    ],
)
def test_advice(facts: Facts, said: list[str]) -> None:
    advice = advise(facts)
    assert [part for part in said if part not in advice] == [], advice


@pytest.mark.parametrize(
    "pattern",
    [
        Pattern.UNIFORM,
        Pattern.IRREGULAR,
        Pattern.UNKNOWN,
        Pattern.WIDE,
        Pattern.STRIDED,
        Pattern.COLUMN_MAJOR,
        Pattern.UNALIGNED,
    ],
)
def test_where_nothing_is_known_nothing_is_said(pattern: Pattern) -> None:
    assert advise(Facts(LOAD, pattern)) == ""


def test_doctests() -> None:
    assert doctest.testmod(advice).failed == 0


def test_rules_about_other_things_have_advice_of_their_own(tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text(
        "__global__ void k(float *out, const float *in, const int *at, int n, bool staged) {\n"
        "  __shared__ float tile[256];\n"
        "  tile[threadIdx.x] = in[threadIdx.x];\n"
        "  __syncthreads();\n"
        "  const float *from = staged ? tile : in;\n"
        "  float sum = 0;\n"
        "  for (int j = 0; j < n; j++) sum += from[at[threadIdx.x + j] & 255];\n"
        "  out[threadIdx.x] = sum;\n"
        "}\n"
    )
    found = {f.rule: f.help for f in check_unit(str(source), Config()).findings}
    assert "write a separate loop for each memory space" in found["DRN301"]
    assert "so that neighbouring lanes access neighbouring elements" in found["DRN003"]


def test_this_is_no_name_of_an_array() -> None:
    said = advise(Facts(LOAD, Pattern.DATA_DEPENDENT, "this", index="this"))
    assert said.startswith("sort the indices (or the elements of the data)")
