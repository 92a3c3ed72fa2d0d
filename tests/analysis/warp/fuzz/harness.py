"""One generated kernel: analysed for a block shape, run with many arguments, compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from drano.analysis.access_sites import memory_sites
from drano.analysis.blocks.block_shapes import Dim, shape_of
from drano.analysis.control_structure import Structure
from drano.analysis.thread_layout import layout_of, rows_of
from drano.analysis.warp import WarpState, interpret
from drano.ir.model import Block, Function, Instruction, Module, PointerType
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.access import Launch
from drano.model.settings import MAX_BLOCK, AnalysisOptions, View
from drano.traffic.needs import Need
from tests.analysis.warp.fuzz.claims import Claims
from tests.analysis.warp.fuzz.requests import Requests, Tested
from tests.analysis.warp.fuzz.simt import Execution, Inputs
from tests.analysis.warp.fuzz.words import Lanes, Truth, bits_of, signed

# None: a block of any multiple of 32 threads along x; or a size that is not known.
SHAPES: tuple[Dim | None, ...] = (
    None, (32, 1, 1), (64, 1, 1), (16, 16, 1), (24, 3, 1), (20, 1, 1), (8, 8, 4), (33, 1, 1),
    (7, 5, 2), (128, 1, 1), (32, 4, 1), (1, 64, 1), (48, 2, 1), (4, 4, 1), (16, 2, 2), (256, 1, 1),
    (4, 8, None), (4, 4, None), (16, None, 1), (24, None, 1), (64, None, None), (None, 4, 1),
)  # fmt: skip
STEPS = 300
_ROWS = 64
_ASSUMED_DIMS = (
    (32, 1, 1), (64, 1, 1), (96, 1, 1), (256, 1, 1), (1024, 1, 1), (32, 8, 1), (64, 2, 2),
    (32, 32, 1), (32, 1, 32), (32, 4, 1), (256, 4, 1),
)  # fmt: skip
_EXTREMES = (0, 1, -1, 2, 31, 32, 33, 127, 128, 255, 256, 1000, 1024)


class Case(Struct, frozen=True):
    """A kernel read, with a block shape and the analysis for it."""

    function: Function
    structure: Structure
    run: WarpState
    shape: Dim | None


def read(text: str, view: View = View.WRITTEN) -> Module:
    """The prepared module."""
    return read_module(prepare(text, "fuzz.ll", trusted=True, view=view))


def analysed(module: Module, shape: Dim | None) -> Case:
    """The kernel named ``kernel``, interpreted for a block shape."""
    function = module.functions["kernel"]
    structure = Structure(function)
    launch = shape_of(shape) if shape is not None else None
    layout = layout_of(launch or Launch((32, 1, 1), assumed=True))
    run = interpret(WarpState(module, function, structure, layout, AnalysisOptions()))
    return Case(function, structure, run, shape)


def check(text: str, shape: Dim | None, seed: int, view: View = View.WRITTEN) -> Tested:
    """Raise ``UnsoundError`` when a run refutes the analysis; of compiled code NotImplementedError
    where the optimiser has made of it what is not simulated.
    """
    case = analysed(read(text, view), shape)
    inputs = draw_inputs(case, seed)
    sites = tuple(memory_sites(case.function))
    claims: list[Claims] = []

    def meets(needs: tuple[Need, ...]) -> Truth:
        return claims[0].meets(needs)

    requests = Requests(case.run, sites, meets)
    by_instruction = {n: site for site in sites for n in site.instructions}

    def observe(instruction: Instruction, block: Block, mask: Truth) -> None:
        claims[0].observe(instruction, block, mask)
        site = by_instruction.get(instruction.index)
        if site is not None:
            requests.note(site, execution.address, mask)

    execution = Execution(case.function, case.structure, inputs, observe)
    claims.append(Claims(case.run, execution))
    execution.run(STEPS)
    return requests.check(execution.defined)


# --- inputs ----------------------------------------------------------------------------------


def draw_inputs(case: Case, seed: int) -> Inputs:
    """Arguments, block indices and memory for every copy."""
    random = np.random.default_rng(seed)
    x, y, z = case.shape or (None, None, None)
    if x is None:
        dims = [d for d in _ASSUMED_DIMS if y in {None, d[1]} and z in {None, d[2]}]
        registers, valid = _assumed(random, dims)
    elif y is None or z is None:
        registers, valid = _open(random, (x, y, z))
    else:
        registers, valid = _known(random, (x, y, z))
    shape = valid.shape
    copies = shape[0]
    arguments = []
    for argument in case.function.args:
        if isinstance(argument.type, PointerType):
            values = random.integers(1, 1 << 39, copies) * 256
        else:
            values = _integers(random, copies, bits_of(argument.type))
        arguments.append(_spread(values, shape))
    contents = random.choice([0, 1, 3, 7, 255, 65535, -1], copies)
    return Inputs(
        tuple(arguments),
        registers,
        valid,
        {name: (1 << 48) + 16 * n * 1021 for n, name in enumerate(case.run.module.globals)},
        _spread(contents, shape),
        seed,
    )


def _spread(values: np.ndarray, shape: tuple[int, ...]) -> Lanes:
    """One value per copy, in all its lanes."""
    return np.ascontiguousarray(np.broadcast_to(values.astype(np.int64).reshape(-1, 1, 1), shape))


def _integers(random: np.random.Generator, count: int, bits: int) -> np.ndarray:
    """Mostly small numbers, some at the ends of the range, some anything."""
    small = random.integers(0, 12, count)
    round_ = random.choice(_EXTREMES, count)
    lowest = -(1 << (bits - 1))
    ends = random.choice([lowest, lowest + 1, -(lowest + 1), -(lowest + 2)], count)
    wide = random.integers(-(1 << 63), (1 << 63) - 1, count, dtype=np.int64)
    medium = random.integers(-(1 << 20), 1 << 20, count)
    kind = random.integers(0, 10, count)
    chosen = np.select(
        [kind < 4, kind < 6, kind < 7, kind < 8], [small, round_, ends, medium], wide
    )
    return signed(chosen.astype(np.int64), bits)


def _grid(random: np.random.Generator, dims: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Grid sizes and block indices of one axis: fewer than 2**31 threads."""
    count = len(dims)
    most = ((1 << 31) - 1 - 1024) // dims
    size = np.minimum(
        random.choice([1, 2, 3, 8, 64, 1000, 65535, 1 << 30], count), np.maximum(most, 1)
    )
    index = np.select(
        [random.integers(0, 3, count) < 2], [random.integers(0, 4, count)],
        random.integers(0, 1 << 31, count),
    )  # fmt: skip
    last = random.integers(0, 5, count) == 0
    return size, np.where(last, size - 1, index % size)


