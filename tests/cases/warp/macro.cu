#define GLOBAL_ID (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define AT(array, i) array[(i) * 3]

__global__ void k(float* a) {
  AT(a, GLOBAL_ID) = 0;  // drano: expect[DRN001] "12 bytes"
}
