// Special registers and escapes in inline PTX.
__device__ unsigned lane() { unsigned v; asm volatile("mov.u32 %0, %laneid;" : "=r"(v)); return v; }
__device__ unsigned lane2() { unsigned v; asm("mov.u32 %0, %%laneid;" : "=r"(v)); return v; }
__device__ unsigned sm() { unsigned v; asm("mov.u32 %0, %smid;" : "=r"(v)); return v; }
__device__ unsigned warp() { unsigned v; asm("mov.u32 %0, %warpid;" : "=r"(v)); return v; }
__device__ unsigned clock32() { unsigned v; asm volatile("mov.u32 %0, %clock;" : "=r"(v) :: "memory"); return v; }
__device__ long long ticks() { long long v; asm volatile("mov.u64 %0, %clock64;" : "=l"(v)); return v; }
__device__ unsigned long long timer() { unsigned long long v; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(v)); return v; }
__device__ unsigned mask() { unsigned v; asm("mov.u32 %0, %lanemask_lt;" : "=r"(v)); return v; }
__device__ unsigned tid() { unsigned v; asm("mov.u32 %0, %tid.x;" : "=r"(v)); return v; }
__device__ unsigned dynamic_smem() { unsigned v; asm("mov.u32 %0, %dynamic_smem_size;" : "=r"(v)); return v; }
__device__ unsigned cluster() { unsigned v; asm("mov.u32 %0, %cluster_ctarank;" : "=r"(v)); return v; }
__device__ int predicate(int a) {
  int r;
  asm("{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %1, 0;\n\tselp.b32 %0, 1, 2, p;\n\t}" : "=r"(r) : "r"(a));
  return r;
}
__device__ int escaped(int a) {
  int r;
  asm("{\n\t.reg .u32 %%t;\n\tmov.u32 %%t, %1;\n\tadd.u32 %0, %%t, %laneid;\n\t}" : "=r"(r) : "r"(a));
  return r;
}
__device__ float multi(float a) { asm("add.f32 %0, %0, 0f3F800000;" : "+f"(a)); return a; }

__global__ void registers(unsigned *out, unsigned long long *wide) {
  unsigned i = tid();
  out[i] = lane() + lane2() + sm() + warp() + clock32() + mask() + dynamic_smem() + cluster();
  wide[i] = ticks() + timer() + predicate(i) + escaped(i) + (int)multi(i);
}

__global__ void from_text(float *out, const float *in) {
  float v;
  asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(v) : "l"(in + threadIdx.x));
  asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(out + threadIdx.x), "f"(v) : "memory");
}
__global__ void immediate(int *out) {
  int v;
  asm("shl.b32 %0, %1, %2;" : "=r"(v) : "r"(threadIdx.x), "n"(3));
  asm("{ .reg .b32 t; mov.b32 t, %1; xor.b32 %0, t, %2; }" : "=r"(v) : "r"(v), "r"(7));
  out[threadIdx.x] = v;
  __asm__ __volatile__("bar.sync %0, %1;" ::"r"(1), "r"(64) : "memory");
  asm volatile("" ::: "memory");
}
__device__ short halves(unsigned short a) { short r; asm("mov.b16 %0, %1;" : "=h"(r) : "h"(a)); return r; }
__global__ void packed(unsigned *out, float a, float b, unsigned short h) {
  unsigned r;
  asm("{ cvt.rn.bf16x2.f32 %0, %1, %2; }" : "=r"(r) : "f"(a), "f"(b));
  out[threadIdx.x] = r + halves(h);
}
