// nvcc -O3 loads all four members at once, though conditions come before the uses of three.
__global__ void largest(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = reinterpret_cast<const float4*>(in)[i];
  float most = v.x;
  if (4 * i + 1 < n) most = fmaxf(most, expf(v.y));
  if (4 * i + 2 < n) most = fmaxf(most, logf(v.z));
  if (4 * i + 3 < n) most = fmaxf(most, expf(v.w));
  out[i] = most;
}

// Without a copy, each member is loaded where it is needed.
__global__ void one(float* out, const float4* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i].y;  // drano: expect[DRN001] "16 sectors where 4 would do"
}
