// drano-flags: --domain gpudrano --tid-y
// With it, threadIdx.y varies between lanes as well.
__global__ void k(float* a, int pitch) {
  a[threadIdx.y * pitch + threadIdx.x] = 0;  // drano: expect[DRN001]
}
