// nvcc: -std=c++17
// Unrolling and diagnostics pragmas in all their forms.
#pragma once
#pragma nv_diag_suppress 177
#pragma nv_diag_default 177
#pragma nv_diagnostic push
#pragma nv_diagnostic pop
#pragma diag_suppress 20012
#pragma hd_warning_disable
#pragma nv_exec_check_disable
#define UNROLL(n) _Pragma("unroll")
#define DO_PRAGMA(x) _Pragma(#x)
#define UNROLL_ALL #pragma unroll
#define UNROLL_FOUR UNROLL_BY_FOUR
#define UNROLL_BY_FOUR  # pragma unroll 4
constexpr int four() { return 4; }
template <int N> __global__ void loops(float *out, int n) {
#pragma unroll
  for (int i = 0; i < N; i++) out[i] = i;
#pragma unroll 4
  for (int i = 0; i < n; i++) out[i] = i;
#pragma unroll(2)
  for (int i = 0; i < n; i++) out[i] = i;
#pragma unroll N
  for (int i = 0; i < n; i++) out[i] = i;
#pragma unroll (N / 2 > 0 ? N / 2 : 1)
  for (int i = 0; i < n; i++) out[i] = i;
#pragma unroll 1
  while (n--) out[n] = 0;
#pragma unroll four()
  for (int i = 0; i < n; i++) out[i] = i;
#pragma nounroll
  for (int i = 0; i < n; i++) out[i] = i;
  UNROLL(3) for (int i = 0; i < 3; i++) out[i] = i;
  DO_PRAGMA(unroll 3) for (int i = 0; i < 3; i++) out[i] = i;
  UNROLL_ALL
  for (int i = 0; i < N; i++) out[i] = i;
  UNROLL_FOUR
  for (int i = 0; i < n; i++) out[i] = i;
  _Pragma("nv_diag_suppress 186") if (n < 0) out[0] = 1;
#pragma GCC ivdep
  for (int i = 0; i < n; i++) out[i] = i;
#pragma omp parallel for
  for (int i = 0; i < n; i++) out[i] = i;
#pragma unroll
  do { out[n] = n; } while (n++ < 10);
}
template __global__ void loops<4>(float *, int);
#define CALL(f, ...) f(__VA_ARGS__)
#define OPTIONAL(a, ...) a __VA_OPT__(+ 1)
__global__ void variadic(int *out) { CALL(atomicAdd, out, 1); out[0] = OPTIONAL(1) + OPTIONAL(1, 2); }
