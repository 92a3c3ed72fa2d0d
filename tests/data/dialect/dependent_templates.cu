// nvcc takes a template of a dependent type without the word "template" where a type is named.
#include <memory>

template <class Allocator, class T> struct Table {
  using allocator = typename std::allocator_traits<Allocator>::rebind_alloc<T>;
  allocator from;
  T *rows;
  __device__ void set(int i) const { rows[i] = T(1); }
};

template <class Table> __global__ void fill(Table table) {
  table.set(threadIdx.x);
}

void go(Table<std::allocator<char>, int> table) { fill<<<1, 32>>>(table); }
