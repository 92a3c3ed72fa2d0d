"""Kernels that hand values on in shared memory, or ought to."""

from __future__ import annotations

import random

from tests.fix.random_kernels.kernel import Kernel


def padded(name: str, draw: random.Random) -> Kernel:
    """Columns of a tile in shared memory."""
    side = draw.choice([8, 16, 32])
    rows = draw.choice([r for r in (4, 8, 16) if r <= side])
    extra = draw.choice([0, 0, 0, rows])
    trap = extra > 0
    first = draw.choice(["j = 0", f"j = {side - rows}"])
    loop = (
        f"for (int j = 0; j < {side}; j += {rows})"
        if first == "j = 0"
        else f"for (int j = {side - rows}; j >= 0; j -= {rows})"
    )
    value = draw.choice(["in[{0}]", "in[{0}] * 3", "in[{0}] - s"])
    index = f"base + (threadIdx.y + j) * {side} + threadIdx.x"
    write, read = ("[threadIdx.y + j][threadIdx.x]", "[threadIdx.x][threadIdx.y + j]")
    if draw.random() < 0.5:
        write, read = read, write
    # An index beyond a row is an element of the next one: so it must stay.
    last = (
        f"tile[0][threadIdx.x + {extra}]"
        if trap
        else f"tile[threadIdx.y][{side - 1} - threadIdx.x]"
    )
    text = f"""__global__ void {name}(float* out, const float* in, float s) {{
  __shared__ float tile[{side}][{side}];
  int base = blockIdx.x * {side * side};
  {loop}
    tile{write} = {value.format(index)};
  __syncthreads();
  {loop}
    out[{index}] = tile{read};
  __syncthreads();
  out[{4 * side * side} + base + threadIdx.y * {side} + threadIdx.x] = {last};
}}
"""
    call = f"{name}<<<4, dim3({side}, {rows})>>>(out, in, {draw.randint(1, 9)});"
    return Kernel(text, call, "pad-shared-array", trap)


def turned(name: str, draw: random.Random) -> Kernel:
    """A matrix that is turned: one side along columns, with guards before it or around it."""
    columns, rows = draw.choice([(32, 32), (16, 16), (8, 8), (32, 8), (16, 8), (64, 4), (8, 16)])
    loop = columns == 32 and rows == 8 and draw.random() < 0.7
    row = "y + j" if loop else "y"
    width = draw.choice(["w", "w + 3"])
    down, along = f"x * h + {row}", f"({row}) * ({width}) + x"
    stores = draw.random() < 0.6
    value = draw.choice(["V * 3", "V + x", "V - 2.5f", f"V * in[{along if stores else '0'}]"])
    read, write = (along, down) if stores else (down, along)
    step = f"out[{write}] = {value.replace('V', f'in[{read}]')};"
    guard = draw.choice(["if", "return", "nested", "none"])
    if loop and guard == "return":
        guard = "if"
    trap = draw.random() < 0.15
    if trap:  # the thread's own data decide, or it goes on with what it wrote
        step = draw.choice([f"if (in[{along}] > 3) {step}", f"{step} out[{write}] += x;"])
        step = f"{{ {step} }}"
    inside = {
        "if": f"if (x < w && {row} < h) {step}",
        "return": step,
        "nested": f"if (x < w) {{\n    if ({row} < h) {step}\n  }}",
        "none": step,
    }[guard]
    if guard == "return":
        inside = f"if (x >= w || y >= h) return;\n  {inside}"
    if loop:
        inside = f"for (int j = 0; j < 32; j += 8) {{\n    {inside}\n  }}"
    text = f"""__global__ void {name}(float* out, const float* in, int w, int h) {{
  int x = blockIdx.x * {columns} + threadIdx.x;
  int y = blockIdx.y * {32 if loop else rows} + threadIdx.y;
  {inside}
}}
"""
    whole = (2 * columns, 2 * (32 if loop else rows))
    size = whole if guard == "none" else (whole[0] - draw.randint(0, 9), whole[1] - 1)
    call = f"{name}<<<dim3(2, 2), dim3({columns}, {rows})>>>(out, in, {size[0]}, {size[1]});"
    return Kernel(text, call, "transpose-through-tile", trap or size[1] < 16)


