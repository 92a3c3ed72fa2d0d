/* Kernels as the host sees them: launches, attributes, occupancy.
 *
 * Registers are not allocated here: occupancy takes 32 of each thread.
 */
#include "streams.h"

#define REGISTERS 32
#define MAX_PENDING 64

typedef struct configuration { dim3 grid, block; size_t shared; cudaStream_t stream; } configuration;

static _Thread_local configuration pending[MAX_PENDING];
static _Thread_local unsigned pending_count;
/* Of the launches of CUDA 1 to 6: cudaConfigureCall, cudaSetupArgument, cudaLaunch. */
static _Thread_local configuration configured;
static _Thread_local bool is_configured;
static _Thread_local char setup[4096];

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  if (pending_count == MAX_PENDING) {
    drano_error(cudaErrorLaunchOutOfResources);
    return 1;
  }
  pending[pending_count++] = (configuration){grid, block, shared, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  REQUIRE(pending_count > 0, cudaErrorMissingConfiguration);
  configuration c = pending[--pending_count];
  *grid = c.grid;
  *block = c.block;
  *shared = c.shared;
  *(cudaStream_t *)stream = c.stream;
  return cudaSuccess;
}

static cudaError_t launch(cudaStream_t stream, const void *function, dim3 grid, dim3 block,
                          void **arguments, size_t shared, bool cooperative) {
  if (drano_is_captured(stream))
    return drano_capture_kernel(stream, function, grid, block, arguments, shared, cooperative);
  return drano_launch_kernel(function, grid, block, arguments, shared, cooperative);
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream) {
  CHECK_STATE();
  return launch(stream, function, grid, block, arguments, shared, false);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                        size_t shared, cudaStream_t stream) {
  CHECK_STATE();
  return launch(stream, function, grid, block, arguments, shared, true);
}

#if CUDART_VERSION >= 11080
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                void **arguments) {
  CHECK_STATE();
  REQUIRE(config != NULL, cudaErrorInvalidValue);
  bool cooperative = false;
  for (unsigned k = 0; k < config->numAttrs; k++) {
    if (config->attrs[k].id == cudaLaunchAttributeCooperative)
      cooperative = config->attrs[k].val.cooperative != 0;
    if (config->attrs[k].id == cudaLaunchAttributeClusterDimension)
      return drano_unsupported("cudaLaunchKernelExC with thread block clusters");
  }
  return launch(config->stream, function, config->gridDim, config->blockDim, arguments,
                config->dynamicSmemBytes, cooperative);
}
#endif

cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  CHECK_STATE();
  configured = (configuration){grid, block, shared, stream};
  is_configured = true;
  return cudaSuccess;
}

cudaError_t cudaSetupArgument(const void *argument, size_t bytes, size_t offset) {
  CHECK_STATE();
  REQUIRE(is_configured, cudaErrorMissingConfiguration);
  REQUIRE(offset <= sizeof setup && bytes <= sizeof setup - offset, cudaErrorInvalidValue);
  memcpy(setup + offset, argument, bytes);
  return cudaSuccess;
}

cudaError_t cudaLaunch(const void *function) {
  CHECK_STATE();
  REQUIRE(is_configured, cudaErrorMissingConfiguration);
  is_configured = false;
  host_function *f = drano_host_function(function);
  REQUIRE(f != NULL && f->kernel != NULL, cudaErrorInvalidDeviceFunction);
  void *arguments[1024];
  REQUIRE(f->kernel->param_count <= 1024, cudaErrorInvalidValue);
  for (uint32_t k = 0; k < f->kernel->param_count; k++)
    arguments[k] = setup + f->kernel->params[k].offset;
  return launch(configured.stream, function, configured.grid, configured.block, arguments,
                configured.shared, false);
}

/* --- attributes ----------------------------------------------------------------------------- */

static cudaError_t known(const void *function, host_function **f) {
  *f = drano_host_function(function);
  REQUIRE(*f != NULL && (*f)->kernel != NULL, cudaErrorInvalidDeviceFunction);
  return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function) {
  CHECK_STATE();
  REQUIRE(attributes != NULL, cudaErrorInvalidValue);
  host_function *f;
  cudaError_t error = known(function, &f);
  if (error != cudaSuccess) return error;
  memset(attributes, 0, sizeof *attributes);
  attributes->sharedSizeBytes = f->kernel->static_shared_bytes;
  attributes->localSizeBytes = f->kernel->local_bytes;
  attributes->maxThreadsPerBlock = 1024;
  attributes->numRegs = REGISTERS;
  attributes->ptxVersion = attributes->binaryVersion = drano_gpu()->major * 10 + drano_gpu()->minor;
  attributes->maxDynamicSharedSizeBytes = f->max_dynamic_shared;
  attributes->preferredShmemCarveout = f->carveout;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value) {
  CHECK_STATE();
  host_function *f;
  cudaError_t error = known(function, &f);
  if (error != cudaSuccess) return error;
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    REQUIRE(value >= 0 && (size_t)value + f->kernel->static_shared_bytes <=
                              (size_t)drano_gpu()->shared_optin_kb * 1024,
            cudaErrorInvalidValue);
    f->max_dynamic_shared = value;
  } else if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
    f->carveout = value;
  }
  return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config) {
  CHECK_STATE();
  (void)config;
  host_function *f;
  return known(function, &f);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config) {
  CHECK_STATE();
  (void)config;
  host_function *f;
  return known(function, &f);
}

/* --- occupancy ------------------------------------------------------------------------------ */

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                                   int threads, size_t shared,
                                                                   unsigned flags) {
  CHECK_STATE();
  (void)flags;
  REQUIRE(blocks != NULL && threads >= 1, cudaErrorInvalidValue);
  host_function *f;
  cudaError_t error = known(function, &f);
  if (error != cudaSuccess) return error;
  *blocks = drano_blocks_per_sm(threads, shared + f->kernel->static_shared_bytes, REGISTERS);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int threads, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks,
                                                      int threads) {
  CHECK_STATE();
  (void)threads;
  REQUIRE(bytes != NULL && blocks >= 1, cudaErrorInvalidValue);
  host_function *f;
  cudaError_t error = known(function, &f);
  if (error != cudaSuccess) return error;
  size_t each = (size_t)drano_gpu()->shared_sm_kb * 1024 / (size_t)blocks & ~(size_t)127;
  size_t most = (size_t)drano_gpu()->shared_optin_kb * 1024;
  size_t taken = f->kernel->static_shared_bytes + (drano_gpu()->major >= 8 ? 1024u : 0u);
  each = each > taken ? each - taken : 0;
  *bytes = each < most ? each : most;
  return cudaSuccess;
}
