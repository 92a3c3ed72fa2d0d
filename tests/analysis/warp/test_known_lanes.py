"""Functions of bits lane by lane, against what their definitions give for drawn numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from drano.analysis.warp.transfer.known_lanes import FUNCTIONS, stem
from tests.simulated.builtins import PURE

_NUMBERS = st.integers(0, 2**32 - 1)


@given(_NUMBERS, _NUMBERS, st.integers(0, 31))
def test_as_cuda_defines_them(x: int, y: int, by: int) -> None:
    assert FUNCTIONS["llvm.ctpop"](32, x) == PURE["__popc"][2](x)
    assert FUNCTIONS["llvm.ctlz"](32, x, 0) == PURE["__clz"][2](x)
    assert FUNCTIONS["__nv_ffs"](32, x) == PURE["__ffs"][2](x)
    assert FUNCTIONS["llvm.cttz"](32, x | 1 << by, 0) == PURE["__ffs"][2](x | 1 << by) - 1
    assert FUNCTIONS["llvm.bitreverse"](32, x) == PURE["__brev"][2](x)
    assert FUNCTIONS["llvm.fshl"](32, y, x, by) % 2**32 == PURE["__funnelshift_l"][2](x, y, by)
    assert FUNCTIONS["llvm.fshr"](32, y, x, by) % 2**32 == PURE["__funnelshift_r"][2](x, y, by)
    selector = y & 0x7777
    assert FUNCTIONS["llvm.nvvm.prmt"](32, x, y, selector) == PURE["__byte_perm"][2](x, y, selector)


@given(st.integers(0, 2**32 - 1))
def test_bytes_in_the_other_order(x: int) -> None:
    assert FUNCTIONS["llvm.bswap"](32, x).to_bytes(4, "big") == x.to_bytes(4, "little")


def test_types_are_no_part_of_a_name() -> None:
    assert stem("llvm.ctpop.i32") == "llvm.ctpop"
    assert stem("__nv_popc") == "__nv_popc"
