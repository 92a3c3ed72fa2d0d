/* Stands in for PyTorch's complex numbers. */
#ifndef DRANO_STUB_C10_COMPLEX_H
#define DRANO_STUB_C10_COMPLEX_H
#include "../macros/Macros.h"
namespace c10 {
template <typename T> struct alignas(sizeof(T) * 2) complex {
    using value_type = T;
    T real_, imag_;
    constexpr complex() = default;
    C10_HOST_DEVICE constexpr complex(const T &re, const T &im = T()) : real_(re), imag_(im) {}
    template <typename U> C10_HOST_DEVICE explicit constexpr complex(const complex<U> &other)
        : real_(other.real()), imag_(other.imag()) {}
    C10_HOST_DEVICE constexpr T real() const { return real_; }
    C10_HOST_DEVICE constexpr T imag() const { return imag_; }
    C10_HOST_DEVICE constexpr void real(T value) { real_ = value; }
    C10_HOST_DEVICE constexpr void imag(T value) { imag_ = value; }
    C10_HOST_DEVICE friend constexpr complex operator+(const complex &a, const complex &b) {
        return {a.real_ + b.real_, a.imag_ + b.imag_};
    }
    C10_HOST_DEVICE friend constexpr complex operator-(const complex &a, const complex &b) {
        return {a.real_ - b.real_, a.imag_ - b.imag_};
    }
    C10_HOST_DEVICE friend constexpr complex operator-(const complex &a) { return {-a.real_, -a.imag_}; }
    C10_HOST_DEVICE friend constexpr complex operator*(const complex &a, const complex &b) {
        return {a.real_ * b.real_ - a.imag_ * b.imag_, a.real_ * b.imag_ + a.imag_ * b.real_};
    }
    C10_HOST_DEVICE friend constexpr complex operator/(const complex &a, const complex &b) {
        const T norm = b.real_ * b.real_ + b.imag_ * b.imag_;
        return {(a.real_ * b.real_ + a.imag_ * b.imag_) / norm,
                (a.imag_ * b.real_ - a.real_ * b.imag_) / norm};
    }
    C10_HOST_DEVICE constexpr complex &operator+=(const complex &b) { return *this = *this + b; }
    C10_HOST_DEVICE constexpr complex &operator-=(const complex &b) { return *this = *this - b; }
    C10_HOST_DEVICE constexpr complex &operator*=(const complex &b) { return *this = *this * b; }
    C10_HOST_DEVICE constexpr complex &operator/=(const complex &b) { return *this = *this / b; }
    C10_HOST_DEVICE friend constexpr bool operator==(const complex &a, const complex &b) {
        return a.real_ == b.real_ && a.imag_ == b.imag_;
    }
    C10_HOST_DEVICE friend constexpr bool operator!=(const complex &a, const complex &b) { return !(a == b); }
};
}
namespace at { using c10::complex; }
#endif
