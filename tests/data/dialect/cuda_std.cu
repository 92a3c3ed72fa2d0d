// libcu++'s own standard library.
#include <cuda/functional>
#include <cuda/std/array>
#include <cuda/std/cassert>
#include <cuda/std/chrono>
#include <cuda/std/cmath>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
__global__ void own_library(float *out, const float *in, int n) {
  int i = threadIdx.x;
  cuda::std::array<float, 4> a{1, 2, 3, 4};
  cuda::std::tuple<int, float> t{i, in[i]};
  cuda::std::optional<int> o = i;
  auto [x, y] = cuda::std::pair<int, int>{1, 2};
  cuda::std::mdspan<const float, cuda::std::extents<int, 4, cuda::std::dynamic_extent>> m(in, n);
  out[i] = a[i & 3] + cuda::std::get<1>(t) + *o + x + y + m(1, i) + cuda::std::min(i, n) + cuda::std::numeric_limits<float>::max() + cuda::std::sqrt(in[i]);
}
