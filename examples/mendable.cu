// Three defects that `drano fix` mends: columns of a tile in shared memory that share a bank, members
// of a structure that are read one by one, and a stretch of elements for each thread.
#include <cstdio>

constexpr int kSide = 32;
constexpr int kEach = 8;

struct Place {
  float lat, lng;
};

__global__ void turn(float* out, const float* in) {
  __shared__ float tile[kSide][kSide];
  int first = blockIdx.x * kSide * kSide;
  for (int j = threadIdx.y; j < kSide; j += 8)
    tile[j][threadIdx.x] = in[first + j * kSide + threadIdx.x];
  __syncthreads();
  for (int j = threadIdx.y; j < kSide; j += 8)
    out[first + j * kSide + threadIdx.x] = tile[threadIdx.x][j];
}

__global__ void distances(float* out, const Place* places, Place from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float lat = places[i].lat - from.lat, lng = places[i].lng - from.lng;
  out[i] = sqrtf(lat * lat + lng * lng);
}

__global__ void scale(float* values, int each, float factor) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < each; k++) values[t * each + k] *= factor;
}

__global__ void shift(float* values, float by) {  // nothing to mend
  values[blockIdx.x * blockDim.x + threadIdx.x] += by;
}

int main() {
  constexpr int kCount = 4 * kSide * kSide;
  static float host[2 * kCount];
  for (int i = 0; i < 2 * kCount; i++) host[i] = 0.001f * (i * 37 % 1009);
  float *a, *b;
  Place* places;
  cudaMalloc(&a, kCount * sizeof(float));
  cudaMalloc(&b, kCount * sizeof(float));
  cudaMalloc(&places, kCount * sizeof(Place));
  cudaMemcpy(places, host, kCount * sizeof(Place), cudaMemcpyHostToDevice);
  distances<<<kCount / 128, 128>>>(a, places, Place{0.5f, 0.25f});
  turn<<<4, dim3(kSide, 8)>>>(b, a);
  shift<<<kCount / 128, 128>>>(b, 1.0f);
  scale<<<kCount / kEach / 128, 128>>>(b, kEach, 2.0f);
  cudaMemcpy(host, b, kCount * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < kCount; i++) sum += host[i] * (i % 5);
  printf("%.6g\n", sum);
  cudaFree(a);
  cudaFree(b);
  cudaFree(places);
}
