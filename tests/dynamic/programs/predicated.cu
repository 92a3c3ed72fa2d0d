// Accesses under a predicate that inline PTX sets, as CUTLASS writes its copies, loads and stores.
#include <cstdio>
__device__ void copy_if(void* to, const void* from, bool on) {
  unsigned place = (unsigned)__cvta_generic_to_shared(to);
  asm volatile("{\n .reg .pred p;\n setp.ne.b32 p, %0, 0;\n @p cp.async.cg.shared.global.L2::128B [%1], [%2], %3;\n}\n" ::"r"((int)on), "r"(place), "l"(from), "n"(16));
}
__device__ uint4 load_unless(const uint4* from, bool off) {
  uint4 v = make_uint4(1, 2, 3, 4);
  asm volatile("{ .reg .pred %%q; setp.eq.s32 %%q, %5, 0; mov.b32 %0, %6; mov.b32 %1, %7;"
               " mov.b32 %2, %8; mov.b32 %3, %9; @%%q ld.global.v4.u32 {%0, %1, %2, %3}, [%4]; }"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(from), "r"((int)off), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w));
  return v;
}
__device__ void store_if(uint4* to, uint4 v, bool on) {
  asm volatile("{\n .reg .pred p;\n setp.ne.b32 p, %5, 0;\n @p st.global.v4.u32 [%0], {%1, %2, %3, %4};\n}\n" :: "l"(to), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), "r"((int)on));
}
__global__ void pieces(const uint4* in, uint4* out, int n) {
  __shared__ uint4 s[64];
  int t = threadIdx.x;
  s[t] = make_uint4(7, 7, 7, 7);
  __syncthreads();
  copy_if(s + t, in + t, t < n);
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  uint4 v = load_unless(in + t, t % 32 >= 8);
  store_if(out + t, make_uint4(v.x + s[t].x, v.y, v.z, s[t].w), t != 5);
}
int main() {
  uint4 *in, *out; cudaMallocManaged(&in, 64 * 16); cudaMallocManaged(&out, 64 * 16);
  for (int i = 0; i < 64; i++) in[i] = make_uint4(100 + i, 200 + i, 300 + i, 400 + i), out[i] = make_uint4(0,0,0,0);
  pieces<<<1, 64>>>(in, out, 20); cudaDeviceSynchronize();
  int bad = 0;
  for (unsigned i = 0; i < 64; i++) {
    bool l = i % 32 < 8, c = i < 20; 
    unsigned x = (l ? 100 + i : 1) + (c ? 100 + i : 7), y = l ? 200 + i : 2, z = l ? 300 + i : 3, w = c ? 400 + i : 7;
    if (i == 5) x = y = z = w = 0;
    bad += out[i].x != x || out[i].y != y || out[i].z != z || out[i].w != w;
  }
  if (bad) {
    printf("%d wrong\n", bad);
    return 1;
  }
  printf("all as it should be\n");
}
