/* Stands in for cuBLAS's header: host code is only parsed, so functions take whatever they are given. */
#ifndef DRANO_STUB_CUBLAS_API_H
#define DRANO_STUB_CUBLAS_API_H
#define CUBLAS_API_H_
#include <cuComplex.h>
#include <cuda_fp16.h>
#include <driver_types.h>
#include <library_types.h>
#include <stddef.h>
#include <stdint.h>
#if __has_include(<cuda_bf16.h>)
#include <cuda_bf16.h>
#endif
#define CUBLASAPI
#define CUBLASWINAPI
#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VER_BUILD 0
#define CUBLAS_VERSION 130000
typedef struct cublasContext *cublasHandle_t;
typedef cudaDataType cublasDataType_t;
typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
#define DRANO_ALGO(n) CUBLAS_GEMM_ALGO##n = n
#define DRANO_TENSOR(n) CUBLAS_GEMM_ALGO##n##_TENSOR_OP = 100 + n
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    DRANO_ALGO(0), DRANO_ALGO(1), DRANO_ALGO(2), DRANO_ALGO(3), DRANO_ALGO(4), DRANO_ALGO(5),
    DRANO_ALGO(6), DRANO_ALGO(7), DRANO_ALGO(8), DRANO_ALGO(9), DRANO_ALGO(10), DRANO_ALGO(11),
    DRANO_ALGO(12), DRANO_ALGO(13), DRANO_ALGO(14), DRANO_ALGO(15), DRANO_ALGO(16), DRANO_ALGO(17),
    DRANO_ALGO(18), DRANO_ALGO(19), DRANO_ALGO(20), DRANO_ALGO(21), DRANO_ALGO(22), DRANO_ALGO(23),
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    DRANO_TENSOR(0), DRANO_TENSOR(1), DRANO_TENSOR(2), DRANO_TENSOR(3), DRANO_TENSOR(4),
    DRANO_TENSOR(5), DRANO_TENSOR(6), DRANO_TENSOR(7), DRANO_TENSOR(8), DRANO_TENSOR(9),
    DRANO_TENSOR(10), DRANO_TENSOR(11), DRANO_TENSOR(12), DRANO_TENSOR(13), DRANO_TENSOR(14),
    DRANO_TENSOR(15)
} cublasGemmAlgo_t;
#undef DRANO_ALGO
#undef DRANO_TENSOR
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef void (*cublasLogCallback)(const char *message);
/* One that is known under two names, and one for each type that has it. */
#define DRANO_V2(name) cublasStatus_t name##_v2(...); cublasStatus_t name(...) __asm__(#name "_v2");
#define DRANO_SD(op) DRANO_V2(cublasS##op) DRANO_V2(cublasD##op)
#define DRANO_CZ(op) DRANO_V2(cublasC##op) DRANO_V2(cublasZ##op)
#define DRANO_SDCZ(op) DRANO_SD(op) DRANO_CZ(op)
#define DRANO_PLAIN(op) cublasStatus_t cublasS##op(...), cublasD##op(...), cublasC##op(...), cublasZ##op(...);
#define DRANO_EX(op) cublasStatus_t cublas##op##Ex(...), cublas##op##Ex_64(...);
extern "C" {
DRANO_V2(cublasCreate) DRANO_V2(cublasDestroy) DRANO_V2(cublasGetVersion)
DRANO_V2(cublasSetWorkspace) DRANO_V2(cublasSetStream) DRANO_V2(cublasGetStream)
DRANO_V2(cublasGetPointerMode) DRANO_V2(cublasSetPointerMode)
const char *cublasGetStatusName(cublasStatus_t);
const char *cublasGetStatusString(cublasStatus_t);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasGetProperty(...), cublasGetAtomicsMode(...), cublasSetAtomicsMode(...),
    cublasGetMathMode(...), cublasSetMathMode(...), cublasGetSmCountTarget(...),
    cublasSetSmCountTarget(...), cublasLoggerConfigure(...), cublasSetLoggerCallback(...),
    cublasGetLoggerCallback(...), cublasSetVector(...), cublasGetVector(...), cublasSetMatrix(...),
    cublasGetMatrix(...), cublasSetVectorAsync(...), cublasGetVectorAsync(...),
    cublasSetMatrixAsync(...), cublasGetMatrixAsync(...), cublasSetVector_64(...),
    cublasGetVector_64(...), cublasSetMatrix_64(...), cublasGetMatrix_64(...);
void cublasXerbla(const char *, int);
DRANO_SDCZ(axpy) DRANO_SDCZ(copy) DRANO_SDCZ(scal) DRANO_SDCZ(swap) DRANO_SDCZ(rot) DRANO_SDCZ(rotg)
DRANO_SD(rotm) DRANO_SD(rotmg) DRANO_SD(dot) DRANO_CZ(dotu) DRANO_CZ(dotc) DRANO_SD(nrm2)
DRANO_SD(asum) DRANO_V2(cublasScnrm2) DRANO_V2(cublasDznrm2) DRANO_V2(cublasScasum)
DRANO_V2(cublasDzasum) DRANO_V2(cublasCsscal) DRANO_V2(cublasZdscal) DRANO_V2(cublasCsrot)
DRANO_V2(cublasZdrot) DRANO_V2(cublasIsamax) DRANO_V2(cublasIdamax) DRANO_V2(cublasIcamax)
DRANO_V2(cublasIzamax) DRANO_V2(cublasIsamin) DRANO_V2(cublasIdamin) DRANO_V2(cublasIcamin)
DRANO_V2(cublasIzamin)
DRANO_SDCZ(gemv) DRANO_SDCZ(gbmv) DRANO_SDCZ(trmv) DRANO_SDCZ(tbmv) DRANO_SDCZ(tpmv)
DRANO_SDCZ(trsv) DRANO_SDCZ(tbsv) DRANO_SDCZ(tpsv) DRANO_SDCZ(symv) DRANO_CZ(hemv) DRANO_SD(sbmv)
DRANO_CZ(hbmv) DRANO_SD(spmv) DRANO_CZ(hpmv) DRANO_SD(ger) DRANO_CZ(geru) DRANO_CZ(gerc)
DRANO_SDCZ(syr) DRANO_CZ(her) DRANO_SD(spr) DRANO_CZ(hpr) DRANO_SDCZ(syr2) DRANO_CZ(her2)
DRANO_SD(spr2) DRANO_CZ(hpr2)
DRANO_SDCZ(gemm) DRANO_SDCZ(syrk) DRANO_CZ(herk) DRANO_SDCZ(syr2k) DRANO_CZ(her2k) DRANO_SDCZ(symm)
DRANO_CZ(hemm) DRANO_SDCZ(trsm) DRANO_SDCZ(trmm)
DRANO_PLAIN(gemm_64) DRANO_PLAIN(gemmBatched) DRANO_PLAIN(gemmStridedBatched)
DRANO_PLAIN(gemvBatched) DRANO_PLAIN(gemvStridedBatched) DRANO_PLAIN(geam) DRANO_PLAIN(dgmm)
DRANO_PLAIN(getrfBatched) DRANO_PLAIN(getriBatched) DRANO_PLAIN(getrsBatched)
DRANO_PLAIN(geqrfBatched) DRANO_PLAIN(gelsBatched) DRANO_PLAIN(matinvBatched)
DRANO_PLAIN(trsmBatched) DRANO_PLAIN(tpttr) DRANO_PLAIN(trttp) DRANO_PLAIN(syrkx)
DRANO_PLAIN(nrm2_64) DRANO_PLAIN(geam_64) DRANO_PLAIN(dgmm_64)
DRANO_EX(Gemm) DRANO_EX(GemmBatched) DRANO_EX(GemmStridedBatched) DRANO_EX(GemmGroupedBatched)
DRANO_EX(Sgemm) DRANO_EX(Cgemm) DRANO_EX(Csyrk) DRANO_EX(Cherk) DRANO_EX(Nrm2) DRANO_EX(Axpy)
DRANO_EX(Dot) DRANO_EX(Dotc) DRANO_EX(Scal) DRANO_EX(Copy) DRANO_EX(Swap) DRANO_EX(Rot)
DRANO_EX(Asum) DRANO_EX(Iamax) DRANO_EX(Iamin)
cublasStatus_t cublasHgemm(...), cublasHgemm_64(...), cublasHgemmBatched(...),
    cublasHgemmStridedBatched(...), cublasCgemm3m(...), cublasZgemm3m(...), cublasCherkx(...),
    cublasZherkx(...), cublasCgemm3mStridedBatched(...), cublasHSHgemvStridedBatched(...),
    cublasTSTgemvStridedBatched(...), cublasSgemmGroupedBatched(...),
    cublasDgemmGroupedBatched(...), cublasIcamax_64(...), cublasUint8gemmBias(...);
}
#undef DRANO_V2
#undef DRANO_SD
#undef DRANO_CZ
#undef DRANO_SDCZ
#undef DRANO_PLAIN
#undef DRANO_EX
#endif
