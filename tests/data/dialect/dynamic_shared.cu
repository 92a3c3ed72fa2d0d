// One dynamic shared array under several types, in templates and namespaces.
#include <stdint.h>
template <class T> __global__ void dynamic(T *out) {
  extern __shared__ __align__(sizeof(T)) unsigned char raw[];
  T *tile = reinterpret_cast<T *>(raw);
  tile[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
template __global__ void dynamic<float>(float *);
template __global__ void dynamic<double>(double *);
template __global__ void dynamic<double2>(double2 *);
template <class T> struct SharedMemory { __device__ T *get() { extern __shared__ int __smem[]; return (T *)__smem; } };
template <> struct SharedMemory<double> { __device__ double *get() { extern __shared__ double __smem_d[]; return __smem_d; } };
template <class T> struct Converted { __device__ inline operator T *() { extern __shared__ int __smem[]; return (T *)__smem; } };
template <class T> __global__ void through(T *out) { SharedMemory<T> s; T *t = s.get(); T *c = Converted<T>(); t[threadIdx.x] = out[0] + c[0]; }
template __global__ void through<float>(float *);
template __global__ void through<double>(double *);
extern __shared__ float at_file_scope[];
extern __shared__ int4 wide[];
namespace inside { extern __shared__ __align__(16) char bytes[]; }
__global__ void scoped(float *out) { at_file_scope[threadIdx.x] = wide[0].x + inside::bytes[3]; out[threadIdx.x] = at_file_scope[0]; }
__global__ void first(float *out) { extern __shared__ float same[]; same[threadIdx.x] = 1; out[threadIdx.x] = same[0]; }
__global__ void second(double *out) { extern __shared__ float same[]; double *d = (double *)same; d[threadIdx.x] = 1; out[threadIdx.x] = d[0]; }
__global__ void sized(float *out) { extern __shared__ float2 pairs[]; __shared__ float own[32]; own[threadIdx.x] = pairs[0].x; out[threadIdx.x] = own[0]; }
extern volatile __shared__ int vol[];
__global__ void volatiles(int *out) { vol[threadIdx.x] = 1; out[threadIdx.x] = vol[0]; }
