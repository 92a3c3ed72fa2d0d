#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

// Straight from global memory each request takes 16 bytes of eight rows.
__global__ void product(const half *a, const half *b, half *c, int n) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> sum;
  wmma::fill_fragment(sum, __float2half(0));
  wmma::load_matrix_sync(left, a + blockIdx.x * 16 * 64, 64);  // drano: expect[DRN001] "copy the tile into shared memory"
  load_matrix_sync(right, b + blockIdx.y * 16 * 64, 64);       // drano: expect[DRN001] "load of `*(b + blockIdx.y * 16 * 64)`"
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c + blockIdx.x * 16 * 64, sum, 64, wmma::mem_row_major);  // drano: expect[DRN001] "store the fragment to a tile in shared memory"
}

void launch(const half *a, const half *b, half *c) { product<<<dim3(8, 8), 32>>>(a, b, c, 64); }
