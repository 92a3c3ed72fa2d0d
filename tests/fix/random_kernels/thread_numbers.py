"""Kernels whose threads, blocks or loops are numbered against the rows."""

from __future__ import annotations

import random

from tests.fix.random_kernels.kernel import Kernel


def dealt(name: str, draw: random.Random) -> Kernel:
    """A stretch of elements for each thread."""
    turns = draw.choice([3, 4, 5, 8, 9])
    limit = draw.choice(["K", str(turns)])
    restrict = draw.choice(["__restrict__ ", "__restrict__ ", ""])
    guard = draw.choice(["", "if (e < n) ", "if (in[e] > 0) "])
    neighbour = draw.random() < 0.25
    value = draw.choice(["in[e] * 2", "in[e] + e", "sqrtf(in[e]) - n"])
    if neighbour:
        value = draw.choice(["in[e] + out[e + 1]", "in[e] + t", "in[e] * k", "in[e ^ 1]"])
    body = draw.choice(
        [
            f"    int e = t * {limit} + k;\n    {guard}out[e] = {value};\n",
            f"    {guard}out[e] = {value.replace('+ e', '+ 1')};\n".replace(
                "[e", "[t * L + k"
            ).replace("(e", "(t * L + k"),
        ]
    ).replace("L", limit)
    text = f"""__global__ void {name}(
    float* {restrict}out, const float* {restrict}in, int K, int n) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < {limit}; k++) {{
{body}  }}
}}
"""
    size = draw.choice([32, 64, 96])
    call = f"{name}<<<{draw.randint(1, 3)}, {size}>>>(out, in, {turns}, {draw.randint(50, 500)});"
    return Kernel(text, call, "stride-across-block", neighbour or not restrict)


def elements(name: str, draw: random.Random) -> Kernel:
    """A loop over the elements of a thread's stretch."""
    turns = draw.choice([2, 3, 7, 8])
    offset = draw.choice(["", " + 5", " + K"])
    more = draw.choice(["in[i] * 2", "in[i] + i", "fabsf(in[i])"])
    text = f"""__global__ void {name}(
    float* __restrict__ out, const float* __restrict__ in, int K) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = t * K{offset}; i < t * K{offset} + K; i++) out[i] = {more};
}}
"""
    return Kernel(text, f"{name}<<<2, 64>>>(out, in, {turns});", "stride-across-block")


def swapped(name: str, draw: random.Random) -> Kernel:
    """Rows by threadIdx.x."""
    side = draw.choice([8, 16, 32])
    shape = draw.choice([f"dim3({side}, {side})", f"dim3({side}, {side // 2})"])
    lanes = draw.random() < 0.2
    warp = "  float w = __shfl_sync(~0u, in[threadIdx.x], 3);\n" if lanes else "  float w = 1;\n"
    text = f"""__global__ void {name}(float* out, const float* in, int n) {{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
{warp}  if (row < n && col < n) out[row * 64 + col] = in[row * 64 + col] * w + col;
}}
"""
    call = f"{name}<<<dim3(2, 2), {shape}>>>(out, in, {draw.randint(20, 60)});"
    return Kernel(text, call, "swap-thread-indices", lanes or f"{side}, {side})" not in shape)


def renumbered(name: str, draw: random.Random) -> Kernel:
    """Rows by threadIdx.x, in blocks that are not square."""
    shape = draw.choice([(32, 8), (16, 8), (8, 16), (64, 4), (32, 16), (4, 32), (24, 8)])
    lanes = draw.random() < 0.15
    shared = draw.random() < 0.3
    warp = "  float w = __shfl_sync(~0u, in[threadIdx.x], 3);\n" if lanes else "  float w = 1;\n"
    size = shape[0] * shape[1]
    own = f"threadIdx.x * {shape[1]} + threadIdx.y"
    exchange = (
        f"  __shared__ float s[{size}];\n  s[{own}] = in[{own}];\n  __syncthreads();\n"
        f"  w += s[{size - 1} - ({own})];\n"
    )
    text = f"""__global__ void {name}(float* out, const float* in, int n) {{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
{warp}{exchange if shared else ""}  if (row < n && col < n)
    out[row * 64 + col] = in[row * 64 + col] * w + col;
}}
"""
    call = f"{name}<<<dim3(2, 2), dim3{shape}>>>(out, in, {draw.randint(20, 60)});"
    return Kernel(text, call, "renumber-threads", lanes or shared)


