// Two neighbours for each thread are one access of eight bytes.
__global__ void pairs(float* out, const float* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // drano: expect[DRN001] "`reinterpret_cast<float2*>(in)[…]`"
  float a = in[2 * i];
  float b = in[2 * i + 1];  // drano: expect[DRN001] "2 adjacent elements"
  out[i] = a * b;
}
