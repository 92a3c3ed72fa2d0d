/* Stands in for the header of cuSOLVER on several GPUs. */
#ifndef DRANO_STUB_CUSOLVERMG_H
#define DRANO_STUB_CUSOLVERMG_H
#include "cusolverDn.h"
typedef struct cusolverMgContext *cusolverMgHandle_t;
typedef void *cudaLibMgGrid_t;
typedef void *cudaLibMgMatrixDesc_t;
typedef enum { CUDALIBMG_GRID_MAPPING_ROW_MAJOR = 1, CUDALIBMG_GRID_MAPPING_COL_MAJOR = 0 } cusolverMgGridMapping_t;
extern "C" cusolverStatus_t cusolverMgCreate(...), cusolverMgDestroy(...), cusolverMgDeviceSelect(...),
    cusolverMgCreateDeviceGrid(...), cusolverMgDestroyGrid(...), cusolverMgCreateMatrixDesc(...),
    cusolverMgDestroyMatrixDesc(...), cusolverMgSyevd(...), cusolverMgSyevd_bufferSize(...),
    cusolverMgGetrf(...), cusolverMgGetrf_bufferSize(...), cusolverMgGetrs(...),
    cusolverMgGetrs_bufferSize(...), cusolverMgPotrf(...), cusolverMgPotrf_bufferSize(...),
    cusolverMgPotrs(...), cusolverMgPotrs_bufferSize(...);
#endif
