/* Stands in for what CCCL 3 has taken out of Thrust: memory of the host that a GPU can reach. */
#ifndef DRANO_STUB_THRUST_PINNED_ALLOCATOR_H
#define DRANO_STUB_THRUST_PINNED_ALLOCATOR_H
#include <cuda_runtime.h>
#include <thrust/detail/config.h>
#include <cstddef>
#include <new>
THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace experimental {
template <typename T> class pinned_allocator {
 public:
  typedef T value_type;
  typedef T* pointer;
  typedef const T* const_pointer;
  typedef T& reference;
  typedef const T& const_reference;
  typedef std::size_t size_type;
  typedef std::ptrdiff_t difference_type;
  template <typename U> struct rebind { typedef pinned_allocator<U> other; };
  pinned_allocator() {}
  template <typename U> pinned_allocator(const pinned_allocator<U>&) {}
  T* allocate(std::size_t count, const void* = 0) {
    void* memory = 0;
    if (cudaMallocHost(&memory, count * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { cudaFreeHost(memory); }
  bool operator==(const pinned_allocator&) const { return true; }
  bool operator!=(const pinned_allocator&) const { return false; }
};
}  // namespace experimental
}  // namespace cuda
}  // namespace system
namespace cuda {
namespace experimental {
using system::cuda::experimental::pinned_allocator;
}  // namespace experimental
}  // namespace cuda
THRUST_NAMESPACE_END
#endif
