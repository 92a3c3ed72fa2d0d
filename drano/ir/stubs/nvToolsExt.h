/* Stands in for the tools extension library's header: ranges that a profiler shows. */
#pragma once
extern "C" int nvtxRangePushA(const char* message);
extern "C" int nvtxRangePop(void);
extern "C" void nvtxMarkA(const char* message);
#define nvtxRangePush nvtxRangePushA
#define nvtxMark nvtxMarkA
