/* Stands in for PyTorch's type of the upper half of a float. */
#ifndef DRANO_STUB_C10_BFLOAT16_H
#define DRANO_STUB_C10_BFLOAT16_H
#include "drano_float16.h"
#include <cuda_bf16.h>
namespace c10 {
struct alignas(2) BFloat16 {
    unsigned short x;
    struct from_bits_t {};
    C10_HOST_DEVICE static constexpr from_bits_t from_bits() { return from_bits_t(); }
    BFloat16() = default;
    constexpr C10_HOST_DEVICE BFloat16(unsigned short bits, from_bits_t) : x(bits) {}
    C10_HOST_DEVICE inline BFloat16(float value) : x(__bfloat16_as_ushort(__float2bfloat16(value))) {}
    C10_HOST_DEVICE inline BFloat16(const __nv_bfloat16 &value) : x(__bfloat16_as_ushort(value)) {}
    C10_HOST_DEVICE inline operator float() const { return __bfloat162float(__ushort_as_bfloat16(x)); }
    C10_HOST_DEVICE inline explicit operator __nv_bfloat16() const { return __ushort_as_bfloat16(x); }
};
C10_DEVICE inline BFloat16 __ldg(const BFloat16 *ptr) {
    return BFloat16(::__ldg(reinterpret_cast<const unsigned short *>(ptr)), BFloat16::from_bits());
}
}
DRANO_FLOAT16(BFloat16, 0x7f7f, 0x0080, 0x3c00)
namespace at { using c10::BFloat16; }
namespace torch { using c10::BFloat16; }
#endif
