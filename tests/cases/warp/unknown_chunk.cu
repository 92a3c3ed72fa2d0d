// A chunk for each thread, of a size that is known only at run time.
__global__ void k(float* a, int chunk) {
  int begin = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
  for (int i = begin; i < begin + chunk; ++i) a[i] = 0;  // drano: expect[DRN004]
}
