/* Error codes as CUDA keeps them: one remembered for each host thread, and one of the device that no
 * call but a reset clears.
 */
#include "drano_runtime.h"

unsupported_call drano_unsupported_calls[512];
_Atomic uint32_t drano_unsupported_count;

static _Thread_local cudaError_t last;
static _Atomic int lost;

cudaError_t drano_error(cudaError_t error) {
  if (error != cudaSuccess) last = error;
  return error;
}

void drano_sticky(cudaError_t error) {
  int none = cudaSuccess;
  atomic_compare_exchange_strong(&lost, &none, (int)error);
}

cudaError_t drano_state(void) { return (cudaError_t)atomic_load_explicit(&lost, memory_order_relaxed); }

void drano_clear_errors(void) {
  atomic_store(&lost, cudaSuccess);
  last = cudaSuccess;
}

cudaError_t drano_unsupported(const char *name) {
  drano_start();
  uint32_t count = atomic_load(&drano_unsupported_count), k = 0;
  while (k < count && drano_unsupported_calls[k].name != name) k++;
  if (k == count) {
    if (count == sizeof drano_unsupported_calls / sizeof *drano_unsupported_calls)
      return drano_error(cudaErrorNotSupported);
    drano_unsupported_calls[k].name = name;
    atomic_store(&drano_unsupported_count, count + 1);
  }
  drano_unsupported_calls[k].calls++;
  return drano_error(cudaErrorNotSupported);
}

cudaError_t cudaGetLastError(void) {
  drano_start();
  cudaError_t error = drano_state();
  if (error == cudaSuccess) error = last;
  last = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError(void) {
  drano_start();
  cudaError_t error = drano_state();
  return error != cudaSuccess ? error : last;
}

const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define DRANO_ERROR(NAME) \
  case NAME:              \
    return #NAME;
#include "drano_error_names.h"
#undef DRANO_ERROR
  }
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  switch ((int)error) {
  case cudaSuccess: return "no error";
  case cudaErrorInvalidValue: return "invalid argument";
  case cudaErrorMemoryAllocation: return "out of memory";
  case cudaErrorInitializationError: return "initialization error";
  case cudaErrorCudartUnloading: return "driver shutting down";
  case cudaErrorInvalidConfiguration: return "invalid configuration argument";
  case cudaErrorInvalidPitchValue: return "invalid pitch argument";
  case cudaErrorInvalidSymbol: return "invalid device symbol";
  case cudaErrorInvalidHostPointer: return "invalid host pointer";
  case cudaErrorInvalidDevicePointer: return "invalid device pointer";
  case cudaErrorInvalidTexture: return "invalid texture reference";
  case cudaErrorInvalidTextureBinding: return "texture is not bound to a pointer";
  case cudaErrorInvalidChannelDescriptor: return "invalid channel descriptor";
  case cudaErrorInvalidMemcpyDirection: return "invalid copy direction for memcpy";
  case cudaErrorInvalidSurface: return "invalid surface reference";
  case cudaErrorInsufficientDriver: return "CUDA driver version is insufficient for CUDA runtime version";
  case cudaErrorMissingConfiguration: return "__global__ function call is not configured";
  case cudaErrorInvalidDeviceFunction: return "invalid device function";
  case cudaErrorNoDevice: return "no CUDA-capable device is detected";
  case cudaErrorInvalidDevice: return "invalid device ordinal";
  case cudaErrorInvalidResourceHandle: return "invalid resource handle";
  case cudaErrorSymbolNotFound: return "named symbol not found";
  case cudaErrorNotReady: return "device not ready";
  case cudaErrorIllegalAddress: return "an illegal memory access was encountered";
  case cudaErrorLaunchOutOfResources: return "too many resources requested for launch";
  case cudaErrorLaunchTimeout: return "the launch timed out and was terminated";
  case cudaErrorPeerAccessAlreadyEnabled: return "peer access is already enabled";
  case cudaErrorPeerAccessNotEnabled: return "peer access has not been enabled";
  case cudaErrorSetOnActiveProcess: return "cannot set while device is active in this process";
  case cudaErrorContextIsDestroyed: return "context is destroyed";
  case cudaErrorAssert: return "device-side assert triggered";
  case cudaErrorTooManyPeers: return "peer mapping resources exhausted";
  case cudaErrorHostMemoryAlreadyRegistered: return "part or all of the requested memory range is already mapped";
  case cudaErrorHostMemoryNotRegistered: return "pointer does not correspond to a registered memory region";
  case cudaErrorHardwareStackError: return "hardware stack error";
  case cudaErrorIllegalInstruction: return "an illegal instruction was encountered";
  case cudaErrorMisalignedAddress: return "misaligned address";
  case cudaErrorInvalidAddressSpace: return "operation not supported on global/shared address space";
  case cudaErrorInvalidPc: return "invalid program counter";
  case cudaErrorLaunchFailure: return "unspecified launch failure";
  case cudaErrorCooperativeLaunchTooLarge: return "too many blocks in cooperative launch";
  case cudaErrorNotPermitted: return "operation not permitted";
  case cudaErrorNotSupported: return "operation not supported";
  case cudaErrorUnknown: return "unknown error";
  default: break;
  }
  const char *name = cudaGetErrorName(error);
  return name;
}
