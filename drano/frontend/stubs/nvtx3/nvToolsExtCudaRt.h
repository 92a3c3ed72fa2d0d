/* Stands in for the header that names the run-time's objects for profilers. */
#pragma once
#include "nvToolsExt.h"
#include <driver_types.h>
extern "C" void nvtxNameCudaDeviceA(int, const char *), nvtxNameCudaStreamA(cudaStream_t, const char *),
    nvtxNameCudaEventA(cudaEvent_t, const char *);
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
