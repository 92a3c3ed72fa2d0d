// Constructs that need the run-time library and the generated code together. Prints what it finds.
#include <cstdio>
#include <cstdlib>

texture<float, 1, cudaReadModeElementType> row;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> picture;
__managed__ int both_sides = 5;
__device__ int counter = 3;
__constant__ float weights[4];

__global__ void textures(float *o, cudaTextureObject_t flat, cudaTextureObject_t cube,
                         cudaTextureObject_t buffer) {
  int t = threadIdx.x;
  o[t] = tex1Dfetch(row, t);
  o[32 + t] = tex2D(picture, (t % 4 + 0.5f) / 4, (t / 4 % 4 + 0.5f) / 4);
  o[64 + t] = tex2D<float>(flat, t % 8 + 1.0f, t / 8 + 0.5f);
  o[96 + t] = tex3D<float>(cube, t % 2, t / 2 % 2, t / 4 % 2);
  o[128 + t] = tex1Dfetch<float>(buffer, 31 - t);
}
__global__ void variables() {
  atomicAdd(&both_sides, 1);
  atomicAdd(&counter, (int)weights[threadIdx.x & 3]);
}
__global__ void heap(int **o) {
  int *p = (int *)malloc(16 + threadIdx.x);
  p[3] = threadIdx.x;
  o[threadIdx.x] = p;
}
__global__ void heap_later(int **o, int *r) {
  r[threadIdx.x] = o[threadIdx.x][3];
  free(o[threadIdx.x]);
}
__device__ int depth(int n) { return n ? 1 + depth(n - 1) : 0; }
__device__ int twice(int x) { return 2 * x; }
__device__ int thrice(int x) { return 3 * x; }
__device__ int (*choice[2])(int) = {twice, thrice};
__global__ void calls(int *o) { o[threadIdx.x] = choice[threadIdx.x & 1](depth(threadIdx.x)); }

template <typename T> static void show(const char *what, const T *values, int n, const char *how) {
  printf("%s", what);
  for (int k = 0; k < n; k++) printf(how, values[k]);
  printf("\n");
}

static const char *state() { return cudaGetErrorName(cudaDeviceSynchronize()); }

static cudaTextureObject_t object(const cudaResourceDesc &from, cudaTextureFilterMode filter) {
  cudaTextureDesc how = {};
  how.filterMode = filter;
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t made;
  cudaCreateTextureObject(&made, &from, &how, nullptr);
  return made;
}

int main() {
  float *f, *d, host[160];
  int *o, back[32], **pointers, sum = 0;
  for (int k = 0; k < 64; k++) host[k] = k * 1.5f;
  cudaMalloc(&f, 256);
  cudaMalloc(&d, sizeof host);
  cudaMalloc(&o, sizeof back);
  cudaMalloc(&pointers, 32 * sizeof *pointers);
  cudaMemcpy(f, host, 256, cudaMemcpyHostToDevice);

  cudaBindTexture(nullptr, row, f, 256);
  unsigned char bytes[16];
  for (int k = 0; k < 16; k++) bytes[k] = 17 * k;
  cudaArray *small, *wide, *cube;
  cudaChannelFormatDesc byte = cudaCreateChannelDesc<unsigned char>();
  cudaChannelFormatDesc number = cudaCreateChannelDesc<float>();
  cudaMallocArray(&small, &byte, 4, 4);
  cudaMemcpyToArray(small, 0, 0, bytes, sizeof bytes, cudaMemcpyHostToDevice);
  picture.normalized = 1;
  picture.filterMode = cudaFilterModePoint;
  cudaBindTextureToArray(picture, small);
  cudaMallocArray(&wide, &number, 8, 4);
  cudaMemcpy2DToArray(wide, 0, 0, host, 32, 32, 4, cudaMemcpyHostToDevice);
  cudaMalloc3DArray(&cube, &number, make_cudaExtent(2, 2, 2));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, 8, 2, 2);
  copy.dstArray = cube;
  copy.extent = make_cudaExtent(2, 2, 2);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  cudaResourceDesc arrays = {}, linear = {};
  arrays.resType = cudaResourceTypeArray;
  arrays.res.array.array = wide;
  cudaTextureObject_t flat = object(arrays, cudaFilterModeLinear);
  arrays.res.array.array = cube;
  cudaTextureObject_t deep = object(arrays, cudaFilterModePoint);
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = f;
  linear.res.linear.desc = number;
  linear.res.linear.sizeInBytes = 256;
  textures<<<1, 32>>>(d, flat, deep, object(linear, cudaFilterModePoint));
  cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 160; k += 32) show("texture", host + k, 32, " %g");

  const float four[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(weights, four, sizeof four);
  both_sides = 10;
  variables<<<2, 32>>>();
  cudaThreadSynchronize();
  cudaMemcpyFromSymbol(&sum, counter, sizeof sum);
  printf("variables %d %d\n", both_sides, sum);

  calls<<<1, 32>>>(o);
  cudaMemcpy(back, o, sizeof back, cudaMemcpyDeviceToHost);
  show("calls", back, 32, " %d");

  heap<<<1, 32>>>(pointers);
  heap_later<<<1, 32>>>(pointers, o);
  printf("heap %s", state());
  cudaMemcpy(back, o, sizeof back, cudaMemcpyDeviceToHost);
  show("", back, 32, " %d");
  heap_later<<<1, 32>>>(pointers, o); // what was freed
  printf("after free %s\n", state());
}