def _finish(
    random: np.random.Generator,
    tid: list[Lanes],
    dims: np.ndarray,
    lane: Lanes,
    shape: tuple[int, ...],
) -> dict[str, Lanes]:
    registers = {"laneid": lane, "warpsize": np.full(shape, 32, dtype=np.int64)}
    for n, axis in enumerate("xyz"):
        size, index = _grid(random, dims[:, n])
        if n:
            size = np.minimum(size, 65535)
            index = index % size
        registers[f"tid.{axis}"] = np.ascontiguousarray(np.broadcast_to(tid[n], shape))
        registers[f"ntid.{axis}"] = _spread(dims[:, n], shape)
        registers[f"ctaid.{axis}"] = _spread(index, shape)
        registers[f"nctaid.{axis}"] = _spread(size, shape)
    return registers


def _known(
    random: np.random.Generator, block: tuple[int, int, int]
) -> tuple[dict[str, Lanes], Truth]:
    threads = block[0] * block[1] * block[2]
    warps = -(-threads // 32)
    copies = max(6, _ROWS // warps)
    shape = (copies, warps, 32)
    linear = np.arange(warps * 32, dtype=np.int64).reshape(warps, 32)
    tid = [
        linear % block[0],
        linear // block[0] % block[1],
        linear // (block[0] * block[1]),
    ]
    lane = np.broadcast_to(np.arange(32, dtype=np.int64), shape).copy()
    dims = np.tile(np.array(block, dtype=np.int64), (copies, 1))
    valid = np.broadcast_to(linear < threads, shape).copy()
    return _finish(random, tid, dims, lane, shape), valid


def _open(random: np.random.Generator, block: Dim) -> tuple[dict[str, Lanes], Truth]:
    """A group of rows of blocks whose sizes vary from copy to copy."""
    axis, row, period = rows_of(block)
    warps = row * period // 32
    copies = max(6, _ROWS // warps)
    shape = (copies, warps, 32)
    deep = block[2] or 1
    most = min(1024 // (row * deep), MAX_BLOCK[axis]) // period
    groups = random.integers(1, most + 1, copies)
    group = random.integers(0, 1 << 20, copies) % groups
    dims = np.tile(np.array([size or 1 for size in block], dtype=np.int64), (copies, 1))
    dims[:, axis] = groups * period
    linear = np.broadcast_to(np.arange(warps * 32, dtype=np.int64).reshape(warps, 32), shape)
    inner = linear % row
    tid = [inner % dims[0, 0], inner // dims[0, 0], np.zeros(shape, dtype=np.int64)]
    tid[axis] = linear // row + _spread(group * period, shape)
    lane = np.broadcast_to(np.arange(32, dtype=np.int64), shape).copy()
    return _finish(random, tid, dims, lane, shape), np.ones(shape, dtype=np.bool_)


def _assumed(
    random: np.random.Generator, blocks: Sequence[tuple[int, int, int]]
) -> tuple[dict[str, Lanes], Truth]:
    copies = _ROWS
    shape = (copies, 1, 32)
    dims = np.array(blocks, dtype=np.int64)[random.integers(0, len(blocks), copies)]
    lane = np.broadcast_to(np.arange(32, dtype=np.int64), shape).copy()
    thread = [random.integers(0, 1 << 20, copies) % dims[:, n] for n in range(3)]
    tid = [
        _spread(thread[0] // 32 * 32, shape) + lane, _spread(thread[1], shape),
        _spread(thread[2], shape),
    ]  # fmt: skip
    return _finish(random, tid, dims, lane, shape), np.ones(shape, dtype=np.bool_)
