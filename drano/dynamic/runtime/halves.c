/* Numbers to bfloat16, where the compiler calls for it: processors without AVX512-BF16 have no
 * instruction for that, and libgcc has the functions from version 13 on only. */
#include <stdint.h>
#include <string.h>

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* To the nearest, ties to even; NaN stays NaN. */
static __bf16 rounded(uint32_t bits) {
  uint16_t half;
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    half = (uint16_t)(bits >> 16 | 0x40u);
  else
    half = (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
  __bf16 result;
  memcpy(&result, &half, sizeof result);
  return result;
}

__attribute__((weak)) __bf16 __truncsfbf2(float value) { return rounded(bits_of(value)); }

/* By way of the float that is odd where neither is the number itself, so that it is rounded once. */
__attribute__((weak)) __bf16 __truncdfbf2(double value) {
  const float near = (float)value;
  uint32_t bits = bits_of(near);
  if (value == value && (double)near != value && !(bits & 1u)) {
    const double size = value < 0 ? -value : value;
    const double size_near = near < 0 ? -(double)near : (double)near;
    bits += size_near < size ? 1u : -1u;
  }
  return rounded(bits);
}
