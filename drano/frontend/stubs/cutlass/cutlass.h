/* Stands in for the words of CUTLASS that code has which uses nothing else of it. */
#ifndef DRANO_STUB_CUTLASS_H
#define DRANO_STUB_CUTLASS_H
#include <cassert>
#include <cuda_runtime.h>
#define CUTLASS_HOST_DEVICE __forceinline__ __device__ __host__
#define CUTLASS_DEVICE __forceinline__ __device__
#define CUTLASS_HOST __host__
#define CUTLASS_GLOBAL __global__ static
#define CUTLASS_PRAGMA_UNROLL _Pragma("unroll")
#define CUTLASS_PRAGMA_NO_UNROLL _Pragma("unroll 1")
#define CUTLASS_GEMM_LOOP CUTLASS_PRAGMA_NO_UNROLL
#define CUTLASS_CONSTEXPR_IF_CXX17 constexpr
#define CUTLASS_UNUSED(value) (void)(value)
#define CUTLASS_ASSERT(condition) assert(condition)
namespace cutlass {
enum class Status {
    kSuccess, kErrorMisalignedOperand, kErrorInvalidDataType, kErrorInvalidLayout,
    kErrorInvalidProblem, kErrorNotSupported, kErrorWorkspaceNull, kErrorInternal,
    kErrorArchMismatch, kErrorInsufficientDriver, kErrorMemoryAllocation, kInvalid
};
const char *cutlassGetStatusString(Status);
static const int NumThreadsPerWarp = 32, NumThreadsPerWarpGroup = 128, NumWarpsPerWarpGroup = 4;
static const int NumThreadsPerHalfWarp = 16, NumThreadsPerQuad = 4, NumThreadsPerQuadPair = 8;
}
#endif
