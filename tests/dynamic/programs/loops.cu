// Loops of every kind, whose counts do not depend on where arrays lie nor on how lanes are scheduled.
#include <cstdio>
struct place { const float *in; int rows; };
__constant__ place places[4];
__constant__ __align__(128) float weights[64];

// Each lane's part of a row: lanes leave one by one, from either end; the second one goes backwards.
__global__ void convolution(float *out, int rows, int size) {
  __shared__ float mask[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) mask[i] = (float)i;
  __syncthreads();
  for (int at = threadIdx.x; at < rows + size - 1; at += blockDim.x) {
    int first = at < size ? 0 : at - size + 1, last = at < rows ? at : rows - 1;
    float sum = 0;
    for (int j = 0; j < places[1].rows; j++)
      for (int k = first; k <= last; k++) sum += mask[j * 16 + k] * places[blockIdx.x].in[j * size + at - k];
    out[blockIdx.x * (rows + size) + at] = sum;
  }
}
__global__ void counters(const float *in, const double *wide, const char *bytes, float *out, unsigned n, int step) {
  float sum = 0;
  unsigned lane = threadIdx.x;
  for (unsigned i = 0; i < n; i++) sum += in[lane + i];
  for (unsigned i = lane % 5; i != n; i++) sum += in[(size_t)i * 3];
  for (int i = (int)n; i > 0; i -= 3) sum += (float)wide[i + (int)lane];
  for (long i = (long)lane; i < (long)n; i += 7) sum += bytes[i];
  for (short i = 0; i < 40; i++) sum += (float)bytes[i * 5 + (int)lane];
  const float *p = in + lane, *end = p;
  for (int i = 0; i < step; i++) sum += *p++;
  for (int i = 0; i < (int)lane % 9; i++) end += 2, sum += *end;
  int i = 0;
  do sum += in[i * step + (int)lane];
  while (++i < 20);
  for (int k = 5; k >= -(int)(lane & 3); k--) sum += weights[k + 8];
  for (int k = 0; k < step; k++) sum += weights[lane & 7];
  out[blockIdx.x * blockDim.x + lane] = sum;
}
// Lanes with rows of their own, in order and not; and steps of their own.
__global__ void rows(const float *in, const int *index, float *out, int pitch, int n) {
  float sum = 0;
  int lane = threadIdx.x, row = index[lane] % 64;
  for (int k = 0; k < n; k++) sum += in[lane * pitch + k];
  for (int k = 0; k < n; k++) sum += in[row * pitch + k * 2];
  for (int k = 0; k < n; k++) sum += in[row * 3 + k * (lane % 4)];
  for (int k = row; k < n; k++) sum += in[lane / 4 + k * pitch];
  for (int k = 0; k < 20000 + lane % 3; k++) sum += in[(lane ^ 1) * 2 + k];
  out[blockIdx.x * blockDim.x + lane] = sum;
}
// Where lanes part: some are elsewhere, or are not there; a loop in which they do is counted inside.
__global__ void parts(const float *in, float *out, int n) {
  __shared__ float here[128];
  __shared__ double pairs[168];
  int lane = threadIdx.x;
  here[lane] = 1, pairs[lane] = 2;
  __syncthreads();
  float sum = 0;
  const float *from = blockIdx.x & 1 ? here : in;
  for (int k = 0; k < 60; k++) sum += from[k + lane % 30];
  if (lane % 3 == 1)
    for (int k = 0; k < n; k++) sum += in[k + lane] + here[lane];
  else
    for (int k = lane; k < n; k += 2) sum += (float)pairs[(k + lane) & 127] + here[k & 63];
  for (int k = 0; k < 30 + lane % 4; k++) sum += (float)pairs[lane + k] + here[lane * 2 % 64 + k];
  for (int k = 0; k < n; k++)
    if ((k ^ lane) & 1) sum += in[k];
  for (int k = 0; k < n; k++) {
    sum += in[k + lane];
    if (k == lane) break;
  }
  for (int k = 0; k < 8; k++) out[(blockIdx.x * blockDim.x + lane) * 8 + k] = sum;
}
int main() {
  const int n = 1 << 16;
  float *in, *out;
  double *wide;
  char *bytes;
  int *index, host[128];
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&wide, n * sizeof(double));
  cudaMalloc(&bytes, n);
  cudaMalloc(&index, sizeof host);
  cudaMemset(in, 0, n * sizeof(float));
  cudaMemset(wide, 0, n * sizeof(double));
  cudaMemset(bytes, 0, n);
  for (int i = 0; i < 128; i++) host[i] = i * 37 % 101;
  cudaMemcpy(index, host, sizeof host, cudaMemcpyHostToDevice);
  place all[4];
  for (int i = 0; i < 4; i++) all[i] = {in + i * 1000 + i, 9};
  cudaMemcpyToSymbol(places, all, sizeof all);
  convolution<<<4, 64>>>(out, 13, 81);
  convolution<<<4, 96>>>(out, 51, 70);
  counters<<<3, 100>>>(in, wide, bytes, out, 150, 11);
  counters<<<1, 32>>>(in, wide, bytes, out, 77, 0);
  rows<<<2, 128>>>(in, index, out, 100, 90);
  parts<<<4, 128>>>(in, out, 50);
  int error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName((cudaError_t)error));
  return error;
}
