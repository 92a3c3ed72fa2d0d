/* Stand-in for the CUDA samples' helper_cuda.h: the names host code uses, without their checks. */
#ifndef DRANO_STUB_HELPER_CUDA_H
#define DRANO_STUB_HELPER_CUDA_H
#include <helper_functions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
template <typename T> inline const char *_cudaGetErrorEnum(T) { return ""; }
#define checkCudaErrors(value) ((void)(value))
#define getLastCudaError(message) ((void)(message))
#define printLastCudaError(message) ((void)(message))
inline int _ConvertSMVer2Cores(int, int) { return 128; }
inline const char *_ConvertSMVer2ArchName(int, int) { return ""; }
inline int gpuDeviceInit(int device) { return device; }
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int findCudaDevice(int, const char **) { return 0; }
inline int findCudaDevice(int, char **) { return 0; }
inline int findIntegratedGPU() { return 0; }
inline bool checkCudaCapabilities(int, int) { return true; }
#endif
