// Products of tiles by a warp, in all orders and types; prints what is wrong.
#include <cstdio>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
static int failures;
template <class T> __device__ __host__ float plain(T x) { return (float)x; }
template <class T, class U, class A, class B>
__global__ void multiply(const T *a, const T *b, U *c, int lda, int ldb, wmma::layout_t order) {
  __shared__ __align__(32) T tile[16 * 32];
  for (int i = threadIdx.x; i < 16 * lda; i += 32) tile[i] = a[i];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, T, A> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, T, B> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, U> fc, fd;
  wmma::fill_fragment(fd, (U)1);
  wmma::load_matrix_sync(fa, tile, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, 16, order);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; i++) fc.x[i] = fc.x[i] * (U)2 + fd.x[i];
  wmma::store_matrix_sync(c, fc, 16, order);
}
template <class T, class U, class A, class B> void check(const char *what, bool a_rows, bool b_rows) {
  T *a, *b;
  U *c;
  const int lda = 32, ldb = 16;
  cudaMallocManaged(&a, 16 * lda * sizeof(T));
  cudaMallocManaged(&b, 16 * ldb * sizeof(T));
  cudaMallocManaged(&c, 256 * sizeof(U));
  for (int rows = 0; rows < 2; rows++) {
    for (int i = 0; i < 16 * lda; i++) a[i] = (T)((i * 7 + i / lda) % 13);
    for (int i = 0; i < 16 * ldb; i++) b[i] = (T)((i * 5 + i / ldb * 3) % 11);
    for (int i = 0; i < 256; i++) c[i] = (U)(i % 17);
    float want[256];
    for (int r = 0; r < 16; r++)
      for (int n = 0; n < 16; n++) {
        int at = rows ? r * 16 + n : n * 16 + r;
        float sum = plain(c[at]);
        for (int k = 0; k < 16; k++)
          sum += plain(a[a_rows ? r * lda + k : k * lda + r]) * plain(b[b_rows ? k * ldb + n : n * ldb + k]);
        want[at] = 2 * sum + 1;
      }
    multiply<T, U, A, B><<<1, 32>>>(a, b, c, lda, ldb, rows ? wmma::mem_row_major : wmma::mem_col_major);
    if (cudaDeviceSynchronize() != cudaSuccess) failures++;
    for (int i = 0; i < 256; i++)
      if (plain(c[i]) != plain((U)want[i]) && failures++ < 9)
        printf("%s, element %d: %g, not %g\n", what, i, plain(c[i]), want[i]);
  }
}
template <class T, class U> void orders(const char *what) {
  check<T, U, wmma::row_major, wmma::col_major>(what, true, false);
  check<T, U, wmma::row_major, wmma::row_major>(what, true, true);
  check<T, U, wmma::col_major, wmma::col_major>(what, false, false);
  check<T, U, wmma::col_major, wmma::row_major>(what, false, true);
}
int main() {
  orders<half, float>("half to float");
  orders<half, half>("half");
  orders<signed char, int>("signed bytes");
  orders<unsigned char, int>("bytes");
  if (!failures) printf("all as it should be\n");
  return failures != 0;
}
