// nvcc: -std=c++20
// C++20 in device code.
#include <bit>
#include <compare>
#include <concepts>
#include <cuda/std/span>
#include <numbers>
#include <span>
#include <type_traits>
#include <version>
template <class T> concept Number = std::integral<T> || std::floating_point<T>;
struct Point { int x, y; __host__ __device__ bool operator==(const Point &) const = default; };
template <Number T> __global__ void constrained(T *out, const T *in) requires(sizeof(T) >= 4) { out[threadIdx.x] = in[2 * threadIdx.x]; }
template __global__ void constrained<float>(float *, const float *);
consteval int eight() { return 8; }
constinit __device__ int counter = 3;
template <Point P> __global__ void structural(int *out) { out[threadIdx.x] = P.x; }
struct Settings { int a = 1; int b = 2; };
__device__ auto abbreviated(auto x) { return x + 1; }
__global__ void modern(int *out, cuda::std::span<int> span, char8_t c) {
  auto f = []<class T>(T x) { return x * 2; };
  Settings s{.a = 3, .b = 4};
  Point p{1, 2}, q{1, 3};
  if (p == q) [[likely]] out[0] = 1;
  for (int n = eight(); int v : {1, 2}) out[v] = n;
  const char8_t *text = u8"text";
  out[threadIdx.x] = f(2) + s.a + s.b + abbreviated(3) + span[threadIdx.x] + c + text[0] + __cplusplus % 7 + counter;
}
int main() { structural<Point{1, 2}><<<1, 32>>>(nullptr); }
