// Products of tiles by a warp, in all shapes, orders and types; prints what is wrong.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
static int failures;
template <class T> struct Memory { using type = T; };
template <> struct Memory<wmma::precision::tf32> { using type = float; };
template <int M, int N, int K, class F, class U, class A, class B>
__global__ void multiply(const typename Memory<F>::type *a, const typename Memory<F>::type *b, U *c,
                         int lda, int ldb, int ldc, wmma::layout_t order) {
  wmma::fragment<wmma::matrix_a, M, N, K, F, A> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, F, B> fb;
  wmma::fragment<wmma::accumulator, M, N, K, U> fc, fd;
  wmma::fill_fragment(fd, (U)1);
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, order);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; i++) fc.x[i] = fc.x[i] * (U)2 + fd.x[i];
  wmma::store_matrix_sync(c, fc, ldc, order);
}
template <int M, int N, int K, class F, class U, class A, class B>
void check(const char *what, bool a_rows, bool b_rows) {
  using T = typename Memory<F>::type;
  static T *a, *b;
  static U *c;
  const int ld = 64;
  cudaMallocManaged(&a, 32 * ld * sizeof(T));
  cudaMallocManaged(&b, 32 * ld * sizeof(T));
  cudaMallocManaged(&c, 32 * ld * sizeof(U));
  for (int rows = 0; rows < 2; rows++) {
    for (int i = 0; i < 32 * ld; i++) a[i] = (T)(float)((i * 7 + i / ld) % 13);
    for (int i = 0; i < 32 * ld; i++) b[i] = (T)(float)((i * 5 + i / ld * 3) % 11);
    for (int i = 0; i < 32 * ld; i++) c[i] = (U)(float)(i % 17);
    static float want[32][32];
    for (int r = 0; r < M; r++)
      for (int n = 0; n < N; n++) {
        float sum = (float)c[rows ? r * ld + n : n * ld + r];
        for (int k = 0; k < K; k++)
          sum += (float)a[a_rows ? r * ld + k : k * ld + r] * (float)b[b_rows ? k * ld + n : n * ld + k];
        want[r][n] = 2 * sum + 1;
      }
    auto order = rows ? wmma::mem_row_major : wmma::mem_col_major;
    multiply<M, N, K, F, U, A, B><<<1, 32>>>(a, b, c, ld, ld, ld, order);
    if (cudaDeviceSynchronize() != cudaSuccess) failures++;
    for (int r = 0; r < M; r++)
      for (int n = 0; n < N; n++) {
        float got = (float)c[rows ? r * ld + n : n * ld + r];
        if (got != want[r][n] && failures++ < 9)
          printf("%s %dx%dx%d, row %d column %d: %g, not %g\n", what, M, N, K, r, n, got, want[r][n]);
      }
  }
}
template <int M, int N, int K, class F, class U> void orders(const char *what) {
  check<M, N, K, F, U, wmma::row_major, wmma::col_major>(what, true, false);
  check<M, N, K, F, U, wmma::row_major, wmma::row_major>(what, true, true);
  check<M, N, K, F, U, wmma::col_major, wmma::col_major>(what, false, false);
  check<M, N, K, F, U, wmma::col_major, wmma::row_major>(what, false, true);
}
int main() {
  orders<32, 8, 16, half, float>("half to float");
  orders<8, 32, 16, half, float>("half to float");
  orders<32, 8, 16, half, half>("half");
  orders<8, 32, 16, half, half>("half");
  orders<16, 16, 16, __nv_bfloat16, float>("bfloat16");
  orders<32, 8, 16, __nv_bfloat16, float>("bfloat16");
  orders<8, 32, 16, __nv_bfloat16, float>("bfloat16");
  orders<16, 16, 8, wmma::precision::tf32, float>("tf32");
  orders<8, 8, 4, double, double>("double");
  orders<32, 8, 16, signed char, int>("signed bytes");
  orders<8, 32, 16, unsigned char, int>("bytes");
  if (!failures) printf("all as it should be\n");
  return failures != 0;
}
