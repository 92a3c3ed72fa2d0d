"""Triton kernels with what is expected of them: each line says its findings, as in ``tests/cases``.

``CASES`` has the signatures with which each kernel is compiled.
"""

# ruff: noqa: N803 - constants of a kernel are written so

from __future__ import annotations

from typing import Any

import triton
import triton.language as tl
from msgspec import Struct, field


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(x + offsets, mask=mask) + tl.load(y + offsets, mask=mask), mask)


@triton.jit
def strided(x, out, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + offsets * 32)  # drano: expect[DRN001] "512 bytes"
    tl.store(out + offsets, value)


@triton.jit
def softmax(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    value = tl.load(x + row * stride + offsets, mask=mask, other=-float("inf"))
    value = tl.exp(value - tl.max(value, axis=0))
    tl.store(out + row * stride + offsets, value / tl.sum(value, axis=0), mask=mask)


@triton.jit
def softmax_of_any_width(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    value = tl.load(  # drano: expect[DRN001] "num_warps=16"
        x + row * stride + offsets,
        mask=mask,
        other=-float("inf"),
    )
    value = tl.exp(value - tl.max(value, axis=0))
    total = value / tl.sum(value, axis=0)
    tl.store(out + row * stride + offsets, total, mask=mask)  # drano: expect[DRN001] "16 bytes"


@triton.jit
def matmul(
    a, b, c, k, stride_a, stride_b, stride_c,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, K)
    at_a = a + rows[:, None] * stride_a + inner[None, :]
    at_b = b + inner[:, None] * stride_b + columns[None, :]
    total = tl.zeros((M, N), dtype=tl.float32)
    for _ in range(0, k, K):
        total += tl.dot(tl.load(at_a), tl.load(at_b))
        at_a += K
        at_b += K * stride_b
    tl.store(c + rows[:, None] * stride_c + columns[None, :], total.to(tl.float16))


@triton.jit
def layer_norm(x, y, weight, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * stride + columns, mask=columns < n, other=0.0)
    mean = tl.sum(total, axis=0) / n
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        mask = columns < n
        value = tl.load(x + row * stride + columns, mask=mask, other=0.0)
        scale = tl.load(weight + columns, mask=mask, other=0.0)
        tl.store(y + row * stride + columns, (value - mean) * scale, mask=mask)


@triton.jit
def row_sums(x, out, n, stride, ROWS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    total = tl.zeros((ROWS,), dtype=tl.float32)
    for k in range(n):
        total += tl.load(x + rows * stride + k)  # drano: expect[DRN004] "`stride`"
    tl.store(out + rows, total)


@triton.jit
def transpose(x, out, m, n, B: tl.constexpr):
    rows = tl.program_id(0) * B + tl.arange(0, B)
    columns = tl.program_id(1) * B + tl.arange(0, B)
    block = tl.load(x + rows[:, None] * n + columns[None, :])
    tl.store(out + rows[:, None] + columns[None, :] * m, block)


@triton.jit
def transpose_by_rows(x, out, n, B: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.program_id(1) * B + tl.arange(0, B)
    line = tl.load(x + row * n + columns)
    tl.store(out + columns * 1024 + row, line)  # drano: expect[DRN001] "4096 bytes"


@triton.jit
def gather(x, index, out, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    places = tl.load(index + offsets)
    value = tl.load(x + places)  # drano: expect[DRN003] "x + places"
    tl.store(out + offsets, value)


@triton.jit
def gather_rows(x, index, out, ROWS: tl.constexpr, WIDTH: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    columns = tl.arange(0, WIDTH)
    places = tl.load(index + rows)
    block = tl.load(x + places[:, None] * WIDTH + columns[None, :])
    tl.store(out + rows[:, None] * WIDTH + columns[None, :], block)


@triton.jit
def attention(q, k, v, out, stride, n, D: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    inner = tl.arange(0, D)
    queries = tl.load(q + rows[:, None] * stride + inner[None, :])
    total = tl.zeros((M, D), dtype=tl.float32)
    largest = tl.full((M,), -float("inf"), dtype=tl.float32)
    weights = tl.zeros((M,), dtype=tl.float32)
    for start in range(0, n, N):
        others = start + tl.arange(0, N)
        keys = tl.load(k + others[None, :] * stride + inner[:, None])
        values = tl.load(v + others[:, None] * stride + inner[None, :])
        scores = tl.dot(queries, keys)
        new = tl.maximum(largest, tl.max(scores, 1))
        shares = tl.exp(scores - new[:, None])
        shrink = tl.exp(largest - new)
        total = total * shrink[:, None] + tl.dot(shares.to(tl.float16), values)
        weights = weights * shrink + tl.sum(shares, 1)
        largest = new
    tl.store(
        out + rows[:, None] * stride + inner[None, :],
        (total / weights[:, None]).to(tl.float16),
    )


@triton.jit
def structures(points, out, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(points + offsets * 4)  # drano: expect[DRN001] "32 bytes"
    y = tl.load(points + offsets * 4 + 1)  # drano: expect[DRN001] "32 bytes"
    tl.store(out + offsets, x * x + y * y)


@triton.jit
def histogram(x, counts, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    bins = tl.load(x + offsets, mask=mask)
    tl.atomic_add(counts + bins, 1, mask=mask)  # drano: expect[DRN003] "counts + bins"


class Case(Struct, frozen=True):
    kernel: Any
    signature: dict[str, str]
    constexprs: dict[str, object]
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.kernel.fn.__name__


_ROWS = {"x": "*fp32", "out": "*fp32", "stride": "i32:16"}
_HALF = dict.fromkeys("qkv", "*fp16")
CASES = (
    Case(add, {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32:16"}, {"BLOCK": 1024}),
    Case(strided, {"x": "*fp32", "out": "*fp32"}, {"BLOCK": 1024}),
    Case(softmax, _ROWS | {"columns": "i32:16"}, {"BLOCK": 1024}),
    Case(softmax_of_any_width, _ROWS | {"columns": "i32"}, {"BLOCK": 1024}),
    Case(
        matmul,
        {"a": "*fp16", "b": "*fp16", "c": "*fp16", "k": "i32:16", "stride_a": "i32:16",
         "stride_b": "i32:16", "stride_c": "i32:16"},
        {"M": 64, "N": 64, "K": 32},
    ),
    Case(
        layer_norm,
        {"x": "*fp32", "y": "*fp32", "weight": "*fp32", "stride": "i32:16", "n": "i32:16"},
        {"BLOCK": 512},
    ),
    Case(row_sums, {"x": "*fp32", "out": "*fp32", "n": "i32", "stride": "i32"}, {"ROWS": 128}),
    Case(
        transpose, {"x": "*fp32", "out": "*fp32", "m": "i32:16", "n": "i32:16"}, {"B": 32}
    ),
    Case(transpose_by_rows, {"x": "*fp32", "out": "*fp32", "n": "i32:16"}, {"B": 128}),
    Case(gather, {"x": "*fp32", "index": "*i32", "out": "*fp32"}, {"BLOCK": 128}),
    Case(
        gather_rows, {"x": "*fp32", "index": "*i64", "out": "*fp32"}, {"ROWS": 16, "WIDTH": 128}
    ),
    Case(
        attention, _HALF | {"out": "*fp16", "stride": "i32:16", "n": "i32"},
        {"D": 64, "M": 64, "N": 32},
    ),
    Case(structures, {"points": "*fp32", "out": "*fp32"}, {"BLOCK": 256}),
    Case(histogram, {"x": "*i32", "counts": "*i32", "n": "i32:16"}, {"BLOCK": 128}),
)  # fmt: skip
