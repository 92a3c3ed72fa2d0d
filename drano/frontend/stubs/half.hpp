/* Stands in for the library half: a number of two bytes for host code. */
#ifndef DRANO_STUB_HALF_HPP
#define DRANO_STUB_HALF_HPP
#include <cstdint>
#include <functional>
#include <limits>
#include <ostream>
namespace half_float {
class half {
  public:
    constexpr half() : data_() {}
    explicit half(float value);
    operator float() const;
    half &operator=(float value);
    half &operator+=(float value);
    half &operator-=(float value);
    half &operator*=(float value);
    half &operator/=(float value);
    half &operator++();
    half &operator--();
    constexpr half(std::uint16_t bits, bool) : data_(bits) {}

  private:
    std::uint16_t data_;
};
template <class T, class U> T half_cast(U value);
}
namespace std {
template <> class numeric_limits<half_float::half> {
  public:
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false;
    static constexpr bool has_infinity = true, has_quiet_NaN = true;
    static constexpr int digits = 11, digits10 = 3, max_digits10 = 5, radix = 2;
    static constexpr half_float::half min() noexcept { return {0x0400, true}; }
    static constexpr half_float::half lowest() noexcept { return {0xFBFF, true}; }
    static constexpr half_float::half max() noexcept { return {0x7BFF, true}; }
    static constexpr half_float::half epsilon() noexcept { return {0x1400, true}; }
    static constexpr half_float::half infinity() noexcept { return {0x7C00, true}; }
    static constexpr half_float::half quiet_NaN() noexcept { return {0x7FFF, true}; }
};
}
#endif
