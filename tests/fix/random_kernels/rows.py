"""Kernels in which each thread has a row."""

from __future__ import annotations

import random
import re

from tests.fix.random_kernels.kernel import Kernel


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
