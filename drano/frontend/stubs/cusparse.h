/* Stands in for cuSPARSE's header. */
#ifndef DRANO_STUB_CUSPARSE_H
#define DRANO_STUB_CUSPARSE_H
#define CUSPARSE_H_
#include <cuComplex.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <driver_types.h>
#include <library_types.h>
#include <stdint.h>
#include <stdio.h>
#define CUSPARSEAPI
#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 6
#define CUSPARSE_VERSION 12600
typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct cusparseSpMMOpPlan *cusparseSpMMOpPlan_t;
typedef struct cusparseHybMat *cusparseHybMat_t;
typedef struct cusparseSolveAnalysisInfo *cusparseSolveAnalysisInfo_t;
typedef struct cusparseColorInfo *cusparseColorInfo_t;
typedef struct csrsv2Info *csrsv2Info_t;
typedef struct csrsm2Info *csrsm2Info_t;
typedef struct csric02Info *csric02Info_t;
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct bsrsv2Info *bsrsv2Info_t;
typedef struct bsrsm2Info *bsrsm2Info_t;
typedef struct bsric02Info *bsric02Info_t;
typedef struct bsrilu02Info *bsrilu02Info_t;
typedef struct csrgemm2Info *csrgemm2Info_t;
typedef struct csru2csrInfo *csru2csrInfo_t;
typedef struct pruneInfo *pruneInfo_t;
typedef enum {
    CUSPARSE_STATUS_SUCCESS, CUSPARSE_STATUS_NOT_INITIALIZED, CUSPARSE_STATUS_ALLOC_FAILED,
    CUSPARSE_STATUS_INVALID_VALUE, CUSPARSE_STATUS_ARCH_MISMATCH, CUSPARSE_STATUS_MAPPING_ERROR,
    CUSPARSE_STATUS_EXECUTION_FAILED, CUSPARSE_STATUS_INTERNAL_ERROR,
    CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, CUSPARSE_STATUS_ZERO_PIVOT,
    CUSPARSE_STATUS_NOT_SUPPORTED, CUSPARSE_STATUS_INSUFFICIENT_RESOURCES
} cusparseStatus_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC, CUSPARSE_ACTION_NUMERIC } cusparseAction_t;
typedef enum {
    CUSPARSE_MATRIX_TYPE_GENERAL, CUSPARSE_MATRIX_TYPE_SYMMETRIC, CUSPARSE_MATRIX_TYPE_HERMITIAN,
    CUSPARSE_MATRIX_TYPE_TRIANGULAR
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE } cusparseIndexBase_t;
typedef enum {
    CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
} cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN } cusparseDirection_t;
typedef enum {
    CUSPARSE_SOLVE_POLICY_NO_LEVEL, CUSPARSE_SOLVE_POLICY_USE_LEVEL
} cusparseSolvePolicy_t;
typedef enum { CUSPARSE_COLOR_ALG0, CUSPARSE_COLOR_ALG1 } cusparseColorAlg_t;
typedef enum { CUSPARSE_ALG_NAIVE, CUSPARSE_ALG_MERGE_PATH } cusparseAlgMode_t;
typedef enum {
    CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1, CUSPARSE_CSR2CSC_ALG2 = 2
} cusparseCsr2CscAlg_t;
typedef enum {
    CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO, CUSPARSE_FORMAT_COO_AOS,
    CUSPARSE_FORMAT_BLOCKED_ELL, CUSPARSE_FORMAT_BSR, CUSPARSE_FORMAT_SLICED_ELLPACK
} cusparseFormat_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum {
    CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3
} cusparseIndexType_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT } cusparseDenseToSparseAlg_t;
typedef enum {
    CUSPARSE_SPMV_ALG_DEFAULT = 0, CUSPARSE_MV_ALG_DEFAULT = 0, CUSPARSE_COOMV_ALG = 1,
    CUSPARSE_SPMV_COO_ALG1 = 1, CUSPARSE_CSRMV_ALG1 = 2, CUSPARSE_SPMV_CSR_ALG1 = 2,
    CUSPARSE_CSRMV_ALG2 = 3, CUSPARSE_SPMV_CSR_ALG2 = 3, CUSPARSE_SPMV_COO_ALG2 = 4,
    CUSPARSE_SPMV_SELL_ALG1 = 5
} cusparseSpMVAlg_t;
typedef enum {
    CUSPARSE_SPMM_ALG_DEFAULT = 0, CUSPARSE_MM_ALG_DEFAULT = 0, CUSPARSE_SPMM_COO_ALG1 = 1,
    CUSPARSE_SPMM_COO_ALG2 = 2, CUSPARSE_SPMM_COO_ALG3 = 3, CUSPARSE_SPMM_CSR_ALG1 = 4,
    CUSPARSE_CSRMM_ALG1 = 4, CUSPARSE_SPMM_COO_ALG4 = 5, CUSPARSE_SPMM_CSR_ALG2 = 6,
    CUSPARSE_SPMM_CSR_ALG3 = 12, CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13, CUSPARSE_SPMM_BSR_ALG1 = 14
} cusparseSpMMAlg_t;
typedef enum {
    CUSPARSE_SPGEMM_DEFAULT, CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC,
    CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC, CUSPARSE_SPGEMM_ALG1, CUSPARSE_SPGEMM_ALG2,
    CUSPARSE_SPGEMM_ALG3
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSV_UPDATE_GENERAL, CUSPARSE_SPSV_UPDATE_DIAGONAL } cusparseSpSVUpdate_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT } cusparseSpSMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_SPMM_OP_ALG_DEFAULT } cusparseSpMMOpAlg_t;
#define DRANO_STATUS(op) cusparseStatus_t cusparse##op(...);
#define DRANO_SIZED(op) DRANO_STATUS(op) DRANO_STATUS(op##_bufferSize)
#define DRANO_SDCZ(op) cusparseStatus_t cusparseS##op(...), cusparseD##op(...), cusparseC##op(...), cusparseZ##op(...);
#define DRANO_STEPS(op) \
    DRANO_SDCZ(op) DRANO_SDCZ(op##_bufferSize) DRANO_SDCZ(op##_bufferSizeExt) \
    DRANO_SDCZ(op##_analysis) DRANO_SDCZ(op##_solve) DRANO_STATUS(X##op##_zeroPivot)
#define DRANO_OBJECT(name) DRANO_STATUS(Create##name) DRANO_STATUS(Destroy##name)
#define DRANO_DESCRIPTOR(name) DRANO_STATUS(name##_createDescr) DRANO_STATUS(name##_destroyDescr)
extern "C" {
const char *cusparseGetErrorName(cusparseStatus_t), *cusparseGetErrorString(cusparseStatus_t);
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t);
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t);
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t);
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t);
cusparseStatus_t cusparseCreate(...), cusparseDestroy(...), cusparseGetVersion(...),
    cusparseGetProperty(...), cusparseSetStream(...), cusparseGetStream(...),
    cusparseGetPointerMode(...), cusparseSetPointerMode(...), cusparseCopyMatDescr(...),
    cusparseSetMatType(...), cusparseSetMatFillMode(...), cusparseSetMatDiagType(...),
    cusparseSetMatIndexBase(...), cusparseCreateIdentityPermutation(...), cusparseXcoo2csr(...),
    cusparseXcsr2coo(...), cusparseXcsr2bsrNnz(...), cusparseXcsrgeamNnz(...),
    cusparseXcsrgeam2Nnz(...), cusparseXcsrgemmNnz(...), cusparseXcsrgemm2Nnz(...),
    cusparseXcoosort_bufferSizeExt(...), cusparseXcoosortByRow(...), cusparseXcoosortByColumn(...),
    cusparseXcsrsort(...), cusparseXcsrsort_bufferSizeExt(...), cusparseXcscsort(...),
    cusparseXcscsort_bufferSizeExt(...), cusparseCsr2cscEx(...);
