// drano: expect-none
// Neighbours clamped to the row: min and max of the header are integer arithmetic.
__global__ void blur(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float left = in[max(i - 1, 0)];
  float right = in[min(i + 1, n - 1)];
  out[i] = 0.5f * (left + right);
}

void launch(float* out, const float* in, int n) { blur<<<(n + 255) / 256, 256>>>(out, in, n); }
