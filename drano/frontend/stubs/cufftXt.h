/* Stands in for the header of cuFFT's callbacks and its use of several GPUs. */
#ifndef DRANO_STUB_CUFFTXT_H
#define DRANO_STUB_CUFFTXT_H
#define _CUFFTXT_H_
#include "cudalibxt.h"
#include "cufft.h"
#include <stdio.h>
typedef enum cufftXtSubFormat_t {
    CUFFT_XT_FORMAT_INPUT, CUFFT_XT_FORMAT_OUTPUT, CUFFT_XT_FORMAT_INPLACE,
    CUFFT_XT_FORMAT_INPLACE_SHUFFLED, CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED,
    CUFFT_XT_FORMAT_DISTRIBUTED_INPUT, CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT
} cufftXtSubFormat;
typedef enum cufftXtCopyType_t {
    CUFFT_COPY_HOST_TO_DEVICE, CUFFT_COPY_DEVICE_TO_HOST, CUFFT_COPY_DEVICE_TO_DEVICE,
    CUFFT_COPY_UNDEFINED
} cufftXtCopyType;
typedef enum cufftXtQueryType_t { CUFFT_QUERY_1D_FACTORS, CUFFT_QUERY_UNDEFINED } cufftXtQueryType;
typedef struct cufftXt1dFactors_t {
    long long size, stringCount, stringLength, substringLength, factor1, factor2, stringMask,
        substringMask, factor1Mask, factor2Mask;
    int stringShift, substringShift, factor1Shift, factor2Shift;
} cufftXt1dFactors;
typedef enum cufftXtWorkAreaPolicy_t {
    CUFFT_WORKAREA_MINIMAL, CUFFT_WORKAREA_USER, CUFFT_WORKAREA_PERFORMANCE
} cufftXtWorkAreaPolicy;
typedef enum cufftXtCallbackType_t {
    CUFFT_CB_LD_COMPLEX, CUFFT_CB_LD_COMPLEX_DOUBLE, CUFFT_CB_LD_REAL, CUFFT_CB_LD_REAL_DOUBLE,
    CUFFT_CB_ST_COMPLEX, CUFFT_CB_ST_COMPLEX_DOUBLE, CUFFT_CB_ST_REAL, CUFFT_CB_ST_REAL_DOUBLE,
    CUFFT_CB_UNDEFINED
} cufftXtCallbackType;
#define DRANO_CALLBACKS(type, letter) \
    typedef type (*cufftCallbackLoad##letter)(void *, size_t, void *, void *); \
    typedef type (*cufftJITCallbackLoad##letter)(void *, unsigned long long, void *, void *); \
    typedef void (*cufftCallbackStore##letter)(void *, size_t, type, void *, void *); \
    typedef void (*cufftJITCallbackStore##letter)(void *, unsigned long long, type, void *, void *);
DRANO_CALLBACKS(cufftComplex, C)
DRANO_CALLBACKS(cufftDoubleComplex, Z)
DRANO_CALLBACKS(cufftReal, R)
DRANO_CALLBACKS(cufftDoubleReal, D)
#undef DRANO_CALLBACKS
extern "C" cufftResult cufftXtSetGPUs(...), cufftXtMalloc(...), cufftXtMemcpy(...), cufftXtFree(...),
    cufftXtSetWorkArea(...), cufftXtExecDescriptorC2C(...), cufftXtExecDescriptorR2C(...),
    cufftXtExecDescriptorC2R(...), cufftXtExecDescriptorZ2Z(...), cufftXtExecDescriptorD2Z(...),
    cufftXtExecDescriptorZ2D(...), cufftXtExecDescriptor(...), cufftXtQueryPlan(...),
    cufftXtSetCallback(...), cufftXtSetJITCallback(...), cufftXtClearCallback(...),
    cufftXtSetCallbackSharedSize(...), cufftXtMakePlanMany(...), cufftXtGetSizeMany(...),
    cufftXtExec(...), cufftXtSetWorkAreaPolicy(...), cufftXtSetDistribution(...);
#endif
