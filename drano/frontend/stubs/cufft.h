/* Stands in for cuFFT's header. */
#ifndef DRANO_STUB_CUFFT_H
#define DRANO_STUB_CUFFT_H
#define _CUFFT_H_
#include <cuComplex.h>
#include <driver_types.h>
#include <library_types.h>
#include <stddef.h>
#define CUFFTAPI
#define CUFFT_VER_MAJOR 12
#define CUFFT_VER_MINOR 0
#define CUFFT_VERSION 12000
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
#define MAX_CUFFT_ERROR 0x13
typedef enum cufftResult_t {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_TYPE = 3,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_SETUP_FAILED = 7,
    CUFFT_INVALID_SIZE = 8,
    CUFFT_UNALIGNED_DATA = 9,
    CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
    CUFFT_INVALID_DEVICE = 11,
    CUFFT_PARSE_ERROR = 12,
    CUFFT_NO_WORKSPACE = 13,
    CUFFT_NOT_IMPLEMENTED = 14,
    CUFFT_LICENSE_ERROR = 15,
    CUFFT_NOT_SUPPORTED = 16,
    CUFFT_MISSING_DEPENDENCY = 17,
    CUFFT_NVRTC_FAILURE = 18,
    CUFFT_NVJITLINK_FAILURE = 19,
    CUFFT_NVSHMEM_FAILURE = 20
} cufftResult;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef enum cufftType_t {
    CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_C2C = 0x29, CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c,
    CUFFT_Z2Z = 0x69
} cufftType;
typedef enum cufftCompatibility_t {
    CUFFT_COMPATIBILITY_NATIVE = 0, CUFFT_COMPATIBILITY_FFTW_PADDING = 1,
    CUFFT_COMPATIBILITY_FFTW_ASYMMETRIC = 2, CUFFT_COMPATIBILITY_FFTW_ALL = 3
} cufftCompatibility;
typedef int cufftHandle;
extern "C" cufftResult cufftPlan1d(...), cufftPlan2d(...), cufftPlan3d(...), cufftPlanMany(...),
    cufftMakePlan1d(...), cufftMakePlan2d(...), cufftMakePlan3d(...), cufftMakePlanMany(...),
    cufftMakePlanMany64(...), cufftEstimate1d(...), cufftEstimate2d(...), cufftEstimate3d(...),
    cufftEstimateMany(...), cufftCreate(...), cufftGetSize1d(...), cufftGetSize2d(...),
    cufftGetSize3d(...), cufftGetSizeMany(...), cufftGetSizeMany64(...), cufftGetSize(...),
    cufftSetWorkArea(...), cufftSetAutoAllocation(...), cufftExecC2C(...), cufftExecR2C(...),
    cufftExecC2R(...), cufftExecZ2Z(...), cufftExecD2Z(...), cufftExecZ2D(...),
    cufftSetStream(...), cufftSetCompatibilityMode(...), cufftDestroy(...), cufftGetVersion(...),
    cufftGetProperty(...), cufftSetPlanPropertyInt64(...);
#endif
