"""Arrays of structures that the device keeps by members."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.fix.edit import Relaid
from drano.fix.verify.observe import Kept
from drano.fix.verify.relaid import as_before
from tests.fix.units import after, offers, proposed
from tests.warm_cli import main

NAME = "split-structure"
HEAD = """#define CHECK(call) if ((call) != cudaSuccess) return 1
#define LAST n - 1
typedef struct {  /* a place */
  float x;
  float *row;
  int cell[3];
} Place;
"""
SOURCE = (
    HEAD
    + """
__global__ void members(const Place* __restrict__ p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i].row[0] = p[i].x + p[threadIdx.x].cell[2] + p[LAST].x + p[33].x;
}
__global__ void elements(Place *p, size_t n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Place one = p[i];
  Place& two = p[i + 1];
  two.cell[1] = one.cell[0] + two.cell[2];
  const Place* three = &p[2 * i];
  one.x += three->x;
  atomicAdd(&p[i].cell[0], __ldg(&p[i].cell[1]));
  p[i] = one;
}
static Place *kept = NULL;
int main() {
  const int n = 4096;
  Place *host = new Place[n], *p;
  size_t bytes = sizeof(Place) * (n + 1);
  CHECK(cudaMalloc((void **)&p, bytes));
  cudaMalloc(&kept, n * sizeof(Place));
  CHECK(cudaMemcpy((void*)p, (const void*)host, n * sizeof(Place), cudaMemcpyHostToDevice));
  elements<<<n / 128, 128>>>(p, n);
  elements<<<n / 128, 128>>>(kept, n - 1);
  members<<<n / 128, 128>>>(p, n);
  CHECK(cudaMemcpy(host, p, bytes, cudaMemcpyDeviceToHost));
  cudaFree(p);
}
"""
)


def test_kernels_and_host_change_together() -> None:
    found = offers(SOURCE, NAME)
    assert found and all(offer.fix.safe for offer in found), found[0].fix.unproved
    text = after(SOURCE)
    for part in (
        "} Place;\n\n// Places by members: x of element i is [i / 32].x[i % 32].\n",
        "struct Place_by_32 {\n  float x[32];\n  float *row[32];\n  int cell[3][32];\n",
        "void members(const Place_by_32* __restrict__ p, int n) {",
        "p[(unsigned)i / 32].row[(unsigned)i % 32][0] = p[(unsigned)i / 32].x[(unsigned)i % 32] + "
        "p[threadIdx.x / 32].cell[2][threadIdx.x % 32] + "
        "p[(unsigned)(LAST) / 32].x[(unsigned)(LAST) % 32] + p[1].x[1];",
        """  const Place_by_32& one_group = p[i / 32];
  const unsigned one_lane = i % 32;
  Place one = {
      one_group.x[one_lane],
      one_group.row[one_lane],
      {one_group.cell[0][one_lane], one_group.cell[1][one_lane], one_group.cell[2][one_lane]}};
  Place_by_32& two = p[(i + 1) / 32];
  const unsigned two_lane = (i + 1) % 32;
  two.cell[1][two_lane] = one.cell[0] + two.cell[2][two_lane];
  const Place_by_32* three = &p[(2 * i) / 32];
  const unsigned three_lane = (2 * i) % 32;
  one.x += three->x[three_lane];
  atomicAdd(&p[i / 32].cell[0][i % 32], __ldg(&p[i / 32].cell[1][i % 32]));
  Place_by_32& p_group = p[i / 32];
  const unsigned p_lane = i % 32;
  p_group.x[p_lane] = one.x;
