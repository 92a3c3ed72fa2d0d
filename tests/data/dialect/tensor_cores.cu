// wmma of all element types, and mma in text.
#include <mma.h>
using namespace nvcuda;
__global__ void half_in(const half *a, const half *b, float *c, int ld) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, a, ld);
  wmma::load_matrix_sync(fb, b, ld);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; i++) fc.x[i] *= 2;
  wmma::store_matrix_sync(c, fc, ld, wmma::mem_row_major);
}
__global__ void others(const __nv_bfloat16 *b16, const float *f32, const double *f64, const signed char *s8, float *c, double *d, int *n) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> ba;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::col_major> bb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> bc;
  wmma::load_matrix_sync(ba, b16, 16); wmma::load_matrix_sync(bb, b16, 16); wmma::load_matrix_sync(bc, c, 16, wmma::mem_row_major);
  wmma::mma_sync(bc, ba, bb, bc); wmma::store_matrix_sync(c, bc, 16, wmma::mem_col_major);
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> ta;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> tb;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> tc;
  wmma::load_matrix_sync(ta, f32, 16); wmma::load_matrix_sync(tb, f32, 16); wmma::fill_fragment(tc, 0.0f);
  ta.x[0] = wmma::__float_to_tf32(ta.x[0]);
  wmma::mma_sync(tc, ta, tb, tc); wmma::store_matrix_sync(c, tc, 16, wmma::mem_row_major);
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> da;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> db;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> dc;
  wmma::load_matrix_sync(da, f64, 16); wmma::load_matrix_sync(db, f64, 16); wmma::fill_fragment(dc, 0.0);
  wmma::mma_sync(dc, da, db, dc); wmma::store_matrix_sync(d, dc, 16, wmma::mem_row_major);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> ia;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> ib;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> ic;
  wmma::load_matrix_sync(ia, s8, 16); wmma::load_matrix_sync(ib, s8, 16); wmma::fill_fragment(ic, 0);
  wmma::mma_sync(ic, ia, ib, ic); wmma::store_matrix_sync(n, ic, 16, wmma::mem_row_major);
}
__global__ void text(unsigned *out, const void *smem) {
  unsigned a0, a1, a2, a3;
  unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(smem));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a0), "=r"(a1), "=r"(a2), "=r"(a3) : "r"(address));
  float c[4] = {};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(a0), "r"(a1));
  out[threadIdx.x] = a0 + c[0] + c[3];
}
