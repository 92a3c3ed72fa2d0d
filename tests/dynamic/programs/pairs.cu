// A vector that is the same for all lanes, stored to places that data choose.
#include <cstdio>
__global__ void pairs(int2 *out, int *data, int n) {
  __shared__ int2 tile[32];
  for (int k = 0; k < n; ++k) {
    out[data[threadIdx.x]] = make_int2(99, 0);
    tile[data[31 - threadIdx.x]] = make_int2(7, 8);
    __syncwarp();
    data[threadIdx.x] = (data[threadIdx.x] + tile[threadIdx.x].x) % 32;
    __syncwarp();
  }
}
int main() {
  int2 *out; int *data;
  cudaMallocManaged(&out, 256); cudaMallocManaged(&data, 128);
  for (int k = 0; k < 32; ++k) { data[k] = 31 - k; out[k] = {1, 1}; }
  pairs<<<1, 32>>>(out, data, 3); cudaDeviceSynchronize();
  int bad = 0;
  for (int k = 0; k < 32; ++k) bad += out[k].x != 99 || out[k].y != 0;
  printf("%d wrong\n", bad); return bad;
}
