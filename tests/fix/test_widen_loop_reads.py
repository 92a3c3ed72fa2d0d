"""Loops along a thread's row that read four elements at once, and only what they would read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drano.fix.search import Offer, Refusal, Trials, mended, outcomes
from drano.fix.trial import Unit, analysed
from drano.fix.verify.verify import Program, verify
from drano.model.settings import Config
from tests.fix.units import after, offers, proposed, tried, with_fix

NAME = "widen-loop-reads"
SOURCE = """__device__ float g;
__global__ void k(float* out, const float* in, const int* map, int N, int C) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < N) {
    const float* x = in + t * C;
    float s = 0;
    for (int i = 0; i < C; i++) {
      s += x[i];  // a row
    }
    out[t] = s;
  }
}
int main(int c, char**) { k<<<8, dim3(c * 32, c)>>>(nullptr, nullptr, nullptr, c * 100, c); }
"""
WIDENED = """    int i_4 = 0;
    if ((size_t)in % 16 == 0 && C % 4 == 0)
      for (; C - i_4 > 3; i_4 += 4) {
        const float4 x_4_v = *(const float4*)&x[i_4];
        const float x_4[4] = {x_4_v.x, x_4_v.y, x_4_v.z, x_4_v.w};
#pragma unroll
        for (int i_turn = 0; i_turn < 4; i_turn++) {
          s += x_4[i_turn];  // a row
        }
      }
    for (int i = i_4; i < C; i++) {
"""


def test_four_turns_at_once_and_the_loop_stays() -> None:
    (offer,) = offers(SOURCE, NAME)
    assert offer.fix.safe, offer.fix.unproved
    assert (offer.promise.before, offer.promise.after) == (32, 8)
    assert after(SOURCE) == SOURCE.replace("    for (int i = 0; i < C; i++) {\n", WIDENED)


def test_the_text_around_stays() -> None:
    pragma = SOURCE.replace("    for (int", "#pragma unroll 2\n    for (int")
    assert after(pragma).index("i_4 = 0") < after(pragma).index("#pragma unroll 2")
    one = SOURCE.replace("i++) {\n      s += x[i];  // a row\n    }", "i++) s += x[i] * i;")
    text = after(one)
    assert "const int i = i_4 + i_turn;\n          s += x_4[i_turn] * i;\n" in text
    assert "for (int i = i_4; i < C; i++) s += x[i] * i;" in text


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("i < C", "i <= C - 1", "(C - 1) - i_4 > 2"),
        ("s += x[i]", "s += x[i] * x[i]", "s += x_4[i_turn] * x_4[i_turn]"),
        ("x[i]", "in[t * C + i]", "*(const float4*)&in[t * C + i_4]"),
        ("x[i]", "x[i] + out[i]", "s += x_4[i_turn] + out[i]"),
        ("in + t * C", "&in[(t + N) * C]", "C % 4 == 0"),
        ("in + t * C", "in + t * 64", "if ((size_t)in % 16 == 0)\n"),
        ("s += x[i]", "if (x[i] > s) s = x[i]", "if (x_4[i_turn] > s) s = x_4[i_turn]"),
        ("s += x[i]", "s = fmaxf(s, x[i])", "fmaxf(s, x_4[i_turn])"),
        ("  if (t < N) {", "  if (t < N) {\n    int C = 7 * N;", "% 16 == 0 && N % 4 == 0)"),
        ("    for", "    float x_4 = 1;\n    for", "s += x_4_2[i_turn_2]"),  # the name is taken
        ("i < C", "i <= t", "t - i_4 > 2"),  # lanes leave one by one
        ("const float* x = in + t * C", "int h = C / N; const float* x = in + t * h", "h % 4"),
        ("i < C", "i < N", "if ((size_t)in % 16 == 0 && C % 4 == 0)"),
    ],
)  # fmt: skip
def test_forms(old: str, new: str, wanted: str) -> None:
    changed = SOURCE.replace(old, new)
    (offer,) = offers(changed, NAME)
    assert offer.fix.safe, offer.fix.unproved
    assert wanted in with_fix(changed, offer)


def test_elements_of_eight_bytes() -> None:
    changed = SOURCE.replace("float", "double")
    (offer,) = offers(changed, NAME)
    text = with_fix(changed, offer)
    assert "for (; C - i_2 > 1; i_2 += 2) {" in text
    assert "const double2 x_2_v = *(const double2*)&x[i_2];" in text


MOVED = SOURCE.replace("  if (t < N) {", "  in += t * C;\n  if (t < N) {").replace(
    "in + t * C", "in"
)


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("x[i]", "x[i]", "if ((size_t)(in - (t * C)) % 16 == 0 && C % 4 == 0)"),
        ("x[i]", "x[i] + out[i]", "s += x_4[i_turn] + out[i]"),  # one element for all lanes
        ("x[i]", "in[i]", "const float4 in_4_v = *(const float4*)&in[i_4];"),
        (
            "in += t * C;",
            "in += N * 4;\n  in += (t - N) * C;",
            "(size_t)(in - ((N * 4) + ((t - N) * C))) % 16 == 0 && C % 4 == 0)",
        ),
        ("* x = in;", "* x = in + N * t;", " % 16 == 0 && C % 4 == 0 && N % 4 == 0)"),
    ],
)
def test_parameters_that_are_moved_to_the_row(old: str, new: str, wanted: str) -> None:
    changed = MOVED.replace(old, new)
    (offer,) = offers(changed, NAME)
    assert offer.fix.safe, offer.fix.unproved
    assert wanted in with_fix(changed, offer)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  in += t * C;", "  if (N > 9) in += t * C;"),
        ("  in += t * C;", "  for (int j = 0; j < N; j++) in += C;"),
        ("  in += t * C;", "  { in += t * C; }"),
        ("  in += t * C;", "  const float* before = in; in += t * C;"),
        ("  in += t * C;", "  in += t * C + (in == nullptr);"),
        ("  in += t * C;", "  in += t * C; in -= 4;"),
        ("  in += t * C;", "  in += t * map[0];"),  # may be another number by then
        ("  in += t * C;", "  in += t * C; C++;"),
        ("  in += t * C;", "  in += t;"),  # where it is aligned is not known
        ("  in += t * C;", "back: in += t * C; if (in[0] > 9) goto back;"),
        ("    out[t]", "    in += 4; out[t]"),
    ],
)
def test_parameters_that_are_moved_otherwise(old: str, new: str) -> None:
    assert not proposed(MOVED.replace(old, new), NAME)


HALVES = (
    "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\ntypedef __nv_bfloat16 T;\n"
    "__device__ T changed(T&);\n"
    + SOURCE.replace("const float*", "const T*").replace("s += x[i]", "s += (float)x[i]")
)


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("", "", "s += (float)x_8[i_turn];"),
        ("T;", "T;", "      __nv_bfloat16 x_8[8];\n        memcpy(x_8, __builtin_assume_aligned("
         "(const void*)&x[i_8], 16), 16);"),
        ("__nv_bfloat16 T", "__half T", "__half x_8[8];"),
        ("__nv_bfloat16 T", "short T", "short x_8[8];"),
        ("__nv_bfloat16 T", "unsigned char T", "unsigned char x_16[16];"),
        ("(float)x[i]", "__bfloat162float(x[i])", "__bfloat162float(x_8[i_turn])"),
        ("(float)x[i]", "(float)(x[i] * x[i] + (T)s)", "(x_8[i_turn] * x_8[i_turn] + (T)s)"),
        ("s += (float)x[i]", "T a = x[i]; s += (float)a", "T a = x_8[i_turn]; s += (float)a"),
        ("i < C", "i < N", "for (; N - i_8 > 7; i_8 += 8) {"),
    ],
)  # fmt: skip
def test_elements_of_less_than_four_bytes(old: str, new: str, wanted: str) -> None:
    changed = HALVES.replace(old, new, 1) if old else HALVES
    (offer,) = offers(changed, NAME)
    assert offer.fix.safe, offer.fix.unproved
    assert offer.promise.before == 32
    assert offer.promise.after == (2 if "x_16" in wanted else 4)
    assert wanted in with_fix(changed, offer)


def test_halves_are_known_in_files_with_errors(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("#include <no_such_library.h>\nstatic library_t handle;\n" + HALVES)
    one = Unit(str(path), Config())
    asked = Trials(one, analysed(one))
    assert asked.report.host_errors
    found = outcomes(asked, unsafe=True)
    assert [one.fix.edit for one in found if isinstance(one, Offer)] == [NAME]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(float)x[i]", "(float)changed(const_cast<T&>(x[i]))"),
        ("(float)x[i]", "(float)__ldg(x + i)"),
        ("s += (float)x[i]", "T a = 0; a += x[i]; s += (float)a"),
        ("__nv_bfloat16 T", "__nv_bfloat162 T"),
        ("__device__", "static void memcpy(int) {}\n__device__"),
    ],
)
def test_elements_of_less_than_four_bytes_in_vain(old: str, new: str) -> None:
    changed = HALVES.replace("__nv_bfloat162 T", "T").replace(old, new, 1)
    changed = changed.replace("(float)x[i]", "(float)x[i].x") if "162" in new else changed
    assert not proposed(changed, NAME)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("s += x[i]", "if (i == N) break; s += x[i]"),  # may end before what is read ahead
        ("s += x[i]", "if (i == N) return; s += x[i]"),
        ("s += x[i]", "if (map[i]) s += x[i]"),  # not read in each turn
        ("s += x[i]", "s += map[i] ? x[i] : 0"),
        ("s += x[i]", "s += map[i] && x[i] > 0"),
        ("s += x[i]", "__syncthreads(); s += x[i]"),  # others may have written meanwhile
        ("s += x[i]", "atomicAdd(&g, x[i])"),
        ("s += x[i]", "g += x[i]"),
        ("s += x[i]", "s += x[i]; x += C"),  # another row
        ("s += x[i]", "s += x[i]; i += 1"),
        ("s += x[i]", "s += x[i]; C--"),
        ("x[i]", "x[map[i]]"),
        ("x[i]", "x[C - i]"),
        ("x[i]", "x[2 * i]"),
        ("x[i]", "x[i & 63]"),
        ("x[i]", "x[i + t]"),  # where it is aligned is not known
        ("x[i]", "x[i + 1]"),
        ("const float* x = in + t * C", "short h = C / N; const float* x = in + t * h"),
        ("const float* x = in + t * C", "int h = C / N; h++; const float* x = in + t * h"),
        ("x[i]", "x[(unsigned)t * C + i]"),  # may begin again at 0
        ("x[i];", "in[t * C + (s > 9) * C + i];"),
        ("    for", "    int j = 0;\n    for"),
        ("int i = 0", "int i = 1"),
        ("i++", "i += 2"),
        ("i < C", "i < map[i]"),
        ("i < C", "i != C"),
        ("const float* ", "const volatile float* "),
        ("const float* x = in + t * C", "const float* x = (float*)((char*)in + t * C)"),
        ("const float* x = in + t * C", "const float* x = in + t * C; if (s0) x++"),
        ("  if (t < N) {", "  in = in + 1;\n  if (t < N) {"),
        ("    float s = 0;", "    float& s = out[t];\n    s = 0;"),
        ("    float s = 0;", "    __shared__ float s;"),
        ("    float s = 0;", "    volatile float s = 0;"),
        ("s += x[i]", "\n#if 1\n      s += x[i];\n#endif\n"),
    ],
)
def test_not_where_it_is_not_what_the_next_turns_read(old: str, new: str) -> None:
    assert old in SOURCE
    changed = SOURCE.replace(old, new)
    changed = changed.replace("x += C", "x += C").replace("s0", "N > 3")
    if "int j" in new:
        changed = changed.replace("x[i];", "x[i + j]; j += C;")
    assert offers(changed, NAME) == []


MACROS = """#define ROW x[i]
#define AT(k) ((k) + 0)
#define ADD s += x[i]
"""


@pytest.mark.parametrize("new", ["s += ROW", "s += x[AT(i)]", "ADD"])
def test_not_in_macros(new: str) -> None:
    assert offers(MACROS + SOURCE.replace("s += x[i]", new), NAME) == []


def test_a_limit_of_a_macro_is_one_number() -> None:
    changed = "#define END 1 << 7\n" + SOURCE.replace("i < C", "i < END")
    (offer,) = offers(changed, NAME)
    assert "(END) - i_4 > 3" in with_fix(changed, offer)


@pytest.mark.parametrize(
    ("old", "new", "unproved"),
    [
        ("s += x[i]", "out[t * C + i] = x[i]", "that out and in do not overlap"),
        ("s += x[i]", "float* y = out; y[i] = x[i]", None),
        ("    float s = 0;", "    float* s0 = out + t; float s = 0;", ""),
    ],
)
def test_unsafe_where_it_may_write_to_the_row(old: str, new: str, unproved: str | None) -> None:
    found = offers(SOURCE.replace(old, new), NAME)
    assert {offer.fix.unproved for offer in found} == (set() if unproved is None else {unproved})


def test_safe_where_pointers_are_restricted_or_of_shared_memory() -> None:
    written = SOURCE.replace("s += x[i]", "out[t * C + i] = x[i]")
    restricted = written.replace("* out", "* __restrict__ out")
    assert not any(offer.fix.safe for offer in offers(restricted, NAME))
    both = restricted.replace("* in", "* __restrict__ in")
    assert all(offer.fix.safe for offer in offers(both, NAME))
    own = SOURCE.replace("    float s", "    extern __shared__ float mine[];\n    float s")
    own = own.replace("s += x[i]", "mine[i] = x[i]")
    assert [offer.fix.unproved for offer in offers(own, NAME)] == [""]


def test_an_unknown_type_is_no_number() -> None:
    """libclang takes a type that it does not find for ``int``."""
    broken = "#ifndef __CUDA_ARCH__\nunknown e;\n#endif\ntypedef float real;\n" + SOURCE
    assert "i_4" in after(broken)
    assert "i_4" not in after(broken.replace("const float*", "const real*"))


PROGRAM = """#include <cstdio>
#include <cuda_bf16.h>
#include <cstdlib>
__global__ void sums(double* out, const float* in, int N, int C, int L) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < N) {
    const float* x = in + t * C;
    double s = 0;
    for (int i = 0; i < L; i++) {
      s = s * 0.5 + x[i] * i;
    }
    out[t] = s;
  }
}
int main(int c, char**) {
  float* in; double* out; static double h[100];
  cudaMallocManaged(&in, 40000); cudaMalloc(&out, 800);
  for (int i = 0; i < 10000; i++) in[i] = (float)(rand() % 100);
  for (int shift = 0; shift < 3; shift++)
    for (int C = 60; C < 65; C++)
      for (int L = C - 4; L <= C; L++) {
        sums<<<2, dim3(c * 64, c)>>>(out, in + shift, 100, C, L);
        cudaMemcpy(h, out, 800, cudaMemcpyDeviceToHost);
        for (int t = 0; t < 100; t++) printf("%.17g\\n", h[t]);
      }
}
"""


@pytest.mark.parametrize("element", ["float", "__nv_bfloat16", "unsigned char"])
def test_the_program_does_the_same_on_all_alignments(tmp_path: Path, element: str) -> None:
    path = str(tmp_path / "k.cu")
    program = PROGRAM.replace("float*", f"{element}*").replace("x[i]", "(float)x[i]")
    if element == "float":
        program = program.replace("  if (t", "  in += t * C;\n  if (t").replace("in + t * C", "in")
    Path(path).write_text(program)
    unit = Unit(path, Config())
    found = mended(unit, analysed(unit), unsafe=False)
    assert [offer.fix.edit for offer in found.made] == [NAME]
    outcome = verify(Program((path,), (path,), (), ()), {path: program.encode()}, found.texts)
    assert outcome.against == ()
    (row,) = outcome.rows
    assert row.sectors[1] < row.sectors[0]


ROWS = """#include <cstdio>
__global__ void k(float* out, const float* in, const float* weight, int N, int C) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < N) {
    const float* x = in + t * C;
    float* o = out + t * C;
    float m = 0;
    for (int i = 0; i < C; i++) { m += x[i]; }
    for (int i = 0; i < C; i++) {
      float n = x[i] - m;
      o[i] = n * weight[i];
      if (n > 9) o[i] = o[i] + 1;
    }
    for (int i = 0; i < C; i++) {
      o[i] *= m; // its own
    }
  }
}
int main(int c, char**) {
  float *a, *b, *w;
  cudaMalloc(&a, 100 * 34 * 4);
  cudaMalloc(&b, 100 * 34 * 4);
  cudaMalloc(&w, 34 * 4);
  cudaMemset(b, 1, 100 * 34 * 4);
  cudaMemset(w, 2, 34 * 4);
  k<<<2, dim3(c * 64, c)>>>(a, b, w, 100, c * 32);
  k<<<2, dim3(c * 64, c)>>>(a, b, w, 90, c * 33);
  float last;
  cudaMemcpy(&last, a, 4, cudaMemcpyDeviceToHost);
  printf("%g\\n", last);
}
"""


def test_rows_that_are_written(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(ROWS)
    unit = Unit(str(path), Config())
    found = mended(unit, analysed(unit), unsafe=False)
    assert [offer.fix.edit for offer in found.made] == [NAME] * 3
    text = found.texts[str(path)].decode()
    text = re.sub(r"(_4|turn)_\d", r"\1", text)  # the loops come in the order of their costs
    for line in (
        "(size_t)in % 16 == 0 && (size_t)out % 16 == 0 && C % 4 == 0)\n",
        "        float o_4[4];\n",
        "if (n > 9) o_4[i_turn] = o_4[i_turn] + 1;\n",
        "*(float4*)&o[i_4] = make_float4(o_4[0], o_4[1], o_4[2], o_4[3]);\n",
        "        float o_4[4] = {o_4_v.x, o_4_v.y, o_4_v.z, o_4_v.w};\n",
        "o_4[i_turn] *= m; // its own\n",
    ):
        assert line in text
    once = Program((str(path),), (str(path),), (), ())
    outcome = verify(once, {str(path): ROWS.encode()}, found.texts)
    assert outcome.against == ()
    assert outcome.rows[0].sectors[1] < outcome.rows[0].sectors[0] * 0.7


KEPT = """__global__ void k(
    float* __restrict__ out, const float* __restrict__ in, int P, int C, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) {
    for (int c = 0; c < C + row % 3; c++)
      out[row * P + c] = in[row * P + c] + (c > 0 ? out[row * P + c - 1] : 0);
  }
}
int main(int c, char**) { k<<<2, dim3(c * 64, c)>>>(nullptr, nullptr, c * 49, c * 46, c * 86); }
"""


def test_what_a_turn_has_kept_in_a_register_is_not_to_be_loaded_again() -> None:
    found = [one for one in tried(KEPT, unsafe=True) if one.fix.edit == NAME]
    assert found
    assert [one.reason for one in found if isinstance(one, Refusal)] == [
        "line 6 would make more loads in a turn (1 → 2)"
    ] * len(found)


UNROLLED = """__global__ void k(
    float* __restrict__ s, short* __restrict__ out, const short* __restrict__ in, int C, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  const short* x = in + t * C;
  short* o = out + t * C;
  float u = 0;
  for (int i = 0; i < 17; i++) { o[i] = (short)(fminf(fmaxf((float)x[i], -99), 99) * 0.5f); }
  for (int i = 0; i < 17; i++) { if (fminf(fmaxf((float)x[i], -99), 99) > 9) o[i] = (short)1; }
  for (int i = 0; i < 17; i++) { u += fminf(fmaxf((float)x[i], -99), 99) > t; }
  s[t] = u;
}
int main(int c, char**) { k<<<3, dim3(c * 64, c)>>>(nullptr, nullptr, nullptr, c * 40, c * 135); }
"""


def test_what_an_unrolled_loop_has_loaded_is_not_to_be_loaded_again() -> None:
    found = [one for one in tried(UNROLLED, unsafe=True) if one.fix.edit == NAME]
    first = [one for one in found if one.fix.title.endswith("line 8")]
    assert first
    assert all(isinstance(one, Refusal) for one in first)


OWN = "o[i] *= m; // its own"


@pytest.mark.parametrize(
    ("new", "unproved"),
    [
        (OWN, [""]),
        ("o[i] = weight[i / 2];", [""]),
        ("o[i] *= in[i + t];", [""]),
        ("if (m > i) o[i] = m;", []),  # not written in each turn
        ("o[i] += o[i > 0 ? i - 1 : 0];", []),  # a turn reads what the one before has written
        ("o[i] = m; out[t * C] = i;", []),
        ("o[i] = m; out[0] = i;", []),
        ("float* p = i > 3 ? out : o; o[i] = p[0];", []),
    ],
)
def test_rows_that_are_written_by_other_names(new: str, unproved: list[str]) -> None:
    line = ROWS[: ROWS.index(OWN)].count("\n")

    def said(text: str) -> list[str]:
        found = offers(text, NAME, unsafe=True, title=f" of line {line}")
        return list({offer.fix.title: offer.fix.unproved for offer in found}.values())

    assert said(ROWS.replace(OWN, new)) == unproved
    names = "out and weight" if "weight" in new else "in and out" if "in[" in new else ""
    wanted = [f"that {names} do not overlap" if names and "in[" not in new else u for u in unproved]
    assert said(ROWS.replace(OWN, new).replace("(a, b, w, 90", "(a, b, a, 90")) == wanted
