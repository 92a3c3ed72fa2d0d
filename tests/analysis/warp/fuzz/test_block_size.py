"""No kernel that is proved independent of its block size does anything else in other blocks.

Random kernels are run thread by thread in two launches with equally many threads; contents of
memory depend on the address alone, which is what a kernel without races sees.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar, cast

import numpy as np
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from drano.analysis.blocks.block_size_independence import block_size_independence
from drano.analysis.control_structure import Structure
from drano.ir.model import Atomic, Block, Function, Instruction, Load, PointerType, Store
from tests.analysis.warp.fuzz.harness import read
from tests.analysis.warp.fuzz.programs import Program
from tests.analysis.warp.fuzz.simt import Execution, Inputs
from tests.analysis.warp.fuzz.words import Lanes, Truth, bits_of, mix

T = TypeVar("T")
MORE = os.environ.get("DRANO_FUZZ_EXAMPLES", "")
THREADS = (64, 4)
SHAPES = ((32, 1), (64, 1), (16, 1), (8, 1), (16, 2), (64, 4), (4, 4), (32, 2))
STEPS = 4000
_REGISTER = "call i32 @llvm.nvvm.read.ptx.sreg."


class SteadyProgram(Program):
    """Mostly of global thread numbers and totals; now and then of a bare register."""

    _bare = False
    _one_bare_in = 0

    def _pick(self, options: Sequence[T]) -> T:
        found = super()._pick(options)
        # Lanes that exchange values would all be refused.
        return cast("T", "leaf") if found in {"shuffle", "vote"} else found

    def _value(self, text: str) -> str:
        if not text.startswith(_REGISTER) or self._bare:
            return super()._value(text)
        self._one_bare_in = self._one_bare_in or self._pick((1000, 1000, 8))
        if self._flag(self._one_bare_in):
            return super()._value(text)
        kind, _, axis = text.removeprefix(_REGISTER).removesuffix("()").partition(".")
        axis = "y" if axis == "y" else "x"
        self._bare = True
        try:
            size = self._value(f"{_REGISTER}ntid.{axis}()")
            if kind in {"ntid", "nctaid"} and axis == "x":
                return self._value(f"mul i32 {size}, {self._value(_REGISTER + 'nctaid.x()')}")
            block = self._value(f"{_REGISTER}ctaid.{axis}()")
            thread = self._value(f"{_REGISTER}tid.{axis}()")
            return self._number_of_thread(block, size, thread)
        finally:
            self._bare = False

    def _number_of_thread(self, block: str, size: str, thread: str) -> str:
        if self._flag(3):
            wide = [self._value(f"zext i32 {v} to i64") for v in (block, size, thread)]
            start = self._value(f"mul i64 {wide[0]}, {wide[1]}")
            found = self._value(f"add i64 {wide[2]}, {start}")
            return self._value(f"trunc i64 {found} to i32")
        start = self._value(f"mul{self._pick((' ', ' nsw '))}i32 {block}, {size}")
        if self._flag(3):  # a part of its own, joined later
            factor = self._leaf(32)
            first = self._value(f"mul i32 {start}, {factor}")
            second = self._value(f"mul i32 {thread}, {factor}")
            return self._value(f"add i32 {second}, {first}")
        return self._value(f"add{self._pick((' ', ' nsw '))}i32 {thread}, {start}")

    def _in_shared(self) -> str:
        if self._flag(30):
            return super()._in_shared()
        return self._value(f"addrspacecast ptr {self._element('i32', '')} to ptr addrspace(3)")


@st.composite
def steady_kernels(draw: st.DrawFn) -> str:
    return SteadyProgram(draw).text


class Timeless(Execution):
    """Memory that does not change."""

    @property
    def clock(self) -> int:  # type: ignore[override]  # a counter there, a constant here
        return 0

    @clock.setter
    def clock(self, value: int) -> None:
        del value

    def is_local(self, address: Lanes, mask: Truth) -> bool:
        return self._local.holds(address, mask)


def trace(function: Function, shape: tuple[int, int], seed: int) -> Lanes | None:
    """A number for all that each thread does, by its global number; None for undefined behaviour
    and for what does not come to an end.
    """
    (width, height), (all_x, all_y) = shape, THREADS
    across, down = all_x // width, all_y // height
    warps = -(-width * height // 32)
    linear = np.arange(warps * 32).reshape(1, warps, 32)
    copy = np.arange(across * down).reshape(-1, 1, 1)
    lanes = np.zeros((across * down, warps, 32), dtype=np.int64)
    registers = {
        "tid.x": lanes + linear % width, "tid.y": lanes + linear // width, "tid.z": lanes,
        "ntid.x": lanes + width, "ntid.y": lanes + height,
        "ctaid.x": lanes + copy % across, "ctaid.y": lanes + copy // across,
        "nctaid.x": lanes + across, "laneid": lanes + linear % 32,
    }  # fmt: skip
    random = np.random.default_rng(seed)
    arguments = tuple(
        lanes + 256 * int(random.integers(1, 1 << 30))
        if isinstance(argument.type, PointerType)
        else lanes + int(random.integers(-4, 70))
        for argument in function.args
    )
    valid = np.broadcast_to(linear < width * height, lanes.shape)
    names = {"sh": 1 << 48}
    contents = lanes + int(random.choice([1, 7, 255, 65535]))
    inputs = Inputs(arguments, registers, valid, names, contents, seed)
    done = lanes.copy()

    def observe(instruction: Instruction, block: Block, mask: Truth) -> None:
        nonlocal done
        if not isinstance(instruction, Load | Store | Atomic):
            return
        address = run.scalar(instruction.pointer)
        if run.is_local(address, mask):
            return
        value = lanes
        if isinstance(instruction, Store) and bits_of(instruction.value_type) <= 64:
            value = run.scalar(instruction.value)
        new = mix(done, address ^ mix(value, lanes + 1, lanes), lanes + instruction.index)
        done = np.where(mask, new, done)

    run = Timeless(function, Structure(function), inputs, observe)
    run.run(STEPS)
    if not run.defined.all() or run.alive.any():
        return None
    number = registers["tid.x"] + registers["ctaid.x"] * width
    number += (registers["tid.y"] + registers["ctaid.y"] * height) * all_x
    found = np.zeros(all_x * all_y, dtype=np.int64)
    found[number[valid]] = done[valid]
    return found


@settings(
    max_examples=int(MORE or 150),
    derandomize=not MORE,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large,
                           HealthCheck.filter_too_much],
    report_multiple_bugs=False,
)  # fmt: skip
@given(steady_kernels(), st.sampled_from(SHAPES), st.sampled_from(SHAPES), st.integers(0, 1 << 20))
def test_no_run_refutes_independence(
    text: str, first: tuple[int, int], second: tuple[int, int], seed: int
) -> None:
    module = read(text)
    function = module.functions["kernel"]
    proved = block_size_independence(module, function).proved
    moved = {axis for axis, a, b in zip("xy", first, second, strict=True) if a != b}
    if not moved or not moved <= proved:
        return
    note(text)
    note(f"blocks of {first} and {second}, seed {seed}")
    before, after = trace(function, first, seed), trace(function, second, seed)
    if before is None or after is None:
        return
    assert (before == after).all()
