"""Numba kernels with what drano is to say of them: in comments at the lines it is said of.

Import it where Numba is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from numba import cuda, float32, from_dtype, types


@cuda.jit
def vector_add(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


@cuda.jit
def column_major(x, out):
    row, column = cuda.grid(2)
    if row < x.shape[0] and column < x.shape[1]:
        value = x[row, column]  # drano: expect[DRN004] "`x[row, column]`"
        out[row, column] = 2 * value  # drano: expect[DRN004] "`out[row, column]`"


@cuda.jit
def row_major(x, out):
    column, row = cuda.grid(2)
    if row < x.shape[0] and column < x.shape[1]:
        out[row, column] = 2 * x[row, column]


@cuda.jit
def transpose(x, out):
    column, row = cuda.grid(2)
    if row < x.shape[0] and column < x.shape[1]:
        out[column, row] = x[row, column]  # drano: expect[DRN004] "`out[column, row]`"


TILE, PADDED = 32, 33


@cuda.jit
def transpose_by_tiles(x, out):
    tile = cuda.shared.array((TILE, PADDED), float32)
    column = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    row = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    if row < x.shape[0] and column < x.shape[1]:
        tile[cuda.threadIdx.y, cuda.threadIdx.x] = x[row, column]
    cuda.syncthreads()
    column = cuda.blockIdx.y * TILE + cuda.threadIdx.x
    row = cuda.blockIdx.x * TILE + cuda.threadIdx.y
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = tile[cuda.threadIdx.x, cuda.threadIdx.y]


@cuda.jit
def transpose_with_conflicts(x, out):
    tile = cuda.shared.array((TILE, TILE), float32)
    column = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    row = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    if row < x.shape[0] and column < x.shape[1]:
        tile[cuda.threadIdx.y, cuda.threadIdx.x] = x[row, column]
    cuda.syncthreads()
    column = cuda.blockIdx.y * TILE + cuda.threadIdx.x
    row = cuda.blockIdx.x * TILE + cuda.threadIdx.y
    if row < out.shape[0] and column < out.shape[1]:
        value = tile[cuda.threadIdx.x, cuda.threadIdx.y]  # drano: expect[DRN101] "`tile["
        out[row, column] = value


@cuda.jit
def stencil(x, out):
    i = cuda.grid(1)
    if 0 < i < x.size - 1:
        out[i] = (x[i - 1] + x[i] + x[i + 1]) / 3


@cuda.jit
def strided(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i * 8]  # drano: expect[DRN001] "`x[i * 8]`"


@cuda.jit
def gather(x, index, out):
    i = cuda.grid(1)
    if i < out.size:
        place = index[i]
        out[i] = x[place]  # drano: expect[DRN003] "`x[place]`"


@cuda.jit
def structures(points, out):
    i = cuda.grid(1)
    if i < out.size:
        x = points[i, 0]  # drano: expect[DRN004] "`points[i, 0]`"
        out[i] = x * x


POINT = from_dtype(np.dtype([("x", np.float32), ("y", np.float32), ("z", np.float32)]))


@cuda.jit
def records(points, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = points[i].x  # drano: expect[DRN001] "`points[i].x`"


@cuda.jit
def grid_stride(x, out):
    i = cuda.grid(1)
    while i < x.size:
        out[i] = x[i] * 3
        i += cuda.gridsize(1)


@cuda.jit
def grid_stride_by_range(x, out):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        out[i] = x[i] * 3


@cuda.jit
def pieces(x, out):
    thread = cuda.grid(1)
    total = float32(0)
    for k in range(64):
        total += x[thread * 64 + k]  # drano: expect[DRN001] "`x[thread * 64 + k]`"
    out[thread] = total


@cuda.jit
def block_sums(x, out):
    shared = cuda.shared.array(256, float32)
    i = cuda.grid(1)
    me = cuda.threadIdx.x
    shared[me] = x[i] if i < x.size else float32(0)
    cuda.syncthreads()
    half = 128
    while half > 0:
        if me < half:
            shared[me] += shared[me + half]
        cuda.syncthreads()
        half //= 2
    if me == 0:
        out[cuda.blockIdx.x] = shared[0]


@cuda.jit
def of_any_stride(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i]  # drano: expect[DRN004] "`x.strides[0]`"


@cuda.jit(device=True)
def fifth(x, i):
    place = i * 5
    return x[place]  # drano: expect[DRN001] "`x[place]`"


@cuda.jit
def calls_a_function(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = fifth(x, i)


@cuda.jit
def histogram(x, counts):
    i = cuda.grid(1)
    if i < x.size:
        place = x[i]
        cuda.atomic.add(counts, place, 1)  # drano: expect[DRN003] "`counts[place]`"


class Case(Struct, frozen=True):
    kernel: Any
    signature: Any
    block: tuple[int, ...] = (256,)

    @property
    def name(self) -> str:
        return self.kernel.py_func.__name__


_ONE, _TWO = "float32[::1]", "float32[:, ::1]"
CASES = (
    Case(vector_add, f"void({_ONE}, {_ONE}, {_ONE})"),
    Case(column_major, f"void({_TWO}, {_TWO})", (32, 8)),
    Case(row_major, f"void({_TWO}, {_TWO})", (32, 8)),
    Case(transpose, f"void({_TWO}, {_TWO})", (32, 8)),
    Case(transpose_by_tiles, f"void({_TWO}, {_TWO})", (32, 32)),
    Case(transpose_with_conflicts, f"void({_TWO}, {_TWO})", (32, 32)),
    Case(stencil, f"void({_ONE}, {_ONE})"),
    Case(strided, f"void({_ONE}, {_ONE})"),
    Case(gather, f"void({_ONE}, int32[::1], {_ONE})"),
    Case(structures, f"void({_TWO}, {_ONE})"),
    Case(records, types.void(POINT[::1], float32[::1])),
    Case(grid_stride, f"void({_ONE}, {_ONE})"),
    Case(grid_stride_by_range, f"void({_ONE}, {_ONE})"),
    Case(pieces, f"void({_ONE}, {_ONE})"),
    Case(block_sums, f"void({_ONE}, {_ONE})"),
    Case(of_any_stride, f"void(float32[:], {_ONE})"),
    Case(calls_a_function, f"void({_ONE}, {_ONE})"),
    Case(histogram, "void(int32[::1], int32[::1])"),
)
