// Inline PTX for tensor cores. Fragments are filled as the tables of the PTX ISA say: register i of a
// thread has the row and the column that ROW and COLUMN give for it. Prints what is wrong.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
static int failures;
__device__ int a_at(int r, int k) { return (r * 7 + k * 3) % 13 - 5; }
__device__ int b_at(int k, int n) { return (k * 5 + n * 2) % 11 - 4; }
__device__ int c_at(int r, int n) { return r - n; }
__device__ float wanted(int r, int n, int depth) {
  float sum = c_at(r, n);
  for (int k = 0; k < depth; k++) sum += a_at(r, k) * b_at(k, n);
  return sum;
}
__device__ unsigned pair(half x, half y) {
  return __half_as_ushort(x) | (unsigned)__half_as_ushort(y) << 16;
}
__device__ unsigned pair(__nv_bfloat16 x, __nv_bfloat16 y) {
  return __bfloat16_as_ushort(x) | (unsigned)__bfloat16_as_ushort(y) << 16;
}
__device__ void same(float got, float want, int *wrong) {
  if (got != want) atomicAdd(wrong, 1);
}
#define GROUP (int)(threadIdx.x >> 2)
#define IN (int)(threadIdx.x & 3)
// .f16 and .bf16, m16n8k16: a row is groupID for i of 0, 1, 4, 5, else groupID + 8
#define A_ROW(i) (GROUP + ((i) % 4 < 2 ? 0 : 8))
#define A_COLUMN(i) (IN * 2 + ((i) & 1) + ((i) < 4 ? 0 : 8))
#define B_ROW(i) (IN * 2 + ((i) & 1) + ((i) < 2 ? 0 : 8))
#define C_ROW(i) (GROUP + ((i) < 2 ? 0 : 8))
#define C_COLUMN(i) (IN * 2 + ((i) & 1))
template <class T> __device__ unsigned a_pair(int i) {
  return pair(T((float)a_at(A_ROW(i), A_COLUMN(i))), T((float)a_at(A_ROW(i + 1), A_COLUMN(i + 1))));
}
template <class T> __device__ unsigned b_pair(int i) {
  return pair(T((float)b_at(B_ROW(i), GROUP)), T((float)b_at(B_ROW(i + 1), GROUP)));
}
#define K16(type, name)                                                                             \
  __global__ void name(int *wrong) {                                                                \
    float c[4];                                                                                     \
    for (int i = 0; i < 4; i++) c[i] = c_at(C_ROW(i), C_COLUMN(i));                                 \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." #name "." #name ".f32 "                   \
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"                \
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])                                   \
                 : "r"(a_pair<type>(0)), "r"(a_pair<type>(2)), "r"(a_pair<type>(4)),                \
                   "r"(a_pair<type>(6)), "r"(b_pair<type>(0)), "r"(b_pair<type>(2)));               \
    for (int i = 0; i < 4; i++) same(c[i], wanted(C_ROW(i), C_COLUMN(i), 16), wrong);               \
  }
