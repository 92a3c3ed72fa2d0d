/* Stands in for PyTorch's types of accumulators. */
#ifndef DRANO_STUB_ATEN_ACCUMULATETYPE_H
#define DRANO_STUB_ATEN_ACCUMULATETYPE_H
#include "../c10/core/ScalarType.h"
namespace at {
template <typename T, bool is_cuda> struct AccumulateType;
#define DRANO_X(T, host, device) \
    template <> struct AccumulateType<T, false> { using type = host; }; \
    template <> struct AccumulateType<T, true> { using type = device; };
DRANO_X(float, double, float) DRANO_X(double, double, double) DRANO_X(int8_t, int64_t, int64_t)
DRANO_X(uint8_t, int64_t, int64_t) DRANO_X(char, int64_t, int64_t) DRANO_X(int16_t, int64_t, int64_t)
DRANO_X(int32_t, int64_t, int64_t) DRANO_X(int64_t, int64_t, int64_t) DRANO_X(bool, bool, bool)
DRANO_X(c10::Half, float, float) DRANO_X(c10::BFloat16, float, float)
DRANO_X(c10::complex<float>, c10::complex<double>, c10::complex<float>)
DRANO_X(c10::complex<double>, c10::complex<double>, c10::complex<double>)
#undef DRANO_X
template <> struct AccumulateType<__half, true> { using type = float; };
template <typename T, bool is_cuda> using acc_type = typename AccumulateType<T, is_cuda>::type;
c10::ScalarType toAccumulateType(c10::ScalarType, bool is_cuda);
}
#endif
