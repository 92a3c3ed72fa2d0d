// nvcc takes the definition of a namespace's function for its declaration.
namespace lib { namespace device {
template <typename T> __device__ void put(T *to, T value);
} }

template <typename T>
__device__ void lib::device::put(T *to, T value, int times) {
  for (int i = 0; i < times; i++) { to[threadIdx.x + 32 * i] = value; }
}

__global__ void fill(float *to) { lib::device::put(to, 1.0f, 3); }