def counted(name: str, draw: random.Random) -> Kernel:
    """Counts of what stands in an array, in global memory."""
    bins = draw.choice([16, 64, 100, 256])
    index = f"(unsigned)in[i] % {bins}u"
    if draw.random() < 0.4:
        bins = draw.choice([32, 128])
        index = f"(int)in[i] & {bins - 1}"
    guard = draw.choice(["loop", "loop", "return", "if"])
    add = f"atomicAdd(&counts[{index}], {draw.choice(['1', '2', 'i % 5', '-i'])});"
    trap = draw.random() < 0.25
    if trap:
        add = draw.choice(
            [
                f"int was = {add} if (was < 0) counts[0] = was;",
                f"{add} if (i == 0) atomicMax(&counts[1], 7);",
                f"atomicAdd(&counts[(int)in[i] % {bins}], 1);",
                f"{add} if (counts[2] < 0) return;",
            ]
        )
    body = {
        "loop": "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; "
        f"i += gridDim.x * blockDim.x) {{\n    {add}\n  }}",
        "return": "int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n  " + add,
        "if": f"int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) {{ {add} }}",
    }[guard]
    text = f"""__global__ void {name}(
    int* __restrict__ counts, const float* __restrict__ in, int n) {{
  {body}
}}
"""
    shape = draw.choice(["256", "dim3(64, 4)"])
    call = f"{name}<<<3, {shape}>>>((int*)out, in, {draw.randint(300, 700)});"
    return Kernel(text, call, "privatise-histogram", trap)


def spaced(name: str, draw: random.Random) -> Kernel:
    """Loops through a pointer into shared memory, or into global."""
    width = draw.choice([64, 96, 128])
    index = draw.choice(["k", "(k + threadIdx.x) % W", "threadIdx.x", "k * 2 % W"])
    head = draw.choice(
        ["for (int k = 0; k < L; k++) {", "for (int k = L - 1; k >= 0; k--) {",
         "int k = -1;\n  while (++k < L) {"]
    )  # fmt: skip
    turn = draw.choice(
        ["s += from[{}];", "s = s * 0.5f + from[{}] * from[0];",
         "if (from[{}] < 9) continue;\n    s += from[{}] - k;",
         "if (s > 5000) break;\n    s += fminf(from[{}], 99);"]
    ).replace("{}", index)  # fmt: skip
    between = draw.choice(["", "  int rest = L % 3;\n"])
    use = " + rest" if between else ""
    test = draw.choice(["flag", "flag && L > 3", "blockIdx.x % 2 == 0", "L % 2"])
    behind = ""
    trap = draw.random() < 0.35
    if trap:
        kind = draw.randrange(4)
        if kind == 0:
            behind = "  s += from[1];\n"
        elif kind == 1:
            between += "  L = L / 2 + 1;\n"
        elif kind == 2:
            turn += "\n    __syncwarp();"
        else:
            between += "  tile[W - 1 - threadIdx.x] += 1;\n  __syncthreads();\n"
    shape = draw.choice(["{} : in", "{} : &in[1]", "{} + 0 : in + 3"]).format(
        draw.choice(["tile", "&tile[0]"])
    )
    text = f"""__global__ void {name}(float* out, const float* in, int L, int flag) {{
  const int W = {width};
  __shared__ float tile[W];
  tile[threadIdx.x] = in[blockIdx.x * W + threadIdx.x] + 1;
  __syncthreads();
  float s = threadIdx.x;
  const float* from = {test} ? {shape};
{between}  {head}
    {turn}
  }}
{behind}  out[blockIdx.x * W + threadIdx.x] = s{use};
}}
"""
    length, flag = draw.randrange(1, 60), draw.randrange(2)
    call = f"{name}<<<3, {width}>>>(out, in, {length} + zero, {flag} + zero);"
    return Kernel(text, call, "split-memory-spaces", trap)
