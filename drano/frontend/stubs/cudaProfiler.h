/* Stands in for the driver's profiler header. */
#pragma once
#include <cuda.h>
typedef enum { CU_OUT_KEY_VALUE_PAIR, CU_OUT_CSV } CUoutput_mode;
extern "C" CUresult cuProfilerInitialize(const char *, const char *, CUoutput_mode),
    cuProfilerStart(void), cuProfilerStop(void);
