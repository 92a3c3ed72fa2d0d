"""Random kernels by kind: each with a defect that an edit of the catalogue mends, or with a trap
that must keep the edit from being made, or from being called safe.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Kernel:
    """``text``: with its types; ``call``: statements of ``main`` with ``in``, ``out`` of ``SIZE``
    floats each; ``edit``: that mends it, ``trap``: what is in the way.
    """

    text: str
    call: str
    edit: str
    trap: bool = False


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


def aligned(name: str, draw: random.Random) -> Kernel:
    """Members of a structure, read one by one."""
    count = draw.choice([2, 4])
    members = [f"m{k}" for k in range(count)]
    types = [draw.choice(["float", "float", "int", "unsigned"]) for _ in members]
    fields = " ".join(f"{t} {m};" for t, m in zip(types, members, strict=True))
    uses = draw.sample(members, draw.randint(2, count))
    total = " + ".join(f"p[i].{m}" for m in uses)
    store = draw.random() < 0.4
    trap = draw.random() < 0.2
    write = "".join(f" p[i].{m} = p[i].{m} + {k + 1};" for k, m in enumerate(members))
    given = f"({name}_type*)(in{' + 1' if trap else ''})"
    text = f"""struct {name}_type {{ {fields} }};
__global__ void {name}(float* out, {name}_type* p, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {{
    out[i] = {total};{write if store else ""}
  }}
}}
"""
    if trap:
        call = f"{name}<<<3, 128>>>(out, {given}, 300);"
    else:
        call = (
            f"{{ {name}_type* p; cudaMalloc(&p, 512 * sizeof({name}_type));\n"
            f"    cudaMemcpy(p, in, 512 * sizeof({name}_type), cudaMemcpyDeviceToDevice);\n"
            f"    {name}<<<3, 128>>>(out, p, 300); cudaFree(p); }}"
        )
    return Kernel(text, call, "align-structure", trap)


def split(name: str, draw: random.Random) -> Kernel:
    """An array of structures, of which each thread uses some members of its own elements."""
    types = ["float", "float", "int", "unsigned char", "double", "float*", "short"]
    members = [f"m{k}" for k in range(draw.randint(3, 6))]
    kinds = [draw.choice(types) for _ in members]
    counts = [draw.choice([0, 0, 0, 2, 3]) for _ in members]
    fields = "".join(
        f" {kind} {m}{f'[{count}]' if count else ''};"
        for kind, m, count in zip(kinds, members, counts, strict=True)
    )
    numbers = [
        m + (f"[{draw.randrange(count)}]" if count else "")
        for kind, m, count in zip(kinds, members, counts, strict=True) if kind != "float*"
    ] or ["none"]  # fmt: skip
    one, two = draw.choice(numbers), draw.choice(numbers)
    index = draw.choice(["i", "i", "i + 1", "n - 1 - i", "i ^ 1", "idx"])
    use = draw.choice(
        [
            f"p[i].{one} = p[{index}].{two} + 1;",
            f"p[i].{one} += q[{index}].{two} * 2;",
            f"T& e = p[{index}];\n    e.{one} = e.{two} - 3;",
            f"const T* e = &q[{index}];\n    p[i].{one} = e->{two};",
            f"T e = q[{index}];\n    e.{one} += e.{two};\n    p[i] = e;",
        ]
    )
    trap = draw.random() < 0.25
    if trap:
        use = draw.choice(
            [
                f"T* e = p + i;\n    e->{one} = 3;",
                f"p[i].{one} = p[i].{two};\n    ((char*)p)[sizeof(T) * i + 1] = 7;",
                f"p[i].{one} = ((const T*)q)[i].{two};",
                f"int at = i;\n    p[at++].{one} = at;",
            ]
        )
    where = draw.choice(["int", "unsigned", "size_t", "long"])
    text = f"""struct {name}_type {{{fields} }};
