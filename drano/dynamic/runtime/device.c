/* The device that programs are shown: one GPU, by name (DRANO_GPU), with its published properties. */
#include "drano_runtime.h"
#include <strings.h>
#include <unistd.h>

/* name, as the driver says it, capability, SMs, clocks, bus, L2, shared (SM, block opt-in), threads
 * and blocks of an SM, cores of an SM, memory */
static const gpu_model models[] = {
    {"H100", "NVIDIA H100 80GB HBM3", 9, 0, 132, 1980, 2619, 5120, 50, 228, 227, 2048, 32, 128, 80},
    {"H200", "NVIDIA H200", 9, 0, 132, 1980, 3201, 6144, 60, 228, 227, 2048, 32, 128, 141},
    {"A100", "NVIDIA A100-SXM4-40GB", 8, 0, 108, 1410, 1215, 5120, 40, 164, 163, 2048, 32, 64, 40},
    {"V100", "Tesla V100-SXM2-16GB", 7, 0, 80, 1530, 877, 4096, 6, 96, 96, 2048, 32, 64, 16},
    {"P100", "Tesla P100-SXM2-16GB", 6, 0, 56, 1480, 715, 4096, 4, 64, 48, 2048, 32, 64, 16},
    {"T4", "Tesla T4", 7, 5, 40, 1590, 5001, 256, 4, 64, 64, 1024, 16, 64, 15},
    {"L4", "NVIDIA L4", 8, 9, 58, 2040, 6251, 192, 48, 100, 99, 1536, 24, 128, 23},
    {"RTX4090", "NVIDIA GeForce RTX 4090", 8, 9, 128, 2520, 10501, 384, 72, 100, 99, 1536, 24, 128, 24},
    {"RTX3090", "NVIDIA GeForce RTX 3090", 8, 6, 82, 1695, 9751, 384, 6, 100, 99, 1536, 16, 128, 24},
    {"GTX1080", "NVIDIA GeForce GTX 1080", 6, 1, 20, 1733, 5005, 256, 2, 96, 48, 2048, 32, 128, 8},
    {"K40", "Tesla K40", 3, 5, 15, 745, 3004, 384, 1, 48, 48, 2048, 16, 192, 12},
};

const gpu_model *drano_gpu(void) {
  static const gpu_model *chosen;
  if (chosen != NULL) return chosen;
  const char *asked = getenv("DRANO_GPU");
  if (asked != NULL && *asked) {
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
      if (strcasecmp(models[k].name, asked) == 0) return chosen = &models[k];
    drano_say("warning: DRANO_GPU=%s is not known; taking %s", asked, models[0].name);
  }
  return chosen = &models[0];
}

/* What can be allocated: the GPU's memory, but not more than this machine has. */
uint64_t drano_device_memory(void) {
  static uint64_t bytes;
  if (bytes) return bytes;
  uint64_t gpu = (uint64_t)drano_gpu()->memory_gb << 30;
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  uint64_t here = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : gpu;
  return bytes = gpu < here ? gpu : here;
}

int drano_blocks_per_sm(int threads, size_t shared, int registers) {
  const gpu_model *g = drano_gpu();
  if (threads < 1 || threads > 1024 || shared > (size_t)g->shared_optin_kb * 1024) return 0;
  int warps = (threads + 31) / 32, blocks = g->threads_sm / (warps * 32);
  int by_registers = 65536 / (warps * 32 * (registers > 0 ? registers : 1));
  size_t reserved = g->major >= 8 ? 1024 : 0, each = (shared + reserved + 127) & ~(size_t)127;
  int by_shared = each ? (int)((size_t)g->shared_sm_kb * 1024 / each) : g->blocks_sm;
  if (by_registers < blocks) blocks = by_registers;
  if (by_shared < blocks) blocks = by_shared;
  return blocks < g->blocks_sm ? blocks : g->blocks_sm;
}