DRANO_OBJECT(MatDescr) DRANO_OBJECT(HybMat) DRANO_OBJECT(SolveAnalysisInfo) DRANO_OBJECT(ColorInfo)
DRANO_OBJECT(Csrsv2Info) DRANO_OBJECT(Csrsm2Info) DRANO_OBJECT(Csric02Info)
DRANO_OBJECT(Csrilu02Info) DRANO_OBJECT(Bsrsv2Info) DRANO_OBJECT(Bsrsm2Info)
DRANO_OBJECT(Bsric02Info) DRANO_OBJECT(Bsrilu02Info) DRANO_OBJECT(Csrgemm2Info)
DRANO_OBJECT(Csru2csrInfo) DRANO_OBJECT(PruneInfo) DRANO_OBJECT(SpVec) DRANO_OBJECT(DnVec)
DRANO_OBJECT(SpMat) DRANO_OBJECT(DnMat)
cusparseStatus_t cusparseCreateCsr(...), cusparseCreateCsc(...), cusparseCreateCoo(...),
    cusparseCreateBsr(...), cusparseCreateBlockedEll(...), cusparseCreateSlicedEll(...),
    cusparseCreateConstCsr(...), cusparseCreateConstCsc(...), cusparseCreateConstCoo(...),
    cusparseCreateConstDnVec(...), cusparseCreateConstDnMat(...), cusparseCreateConstSpVec(...),
    cusparseSpMatGetSize(...), cusparseSpMatGetFormat(...), cusparseSpMatGetIndexBase(...),
    cusparseSpMatGetValues(...), cusparseSpMatSetValues(...), cusparseSpMatGetAttribute(...),
    cusparseSpMatSetAttribute(...), cusparseSpMatGetStridedBatch(...), cusparseCsrGet(...),
    cusparseCsrSetPointers(...), cusparseCscSetPointers(...), cusparseCooSetPointers(...),
    cusparseCsrSetStridedBatch(...), cusparseCooSetStridedBatch(...), cusparseCooGet(...),
    cusparseDnVecGet(...), cusparseDnVecGetValues(...), cusparseDnVecSetValues(...),
    cusparseSpVecGet(...), cusparseSpVecGetIndexBase(...), cusparseSpVecGetValues(...),
    cusparseSpVecSetValues(...), cusparseDnMatGet(...), cusparseDnMatGetValues(...),
    cusparseDnMatSetValues(...), cusparseDnMatSetStridedBatch(...),
    cusparseDnMatGetStridedBatch(...), cusparseAxpby(...), cusparseGather(...),
    cusparseScatter(...), cusparseRot(...), cusparseSpSV_analysis(...), cusparseSpSV_solve(...),
    cusparseSpSV_updateMatrix(...), cusparseSpSM_analysis(...), cusparseSpSM_solve(...),
    cusparseSpMV_preprocess(...), cusparseSpMM_preprocess(...), cusparseSDDMM_preprocess(...),
    cusparseSpGEMM_workEstimation(...), cusparseSpGEMM_estimateMemory(...),
    cusparseSpGEMM_compute(...), cusparseSpGEMM_copy(...), cusparseSpGEMM_getNumProducts(...),
    cusparseSpGEMMreuse_workEstimation(...), cusparseSpGEMMreuse_nnz(...),
    cusparseSpGEMMreuse_copy(...), cusparseSpGEMMreuse_compute(...),
    cusparseDenseToSparse_analysis(...), cusparseDenseToSparse_convert(...);
