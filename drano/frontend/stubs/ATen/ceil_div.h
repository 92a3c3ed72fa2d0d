/* Stands in for PyTorch's rounded divisions. */
#ifndef DRANO_STUB_ATEN_CEIL_DIV_H
#define DRANO_STUB_ATEN_CEIL_DIV_H
#include "../c10/macros/Macros.h"
namespace at {
template <typename T> constexpr C10_HOST_DEVICE T ceil_div(T a, T b) { return (a + b - 1) / b; }
template <typename T> constexpr C10_HOST_DEVICE T round_up(T a, T b) { return ceil_div(a, b) * b; }
}
#endif