__global__ void {name}({name}_type* p, const {name}_type* q, float* out, int n) {{
  {where} i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {{
    const int idx = (i * 37 + 11) % n;
    {use.replace("T", f"{name}_type").replace(f"size{name}", "sizeT")}
    out[i] = q[i].{one};
  }}
}}
"""
    size = draw.choice([f"N * sizeof({name}_type)", "bytes"])
    part = draw.choice(["", "", f" - 3 * sizeof({name}_type)"])
    back = f"(N{' - 3' if part else ''}) * sizeof({name}_type)"
    other = draw.choice(["p", "r"])
    call = f"""{{ const int N = {draw.randint(90, 300)}; size_t bytes = N * sizeof({name}_type);
    static {name}_type hp[N]; {name}_type *p, *r;
    for (int i = 0; i < (int)bytes; i++) ((unsigned char*)hp)[i] = i % 7 == 3 ? 1 : 0;
    for (int i = 0; i < N; i++) hp[i].{one} = i % 91;
    cudaMalloc(&p, {size}); cudaMalloc((void**)&r, {size});
    cudaMemcpy(p, hp, {size}, cudaMemcpyHostToDevice);
    cudaMemcpy(r, hp, {size}, cudaMemcpyHostToDevice);
    cudaMemcpy(r, hp, {back}, cudaMemcpyHostToDevice);
    {name}<<<3, 128>>>(p, {other}, out, N - 1);
    cudaMemcpy(hp, p, {back}, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i += 11) printf("%g\\n", (double)hp[i].{one} + hp[i].{two});
    cudaFree(p); cudaFree(r); }}"""
    if numbers == ["none"]:
        return aligned(name, draw)
    return Kernel(text, call, "split-structure", trap or index == "idx")


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


def widened(name: str, draw: random.Random) -> Kernel:
    """A row of an array for each thread, of any length and at any place."""
    length = draw.choice([0, 1, 3, 4, 5, 8, 30, 31, 32, 33, 64])
    stride = draw.choice([length, length, 33, 36, 64])
    stride = max(stride, length)
    place = draw.choice(["x[i]", "in[t * C + i]", "x[i]"])
    step = draw.choice(
        [
            "s += X;", "s = s * 0.5f + X;", "s = fmaxf(s, X - i);", "if (X > s) s = X;",
            "float d = X - s; s += d * d * 0.01f;", "s += X * X;", "s += X * i; u++;",
            "s += X; out[t] = s;", "if (X > 9) continue; s += X;", "if (i == 7) break; s += X;",
            "if (i & 1) s += X;", "s += X + in[i];",
        ]
    )  # fmt: skip
    safe = not any(word in step for word in ("out", "continue", "break", "& 1"))
    limit, sign = draw.choice([("L", "<"), ("L - 1", "<="), (str(length), "<")])
    text = f"""__global__ void {name}(float* out, const float* in, int C, int L, int n) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  const float* x = in + t * C;
  float s = 0;
  int u = 0;
  for (int i = 0; i {sign} {limit}; i++) {{
    {step.replace("X", place)}
  }}
  out[t] = s + u;
}}
"""
    shift = draw.choice(["", "", " + 1", " + 2", " + 4"])
    # Numbers that the analysis of the host's code does not learn.
    given = f"{stride} + zero, {length} + zero"
    block = "dim3(64 + zero, 1 + zero)"
    call = f"{name}<<<3, {block}>>>(out, in{shift}, {given}, {draw.randint(100, 180)});"
    return Kernel(text, call, "widen-loop-reads", not safe or length < 4)


def written(name: str, draw: random.Random) -> Kernel:
    """A row of an array for each thread, which a loop writes, and may read."""
    length = draw.choice([1, 3, 4, 5, 8, 31, 32, 33, 64])
    stride = max(draw.choice([length, length, 33, 36, 64]), length)
    steps = [
        "o[i] = X * 2 + s;", "o[i] += X;", "o[i] = o[i] * 3 + i;", "o[i] = s;", "o[i]++;",
        "o[i] = 2; s += o[i];", "if (X > 99) o[i] = 1;", "o[i] = X; if (s > 9) o[i] = 0;",
        "o[i] = X; s += o[(i + 1) % L];", "s += o[i > 0 ? i - 1 : 0]; o[i] = s;",
        "o[i] -= 1; out[t * C] = 3;", "s = o[i]; o[i] = X; s += o[i]; o[i] = s;",
        "o[i] *= in[i]; s += x[L - 1 - i];", "if (X > 99) o[i] = 1; else o[i] = 2;",
        "float d = o[i]; d = d * d; o[i] = d - s;",
    ]  # fmt: skip
    word = draw.choice(["", "__restrict__ ", "__restrict__ "])
    loops = "".join(
        f"  for (int i = 0; i < L; i++) {{ {draw.choice(steps).replace('X', 'x[i]')} }}\n"
        for _ in range(draw.randint(1, 3))
    )
    given = f"float* {word}out, const float* {word}in"
    text = f"""__global__ void {name}({given}, int C, int L, int n) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  const float* x = in + t * C;
  float* o = out + t * C;
  float s = t % 7;
{loops}}}
"""
    given = f"{stride} + zero, {length} + zero"
    shift = draw.choice(["", "", " + 1", " + 4"])
    block = "dim3(64 + zero, 1 + zero)"
    call = f"{name}<<<3, {block}>>>(out{shift}, in, {given}, {draw.randint(100, 180)});"
    return Kernel(text, call, "widen-loop-reads", trap=True)


def narrow(name: str, draw: random.Random) -> Kernel:
    """A row of elements of one or two bytes for each thread, read and perhaps written."""
    kind = draw.choice(["__nv_bfloat16", "__nv_bfloat16", "__half", "short", "unsigned char"])
    length = draw.choice([5, 8, 15, 16, 17, 24, 32, 40])
    stride = max(draw.choice([length, length, 40, 48, 64]), length)
    # What the bits of other numbers happen to be is cut: sums are to be the same in all builds.
    steps = [
        "s += CUT(X);", "s = fmaxf(s, CUT(X) - i);", "T a = X; s += CUT(a);", "u += CUT(X) > s;",
        "o[i] = (T)(CUT(X) * 0.5f);", "o[i] = (T)s;", "o[i] = X; s += CUT(o[i]);",
        "s += CUT(o[i]); o[i] = (T)(s - u);", "float a = CUT(X); o[i] = (T)(a - s);",
        "if (CUT(X) > 9) o[i] = (T)1;", "o[i] = X; s += CUT(o[(i + 1) % L]);",
    ]  # fmt: skip
    loops = "".join(
        f"  for (int i = 0; i < L; i++) {{ {draw.choice(steps)} }}\n"
        for _ in range(draw.randint(1, 3))
    )
    loops = re.sub(
        r"CUT\(([^()]*(?:\([^()]*\))?[^()]*)\)", r"fminf(fmaxf((float)\1, -99), 99)", loops
    )
    place = "const KIND* x = in + t * C;\n  KIND* o = out + t * C;"
    if draw.random() < 0.3:
        place = "in += t * C;\n  out += C * t;\n  const KIND* x = in;\n  KIND* o = out;"
    loops = re.sub(r"\bT\b", kind, loops.replace("X", "x[i]"))
    word = draw.choice(["", "__restrict__ ", "__restrict__ "])
    text = f"""#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void {name}(float* {word}sums, KIND* {word}out, const KIND* {word}in, int C, int n) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int L = {length};
  if (t >= n) return;
  {place}
  float s = t % 7;
  int u = 0;
{loops}  sums[t] = s + u;
}}
""".replace("KIND", kind)
    shift = draw.choice(["", "", " + 1", " + 8"])
    given = f"out, ({kind}*)(out + 200){shift}, (const {kind}*)in{shift}, {stride} + zero"
    call = f"{name}<<<3, dim3(64 + zero, 1 + zero)>>>({given}, {draw.randint(100, 180)});"
    return Kernel(text, call, "widen-loop-reads", trap=True)


def staged(name: str, draw: random.Random) -> Kernel:
    """A row of an array for each thread, in whole and broken warps that guards leave some of."""
    length = draw.choice([0, 8, 31, 32, 33, 45, 64])
    stride = length + draw.choice([0, 0, 1, 3])
    place = draw.choice(["x[i]", "in[t * C + i]", "in[(n - 1 - t) * C + i]"])
    step = draw.choice(
        [
            "s = s * 0.5f + X;", "s = fmaxf(s, X - i);", "if (X > s) s = X;",
            "s += X * in[t * C + i];",
            "float d = X - s; s += d * d * 0.01f;", "s = s * 0.9f + X * in[i]; u++;",
        ]
    )  # fmt: skip
    guard = draw.choice(["if (t < n) {", "if (n > t && C >= 0) {", "if (t >= n) return; {", "{"])
    before, sign = "", draw.choice([("<", "L"), ("<=", "L - 1")])
    trap = draw.random() < 0.35
    if trap:
        step, guard, before, sign = draw.choice(
            [
                ("s += X; if (s > 900) break;", guard, "", sign),
                ("if (X > 300) continue; s += X;", guard, "", sign),
                ("if (i % 3) s += X;", guard, "", sign),
                ("s += X; out[t * C + i + 1] = s;", guard, "", sign),
                (step, "if (t % 3 && t < n) {", "", sign),
                (step, "if (t > n / 2 && t < n) {", "", sign),
                (step, "if (in[t] > 100 && t < n) {", "", sign),
                (step, guard, "for (int k = 0; k < t % 3; k++) ", sign),
                (step, guard, "if (in[t] > 100) ", sign),
                (step, guard, "", ("<", "L - t % 2")),
            ]
        )
    again = draw.random() < 0.4
    loop = f"for (int i = 0; i {sign[0]} {sign[1]}; i++) {{ {step.replace('X', place)} }}"
    second = f"for (int i = 0; i < L; i++) s -= {place};" if again else ""
    if not before and draw.random() < 0.3:
        before = draw.choice(["for (int k = 0; k < 2; k++) ", "if (C > 2) "])
    text = f"""__global__ void {name}(float* out, const float* in, int C, int L, int n) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int u = 0;
  {guard}
    const float* x = in + t * C;
    {before}{{
      {loop}
    }}
    {second}
    out[t] = s + u;
  }}
}}
"""
    size = draw.choice([32, 48, 64] if guard == "{" else [32, 48, 64, 97])
    rows = 3 * size if guard == "{" else draw.randint(2, min(3 * size, 230))
    given = f"{stride} + zero, {length} + zero"
    threads = draw.choice([f"{size}", f"{size} + zero"])
    call = f"{name}<<<3, {threads}>>>(out, in, {given}, {rows});"
    return Kernel(text, call, "stage-rows-in-shared-memory", trap or length < 8)


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


def apart(name: str, draw: random.Random) -> Kernel:
    """Members of one element, with stores between their loads."""
    members = draw.sample("xyzw", draw.choice([2, 3, 4]))
    width = draw.choice([64, 96, 128])
    turns = "\n".join(
        f"    out[4096 + i + n * {place}] = q[i].{member} * s;"
        for place, member in enumerate(members)
    )
    text = f"""__global__ void {name}(float* out, const float* in, float s, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4* q = (const float4*)in;
  if (i < n) {{
{turns}
  }}
}}
"""
    trap = draw.random() < 0.3
    call = f"{name}<<<3, {width}>>>(out, {'out' if trap else 'in'}, 2, {3 * width - 5});"
    # x and w, or y and z, lie in no piece that is loaded at once.
    near = any({*pair} <= {*members} for pair in ("xy", "zw"))
    return Kernel(text, call, "restrict-parameters", trap or not near)


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


KINDS: tuple[Callable[[str, random.Random], Kernel], ...] = (
    padded, aligned, dealt, elements, swapped, renumbered, reshaped, widened, written, staged,
    turned, interchanged, counted, split, apart, narrow, spaced,
)  # fmt: skip