""",
        "static Place_by_32 *kept = NULL;",
        "  Place *host = new Place[n];\n  Place_by_32 *p;\n",
        "CHECK(cudaMalloc((void **)&p, Place_by_32::bytes(bytes)));",
        "CHECK(Place_by_32::copy_in(p, host, n * sizeof(Place)));",
        "CHECK(Place_by_32::copy_out(host, p, bytes));",
    ):
        assert part in text, text


def test_unsafe_where_others_may_be_at_work_on_the_array() -> None:
    for old, new in (("static Place", "Place"), ("<<<n / 128, 128>>>(p", "<<<32, 128, 0, 0>>>(p")):
        found = offers(SOURCE.replace(old, new), NAME)
        assert found and any(not offer.fix.safe for offer in found)


KERNELS = {
    "passes": "use(p);",
    "moves": "p += 1; p[i].x = 1;",
    "reads_first": "p->x = p[i].x;",
    "takes": "float* q = &p[i].x; *q = 1;",
    "array": "int* q = p[i].cell; q[0] = 1;",
    "calls": "p[at(i)].x = 1;",
    "counts": "p[i++].x = 1;",
    "chains": "p[p[i].cell[0]].x = 1;",
    "returns": "Place& q = p[i]; use(&q); q.x = 1;",
    "taken": "Place& q = p[i]; int q_lane = 3; q.x = q_lane;",
    "two": "Place q = p[i], r = p[i + 1]; p[i].x = q.x + r.x;",
    "both": "p[i] = p[i + 1];",
    "wider": "Place& q = p[i]; Place& r = q; r.x = 1;",
    "own_atomic": "atomicNext(&p[i].cell[0]);",
    "hidden": "p[i].x = 1; WITH(p)",
    "first": "p[i].x = *(float*)p;",
    "varies": "volatile int j = i; p[j].x = p[i].x;",
}


def test_not_where_a_kernel_does_more_with_elements() -> None:
    """All in one unit, in which the one that does no more is split."""
    text = HEAD + "#define WITH(a) a[i].x += 1;\n__device__ void use(Place*);\n"
    text += "__device__ void atomicNext(int* p) { p[1] = 1; }\n"
    text += "__device__ int at(int i) { return i; }\n__device__ void use(Place* p) { p->x = 1; }\n"
    main = ""
    for name, body in {**KERNELS, "control": "p[i].x = 1;"}.items():
        text += f"__global__ void {name}(Place* p) {{\n  int i = threadIdx.x;\n  {body}\n}}\n"
        main += f"  Place* d_{name};\n  cudaMalloc(&d_{name}, n * sizeof(Place));\n"
        main += f"  {name}<<<1, 128>>>(d_{name});\n"
    found = offers(f"{text}int main() {{\n  int n = 128;\n{main}}}\n", NAME)
    assert {offer.finding.kernel for offer in found} == {"control"}


HOST = {
    "set": "cudaMalloc(&A, BYTES); cudaMemset(A, 0, BYTES);",
    "part": "cudaMalloc(&A, BYTES); cudaMemcpy(A + 1, h, BYTES, cudaMemcpyHostToDevice);",
    "kind": "cudaMalloc(&A, BYTES); cudaMemcpy(A, h, BYTES, cudaMemcpyDefault);",
    "managed": "cudaMallocManaged(&A, BYTES); A[3].x = 1;",
    "other": "cudaMalloc(&A, BYTES); Place* other = A; cudaFree(other);",
    "odd": "cudaMalloc(&A, BYTES + 4);",
    "macro": "cudaMalloc(&A, OPEN * sizeof(Place));",
    "changed": "size_t b = BYTES; b += 4; cudaMalloc(&A, b);",
    "given": "cudaMalloc(&A, BYTES); give(A);",
    "wrong": "cudaMalloc(&A, n * sizeof(float));",
    "left": "\n#if 0\n  A = 0;\n#endif\n  cudaMalloc(&A, BYTES);",
    "captured": "cudaMalloc(&A, BYTES); auto f = [=] { return A; };",
}


def test_not_where_the_host_does_more_with_the_array() -> None:
    text = HEAD + "#define OPEN n + 1\nvoid give(Place*);\n"
    main = ""
    for name, body in {**HOST, "control": "cudaMalloc(&A, BYTES);"}.items():
        text += f"__global__ void k_{name}(Place* p) {{ p[threadIdx.x].x = 1; }}\n"
        steps = body.replace("A", f"d_{name}").replace("BYTES", "n * sizeof(Place)")
        main += f"  {{\n  Place* d_{name};\n  {steps}\n"
        main += f"  k_{name}<<<1, 128>>>(d_{name});\n  }}\n"
    found = offers(f"{text}int main() {{\n  int n = 128; Place* h = 0;\n{main}}}\n", NAME)
    assert {offer.finding.kernel for offer in found} == {"k_control"}


PLAIN = """struct P { float x, y, z; };
__global__ void k(P* p) { p[threadIdx.x].x = 1; }
int main() {
  P* p;
  cudaMalloc(&p, 128 * sizeof(P));
  k<<<1, 128>>>(p);
}
"""


@pytest.mark.parametrize(
    "text",
    [
        PLAIN.replace("x, y, z;", "x; int y : 3, z;"),
        PLAIN.replace("x, y, z;", "x, y; private: float z;"),
        PLAIN.replace("x, y, z;", "x, y; const float z = 1;"),
        PLAIN.replace("x, y, z;", "x, y, z; virtual void f() {}"),
        PLAIN.replace("x, y, z;", "x; union { float y, z; };"),
        "struct Q { float x, y; };\n" + PLAIN.replace("struct P {", "struct P : Q {"),
        PLAIN + "struct More : P { int more; };\n",
        PLAIN + "__global__ void k(P* p, int) {}\n",
        PLAIN + "void* f() { return (void*)k; }\n",
        PLAIN + "void f(P* p) { k<<<1, 32>>>(p); }\n",
        PLAIN + "void f(void** a) { cudaLaunchKernel((void*)k, 1, 32, a, 0, 0); }\n",
        PLAIN.replace("__global__", "template <int N> __global__").replace("k<<<", "k<2><<<"),
        PLAIN.replace("k<<<", "#define AGAIN k<<<1, 64>>>(p)\n  AGAIN;\n  k<<<"),
        "struct P_by_32;\n" + PLAIN,
        "namespace a {\n" + PLAIN.replace("int main", "}\nusing namespace a;\nint main"),
    ],
)  # fmt: skip
def test_not_for_other_structures_and_launches(text: str) -> None:
    assert proposed(text, NAME) == []


def test_plain_units_are_split() -> None:
    assert offers(PLAIN, NAME) != []


def test_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = Path("examples/particles.cu").read_text(encoding="utf-8")
    (tmp_path / "particles.cu").write_text(text.replace("1 << 20", "1000"))
    monkeypatch.chdir(tmp_path)
    assert main(["fix", "--verify", "particles.cu"]) == 0
    said = capsys.readouterr()
    assert "split-structure: keep aos by members of Particle (84 → 12 sectors)" in said.err
    assert "Made 1 fix." in said.err


def test_bytes_are_compared_where_they_are() -> None:
    array = Relaid("p", 8, 32, ((0, 1, 1), (4, 4, 2)))
    plain = bytes(k % 251 for k in range(8 * 40))
    split = b""
    for group in (plain[:256], plain[256:].ljust(256, b"-")):
        pairs = [group[8 * k + at : 8 * k + at + 2] for at in (4, 6) for k in range(32)]
        split += group[0::8] + b"".join(pairs)
    old, new = Kept("&p, 320", 320, "old", plain), Kept("&p, f(320)", 320, "new", split)
    assert as_before([old], [new], [array])[0].digest == "old"
    other = bytearray(split)
    other[40] ^= 1
    assert as_before([old], [Kept("p", 320, "", bytes(other))], [array])[0].digest == ""
    assert as_before([old], [new], [])[0] is new
