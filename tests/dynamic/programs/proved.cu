// Kernels under many block shapes, of which the source shows some: what is proved of an access for
// one shape must not be believed of another.
#include <cstdio>
#include <cstdlib>

struct Pair { int first, second; };

__global__ void linear(const int *in, int *out, int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + shift] + in[i / 32] + in[2 * i] + in[64 - threadIdx.x % 64];
}

__global__ void tile(const float *in, float *out, int pitch) {
  __shared__ float cells[32][33], plain[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  cells[y % 32][x % 32] = in[y * pitch + x];
  plain[x % 32][y % 32] = in[x];
  __syncthreads();
  out[(y + blockIdx.x) * pitch + x] = cells[x % 32][y % 32] + plain[y % 32][x % 32] + cells[0][0];
}

__global__ void loops(const double *in, double *out, Pair *pairs, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += in[k] + in[k * blockDim.x + threadIdx.x];
  for (unsigned k = threadIdx.x; k < 100; k += blockDim.x) sum += in[k];
  if (threadIdx.x & 1) pairs[threadIdx.x].second = (int)sum;
  if (threadIdx.x < 20) out[threadIdx.x] = sum;
}

__global__ void narrow(const char *bytes, const short *words, char *out) {
  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[t] = bytes[t + 3] + words[t / 2] + bytes[31 - t % 32];
}

__global__ void counters(int *hits, float4 *wide, unsigned long long *big) {
  __shared__ int mine[40];
  if (threadIdx.x < 40) mine[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&mine[threadIdx.x % 32], 1);
  atomicAdd(&mine[0], 2);
  atomicAdd(&hits[threadIdx.x / 4], 1);
  atomicMax(&big[threadIdx.x], 3ull);
  float4 w = wide[threadIdx.x];
  w.x += mine[threadIdx.x % 40];
  wide[threadIdx.x] = w;
}

__global__ void __launch_bounds__(256) wraps(const int *in, int *out, unsigned start) {
  unsigned i = start + threadIdx.x;  // past 2^32 for some
  out[threadIdx.x] = in[i % 1000u] + in[(unsigned char)(threadIdx.x + 250)];
  out[threadIdx.x ^ 5] = in[(threadIdx.x & 15) << 2 | threadIdx.x >> 4 & 3];
}

template <typename T> static T *room(size_t n) {
  T *p;
  if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess) exit(2);
  cudaMemset(p, 1, n * sizeof(T));
  return p;
}

int main(int argc, char **argv) {
  int *a = room<int>(1 << 14), *b = room<int>(1 << 14);
  float *f = room<float>(1 << 14), *g = room<float>(1 << 14);
  double *d = room<double>(1 << 14), *e = room<double>(1 << 14);
  Pair *pairs = room<Pair>(1024);
  char *c = room<char>(4096), *h = room<char>(4096);
  short *s = room<short>(4096);
  float4 *w = room<float4>(1024);
  unsigned long long *big = room<unsigned long long>(1024);

  linear<<<3, 64>>>(a, b, 0);
  tile<<<2, dim3(16, 16)>>>(f, g, 64);
  loops<<<2, 40>>>(d, e, pairs, 7);
  narrow<<<1, dim3(4, 4, 4)>>>(c, s, h);
  counters<<<2, 96>>>(a, w, big);

  dim3 shapes[] = {dim3(32), dim3(48), dim3(96, 2), dim3(16, 16), dim3(16, 4, 2), dim3(8, 8, 3),
                   dim3(33, 3), dim3(1, 64), dim3(7), dim3(32, 2, 4), dim3(atoi(argv[1]))};
  for (dim3 shape : shapes) {
    linear<<<3, shape>>>(a + 1, b, 5);
    linear<<<dim3(2, 2), shape>>>(a, b + 3, 32);
    tile<<<2, shape>>>(f + 2, g, 40);
    loops<<<2, shape>>>(d, e + 1, pairs, 3);
    narrow<<<2, shape>>>(c + 1, s + 1, h + 7);
    counters<<<1, shape>>>(a, w, big + 5);
    wraps<<<1, shape>>>(a, b, 0xfffffff0u);
  }
  cudaError_t error = cudaDeviceSynchronize();
  puts(cudaGetErrorName(error));
  return error != cudaSuccess;
}
