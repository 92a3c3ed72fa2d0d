/* Thrust's header of this name defines a function cudaMallocManaged, which places.h has as a macro. */
#pragma push_macro("cudaMallocManaged")
#undef cudaMallocManaged
#include_next <thrust/system/cuda/memory_resource.h>
#pragma pop_macro("cudaMallocManaged")
