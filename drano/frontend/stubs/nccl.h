/* Stands in for NCCL's header. */
#ifndef DRANO_STUB_NCCL_H
#define DRANO_STUB_NCCL_H
#define NCCL_H_
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <limits.h>
#if __has_include(<cuda_bf16.h>)
#include <cuda_bf16.h>
#define __CUDA_BF16_TYPES_EXIST__
#endif
#define NCCL_MAJOR 2
#define NCCL_MINOR 27
#define NCCL_PATCH 0
#define NCCL_SUFFIX ""
#define NCCL_VERSION_CODE 22700
#define NCCL_VERSION(X, Y, Z) ((X) * 10000 + (Y) * 100 + (Z))
#define NCCL_UNIQUE_ID_BYTES 128
#define NCCL_CONFIG_INITIALIZER {}
#define NCCL_SPLIT_NOCOLOR -1
typedef struct ncclComm *ncclComm_t;
typedef struct { char internal[NCCL_UNIQUE_ID_BYTES]; } ncclUniqueId;
typedef struct {
    size_t size;
    unsigned int magic, version;
    int blocking, cgaClusterSize, minCTAs, maxCTAs;
    const char *netName;
    int splitShare;
} ncclConfig_t;
typedef enum {
    ncclSuccess, ncclUnhandledCudaError, ncclSystemError, ncclInternalError, ncclInvalidArgument,
    ncclInvalidUsage, ncclRemoteError, ncclInProgress, ncclNumResults
} ncclResult_t;
typedef enum {
    ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg, ncclNumOps, ncclMaxRedOp = 0x7fffffff
} ncclRedOp_t;
typedef enum {
    ncclInt8 = 0, ncclChar = 0,
    ncclUint8 = 1,
    ncclInt32 = 2, ncclInt = 2,
    ncclUint32 = 3,
    ncclInt64 = 4,
    ncclUint64 = 5,
    ncclFloat16 = 6, ncclHalf = 6,
    ncclFloat32 = 7, ncclFloat = 7,
    ncclFloat64 = 8, ncclDouble = 8,
    ncclBfloat16 = 9,
    ncclFloat8e4m3 = 10,
    ncclFloat8e5m2 = 11,
    ncclNumTypes = 12
} ncclDataType_t;
typedef enum { ncclScalarDevice, ncclScalarHostImmediate } ncclScalarResidence_t;
extern "C" {
const char *ncclGetErrorString(ncclResult_t), *ncclGetLastError(ncclComm_t);
ncclResult_t ncclGetVersion(...), ncclGetUniqueId(...), ncclCommInitRank(...),
    ncclCommInitRankConfig(...), ncclCommInitAll(...), ncclCommFinalize(...), ncclCommDestroy(...),
    ncclCommAbort(...), ncclCommSplit(...), ncclCommGetAsyncError(...), ncclCommCount(...),
    ncclCommCuDevice(...), ncclCommUserRank(...), ncclCommRegister(...), ncclCommDeregister(...),
    ncclMemAlloc(...), ncclMemFree(...), ncclRedOpCreatePreMulSum(...), ncclRedOpDestroy(...),
    ncclReduce(...), ncclBcast(...), ncclBroadcast(...), ncclAllReduce(...),
    ncclReduceScatter(...), ncclAllGather(...), ncclAlltoAll(...), ncclGather(...),
    ncclScatter(...), ncclSend(...), ncclRecv(...), ncclGroupStart(...), ncclGroupEnd(...),
    ncclGroupSimulateEnd(...);
}
#endif
