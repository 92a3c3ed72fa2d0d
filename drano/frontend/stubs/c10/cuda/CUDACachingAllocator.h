/* Stands in for PyTorch's allocator. */
#pragma once
#include "CUDAStream.h"
namespace c10 {
struct DataPtr { void *get() const; };
struct Allocator { DataPtr allocate(size_t); void *raw_allocate(size_t); void raw_deallocate(void *); };
namespace cuda { namespace CUDACachingAllocator {
Allocator *get();
void *raw_alloc(size_t), *raw_alloc_with_stream(size_t, cudaStream_t);
void raw_delete(void *), emptyCache();
template <typename... Ts> void recordStream(const Ts &...) {}
} }
}
