/* A CUDA run-time library of a device on which kernels do nothing but drano's own one that answers questions, to all
 * of them with powers of two: what drano's own library does on the host
 * around them can be tried where there is no GPU. Memory is the host's, aligned as on a device. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime_api.h>
#define OK(NAME, ...) cudaError_t NAME(__VA_ARGS__) { return cudaSuccess; }

static _Thread_local struct { dim3 grid, block; size_t shared; cudaStream_t stream; } pushed;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  pushed.grid = grid, pushed.block = block, pushed.shared = shared, pushed.stream = stream;
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, cudaStream_t *stream) {
  *grid = pushed.grid, *block = pushed.block, *shared = pushed.shared, *stream = pushed.stream;
  return cudaSuccess;
}
char __cudaInitModule(void **handle) { return 0; }
void **__cudaRegisterFatBinary(const void *binary) { return calloc(1, 8); }
void __cudaRegisterFatBinaryEnd(void **handle) {}
void __cudaUnregisterFatBinary(void **handle) {}
static const void *asking, *answers;
static int asked;
int __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, void *tid,
                           void *bid, void *block, void *grid, int *warp) {
  if (strcmp(name, "__drano_ask") == 0) asking = host;
  return 0;
}
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t bytes,
                       int constant, int global) {
  if (strcmp(name, "drano_answers") == 0) answers = host;
}
void __cudaRegisterManagedVar(void) {}
void __cudaRegisterSurface(void) {}
void __cudaRegisterTexture(void) {}

static cudaError_t allocate(void **to, size_t bytes) {
  return (*to = aligned_alloc(256, (bytes + 255) / 256 * 256 + 256)) ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaMalloc(void **to, size_t bytes) { return allocate(to, bytes); }
cudaError_t cudaMallocHost(void **to, size_t bytes) { return allocate(to, bytes); }
cudaError_t cudaHostAlloc(void **to, size_t bytes, unsigned flags) { return allocate(to, bytes); }
cudaError_t cudaMallocManaged(void **to, size_t bytes, unsigned flags) { return allocate(to, bytes); }
cudaError_t cudaMallocPitch(void **to, size_t *pitch, size_t width, size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return allocate(to, *pitch * height);
}
cudaError_t cudaFree(void *pointer) { return free(pointer), cudaSuccess; }
cudaError_t cudaFreeHost(void *pointer) { return free(pointer), cudaSuccess; }
cudaError_t cudaMemcpy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind) {
  return memcpy(to, from, n), cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, enum cudaMemcpyKind kind, cudaStream_t s) {
  return memcpy(to, from, n), cudaSuccess;
}
cudaError_t cudaMemcpy2D(void *to, size_t a, const void *from, size_t b, size_t width, size_t height,
                         enum cudaMemcpyKind kind) {
  for (size_t k = 0; k < height; k++) memcpy((char *)to + k * a, (const char *)from + k * b, width);
  return cudaSuccess;
}
cudaError_t cudaMemset(void *to, int value, size_t n) { return memset(to, value, n), cudaSuccess; }
OK(cudaMemcpyToSymbol, const void *to, const void *from, size_t n, size_t at, enum cudaMemcpyKind kind)
cudaError_t cudaLaunchKernel(const void *f, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t s) {
  asked |= f == asking && grid.x == 1 && block.x == 513;
  return cudaSuccess;
}
OK(cudaLaunchCooperativeKernel, const void *f, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t s)
OK(cudaDeviceSynchronize, void)
OK(cudaThreadSynchronize, void)
OK(cudaThreadExit, void)
OK(cudaDeviceReset, void)
OK(cudaStreamSynchronize, cudaStream_t s)
OK(cudaHostRegister, void *at, size_t bytes, unsigned flags)
OK(cudaHostUnregister, void *at)
OK(cudaGetLastError, void)
OK(cudaPeekAtLastError, void)
OK(cudaThreadExchangeStreamCaptureMode, enum cudaStreamCaptureMode *mode)
OK(cudaSetDevice, int device)
OK(cudaFuncSetAttribute, const void *f, enum cudaFuncAttribute which, int value)
OK(cudaEventQuery, cudaEvent_t event)
OK(cudaEventRecord, cudaEvent_t event, cudaStream_t s)
OK(cudaEventSynchronize, cudaEvent_t event)
OK(cudaEventDestroy, cudaEvent_t event)
cudaError_t cudaEventCreate(cudaEvent_t *event) { return *event = calloc(1, 8), cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) { return cudaEventCreate(event); }
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b) { return *ms = 0, cudaSuccess; }
cudaError_t cudaStreamCreate(cudaStream_t *s) { return *s = calloc(1, 8), cudaSuccess; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags) { return *s = calloc(1, 8), cudaSuccess; }
cudaError_t cudaStreamIsCapturing(cudaStream_t s, enum cudaStreamCaptureStatus *status) {
  return *status = cudaStreamCaptureStatusNone, cudaSuccess;
}
cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
cudaError_t cudaGetDeviceCount(int *count) { return *count = 1, cudaSuccess; }
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr which, int device) { return *value = 4, cudaSuccess; }
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
  memset(p, 0, sizeof *p);
  strcpy(p->name, "idle");
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *f) { return memset(a, 0, sizeof *a), cudaSuccess; }
const char *cudaGetErrorString(cudaError_t error) { return error ? "error" : "no error"; }
const char *cudaGetErrorName(cudaError_t error) { return error ? "error" : "cudaSuccess"; }
cudaError_t cudaMemcpyFromSymbol(void *to, const void *from, size_t n, size_t at, enum cudaMemcpyKind kind) {
  memset(to, 0, n);
  for (size_t k = 0; from == answers && asked && k < n / sizeof(float); k++)
    ((float *)to)[k] = k + 1 < n / sizeof(float) ? ldexpf(1, (int)(k % 513) - 256) : getenv("NO_ANSWERS") == NULL;
  return cudaSuccess;
}
