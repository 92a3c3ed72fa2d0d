/* Stands in for the header of cuBLAS's interface before CUDA 4: no handles, results by value. */
#if !defined(DRANO_STUB_CUBLAS_H) && !defined(DRANO_STUB_CUBLAS_API_H)
#define DRANO_STUB_CUBLAS_H
#include <cuComplex.h>
#include <driver_types.h>
typedef unsigned int cublasStatus;
#define CUBLAS_STATUS_SUCCESS 0
#define CUBLAS_STATUS_NOT_INITIALIZED 1
#define CUBLAS_STATUS_ALLOC_FAILED 3
#define CUBLAS_STATUS_INVALID_VALUE 7
#define CUBLAS_STATUS_ARCH_MISMATCH 8
#define CUBLAS_STATUS_MAPPING_ERROR 11
#define CUBLAS_STATUS_EXECUTION_FAILED 13
#define CUBLAS_STATUS_INTERNAL_ERROR 14
#define CUBLAS_STATUS_NOT_SUPPORTED 15
#define DRANO_SD(op) void cublasS##op(...), cublasD##op(...);
#define DRANO_CZ(op) void cublasC##op(...), cublasZ##op(...);
#define DRANO_SDCZ(op) DRANO_SD(op) DRANO_CZ(op)
extern "C" {
cublasStatus cublasInit(void), cublasShutdown(void), cublasGetError(void), cublasGetVersion(int *),
    cublasAlloc(...), cublasFree(...), cublasSetKernelStream(cudaStream_t), cublasSetVector(...),
    cublasGetVector(...), cublasSetMatrix(...), cublasGetMatrix(...), cublasSetVectorAsync(...),
    cublasGetVectorAsync(...), cublasSetMatrixAsync(...), cublasGetMatrixAsync(...);
int cublasIsamax(...), cublasIdamax(...), cublasIcamax(...), cublasIzamax(...), cublasIsamin(...),
    cublasIdamin(...), cublasIcamin(...), cublasIzamin(...);
float cublasSdot(...), cublasSnrm2(...), cublasSasum(...), cublasScnrm2(...), cublasScasum(...);
double cublasDdot(...), cublasDnrm2(...), cublasDasum(...), cublasDznrm2(...), cublasDzasum(...);
cuComplex cublasCdotu(...), cublasCdotc(...);
cuDoubleComplex cublasZdotu(...), cublasZdotc(...);
DRANO_SDCZ(axpy) DRANO_SDCZ(copy) DRANO_SDCZ(scal) DRANO_SDCZ(swap) DRANO_SDCZ(rot) DRANO_SDCZ(rotg)
DRANO_SDCZ(gemv) DRANO_SDCZ(gbmv) DRANO_SDCZ(trmv) DRANO_SDCZ(trsv) DRANO_SD(symv) DRANO_CZ(hemv)
DRANO_SD(ger) DRANO_CZ(geru) DRANO_CZ(gerc) DRANO_SD(syr) DRANO_CZ(her) DRANO_SDCZ(gemm)
DRANO_SDCZ(syrk) DRANO_CZ(herk) DRANO_SDCZ(symm) DRANO_CZ(hemm) DRANO_SDCZ(trsm) DRANO_SDCZ(trmm)
void cublasCsscal(...), cublasZdscal(...);
}
#undef DRANO_SD
#undef DRANO_CZ
#undef DRANO_SDCZ
#endif
