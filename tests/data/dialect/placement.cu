// nvcc: -std=c++17
// Where attributes may stand, launch bounds of all forms, kernels as members, friends and templates.
#include <cuda_runtime.h>
__forceinline__ __device__ int a1(int x) { return x; }
__device__ __forceinline__ static int a2(int x) { return x; }
static __inline__ __device__ int a3(int x) { return x; }
inline int __device__ a4(int x) { return x; }
int __device__ __noinline__ a5(int x) { return x; }
__noinline__ __device__ int a6(int x);
__device__ int a6(int x) { return x; }
template <class T> __host__ __device__ __forceinline__ T a7(T x) { return x; }
__host__ inline __device__ auto a8(int x) -> int { return x; }
[[nodiscard]] __device__ int a9(int x) { return x; }
__device__ __attribute__((noinline)) int a10(int x) { return x; }
extern "C" __device__ int a11(int x) { return x; }
__device__ int a12(int x) __attribute__((pure));
__device__ int a12(int x) { return x; }
__inline_hint__ __device__ int a13(int x) { return x; }
extern "C" __global__ void c_linkage(int *p) { p[threadIdx.x] = 1; }
void __global__ late(int *p) { p[threadIdx.x] = 1; }
__global__ void __launch_bounds__(256) b1(int *p) { p[threadIdx.x] = 1; }
__launch_bounds__(256, 2) __global__ void b2(int *p) { p[threadIdx.x] = 1; }
__global__ __launch_bounds__(256, 2, 4) void b3(int *p) { p[threadIdx.x] = 1; }
template <int N> __global__ void __launch_bounds__(N * 32, N > 4 ? 1 : 2) b4(int *p) { p[threadIdx.x] = N; }
__global__ void __maxnreg__(32) b6(int *p) { p[threadIdx.x] = 1; }
__global__ void __cluster_dims__(2) b7(int *p) { p[threadIdx.x] = 1; }
__cluster_dims__(2, 2, 1) __launch_bounds__(128) __global__ void b8(int *p) { p[threadIdx.x] = 1; }
__global__ void __block_size__((128, 1, 1), (2, 1, 1)) b9(int *p) { p[threadIdx.x] = 1; }
static __global__ void b11(int *const __restrict__ p, const int *const __restrict__ q, int *__restrict r) { p[threadIdx.x] = q[threadIdx.x] + r[0]; }
namespace outer { namespace inner { template <class T> __global__ void kernel(T *p) { p[threadIdx.x] = 1; } } }
namespace { __global__ void hidden(int *p) { p[threadIdx.x] = a1(1) + a2(1) + a3(1) + a4(1) + a5(1) + a6(1) + a7(1) + a8(1) + a9(1) + a10(1) + a11(1) + a12(1) + a13(1); } }
class Box;
template <class T> __global__ void friendly(T box, int *p);
class Box {
  int secret = 3;
  template <class T> friend __global__ void friendly(T box, int *p);
public:
  __device__ __host__ int get() const { return secret; }
  __host__ __device__ Box() {}
};
template <class T> __global__ void friendly(T box, int *p) { p[threadIdx.x] = box.secret; }
template <class... Ts> __global__ void packs(int *p, Ts... values) { p[threadIdx.x] = (values + ... + 0); }
template <auto V> __global__ void autos(int *p) { p[threadIdx.x] = V; }
template <template <class> class C, class T> __global__ void templates(C<T> c, int *p) { p[threadIdx.x] = c.v; }
template <class T> struct Wrap { T v; };
template <int (*F)(int)> __global__ void functions(int *p) { p[threadIdx.x] = F(1); }
template <class T, bool B = true, typename = std::enable_if_t<B>> __global__ void defaults(T *p, int n = 3) { if constexpr (B) p[threadIdx.x] = n; }
int main() {
  int *p = nullptr; dim3 g(1), b(32);
  outer::inner::kernel<<<1, 32>>>(p); outer::inner::kernel<float><<<dim3(1), 32, 0, 0>>>((float *)p);
  hidden<<<g, b>>>(p); friendly<<<1, b>>>(Box(), p); packs<<<1, 32>>>(p, 1, 2, 3); autos<3><<<1, 32>>>(p); templates<<<1, 32>>>(Wrap<int>{1}, p);
  functions<a8><<<1, 32>>>(p); defaults<int><<<1, 32>>>(p); b4<4><<<1, {32, 1, 1}>>>(p); b11<<<1, 32>>>(p, p, p);
  void (*pointer)(int *) = b1; pointer<<<1, 32>>>(p); (*pointer)<<<1, 32>>>(p); auto k = &autos<5>; k<<<1, 32>>>(p);
  cudaLaunchConfig_t config = {}; cudaLaunchKernelEx(&config, b1, p); cudaFuncSetAttribute(b1, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
  cudaFuncAttributes fa; cudaFuncGetAttributes(&fa, b2); int blocks; cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, b1, 256, 0); int m; cudaOccupancyMaxPotentialBlockSize(&m, &blocks, b1, 0, 0);
}
