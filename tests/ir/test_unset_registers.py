"""Registers of an ``asm`` that some lanes have not set: no other lane's value is theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.judgement import Verdict
from drano.run.driver import check

SET = "setp.lt.s32 p, %1, 40;"
CODE = {
    "some lanes": (f"{SET} @p mov.u32 %0, 5;", None),
    "by way of another": (f"{SET} @p mov.u32 t, 5; add.u32 %0, t, 2;", None),
    "no lane": (f"{SET} mov.u32 t, 5;", None),
    "both": (f"{SET} @p mov.u32 %0, 5; @!p mov.u32 %0, 7;", 2),
    "where it is read": (f"mov.u32 %0, 1; {SET} @p mov.u32 t, 5; @p add.u32 %0, t, 2;", 2),
    "before": (f"mov.u32 %0, 7; {SET} @p mov.u32 %0, 5;", 2),
}


@pytest.mark.parametrize("how", CODE)
def test_registers_that_are_not_set_are_unknown(tmp_path: Path, how: str) -> None:
    code, most = CODE[how]
    path = tmp_path / "unit.cu"
    path.write_text(
        "__global__ void k(float* o) {\n  unsigned v;\n"
        f'  asm("{{ .reg .pred p; .reg .u32 t; {code} }}" : "=r"(v) : "r"((int)threadIdx.x));\n'
        "  o[v * 8] = 1;\n}\nint main() { float* o; cudaMalloc(&o, 4096); k<<<1, 64>>>(o); }\n"
    )
    (access,) = check([str(path)]).files[0].accesses
    judgement = access.judgement
    assert (judgement.verdict is Verdict.UNKNOWN) == (most is None)
    assert judgement.sectors is not None
    assert judgement.sectors.maximum == (most or 32)
