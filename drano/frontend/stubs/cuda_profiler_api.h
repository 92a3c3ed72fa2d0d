/* Stands in for the toolkit's header of the same name, which its run-time package leaves out. */
#pragma once
#include <driver_types.h>
extern "C" cudaError_t cudaProfilerStart(void);
extern "C" cudaError_t cudaProfilerStop(void);
