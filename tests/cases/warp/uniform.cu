// The same address in all lanes is one sector, however it was computed.
// drano: expect-none
__global__ void broadcast(float* out, const float* in, const int* which, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += in[k * n] + in[which[k]] + in[blockIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
