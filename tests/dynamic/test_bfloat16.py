"""The run-time library's conversions to bfloat16: rounded once, as processors that have them do."""

from __future__ import annotations

import ctypes
import math
import struct
import subprocess
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from drano.dynamic.cpu.runtime_library import SOURCES
from drano.frontend.toolchain import find_clang

WRAPPED = """
#include "halves.c"
static unsigned short raw(__bf16 value) { unsigned short r; memcpy(&r, &value, 2); return r; }
unsigned short of_float(float value) { return raw(__truncsfbf2(value)); }
unsigned short of_double(double value) { return raw(__truncdfbf2(value)); }
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("halves")
    (folder / "wrapped.c").write_text(WRAPPED)
    made = folder / "wrapped.so"
    flags = ["-shared", "-fPIC", "-O1", f"-I{SOURCES}"]
    subprocess.run([find_clang().path, *flags, str(folder / "wrapped.c"), "-o", made], check=True)
    found = ctypes.CDLL(str(made))
    found.of_float.argtypes, found.of_double.argtypes = [ctypes.c_float], [ctypes.c_double]
    found.of_float.restype = found.of_double.restype = ctypes.c_ushort
    return found


def value_of(bits: int) -> float:
    (value,) = struct.unpack("<f", struct.pack("<I", bits << 16))
    return float(value)


def nearest(value: float) -> int:
    """By exact distances to all that it may be, an infinity taken for the power behind the last."""
    sign = 0x8000 if math.copysign(1, value) < 0 else 0
    if math.isinf(value):
        return sign | 0x7F80
    size = Fraction(abs(value))
    low, high = 0, 0x7F80
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if Fraction(value_of(middle)) <= size else (low, middle)
    above = Fraction(2) ** 128 if high == 0x7F80 else Fraction(value_of(high))
    below = Fraction(value_of(low))
    even = low if low % 2 == 0 else high
    up, down = above - size, size - below
    return sign | (low if down < up else high if up < down else even)


@given(st.floats(width=32, allow_nan=False))
@example(1 + 2**-8)
@example(1 + 3 * 2**-8)
def test_floats(library: ctypes.CDLL, value: float) -> None:
    assert library.of_float(value) == nearest(value)


@given(st.floats(allow_nan=False) | st.floats(width=32, allow_nan=False))
@example(1 + 2**-8 + 2**-40)
@example(-1 - 3 * 2**-8 + 2**-40)
@example(3.4e38)
@example(1e-45)
def test_doubles(library: ctypes.CDLL, value: float) -> None:
    assert library.of_double(value) == nearest(value)


def test_what_is_no_number(library: ctypes.CDLL) -> None:
    for convert in (library.of_float, library.of_double):
        assert math.isnan(value_of(convert(math.nan)))
