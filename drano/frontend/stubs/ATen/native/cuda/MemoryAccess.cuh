/* Stands in for PyTorch's vectors of elements. */
#ifndef DRANO_STUB_ATEN_NATIVE_CUDA_MEMORYACCESS_H
#define DRANO_STUB_ATEN_NATIVE_CUDA_MEMORYACCESS_H
#include "../../../c10/core/ScalarType.h"
namespace at::native::memory {
template <typename T, int size> struct alignas(sizeof(T) * size) aligned_vector { T val[size]; };
template <int size, typename T>
__device__ aligned_vector<T, size> load_vector(const T *base, uint32_t offset) {
    return reinterpret_cast<const aligned_vector<T, size> *>(base)[offset];
}
template <typename T> inline C10_HOST_DEVICE int can_vectorize_up_to(const char *pointer) {
    const uint64_t address = reinterpret_cast<uint64_t>(pointer);
    if (address % alignof(aligned_vector<T, 4>) == 0) return 4;
    return address % alignof(aligned_vector<T, 2>) == 0 ? 2 : 1;
}
}
#endif
