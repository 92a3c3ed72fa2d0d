// No matter for coalescing, but two lanes share each bank.
extern __shared__ float tile[];

__global__ void reverse(float* a) {
  float* half = tile + 32;
  half[threadIdx.x * 2] = a[threadIdx.x];  // drano: expect[DRN101] "2 wavefronts"
  __syncthreads();
  a[threadIdx.x] = half[(31 - threadIdx.x) * 2];  // drano: expect[DRN101]
}