def reshaped(name: str, draw: random.Random) -> Kernel:
    """Rows along threadIdx.y, in blocks that are narrower than a warp; or along threadIdx.x."""
    width, height = draw.choice([(4, 64), (2, 32), (1, 256), (1, 32), (4, 8), (64, 1), (128, 1)])
    rows, columns = draw.randint(1, 100), draw.randint(1, 60)
    guard = draw.choice(
        [
            "if (x >= columns || y >= rows) return;", "if (y < rows && x < columns)",
            "if (x >= columns) return; if (y >= rows) return;", "if (x < columns) if (rows > y)",
            "if (x <= columns && y < rows)", "if (x < columns + 1 && y < rows)",
            "if (x < columns)", "",
        ]
    )  # fmt: skip
    index = "x * 128 + y" if width > height else "y * 64 + x"
    number = "blockIdx.{0} * blockDim.{0} + threadIdx.{0}"
    if draw.random() < 0.3:
        number = "threadIdx.{0} + (blockDim.{0} * blockIdx.{0})"
    more = draw.choice(["", "", "", " + blockDim.x", " + threadIdx.y % 2", " + (x & 3)"])
    kind = draw.choice(["int", "unsigned", "const int"])
    text = f"""__global__ void {name}(float* out, const float* in, int rows, int columns) {{
  {kind} x = {number.format("x")};
  {kind} y = {number.format("y")};
  {guard}
    out[{index}] = in[{index}] * 3{more} + x;
}}
"""
    r, c, b, g = (f"{variable}_{name}" for variable in "rcbg")
    over = draw.choice([width - 1, width - 1, width])
    grid = draw.choice(
        [
            f"dim3(({c} + {over}) / {width}, ({r} + {height - 1}) / {height})",
            f"dim3(({c} + {b}.x - 1) / {b}.x, ({r} - 1) / {height} + 1)",
            f"dim3({-(-columns // width)}, {-(-rows // height)})",
        ]
    )  # fmt: skip
    given = draw.choice([c, c, c, f"{c} + 1"])
    call = (
        f"int {r} = {rows} + zero, {c} = {columns} + zero; dim3 {b}({width}, {height});\n"
        f"    dim3 {g} = {grid};\n    {name}<<<{g}, {b}>>>(out, in, {r}, {given});"
    )
    return Kernel(text, call, "reshape-block", trap=True)


def interchanged(name: str, draw: random.Random) -> Kernel:
    """A row for each thread, which it writes element by element."""
    guard = draw.choice(["if (row < n)", "return"])
    value = draw.choice(["V * 2", "V + c", "V * s", "sqrtf(V) + row", "V + in[row]"])
    limit = draw.choice(["C", "C - 1", "C + row % 3"])
    trap = draw.random() < 0.25
    step = f"out[row * P + c] = {value.replace('V', 'in[row * P + c]')};"
    if trap:  # a turn needs what another has left
        step = draw.choice(
            [
                f"s += 1; {step}",
                "out[row * P + c] = in[row * P + c] + (c > 0 ? out[row * P + c - 1] : 0);",
                f"{step} if (c == 9) break;",
                f"{step} out[row * P + c + 1] = s;",
            ]
        )
    lines = [f"for (int c = 0; c < {limit}; c++) {{", f"  {step}", "}"]
    if guard == "return":
        lines = ["if (row >= n) return;", *lines]
    else:
        lines = [f"{guard} {{", *("  " + line for line in lines), "}"]
    restrict = draw.choice(["__restrict__ ", ""])
    inner = "\n  ".join(lines)
    text = f"""__global__ void {name}(
    float* {restrict}out, const float* {restrict}in, int P, int C, int n) {{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 1.5f;
  {inner}
}}
"""
    length = draw.randint(33, 70)
    given = f"{length + 3} + zero, {length} + zero, {draw.randint(60, 120)}"
    call = f"{name}<<<2, 64>>>(out, in, {given});"
    return Kernel(text, call, "interchange-loops", trap)
