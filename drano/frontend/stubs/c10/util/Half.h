/* Stands in for PyTorch's half-precision type. */
#ifndef DRANO_STUB_C10_HALF_H
#define DRANO_STUB_C10_HALF_H
#include "drano_float16.h"
#include <cuda_fp16.h>
namespace c10 {
struct alignas(2) Half {
    unsigned short x;
    struct from_bits_t {};
    C10_HOST_DEVICE static constexpr from_bits_t from_bits() { return from_bits_t(); }
    Half() = default;
    constexpr C10_HOST_DEVICE Half(unsigned short bits, from_bits_t) : x(bits) {}
    C10_HOST_DEVICE inline Half(float value) : x(__half_as_ushort(__float2half(value))) {}
    C10_HOST_DEVICE inline Half(const __half &value) : x(__half_as_ushort(value)) {}
    C10_HOST_DEVICE inline operator float() const { return __half2float(__ushort_as_half(x)); }
    C10_HOST_DEVICE inline operator __half() const { return __ushort_as_half(x); }
};
C10_DEVICE inline Half __ldg(const Half *ptr) {
    return Half(::__ldg(reinterpret_cast<const unsigned short *>(ptr)), Half::from_bits());
}
}
DRANO_FLOAT16(Half, 0x7bff, 0x0400, 0x1400)
namespace at { using c10::Half; }
namespace torch { using c10::Half; }
#endif