cudaError_t cudaGetDeviceCount(int *count) {
  drano_start();
  REQUIRE(count != NULL, cudaErrorInvalidValue);
  *count = 1;
  return cudaSuccess;
}

static _Thread_local unsigned device_flags;

cudaError_t cudaSetDevice(int device) {
  CHECK_STATE();
  REQUIRE(device == 0, cudaErrorInvalidDevice);
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device) {
  CHECK_STATE();
  REQUIRE(device != NULL, cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetValidDevices(int *devices, int count) {
  CHECK_STATE();
  REQUIRE(count == 0 || (devices != NULL && devices[0] == 0), cudaErrorInvalidDevice);
  return cudaSuccess;
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted) {
  CHECK_STATE();
  REQUIRE(device != NULL && wanted != NULL, cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  CHECK_STATE();
  device_flags = flags;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  CHECK_STATE();
  REQUIRE(flags != NULL, cudaErrorInvalidValue);
  *flags = device_flags;
  return cudaSuccess;
}

static int double_ratio(const gpu_model *g) { return g->cores_sm == 64 || g->major == 9 ? 2 : 32; }

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
  CHECK_STATE();
  REQUIRE(p != NULL, cudaErrorInvalidValue);
  REQUIRE(device == 0, cudaErrorInvalidDevice);
  const gpu_model *g = drano_gpu();
  memset(p, 0, sizeof *p);
  snprintf(p->name, sizeof p->name, "%s", g->full_name);
  p->totalGlobalMem = drano_device_memory();
  p->sharedMemPerBlock = 48 * 1024;
  p->regsPerBlock = 65536;
  p->warpSize = 32;
  p->memPitch = 2147483647;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 2147483647;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->totalConstMem = 65536;
  p->major = g->major;
  p->minor = g->minor;
  p->textureAlignment = 512;
  p->texturePitchAlignment = 32;
  p->multiProcessorCount = g->sms;
  p->canMapHostMemory = 1;
  p->maxTexture1D = 131072;
  p->maxTexture2D[0] = 131072;
  p->maxTexture2D[1] = 65536;
  p->maxTexture2DLinear[0] = 131072;
  p->maxTexture2DLinear[1] = 65000;
  p->maxTexture2DLinear[2] = 2097120;
  p->maxTexture3D[0] = p->maxTexture3D[1] = p->maxTexture3D[2] = 16384;
  p->maxTexture1DLayered[0] = 32768;
  p->maxTexture1DLayered[1] = 2048;
  p->maxTexture2DLayered[0] = p->maxTexture2DLayered[1] = 32768;
  p->maxTexture2DLayered[2] = 2048;
  p->maxSurface1D = 32768;
  p->maxSurface2D[0] = 131072;
  p->maxSurface2D[1] = 65536;
  p->surfaceAlignment = 512;
  p->concurrentKernels = 1;
  p->pciBusID = 1;
  p->asyncEngineCount = 3;
  p->unifiedAddressing = 1;
  p->memoryBusWidth = g->bus_bits;
  p->l2CacheSize = g->l2_mb << 20;
  p->maxThreadsPerMultiProcessor = g->threads_sm;
  p->streamPrioritiesSupported = 1;
  p->globalL1CacheSupported = p->localL1CacheSupported = 1;
  p->sharedMemPerMultiprocessor = (size_t)g->shared_sm_kb * 1024;
  p->regsPerMultiprocessor = 65536;
  p->managedMemory = 1;
  p->hostNativeAtomicSupported = 0;
  p->pageableMemoryAccess = 0;
  p->concurrentManagedAccess = 1;
  p->computePreemptionSupported = 1;
  p->cooperativeLaunch = g->major >= 6;
  p->sharedMemPerBlockOptin = (size_t)g->shared_optin_kb * 1024;
#if CUDART_VERSION < 13000 /* later ones: places.h asks for them as attributes */
  p->clockRate = g->clock_mhz * 1000;
  p->deviceOverlap = 1;
  p->maxTexture1DLinear = 1 << 28;
  p->memoryClockRate = g->memory_mhz * 1000;
  p->singleToDoublePrecisionPerfRatio = double_ratio(g);
#endif
#if CUDART_VERSION >= 11000
  p->maxBlocksPerMultiProcessor = g->blocks_sm;
  p->reservedSharedMemPerBlock = g->major >= 8 ? 1024 : 0;
  p->persistingL2CacheMaxSize = g->major >= 8 ? p->l2CacheSize / 8 * 5 : 0;
  p->accessPolicyMaxWindowSize = g->major >= 8 ? 128 << 20 : 0;
#endif
#if CUDART_VERSION >= 12000
  p->memoryPoolsSupported = 1;
  p->hostRegisterSupported = 1;
#endif
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
  struct cudaDeviceProp p;
  cudaError_t error = cudaGetDeviceProperties(&p, device);
  if (error != cudaSuccess) return error;
  REQUIRE(value != NULL, cudaErrorInvalidValue);
  switch (attribute) {
#define VALUE(NAME, EXPRESSION) case cudaDevAttr##NAME: *value = (int)(EXPRESSION); break
    VALUE(MaxThreadsPerBlock, p.maxThreadsPerBlock);
    VALUE(MaxBlockDimX, p.maxThreadsDim[0]);
    VALUE(MaxBlockDimY, p.maxThreadsDim[1]);
    VALUE(MaxBlockDimZ, p.maxThreadsDim[2]);
    VALUE(MaxGridDimX, p.maxGridSize[0]);
    VALUE(MaxGridDimY, p.maxGridSize[1]);
    VALUE(MaxGridDimZ, p.maxGridSize[2]);
    VALUE(MaxSharedMemoryPerBlock, p.sharedMemPerBlock);
    VALUE(TotalConstantMemory, p.totalConstMem);
    VALUE(WarpSize, 32);
    VALUE(MaxPitch, p.memPitch);
    VALUE(MaxRegistersPerBlock, p.regsPerBlock);
    VALUE(ClockRate, drano_gpu()->clock_mhz * 1000);
    VALUE(TextureAlignment, p.textureAlignment);
    VALUE(GpuOverlap, 1);
    VALUE(MultiProcessorCount, p.multiProcessorCount);
    VALUE(KernelExecTimeout, 0);
    VALUE(Integrated, 0);
    VALUE(CanMapHostMemory, 1);
    VALUE(ComputeMode, cudaComputeModeDefault);
    VALUE(ConcurrentKernels, 1);
    VALUE(EccEnabled, 0);
    VALUE(PciBusId, p.pciBusID);
    VALUE(PciDeviceId, p.pciDeviceID);
    VALUE(MemoryClockRate, drano_gpu()->memory_mhz * 1000);
    VALUE(GlobalMemoryBusWidth, p.memoryBusWidth);
    VALUE(L2CacheSize, p.l2CacheSize);
    VALUE(MaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor);
    VALUE(AsyncEngineCount, p.asyncEngineCount);
    VALUE(UnifiedAddressing, 1);
    VALUE(ComputeCapabilityMajor, p.major);
    VALUE(ComputeCapabilityMinor, p.minor);
    VALUE(StreamPrioritiesSupported, 1);
    VALUE(GlobalL1CacheSupported, 1);
    VALUE(LocalL1CacheSupported, 1);
    VALUE(MaxSharedMemoryPerMultiprocessor, p.sharedMemPerMultiprocessor);
    VALUE(MaxRegistersPerMultiprocessor, p.regsPerMultiprocessor);
    VALUE(ManagedMemory, 1);
    VALUE(IsMultiGpuBoard, 0);
    VALUE(SingleToDoublePrecisionPerfRatio, double_ratio(drano_gpu()));
    VALUE(ConcurrentManagedAccess, 1);
    VALUE(ComputePreemptionSupported, 1);
    VALUE(CooperativeLaunch, p.cooperativeLaunch);
    VALUE(MaxSharedMemoryPerBlockOptin, p.sharedMemPerBlockOptin);
    VALUE(TexturePitchAlignment, p.texturePitchAlignment);
    VALUE(SurfaceAlignment, p.surfaceAlignment);
    VALUE(MaxTexture1DWidth, p.maxTexture1D);
    VALUE(MaxTexture1DLinearWidth, 1 << 28);
    VALUE(MaxTexture2DWidth, p.maxTexture2D[0]);
    VALUE(MaxTexture2DHeight, p.maxTexture2D[1]);
    VALUE(MaxTexture3DWidth, p.maxTexture3D[0]);
    VALUE(MaxTexture3DHeight, p.maxTexture3D[1]);
    VALUE(MaxTexture3DDepth, p.maxTexture3D[2]);
#if CUDART_VERSION >= 11000
    VALUE(MaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor);
    VALUE(ReservedSharedMemoryPerBlock, p.reservedSharedMemPerBlock);
    VALUE(MemoryPoolsSupported, 1);
    VALUE(MaxPersistingL2CacheSize, p.persistingL2CacheMaxSize);
    VALUE(MaxAccessPolicyWindowSize, p.accessPolicyMaxWindowSize);
    VALUE(HostRegisterSupported, 1);
#endif
#undef VALUE
  default: *value = 0; break;
  }
  return cudaSuccess;
}

cudaError_t cudaDeviceReset(void) {
  drano_start();
  drano_clear_errors();
  return cudaSuccess;
}

cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }

cudaError_t cudaDeviceSynchronize(void) {
  CHECK_STATE();
  return cudaSuccess;
}

cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }

