// drano: expect-none
__global__ void leaders(float* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 == 0) a[i / 32] = 1;
}
