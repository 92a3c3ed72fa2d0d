// What neighbours with a gap between cost: one wide request, in memory that a lane's index names
// and in memory that a constant does.
#include <cstdio>

struct alignas(16) Four { float a, b, c, d; };

__global__ void gaps(const Four *in, float *out) {
  __shared__ Four tile[2];
  if (threadIdx.x < 8) ((float *)tile)[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const Four mine = in[threadIdx.x];
  out[threadIdx.x] = tile[1].a + tile[1].b + tile[1].d + mine.a + mine.b + mine.d;
}

int main() {
  Four *in;
  float *out;
  cudaMallocManaged(&in, 32 * sizeof(Four));
  cudaMallocManaged(&out, 32 * sizeof(float));
  for (int k = 0; k < 32; ++k) in[k] = {1.0f * k, 100, 7, 1000};
  gaps<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  for (int k = 0; k < 32; ++k) {
    if (out[k] != 16 + 1100 + k) return 1;
  }
  printf("right\n");
  return 0;
}