static size_t limits[16] = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 50 << 20};
#define LIMITS 7 /* the last: how much of L2 may be kept */

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  CHECK_STATE();
  REQUIRE((unsigned)limit < LIMITS, cudaErrorUnsupportedLimit);
  limits[limit] = value;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
  CHECK_STATE();
  REQUIRE(value != NULL, cudaErrorInvalidValue);
  REQUIRE((unsigned)limit < LIMITS, cudaErrorUnsupportedLimit);
  *value = limits[limit];
  return cudaSuccess;
}

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}

static enum cudaFuncCache cache_config;
static enum cudaSharedMemConfig shared_config = cudaSharedMemBankSizeFourByte;

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
  CHECK_STATE();
  cache_config = config;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
  CHECK_STATE();
  REQUIRE(config != NULL, cudaErrorInvalidValue);
  *config = cache_config;
  return cudaSuccess;
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config) {
  return cudaDeviceGetCacheConfig(config);
}

/* Banks are four bytes wide since compute capability 5: the setting changes nothing. */
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  CHECK_STATE();
  (void)config;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
  CHECK_STATE();
  REQUIRE(config != NULL, cudaErrorInvalidValue);
  *config = shared_config;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  CHECK_STATE();
  if (least != NULL) *least = 0;
  if (greatest != NULL) *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device) {
  CHECK_STATE();
  REQUIRE(text != NULL && size >= 13, cudaErrorInvalidValue);
  REQUIRE(device == 0, cudaErrorInvalidDevice);
  snprintf(text, (size_t)size, "0000:01:00.0");
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text) {
  CHECK_STATE();
  REQUIRE(device != NULL && text != NULL, cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  CHECK_STATE();
  REQUIRE(can != NULL, cudaErrorInvalidValue);
  REQUIRE(device == 0 && peer == 0, cudaErrorInvalidDevice);
  *can = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from, int to) {
  CHECK_STATE();
  (void)attribute, (void)from, (void)to;
  REQUIRE(value != NULL, cudaErrorInvalidValue);
  return drano_error(cudaErrorInvalidDevice); /* there is one device */
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  CHECK_STATE();
  (void)peer, (void)flags;
  return drano_error(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  CHECK_STATE();
  (void)peer;
  return drano_error(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDriverGetVersion(int *version) {
  drano_start();
  REQUIRE(version != NULL, cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }
