/* Stands in for the header of cuSOLVER's refactorization. */
#ifndef DRANO_STUB_CUSOLVERRF_H
#define DRANO_STUB_CUSOLVERRF_H
#include "cusolver_common.h"
#include <driver_types.h>
typedef struct cusolverRfCommon *cusolverRfHandle_t;
typedef enum {
    CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF, CUSOLVERRF_RESET_VALUES_FAST_MODE_ON
} cusolverRfResetValuesFastMode_t;
typedef enum { CUSOLVERRF_MATRIX_FORMAT_CSR, CUSOLVERRF_MATRIX_FORMAT_CSC } cusolverRfMatrixFormat_t;
typedef enum {
    CUSOLVERRF_UNIT_DIAGONAL_STORED_L, CUSOLVERRF_UNIT_DIAGONAL_STORED_U,
    CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U
} cusolverRfUnitDiagonal_t;
typedef enum {
    CUSOLVERRF_FACTORIZATION_ALG0, CUSOLVERRF_FACTORIZATION_ALG1, CUSOLVERRF_FACTORIZATION_ALG2
} cusolverRfFactorization_t;
typedef enum {
    CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 = 1, CUSOLVERRF_TRIANGULAR_SOLVE_ALG2,
    CUSOLVERRF_TRIANGULAR_SOLVE_ALG3
} cusolverRfTriangularSolve_t;
extern "C" cusolverStatus_t cusolverRfCreate(...), cusolverRfDestroy(...),
    cusolverRfSetMatrixFormat(...), cusolverRfSetNumericProperties(...), cusolverRfSetAlgs(...),
    cusolverRfSetResetValuesFastMode(...), cusolverRfSetupHost(...), cusolverRfSetupDevice(...),
    cusolverRfResetValues(...), cusolverRfAnalyze(...), cusolverRfRefactor(...),
    cusolverRfSolve(...), cusolverRfAccessBundledFactorsDevice(...),
    cusolverRfExtractBundledFactorsHost(...), cusolverRfExtractSplitFactorsHost(...);
#endif
