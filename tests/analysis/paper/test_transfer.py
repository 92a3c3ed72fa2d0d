"""What an instruction does that the paper's domain has no function for: its result is unknown."""

from __future__ import annotations

import pytest

from drano.analysis.paper.transfer import TRANSFER
from drano.ir.model import Freeze
from tests.analysis.paper.states import module_of, stores

KERNEL = """
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %frozen = freeze i32 %t
  %wide = zext i32 %frozen to i64
  %place = getelementptr float, ptr %out, i64 %wide
  store float 1.0, ptr %place
  ret void
}
"""


def test_what_has_no_function_is_unknown_and_not_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(TRANSFER, Freeze)
    assert stores(module_of(KERNEL), "k") == ["⊤ | ⊤ | flagged"]
