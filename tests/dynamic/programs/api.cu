// Asks the run-time API for what it promises; prints one line for each answer that is wrong.
#include <cstdio>
#include <cstring>
#include <vector>

static int failures;
#define WANT(condition) \
  do { if (!(condition)) { failures++; printf("line %d: %s\n", __LINE__, #condition); } } while (0)
#define OK(call) WANT((call) == cudaSuccess)

__device__ int counter = 5;
__device__ int table[16];
__constant__ float weights[4] = {1, 2, 3, 4};
__device__ __managed__ int managed = 7;

__global__ void use(int *out) {
  int i = threadIdx.x;
  table[i % 16] = i;
  out[i] = counter + (int)weights[i % 4] + managed;
  __syncthreads();
  if (i == 0) managed = 100;
}
__global__ void copy2d(const char *from, size_t pitch, int *out) {
  out[threadIdx.x] = from[threadIdx.y * pitch + threadIdx.x];
}
__global__ void __launch_bounds__(256) shared(int *out) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = threadIdx.x * 2;
  __syncthreads();
  out[threadIdx.x] = dynamic[blockDim.x - 1 - threadIdx.x];
}
static void called(void *data) { ++*(int *)data; }
static void callback(cudaStream_t, cudaError_t error, void *data) { if (!error) ++*(int *)data; }

static void memory() {
  int *device, host[64] = {}, back[64];
  OK(cudaMalloc(&device, sizeof host));
  for (int i = 0; i < 64; i++) host[i] = i;
  OK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(back, device, sizeof back, cudaMemcpyDefault));
  WANT(memcmp(host, back, sizeof host) == 0);
  OK(cudaMemset(device, 1, 16));
  OK(cudaMemcpyAsync(back, device, sizeof back, cudaMemcpyDeviceToHost, 0));
  WANT(back[0] == 0x01010101 && back[4] == 4);
  WANT(cudaMemcpy(device, host, sizeof host + 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  WANT(cudaGetLastError() == cudaErrorInvalidValue);
  WANT(cudaGetLastError() == cudaSuccess);
  WANT(cudaMemcpy(host, back, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  OK(cudaFree(device));
  WANT(cudaFree(device) == cudaErrorInvalidValue);
  OK(cudaFree(nullptr));
  void *huge;
  WANT(cudaMalloc(&huge, (size_t)1 << 50) == cudaErrorMemoryAllocation);
  cudaGetLastError();

  int *pinned;
  OK(cudaMallocHost((void **)&pinned, 128));
  int *seen;
  OK(cudaHostGetDevicePointer((void **)&seen, pinned, 0));
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, pinned));
  WANT(attributes.type == cudaMemoryTypeHost);
  OK(cudaFreeHost(pinned));
  OK(cudaPointerGetAttributes(&attributes, host));
  WANT(attributes.type == cudaMemoryTypeUnregistered);
  int *both;
  OK(cudaMallocManaged(&both, 256));
  use<<<1, 32>>>(both);
  OK(cudaDeviceSynchronize());
  WANT(both[0] == 5 + 1 + 7 && both[3] == 5 + 4 + 7 && managed == 100);
  OK(cudaFree(both));

  size_t pitch;
  char *rows;
  OK(cudaMallocPitch(&rows, &pitch, 100, 3));
  WANT(pitch >= 100 && pitch % 256 == 0);
  std::vector<char> text(300);
  for (int i = 0; i < 300; i++) text[i] = (char)(i % 100);
  OK(cudaMemcpy2D(rows, pitch, text.data(), 100, 100, 3, cudaMemcpyHostToDevice));
  std::vector<char> again(300);
  OK(cudaMemcpy2D(again.data(), 100, rows, pitch, 100, 3, cudaMemcpyDeviceToHost));
  WANT(text == again);
  WANT(cudaMemcpy2D(rows, 10, text.data(), 100, 100, 3, cudaMemcpyHostToDevice) ==
       cudaErrorInvalidPitchValue);
  OK(cudaFree(rows));
  cudaPitchedPtr box;
  cudaExtent extent = make_cudaExtent(20, 4, 3);
  OK(cudaMalloc3D(&box, extent));
  OK(cudaMemset3D(box, 9, extent));
  char small[20 * 4 * 3];
  cudaMemcpy3DParms parameters = {};
  parameters.srcPtr = box;
  parameters.dstPtr = make_cudaPitchedPtr(small, 20, 20, 4);
  parameters.extent = extent;
  parameters.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&parameters));
  WANT(small[0] == 9 && small[239] == 9);
  OK(cudaFree(box.ptr));
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  OK(cudaMallocArray(&array, &format, 8, 2));
  float grid[16], out[16];
  for (int i = 0; i < 16; i++) grid[i] = i;
  OK(cudaMemcpyToArray(array, 0, 0, grid, sizeof grid, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2DFromArray(out, 32, array, 0, 0, 32, 2, cudaMemcpyDeviceToHost));
  WANT(memcmp(grid, out, sizeof out) == 0);
  OK(cudaFreeArray(array));
}

static void symbols() {
  int value = 0;
  OK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  WANT(value == 5);
  value = 11;
  OK(cudaMemcpyToSymbol(counter, &value, sizeof value));
  float changed[2] = {30, 40};
  OK(cudaMemcpyToSymbol(weights, changed, sizeof changed, 8));
  int *out, got[32];
  OK(cudaMalloc(&out, sizeof got));
  managed = 1;
  use<<<1, 32>>>(out);
  OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  WANT(got[0] == 11 + 1 + 1 && got[2] == 11 + 30 + 1 && managed == 100);
  void *address;
  size_t bytes;
  OK(cudaGetSymbolAddress(&address, table));
  OK(cudaGetSymbolSize(&bytes, table));
  WANT(bytes == sizeof(int) * 16);
  int all[16];
  OK(cudaMemcpy(all, address, bytes, cudaMemcpyDeviceToHost));
  WANT(all[15] == 31);
  WANT(cudaMemcpyToSymbol(counter, &value, 4, 4) == cudaErrorInvalidValue);
  cudaGetLastError();
  OK(cudaFree(out));
}

static void streams() {
  cudaStream_t stream;
  cudaEvent_t start, stop, untimed;
  OK(cudaStreamCreate(&stream));
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&stop));
  OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  OK(cudaEventRecord(start, stream));
  int *out, times = 0;
  OK(cudaMallocAsync((void **)&out, 1024, stream));
  shared<<<1, 256, 1024, stream>>>(out);
  OK(cudaEventRecord(stop, stream));
  OK(cudaStreamWaitEvent(0, stop, 0));
  OK(cudaEventSynchronize(stop));
  float milliseconds = -1;
  OK(cudaEventElapsedTime(&milliseconds, start, stop));
  WANT(milliseconds > 0 && milliseconds < 60000);
  WANT(cudaEventElapsedTime(&milliseconds, start, untimed) == cudaErrorInvalidResourceHandle);
  OK(cudaLaunchHostFunc(stream, called, &times));
  OK(cudaStreamAddCallback(stream, callback, &times, 0));
  OK(cudaStreamSynchronize(stream));
  WANT(times == 2);
  int last;
  OK(cudaMemcpyAsync(&last, out, 4, cudaMemcpyDeviceToHost, stream));
  WANT(last == 255 * 2);
  OK(cudaFreeAsync(out, stream));
  OK(cudaStreamQuery(stream));
  OK(cudaEventDestroy(start));
  WANT(cudaEventRecord(start, stream) == cudaErrorInvalidResourceHandle);
  OK(cudaStreamDestroy(stream));
  WANT(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

static void launches() {
  int *out;
  OK(cudaMalloc(&out, 4096));
  shared<<<1, 2048>>>(out);
  WANT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  shared<<<0, 32>>>(out);
  WANT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  WANT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  shared<<<1, 32, 60000>>>(out);
  WANT(cudaGetLastError() == cudaErrorInvalidValue);
  OK(cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
  shared<<<1, 32, 60000>>>(out);
  OK(cudaGetLastError());
  cudaFuncAttributes attributes;
  OK(cudaFuncGetAttributes(&attributes, shared));
  WANT(attributes.maxThreadsPerBlock >= 256);
  int blocks = 0, size = 0;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, shared, 256, 1024));
  WANT(blocks >= 1 && blocks <= 8);
  OK(cudaOccupancyMaxPotentialBlockSize(&blocks, &size, shared, 0, 0));
  WANT(size >= 32 && size <= 1024);
  void *arguments[] = {&out};
  OK(cudaLaunchKernel((const void *)shared, dim3(1), dim3(64), arguments, 256, 0));
  int first;
  OK(cudaMemcpy(&first, out, 4, cudaMemcpyDeviceToHost));
  WANT(first == 63 * 2);
  OK(cudaFree(out));
}

static void device() {
  int count = 0, id = -1, value = 0, version = 0;
  OK(cudaGetDeviceCount(&count));
  OK(cudaGetDevice(&id));
  WANT(count == 1 && id == 0);
  WANT(cudaSetDevice(3) == cudaErrorInvalidDevice);
  cudaDeviceProp properties;
  OK(cudaGetDeviceProperties(&properties, 0));
  WANT(properties.major == 9 && properties.warpSize == 32 && strstr(properties.name, "H100"));
  WANT(properties.clockRate == 1980000 && properties.memoryClockRate == 2619000);
  WANT(properties.deviceOverlap == 1 && properties.singleToDoublePrecisionPerfRatio == 2);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  WANT(value == properties.multiProcessorCount && value == 132);
  OK(cudaRuntimeGetVersion(&version));
  WANT(version == CUDART_VERSION);
  size_t unused, total;
  OK(cudaMemGetInfo(&unused, &total));
  WANT(unused <= total && unused > 0);
  OK(cudaThreadSynchronize());
  WANT(strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
  WANT(strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
  cudaIpcMemHandle_t handle;
  WANT(cudaIpcGetMemHandle(&handle, nullptr) == cudaErrorNotSupported);
  cudaGetLastError();
}

int main() {
  memory();
  symbols();
  streams();
  launches();
  device();
  printf(failures ? "%d failures\n" : "all as it should be\n", failures);
  return failures != 0;
}
