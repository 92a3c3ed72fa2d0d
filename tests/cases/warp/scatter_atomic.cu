__global__ void count(int* bins, const int* key) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[key[i]], 1);  // drano: expect[DRN003]
}
