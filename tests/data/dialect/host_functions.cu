// nvcc: -std=c++20 --expt-relaxed-constexpr
#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

void complain(const char *what, ...);
template <class T> inline T twice_on_the_host(T x) { return 2 * x; }

struct Rows {
    int count;
    int checked(int i) const noexcept { return i < count ? i : 0; }
    __host__ __device__ int row(int i) const {
        if (i < 0) abort();
        if (i > 1 << 20) std::exit(1);
        return i;
    }
};

constexpr int positive(int i) {
    if (i < 0) throw "no row";
    return i;
}

constexpr int small(int i) {
    if (i > 1 << 20) complain("row %d", i);
    return i;
}

template <class T> __host__ __device__ T counted(const Rows &rows, T i) {
    if (i < 0) return twice_on_the_host(i) + rows.checked(i);
    return i;
}

__global__ void by_variant(std::variant<int, const int *> from, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = std::visit(
        [i](auto x) -> int {
            if constexpr (std::is_same_v<decltype(x), int>)
                return x + i;
            else
                return x[i];
        },
        from);
    out[at] = std::holds_alternative<int>(from) ? std::get<int>(from) : 0;
}

__global__ void by_value(std::optional<int> n, std::array<int, 4> a, std::string_view s, float *out) {
    out[n.value() + threadIdx.x] = a.at(threadIdx.x & 3) + s.at(0);
}

__global__ void by_row(Rows rows, int n, float *out) {
    out[rows.row(positive(small(n))) + counted(rows, n) + threadIdx.x] = 1;
}