K16(half, f16)
K16(__nv_bfloat16, bf16)
__global__ void halves(int *wrong) { // m16n8k8, sums of halves, apart from what they start with
  unsigned c[2], d[2];
  for (int i = 0; i < 2; i++)
    c[i] = pair(half((float)c_at(C_ROW(2 * i), C_COLUMN(0))), half((float)c_at(C_ROW(2 * i), C_COLUMN(1))));
  asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%5,%6};"
      : "=r"(d[0]), "=r"(d[1])
      : "r"(a_pair<half>(0)), "r"(a_pair<half>(2)), "r"(b_pair<half>(0)), "r"(c[0]), "r"(c[1]));
  for (int i = 0; i < 4; i++) {
    float got = __half2float(__ushort_as_half((unsigned short)(d[i / 2] >> 16 * (i & 1))));
    same(got, wanted(C_ROW(i), C_COLUMN(i), 8), wrong);
  }
}
__global__ void several(int *wrong) { // of k16 the halves, one after the other; an address with an offset
  __shared__ __align__(16) unsigned short tile[9][8];
  float c[4];
  for (int i = 0; i < 4; i++) c[i] = c_at(C_ROW(i), C_COLUMN(i));
  for (int k = IN; k < 8; k += 4) // the second half of b, a row for each column, behind an empty one
    tile[GROUP + 1][k] = __half_as_ushort(half((float)b_at(k + 8, GROUP)));
  __syncwarp();
  unsigned row = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x % 8][0]);
  asm volatile("{ .reg .b32 second;\n"
               "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%8}, {%0,%1,%2,%3};\n"
               "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {second}, [%9+16];\n"
               "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%6,%7}, {second}, {%0,%1,%2,%3}; }"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a_pair<half>(0)), "r"(a_pair<half>(2)), "r"(a_pair<half>(4)), "r"(a_pair<half>(6)),
                 "r"(b_pair<half>(0)), "r"(row));
  for (int i = 0; i < 4; i++) same(c[i], wanted(C_ROW(i), C_COLUMN(i), 16), wrong);
}
__global__ void tf32(int *wrong) { // m16n8k8: a0 (g, t), a1 (g + 8, t), a2 (g, t + 4), a3 (g + 8, t + 4)
  float c[4];
  for (int i = 0; i < 4; i++) c[i] = c_at(C_ROW(i), C_COLUMN(i));
  unsigned a[4], b[2];
  for (int i = 0; i < 4; i++) // the low 13 bits do not count
    a[i] = __float_as_uint((float)a_at(GROUP + i % 2 * 8, IN + i / 2 * 4)) | 0x1fff;
  for (int i = 0; i < 2; i++) b[i] = __float_as_uint((float)b_at(IN + 4 * i, GROUP));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; i++) same(c[i], wanted(C_ROW(i), C_COLUMN(i), 8), wrong);
}
__global__ void doubles(int *wrong) { // m8n8k4: a (g, t), b (t, g), c (g, 2 t + i)
  double a = a_at(GROUP, IN), b = b_at(IN, GROUP), c[2];
  for (int i = 0; i < 2; i++) c[i] = c_at(GROUP, 2 * IN + i);
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(c[0]), "+d"(c[1]) : "d"(a), "d"(b));
  for (int i = 0; i < 2; i++) same(c[i], wanted(GROUP, 2 * IN + i, 4), wrong);
}
__device__ unsigned a_bytes(int row, int start) {
  unsigned word = 0;
  for (int i = 0; i < 4; i++) word |= (unsigned)(a_at(row, start + i) & 255) << 8 * i;
  return word;
}
__device__ unsigned b_bytes(int start) {
  unsigned word = 0;
  for (int i = 0; i < 4; i++) word |= (unsigned)(b_at(start + i, GROUP) & 255) << 8 * i;
  return word;
}
__global__ void bytes(int *wrong) { // m16n8k32: columns t * 4 + i % 4, from 16 on for i of 8 and more
  int c[4], d[4];
  for (int i = 0; i < 4; i++) c[i] = d[i] = c_at(C_ROW(i), C_COLUMN(i));
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
               : "r"(a_bytes(GROUP, IN * 4)), "r"(a_bytes(GROUP + 8, IN * 4)),
                 "r"(a_bytes(GROUP, IN * 4 + 16)), "r"(a_bytes(GROUP + 8, IN * 4 + 16)),
                 "r"(b_bytes(IN * 4)), "r"(b_bytes(IN * 4 + 16)));
  for (int i = 0; i < 4; i++) same(c[i], wanted(C_ROW(i), C_COLUMN(i), 32), wrong);
  int high = 0x7fffffff;
  for (int i = 0; i < 4; i++) d[i] = high;
  asm volatile("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.u8.s8.s32 "
               "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
               : "r"(0xffffffffu), "r"(0x01010101u), "r"(0x01010101u));
  same(d[0] == high && d[3] == high, 1, wrong);
}
__global__ void matrices(int *wrong) {
  __shared__ __align__(16) unsigned short tile[4][8][8], out[4][8][8];
  for (int i = threadIdx.x; i < 256; i += 32) (&tile[0][0][0])[i] = i * 3;
  __syncwarp();
  unsigned r[4];
  int lane = threadIdx.x;
  unsigned row = (unsigned)__cvta_generic_to_shared(&tile[lane / 8][lane % 8][0]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row));
  for (int i = 0; i < 4; i++) {
    same(r[i] & 0xffff, tile[i][GROUP][2 * IN], wrong);
    same(r[i] >> 16, tile[i][GROUP][2 * IN + 1], wrong);
  }
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(r[0]), "=r"(r[1]) : "r"(row));
  for (int i = 0; i < 2; i++) {
    same(r[i] & 0xffff, tile[i][2 * IN][GROUP], wrong);
    same(r[i] >> 16, tile[i][2 * IN + 1][GROUP], wrong);
  }
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(row));
  same(r[0] & 0xffff, tile[0][GROUP][2 * IN], wrong);
#if STORES
  row = (unsigned)__cvta_generic_to_shared(&out[lane / 8][lane % 8][0]);
  for (int i = 0; i < 4; i++) r[i] = i * 1000 + GROUP * 10 + IN;
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};"
               :: "r"(row), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]));
  __syncwarp();
  for (int i = 0; i < 4; i++) same(out[i][GROUP][2 * IN], r[i], wrong);
  __syncwarp();
  asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" :: "r"(row), "r"(r[3]));
  __syncwarp();
  same(out[0][2 * IN][GROUP], r[3], wrong);
#endif
}
int main() {
  int *wrong;
  cudaMallocManaged(&wrong, sizeof(int));
  *wrong = 0;
  struct { const char *name; void (*kernel)(int *); } all[] = {
      {"f16", f16}, {"bf16", bf16}, {"halves", halves}, {"several", several}, {"tf32", tf32},
      {"doubles", doubles}, {"bytes", bytes}, {"matrices", matrices}};
  for (auto &each : all) {
    each.kernel<<<1, 32>>>(wrong);
    if (cudaDeviceSynchronize() != cudaSuccess || *wrong) {
      printf("%s: %d wrong\n", each.name, *wrong);
      failures++;
    }
    *wrong = 0;
  }
  if (!failures) printf("all as it should be\n");
  return failures != 0;
}
