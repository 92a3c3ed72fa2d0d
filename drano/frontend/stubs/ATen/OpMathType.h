/* Stands in for PyTorch's types of intermediate results. */
#ifndef DRANO_STUB_ATEN_OPMATHTYPE_H
#define DRANO_STUB_ATEN_OPMATHTYPE_H
#include "../c10/core/ScalarType.h"
namespace at {
template <typename T> struct OpMathType { using type = T; };
template <> struct OpMathType<c10::Half> { using type = float; };
template <> struct OpMathType<c10::BFloat16> { using type = float; };
template <> struct OpMathType<c10::complex<c10::Half>> { using type = c10::complex<float>; };
template <typename T> using opmath_type = typename OpMathType<T>::type;
}
#endif
