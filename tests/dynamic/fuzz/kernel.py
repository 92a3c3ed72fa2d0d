"""A random kernel as data: statements that can be left out one by one, and its CUDA text.

All variables are declared at the top with values within their range, so that leaving statements
out of a kernel, or taking a loop or a branch apart, leaves a kernel that compiles and stays within
its arrays.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

Block = tuple[int, int, int]

ELEMENTS = 1 << 14
"""Of each global array."""
SHARED = 1024
ARRAYS = {
    "i32": "int", "u8": "unsigned char", "s16": "short", "f32": "float", "f64": "double",
    "i64": "long long", "f2": "float2", "q4": "int4", "cell": "Cell", "big": "Big",
    "row": "Row",
}  # fmt: skip
READ = {
    "i32": "{}", "u8": "(int){}", "s16": "(int){}", "f32": "(int){}", "f64": "(int){}",
    "i64": "(int){}", "f2": "(int){}.y", "q4": "{}.z", "cell": "(int){}.c", "big": "{}.k[1]",
    "row": "(int){}.f[3]",
}  # fmt: skip
"""How an element is read as a whole number, of which the low six bits are used."""
WHOLE = {"f2": "{}.x + {}.y", "q4": "{}.x + {}.w", "cell": "{}.a + {}.c", "big": "{}.d + {}.k[2]"}

PRELUDE = """
struct Cell { float a; int b; short c; };
struct Big { double d; int k[4]; };
struct Row { float f[33]; };
__device__ int clamped(int v, int low, int high) {
  if (v < low) return low;
  return v > high ? high : v;
}
__device__ int steps(int v) {
  int n = 0;
  while (v > 1 && n < 9) { v = v & 1 ? 3 * v + 1 : v / 2; n++; }
  return n;
}
__device__ float around(const float *p, int i) {
  if (i == 0) return p[0];
  return p[i - 1] + p[i] + p[i + 1];
}
__device__ int cached(const int *p) {
  int v;
  asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(v) : "l"(p));
  return v;
}
__device__ int swapped(int v) {
  int other;
  asm volatile("shfl.sync.bfly.b32 %0, %1, 3, 0x1f, 0xffffffff;" : "=r"(other) : "r"(v));
  return other;
}
__device__ int mirrored(int v) {
  int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return v < 0 ? v : 31 - lane;
}
__device__ int chosen(int v, int k) {
  switch (k & 3) {
    case 0: return v;
    case 1: return v / 2;
    case 2: return 63 - (v & 63);
    default: return 7;
  }
}
struct Walker {
  int at, step;
  __device__ Walker(int a, int s) : at(a), step(s) {}
  __device__ void next() { at = (at + step) & 1023; }
};
template <int K> __device__ int folded(int v) { return (v / K + v % K) & 255; }
"""

RESULTS = {
    "oi": "int", "of": "float", "od": "double", "oc": "char", "oq": "float4", "ocell": "Cell",
    "hits": "int",
}  # fmt: skip
SIGNATURE = ", ".join(
    [f"const {type_} *a_{name}" for name, type_ in ARRAYS.items()]
    + [f"{type_} *r_{name}" for name, type_ in RESULTS.items()]
    + ["int n", "int m", "unsigned u"]
)


DECLARATIONS = (
    "__shared__ int sh[1024]; __shared__ float shf[32][33]; __shared__ double shd[256];",
    "__shared__ int4 shq[128];",
    "int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;",
    "int linear = tx + blockDim.x * (ty + blockDim.y * tz);",
    "int gid = blockIdx.x * blockDim.x + tx;",
    "int v0 = gid, v1 = 0, v2 = 3, loc[8] = {1, 2, 3, 4, 5, 6, 7, 8};",
    "float acc = 0; unsigned sum = 0; Cell own = {0, 0, 0};",
)


class Statement(Struct, frozen=True):
    """``text``: one line; with a ``body`` the head of a compound one, ``other`` its else;
    ``once``: a head that runs the body once, in the place of ``text``.
    """

    text: str
    body: tuple[Statement, ...] | None = None
    other: tuple[Statement, ...] | None = None
    once: str = ""

    def lines(self, indent: str = "  ") -> Iterator[str]:
        """The statement's text."""
        if self.body is None:
            yield indent + self.text
            return
        yield f"{indent}{self.text} {{"
        for statement in self.body:
            yield from statement.lines(indent + "  ")
        if self.other is not None:
            yield f"{indent}}} else {{"
            for statement in self.other:
                yield from statement.lines(indent + "  ")
        yield indent + "}" + (";" if self.text == "do" else "")


class Kernel(Struct, frozen=True):
    """``block``, ``grid``: how it is launched; ``declarations``: variables with their values."""

    block: Block
    grid: int
    declarations: tuple[str, ...]
    statements: tuple[Statement, ...]

    def text(self, name: str) -> str:
        """The definition of the kernel."""
        lines = [f"__global__ void {name}({SIGNATURE}) {{"]
        lines += [f"  {declaration}" for declaration in self.declarations]
        for statement in self.statements:
            lines += statement.lines()
        lines += ["  r_of[linear] = acc;", "  r_oi[linear] = (int)sum;", "}"]
        return "\n".join(lines)

    def smaller(self) -> Iterator[Kernel]:
        """Kernels with one statement less, or one taken apart; the largest cuts first."""
        rows = self.statements
        for size in (len(rows) // 2, len(rows) // 4):
            for at in range(0, len(rows), size or 1) if size > 1 else ():
                yield replace(self, statements=rows[:at] + rows[at + size :])
        for statements in _smaller(rows):
            yield replace(self, statements=statements)
        if self.grid > 1:
            yield replace(self, grid=1)


def _smaller(rows: tuple[Statement, ...]) -> Iterator[tuple[Statement, ...]]:
    for at, row in enumerate(rows):
        yield rows[:at] + rows[at + 1 :]
        if row.body is None:
            continue
        if row.once:
            opened = Statement(row.once, row.body + (row.other or ()))
            yield (*rows[:at], opened, *rows[at + 1 :])
        if row.other is not None:
            yield (*rows[:at], replace(row, other=None), *rows[at + 1 :])
            for other in _smaller(row.other):
                yield (*rows[:at], replace(row, other=other or None), *rows[at + 1 :])
        for body in _smaller(row.body):
            yield (*rows[:at], replace(row, body=body), *rows[at + 1 :])
