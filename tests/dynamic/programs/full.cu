// Full warps whose lanes part and meet again: in loops that some lanes leave earlier, at branches,
// at returns; pointers that change from round to round. The host computes the same.
#include <cstdio>
#include <cstdlib>

#define BOTH __host__ __device__

BOTH int leaves(const int *in, int t, int n) {  // the test first, lanes leave at different times
  int sum = 0;
  for (int k = 0; k < n + t % 5; k++) sum = 3 * sum + in[k * 32 + t % 32];
  return sum;
}

BOTH int collatz(const int *in, int t) {  // the test last, and how often depends on the data
  int v = in[t] % 50 + 1, steps = 0;
  do {
    v = v & 1 ? 3 * v + 1 : v / 2;
    steps++;
  } while (v > 1 && steps < 60);
  return steps;
}

BOTH int swaps(const int *a, const int *b, int t, int n) {  // phis that exchange their values
  const int *p = a, *q = b;
  int x = 1, y = 2, sum = 0;
  for (int k = 0; k < n; k++) {
    sum += p[t] * x - q[t + k];
    const int *r = p; p = q; q = r;
    int z = x; x = y; y = z;
  }
  return sum + x;
}

BOTH int nested(const int *in, int t, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if ((t + i) % 3 == 0) continue;
    for (int j = i; j < 4; j++) sum += in[j * n + i];
    if (sum > 1000000) break;
    switch (n & 3) {
      case 0: sum += 5; break;
      case 1: sum -= in[i]; break;
      default: sum ^= i;
    }
  }
  return sum;
}

BOTH int choices(const int *in, int t, int n) {
  bool odd = t & 1, big = n > 3;
  int v = odd ? in[t] : in[2 * t];
  if (big != odd) v = -v;
  float f = v * 0.5f + 3.25f;
  unsigned u = (unsigned)v >> (t & 7);
  return (int)f + (int)(u % 1000) + (v / (t % 4 + 1)) + (t > 40 ? 1 : 0);
}

__global__ void pointers(const int *in, float *out) {  // results that come through pointers
  float s, c, whole, part = modff(in[threadIdx.x] * 0.5f, &whole);
  int power;
  float mantissa = frexpf(whole + 1, &power);
  sincosf(part, &s, &c);
  out[threadIdx.x] = s * s + c * c + whole + mantissa * (1 << power);
}

__global__ void all(const int *a, const int *b, int *out, int n, int limit) {
  __shared__ int part[256];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = a[t];
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 16; k++) sum += part[k] + part[(threadIdx.x & ~15) + k];
  if (t >= limit) return;
  sum += leaves(a, t, n) + 7 * collatz(a, t) + swaps(a, b, t, n) + nested(b, t, n);
  out[t] = sum + choices(a, t, n);
}

int main() {
  const int threads = 512, room = 4096, limit = 500;
  int *a, *b, *out, *x = new int[room], *y = new int[room], *z = new int[threads];
  cudaMalloc(&a, room * 4);
  cudaMalloc(&b, room * 4);
  cudaMalloc(&out, threads * 4);
  for (int k = 0; k < room; k++) x[k] = k * 7919 % 1000, y[k] = k * 104729 % 777;
  cudaMemcpy(a, x, room * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(b, y, room * 4, cudaMemcpyHostToDevice);
  for (int n = 0; n < 9; n++) {
    const int block = n % 2 ? 256 : 128;
    cudaMemset(out, 0, threads * 4);
    all<<<threads / block, block>>>(a, b, out, n, limit);
    cudaMemcpy(z, out, threads * 4, cudaMemcpyDeviceToHost);
    for (int t = 0; t < threads; t++) {
      int first = t / block * block, sum = 0, inside = t % block & ~15;
      for (int k = 0; k < 16; k++) sum += x[first + k] + x[first + inside + k];
      sum += leaves(x, t, n) + 7 * collatz(x, t) + swaps(x, y, t, n) + nested(y, t, n);
      if (z[t] != (t < limit ? sum + choices(x, t, n) : 0)) {
        printf("n %d, thread %d: %d\n", n, t, z[t]);
        return 1;
      }
    }
  }
  float *sums, each[64];
  cudaMalloc(&sums, sizeof each);
  pointers<<<1, 64>>>(a, sums);
  cudaMemcpy(each, sums, sizeof each, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 64; t++) {
    float whole = x[t] / 2;
    if (each[t] < 2 * whole + 1.99f || each[t] > 2 * whole + 2.01f) return 2;
  }
  return 0;
}
