// drano: expect-none
extern __shared__ float tile[];

__global__ void reverse(float* a) {
  float* half = tile + 32;
  half[threadIdx.x * 2] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = half[(31 - threadIdx.x) * 2];
}
