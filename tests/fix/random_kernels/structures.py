"""Kernels that read and write members of structures."""

from __future__ import annotations

import random

from tests.fix.random_kernels.kernel import Kernel


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
