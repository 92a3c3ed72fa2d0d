/* Stands in for the header of cuBLAS on several GPUs. */
#ifndef DRANO_STUB_CUBLASXT_H
#define DRANO_STUB_CUBLASXT_H
#include "cublas_v2.h"
typedef struct cublasXtContext *cublasXtHandle_t;
typedef enum { CUBLASXT_PINNING_DISABLED, CUBLASXT_PINNING_ENABLED } cublasXtPinnedMemMode_t;
typedef enum {
    CUBLASXT_FLOAT, CUBLASXT_DOUBLE, CUBLASXT_COMPLEX, CUBLASXT_DOUBLECOMPLEX
} cublasXtOpType_t;
typedef enum {
    CUBLASXT_GEMM, CUBLASXT_SYRK, CUBLASXT_HERK, CUBLASXT_SYMM, CUBLASXT_HEMM, CUBLASXT_TRSM,
    CUBLASXT_SYR2K, CUBLASXT_HER2K, CUBLASXT_SPMM, CUBLASXT_SYRKX, CUBLASXT_HERKX, CUBLASXT_TRMM,
    CUBLASXT_ROUTINE_MAX
} cublasXtBlasOp_t;
#define DRANO_SDCZ(op) cublasStatus_t cublasXtS##op(...), cublasXtD##op(...), cublasXtC##op(...), cublasXtZ##op(...);
extern "C" {
cublasStatus_t cublasXtCreate(...), cublasXtDestroy(...), cublasXtDeviceSelect(...),
    cublasXtGetNumBoards(...), cublasXtMaxBoards(...), cublasXtSetBlockDim(...),
    cublasXtGetBlockDim(...), cublasXtSetPinningMemMode(...), cublasXtGetPinningMemMode(...),
    cublasXtSetCpuRoutine(...), cublasXtSetCpuRatio(...), cublasXtCherk(...), cublasXtZherk(...),
    cublasXtChemm(...), cublasXtZhemm(...);
DRANO_SDCZ(gemm) DRANO_SDCZ(syrk) DRANO_SDCZ(syr2k) DRANO_SDCZ(syrkx) DRANO_SDCZ(symm)
DRANO_SDCZ(trsm) DRANO_SDCZ(trmm) DRANO_SDCZ(spmm)
}
#undef DRANO_SDCZ
#endif
