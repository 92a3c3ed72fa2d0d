// nvcc: --expt-relaxed-constexpr -std=c++17
// constexpr functions of the host and of the standard library in device code.
#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

constexpr int twice(int x) { return 2 * x; }
__host__ constexpr int thrice(int x) { return 3 * x; }
struct Shape {
  int w, h;
  constexpr int area() const { return w * h; }
  __host__ constexpr int edge() const { return 2 * (w + h); }
};
template <class T> constexpr T ceil_div(T a, T b) { return (a + b - 1) / b; }
[[maybe_unused]] constexpr int table[4] = {1, 2, 3, 4};
static constexpr float weights[] = {0.5f, 0.25f};
inline constexpr auto kArray = std::array<int, 3>{1, 2, 3};

__global__ void relaxed(float *out, const float *in, int n) {
  int i = threadIdx.x;
  std::array<float, 4> a{};
  a[i & 3] = in[i];
  std::array<int, 2> pair{i, 2};
  auto [x, y] = std::pair<int, int>(i, n);
  auto tuple = std::make_tuple(i, 2.0f);
  Shape shape{i, n};
  out[i] = std::min(i, n) + std::max(1.0f, in[i]) + std::numeric_limits<float>::max() + twice(i) + thrice(i)
         + a[1] + pair[0] + x + y + std::get<1>(tuple) + shape.area() + shape.edge() + ceil_div(n, 4)
         + std::clamp(i, 0, n) + std::max({1, 2, i}) + kArray.size()
         + std::gcd(i, n) + a.size() + std::numeric_limits<int>::lowest() + std::numeric_limits<double>::infinity();
  out[i] += std::abs(in[i]) + std::move(a[0]) + std::forward<float>(a[1]);
  std::optional<int> maybe;
  if (i > 3) maybe = i;
  out[i] += maybe.value_or(0) + (maybe.has_value() ? *maybe : 0);
  for (auto v : a) out[i] += v;
  for (int v : {1, 2, 3}) out[i] += v;
}
