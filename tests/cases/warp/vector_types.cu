// A float4 for each lane is 16 sectors, all of them used.
// drano: expect-none
__global__ void copy(float4* out, const float4* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
