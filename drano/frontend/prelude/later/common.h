/* What kernel files include most: all of the standard library, then what SDK's headers there are
 * for groups of threads, short floating-point numbers, matrices and random numbers. */
#include "standard_library.h"
#if __has_include(<cooperative_groups.h>)
#include <cooperative_groups.h>
#endif
#if __has_include(<cooperative_groups/memcpy_async.h>)
#include <cooperative_groups/memcpy_async.h>
#endif
#if __has_include(<cooperative_groups/reduce.h>)
#include <cooperative_groups/reduce.h>
#endif
#if __has_include(<cooperative_groups/scan.h>)
#include <cooperative_groups/scan.h>
#endif
#if __has_include(<cuda_fp16.h>)
#include <cuda_fp16.h>
#endif
#if __has_include(<cuda_bf16.h>)
#include <cuda_bf16.h>
#endif
#if __has_include(<cuda_fp8.h>)
#include <cuda_fp8.h>
#endif
#if __has_include(<cuda_pipeline.h>)
#include <cuda_pipeline.h>
#endif
#if __has_include(<mma.h>)
#include <mma.h>
#endif
#if __has_include(<curand_kernel.h>)
#include <curand_kernel.h>
#endif
