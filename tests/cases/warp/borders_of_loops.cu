// Loops that end at an array's borders, or go on at its other side. Sectors of each request on an
// H200, of 4 that its bytes need: rows 4.9, taps 4.8 and 1 of 1, columns 31.8, rings 4, masked 32.
__global__ void rows(const float *in, float *out, int n, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  float s = 0;
  for (int i = max(x - r, 0); i < min(x + r + 1, n); ++i)
    s += in[i];
  out[x] = s;
}

__global__ void taps(const float *in, const float *w, float *out, int n, int taps, int pad) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  float s = 0;
  for (int k = max(0, pad - x); k < min(taps, n + pad - x); ++k)
    s += in[x + k - pad] * w[k];
  out[x] = s;
}

__global__ void columns(const float *in, float *out, int n, int m, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= n) return;
  float s = 0;
  for (int i = max(x - r, 0); i < min(x + r + 1, n); ++i)
    s += in[i * m + y];  // drano: expect[DRN004]
  out[y * n + x] = s;
}

__global__ void ring(const float *in, float *out, int size, int rounds) {
  int g = blockIdx.x * blockDim.x + threadIdx.x, at = g;
  float s = 0;
  for (int j = 0; j < rounds; ++j) {
    s += in[at];
    at += 4096;
    if (at >= size) at -= size;
  }
  out[g] = s;
}

__global__ void masked(const float *in, float *out, int size, int rounds) {
  int g = blockIdx.x * blockDim.x + threadIdx.x, at = g * 64;
  float s = 0;
  for (int j = 0; j < rounds; ++j) {
    s += in[at & (size - 1)];  // drano: expect[DRN001]
    at = (at + 16) & (size - 1);
  }
  out[g] = s;
}

void launch(const float *in, const float *w, float *out, int n, int m, int r) {
  rows<<<n / 256, 256>>>(in, out, n, r);
  taps<<<n / 256, 256>>>(in, w, out, n, m, r);
  columns<<<dim3(n / 256, m), 256>>>(in, out, n, m, r);
  ring<<<n / 256, 256>>>(in, out, n, m);
  masked<<<n / 256, 256>>>(in, out, n, m);
}
