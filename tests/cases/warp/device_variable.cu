// A __device__ array is global memory.
__device__ float table[1 << 16];

__global__ void fill() {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  table[i] = 0;
  table[3 * i] = 1;  // drano: expect[DRN001]
}
