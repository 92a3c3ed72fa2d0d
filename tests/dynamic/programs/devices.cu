// Two devices, or one twice where there is only one: the same launches, so that counts are the same.
#include <cstdio>
#include <cuda_runtime.h>
#include <thread>
#define TWO 2
__constant__ int offset[4];
__device__ __align__(128) int total[64];
__global__ void fill(int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = i + offset[i & 3];
}
__global__ void gather(int *to, const int *from, const int *index, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) to[i] += from[index[i] % n];
}
__global__ void sums(const int *from, int n) {
  __shared__ int tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x * 5 % 128] = i < n ? from[i] : 0;
  __syncthreads();
  atomicAdd(&total[threadIdx.x & 63], tile[threadIdx.x]);
}
static int count = 1;
static int device_of(int k) { return k % count; }
static int *arrays[TWO][2], *shared_by_all, *indices[TWO];
static const int n = 5000;

static void work(int k) {
  cudaSetDevice(device_of(k));
  cudaStream_t streams[2];
  for (cudaStream_t &stream : streams) cudaStreamCreate(&stream);
  for (int round = 0; round < 6; round++) {
    cudaStream_t stream = streams[round & 1];
    fill<<<40 + k, 128, 0, stream>>>(arrays[k][round & 1], n - 3 * round);
    gather<<<8, 96, 0, stream>>>(arrays[k][round & 1], indices[k], indices[k], n);
    sums<<<40, 128, 0, stream>>>(arrays[k][round & 1], n - k);
  }
  for (cudaStream_t &stream : streams) cudaStreamSynchronize(stream);
}

int main() {
  cudaGetDeviceCount(&count);
  cudaMallocHost((void **)&shared_by_all, n * sizeof(int));
  for (int i = 0; i < n; i++) shared_by_all[i] = i * 7;
  for (int k = 0; k < TWO; k++) {
    cudaSetDevice(device_of(k));
    for (int *&array : arrays[k]) cudaMalloc(&array, n * sizeof(int));
    for (int *array : arrays[k]) cudaMemset(array, 0, n * sizeof(int));
    cudaMalloc(&indices[k], n * sizeof(int));
    cudaMemcpy(indices[k], shared_by_all, n * sizeof(int), cudaMemcpyHostToDevice);
    int values[4] = {0, 1, 2, 3};
    cudaMemcpyToSymbol(offset, values, sizeof values);
  }
  work(0);
  work(1);
  std::thread one(work, 0), other(work, 1);
  one.join();
  other.join();
  cudaMemcpyPeer(arrays[1][0], device_of(1), arrays[0][1], device_of(0), n * sizeof(int));
  // The second device reads what the first one holds, in place, when that has been written.
  int direct = count == 1;
  if (!direct) cudaDeviceCanAccessPeer(&direct, device_of(1), device_of(0));
  cudaSetDevice(device_of(0));
  cudaEvent_t written;
  cudaEventCreate(&written);
  fill<<<40, 128>>>(arrays[0][0], n);
  cudaEventRecord(written, 0);
  cudaSetDevice(device_of(1));
  if (direct && count > 1) cudaDeviceEnablePeerAccess(device_of(0), 0);
  cudaStreamWaitEvent(0, written, 0);
  gather<<<8, 96>>>(arrays[1][1], direct ? arrays[0][0] : shared_by_all, indices[1], n);
  gather<<<8, 96>>>(arrays[1][1], shared_by_all, indices[1], n);
  cudaDeviceSynchronize();
  int values[TWO][64];
  unsigned sum = 0;
  for (int k = 0; k < TWO; k++) {
    cudaSetDevice(device_of(k));
    cudaMemcpyFromSymbol(values[k], total, sizeof values[k]);
    for (int value : values[k]) sum += count == 1 && k == 1 ? 0 : value;
  }
  // What was counted on a device survives its reset.
  if (count > 1) cudaDeviceReset();
  int *late;
  cudaMalloc(&late, n * sizeof(int));
  fill<<<40, 128>>>(late, n);
  cudaError_t error = cudaDeviceSynchronize();
  fprintf(stderr, "%d devices, direct: %d\n", count, direct);
  printf("%u %s\n", sum, cudaGetErrorName(error));
}