DRANO_SIZED(SpVV) DRANO_SIZED(SpMV) DRANO_SIZED(SpMM) DRANO_SIZED(SDDMM) DRANO_SIZED(SpSV)
DRANO_SIZED(SpSM) DRANO_SIZED(SparseToDense) DRANO_SIZED(DenseToSparse) DRANO_SIZED(Csr2cscEx2)
DRANO_SIZED(CsrmvEx) DRANO_DESCRIPTOR(SpSV) DRANO_DESCRIPTOR(SpSM) DRANO_DESCRIPTOR(SpGEMM)
DRANO_STEPS(csrsv2) DRANO_STEPS(csrsm2) DRANO_STEPS(csric02) DRANO_STEPS(csrilu02)
DRANO_STEPS(bsrsv2) DRANO_STEPS(bsrsm2) DRANO_STEPS(bsric02) DRANO_STEPS(bsrilu02)
DRANO_STEPS(csrsv) DRANO_STEPS(csrsm) DRANO_STEPS(gtsv2) DRANO_STEPS(gtsv2_nopivot)
DRANO_STEPS(gtsv2StridedBatch) DRANO_STEPS(csrgeam2) DRANO_STEPS(csrgemm2) DRANO_STEPS(csr2gebsr)
DRANO_SDCZ(axpyi) DRANO_SDCZ(doti) DRANO_SDCZ(gthr) DRANO_SDCZ(gthrz) DRANO_SDCZ(sctr) DRANO_SDCZ(roti)
DRANO_SDCZ(csrmv) DRANO_SDCZ(csrmv_mp) DRANO_SDCZ(csrmm) DRANO_SDCZ(csrmm2) DRANO_SDCZ(bsrmv)
DRANO_SDCZ(bsrxmv) DRANO_SDCZ(bsrmm) DRANO_SDCZ(hybmv) DRANO_SDCZ(gemvi) DRANO_SDCZ(gemmi)
DRANO_SDCZ(csrgeam) DRANO_SDCZ(csrgemm) DRANO_SDCZ(gtsv) DRANO_SDCZ(gtsv_nopivot)
DRANO_SDCZ(gtsvStridedBatch) DRANO_SDCZ(csrcolor) DRANO_SDCZ(nnz) DRANO_SDCZ(nnz_compress)
DRANO_SDCZ(csr2csr_compress) DRANO_SDCZ(csr2csc) DRANO_SDCZ(dense2csr) DRANO_SDCZ(dense2csc)
DRANO_SDCZ(csr2dense) DRANO_SDCZ(csc2dense) DRANO_SDCZ(csr2bsr) DRANO_SDCZ(bsr2csr)
DRANO_SDCZ(csr2hyb) DRANO_SDCZ(csric0) DRANO_SDCZ(csrilu0)
}
#undef DRANO_STATUS
#undef DRANO_SIZED
#undef DRANO_SDCZ
#undef DRANO_STEPS
#undef DRANO_OBJECT
#undef DRANO_DESCRIPTOR
#endif
