// As the CUDA 2 guide wrote it.
// drano: expect-none
__global__ void k(float* a) {
  const unsigned int tid = __umul24(blockDim.x, blockIdx.x) + threadIdx.x;
  a[tid] = 0;
}

void go(float* a) {
  k<<< 4, 64 >>>(a);
  cudaThreadSynchronize();
}
