/* Stands in for the header of cuSOLVER's dense part. */
#ifndef DRANO_STUB_CUSOLVERDN_H
#define DRANO_STUB_CUSOLVERDN_H
#define CUSOLVERDN_H_
#include "cublas_v2.h"
#include "cusolver_common.h"
typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct cusolverDnIRSParams *cusolverDnIRSParams_t;
typedef struct cusolverDnIRSInfos *cusolverDnIRSInfos_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef enum { CUSOLVERDN_GETRF, CUSOLVERDN_POTRF } cusolverDnFunction_t;
#define DRANO_DECLARE(name) cusolverStatus_t cusolverDn##name(...), cusolverDn##name##_bufferSize(...);
#define DRANO_SDCZ(op) DRANO_DECLARE(S##op) DRANO_DECLARE(D##op) DRANO_DECLARE(C##op) DRANO_DECLARE(Z##op)
#define DRANO_SD(op) DRANO_DECLARE(S##op) DRANO_DECLARE(D##op)
#define DRANO_CZ(op) DRANO_DECLARE(C##op) DRANO_DECLARE(Z##op)
#define DRANO_X(op) cusolverStatus_t cusolverDnX##op(...), cusolverDnX##op##_bufferSize(...);
extern "C" {
cusolverStatus_t cusolverDnCreate(...), cusolverDnDestroy(...), cusolverDnSetStream(...),
    cusolverDnGetStream(...), cusolverDnCreateParams(...), cusolverDnDestroyParams(...),
    cusolverDnSetAdvOptions(...), cusolverDnCreateSyevjInfo(...), cusolverDnDestroySyevjInfo(...),
    cusolverDnXsyevjSetTolerance(...), cusolverDnXsyevjSetMaxSweeps(...),
    cusolverDnXsyevjSetSortEig(...), cusolverDnXsyevjGetResidual(...),
    cusolverDnXsyevjGetSweeps(...), cusolverDnCreateGesvdjInfo(...),
    cusolverDnDestroyGesvdjInfo(...), cusolverDnXgesvdjSetTolerance(...),
    cusolverDnXgesvdjSetMaxSweeps(...), cusolverDnXgesvdjSetSortEig(...),
    cusolverDnXgesvdjGetResidual(...), cusolverDnXgesvdjGetSweeps(...);
DRANO_SDCZ(potrf) DRANO_SDCZ(potrs) DRANO_SDCZ(potri) DRANO_SDCZ(potrfBatched)
DRANO_SDCZ(potrsBatched) DRANO_SDCZ(getrf) DRANO_SDCZ(getrs) DRANO_SDCZ(geqrf) DRANO_SDCZ(sytrf)
DRANO_SDCZ(gebrd) DRANO_SDCZ(gesvd) DRANO_SDCZ(gesvdj) DRANO_SDCZ(gesvdjBatched)
DRANO_SDCZ(gesvdaStridedBatched) DRANO_SDCZ(laswp) DRANO_SD(ormqr) DRANO_CZ(unmqr) DRANO_SD(orgqr)
DRANO_CZ(ungqr) DRANO_SD(syevd) DRANO_CZ(heevd) DRANO_SD(syevdx) DRANO_CZ(heevdx) DRANO_SD(syevj)
DRANO_CZ(heevj) DRANO_SD(syevjBatched) DRANO_CZ(heevjBatched) DRANO_SD(sygvd) DRANO_CZ(hegvd)
DRANO_SD(sygvj) DRANO_CZ(hegvj) DRANO_SD(sytrd) DRANO_CZ(hetrd) DRANO_SDCZ(trtri)
DRANO_DECLARE(SSgesv) DRANO_DECLARE(DDgesv) DRANO_DECLARE(DSgesv) DRANO_DECLARE(DHgesv)
DRANO_X(potrf) DRANO_X(potrs) DRANO_X(getrf) DRANO_X(getrs) DRANO_X(geqrf) DRANO_X(syevd)
DRANO_X(syevdx) DRANO_X(gesvd) DRANO_X(gesvdp) DRANO_X(gesvdr) DRANO_X(trtri) DRANO_X(geev)
}
#undef DRANO_DECLARE
#undef DRANO_SDCZ
#undef DRANO_SD
#undef DRANO_CZ
#undef DRANO_X
#endif
