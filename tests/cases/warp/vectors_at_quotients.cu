// An index of elements divided by the width of a vector, of a number that may be negative for all
// that is known: neighbours stay neighbours.
__global__ void halves(float2* out, const float2* in, int width) {
  int column = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (column < width) out[(blockIdx.y * width + column) / 2] = in[(blockIdx.y * width + column) / 2];
}
__global__ void quarters(float4* out, const float4* in, int n) {
  int i = n + 4 * threadIdx.x;
  out[i / 4] = in[(i - 8) / 4];
  out[i / 2] = in[0];  // drano: expect[DRN001] "32 sectors where 16"
}
int main(int n, char**) {
  halves<<<dim3(n, n), 256>>>(nullptr, nullptr, n);
  quarters<<<1, 256>>>(nullptr, nullptr, n);
}
