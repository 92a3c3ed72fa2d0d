// What an unrolled loop leaves over is done by a second one, which lanes enter at different
// iterations of the first: they are neighbours there, too, but for one place in a warp.
__global__ void unrolled(float* out, const float* in, int n) {
  int step = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * step < n; i += 4 * step) {
    out[i] = in[i];
    out[i + step] = in[i + step];
    out[i + 2 * step] = in[i + 2 * step];
    out[i + 3 * step] = in[i + 3 * step];
  }
  for (; i < n; i += step) out[i] = in[i];
}
// By whole rounds of the block: lanes go around equally often.
__global__ void rounds(float* out, const float* in, int n) {
  int i = threadIdx.x;
  int last = n % (2 * blockDim.x);
  float sum = 0;
  for (; i < n - last; i += blockDim.x * 2) sum += in[i] + in[i + blockDim.x];
  for (; i < n; i += blockDim.x) sum += in[i];
  out[i] = sum;
}
// Lanes that are elements apart from each other stay so.
__global__ void pairs(float2* out, const float* in, int n) {
  int i = threadIdx.x;
  for (; i < n - 128; i += 256) out[i].x = in[2 * i + 1];  // drano: expect[DRN001]
  for (; i < n; i += 128)
    out[i].x = in[2 * i + 1];  // drano: expect[DRN001]
}
// Downwards; by less than a warp, which brings lanes to the same places: that is left unknown.
__global__ void downwards(float* out, const float* in, int n, int m) {
  int i = n - 1 - threadIdx.x;
  for (; i >= m; i -= 256) out[i] = in[i];
  out[i + 256] = 0;
  out[2 * i + 512] = 0;  // drano: expect[DRN001] "8 bytes apart"
}
__global__ void short_steps(float* out, const float* in, int n) {
  int i = threadIdx.x;
  for (; i < n - 64; i += 8) out[i] = in[i];
  out[i] = 0;
}
// Rows of their own for the lanes' loops: where each ends is loaded.
__global__ void rows(float* out, const int* ends) {
  int i = threadIdx.x;
  for (; i < ends[threadIdx.x]; i += 128) out[i] = 0;
  out[i] = 1;  // drano: expect[DRN003]
}
void go(float* a, float2* p, const int* ends, int n) {
  unrolled<<<n / 1024, 256>>>(a, a + 1024, n);
  rounds<<<1, 256>>>(a, a + 1024, n);
  pairs<<<1, 128>>>(p, a, n);
  downwards<<<1, 128>>>(a, a + 1024, n, n % 512);
  short_steps<<<1, 128>>>(a, a + 1024, n);
  rows<<<1, 128>>>(a, ends);
}
