/* Stands in for the header of cuSOLVER's sparse part. */
#ifndef DRANO_STUB_CUSOLVERSP_H
#define DRANO_STUB_CUSOLVERSP_H
#include "cublas_v2.h"
#include "cusolver_common.h"
#include "cusparse.h"
typedef struct cusolverSpContext *cusolverSpHandle_t;
typedef struct csrqrInfo *csrqrInfo_t;
#define DRANO_BOTH(name) cusolverStatus_t cusolverSp##name(...), cusolverSp##name##Host(...);
#define DRANO_SDCZ(op) DRANO_BOTH(S##op) DRANO_BOTH(D##op) DRANO_BOTH(C##op) DRANO_BOTH(Z##op)
extern "C" {
cusolverStatus_t cusolverSpCreate(...), cusolverSpDestroy(...), cusolverSpSetStream(...),
    cusolverSpGetStream(...), cusolverSpCreateCsrqrInfo(...), cusolverSpDestroyCsrqrInfo(...),
    cusolverSpXcsrqrAnalysisBatched(...);
DRANO_BOTH(Xcsrissym) DRANO_BOTH(Xcsrsymrcm) DRANO_BOTH(Xcsrsymmdq) DRANO_BOTH(Xcsrsymamd)
DRANO_BOTH(Xcsrmetisnd) DRANO_BOTH(Xcsrperm) DRANO_BOTH(Xcsrperm_bufferSize) DRANO_SDCZ(csrlsvlu)
DRANO_SDCZ(csrlsvqr) DRANO_SDCZ(csrlsvchol) DRANO_SDCZ(csrlsqvqr) DRANO_SDCZ(csreigvsi)
DRANO_SDCZ(csreigs) DRANO_SDCZ(csrzfd) DRANO_SDCZ(csrqrBufferInfoBatched) DRANO_SDCZ(csrqrsvBatched)
}
#undef DRANO_BOTH
#undef DRANO_SDCZ
#endif
