/* Stands in for the header of the steps of cuSOLVER's sparse solvers. */
#ifndef DRANO_STUB_CUSOLVERSP_LOWLEVEL_H
#define DRANO_STUB_CUSOLVERSP_LOWLEVEL_H
#include "cusolverSp.h"
typedef struct csrluInfoHost *csrluInfoHost_t;
typedef struct csrqrInfoHost *csrqrInfoHost_t;
typedef struct csrcholInfoHost *csrcholInfoHost_t;
typedef struct csrcholInfo *csrcholInfo_t;
#define DRANO_BOTH(name) cusolverStatus_t cusolverSp##name(...), cusolverSp##name##Host(...);
#define DRANO_SDCZ(op) DRANO_BOTH(S##op) DRANO_BOTH(D##op) DRANO_BOTH(C##op) DRANO_BOTH(Z##op)
#define DRANO_STEPS(kind) \
    DRANO_BOTH(Xcsr##kind##Analysis) DRANO_SDCZ(csr##kind##BufferInfo) DRANO_SDCZ(csr##kind##Factor) \
    DRANO_SDCZ(csr##kind##ZeroPivot) DRANO_SDCZ(csr##kind##Solve) DRANO_SDCZ(csr##kind##Setup) \
    DRANO_SDCZ(csr##kind##Extract) DRANO_BOTH(Xcsr##kind##Nnz)
extern "C" {
DRANO_STEPS(lu) DRANO_STEPS(qr) DRANO_STEPS(chol)
cusolverStatus_t cusolverSpCreateCsrluInfoHost(...), cusolverSpDestroyCsrluInfoHost(...),
    cusolverSpCreateCsrqrInfoHost(...), cusolverSpDestroyCsrqrInfoHost(...),
    cusolverSpCreateCsrcholInfoHost(...), cusolverSpDestroyCsrcholInfoHost(...),
    cusolverSpCreateCsrcholInfo(...), cusolverSpDestroyCsrcholInfo(...);
}
#undef DRANO_BOTH
#undef DRANO_SDCZ
#undef DRANO_STEPS
#endif
