// nvcc looks for the operands of an asm where code is made of it: here is none of the other branch.
template <int way>
__device__ void load(unsigned to, const float* p) {
  if constexpr (way == 0) {
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(to), "f"(*p) : "memory");  // drano: expect[DRN001]
  } else {
    asm volatile(
        "st.shared.f32 [%0],"
        " %3;" ::"r"(to),
        "f"(*p)
        : "memory");
  }
}

__global__ void k(float* out, const float* p) {
  __shared__ float staged[32];
  load<0>((unsigned)__cvta_generic_to_shared(staged + threadIdx.x), p + 2 * threadIdx.x);
  out[threadIdx.x] = staged[threadIdx.x];
}
