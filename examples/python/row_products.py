"""A matrix times a vector in Triton, twice: drano check --compile-triton self row_products.py."""

import triton
import triton.language as tl


# drano: triton a=*fp32 x=*fp32 out=*fp32 stride=i32:16 columns=i32:16 ROWS=128
@triton.jit
def one_row_per_thread(a, x, out, stride, columns, ROWS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    total = tl.zeros((ROWS,), dtype=tl.float32)
    for k in range(columns):
        total += tl.load(a + rows * stride + k) * tl.load(x + k)
    tl.store(out + rows, total)


# drano: triton a=*fp32 x=*fp32 out=*fp32 stride=i32:16 columns=i32:16 ROWS=16 BLOCK=128
@triton.jit
def rows_by_block(a, x, out, stride, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    total = tl.zeros((ROWS, BLOCK), dtype=tl.float32)
    for k in range(0, columns, BLOCK):
        at = k + tl.arange(0, BLOCK)
        block = a + rows[:, None] * stride + at[None, :]
        row = tl.load(block, mask=at[None, :] < columns, other=0.0)
        total += row * tl.load(x + at, mask=at < columns, other=0.0)[None, :]
    tl.store(out + rows, tl.sum(total, axis=1))
