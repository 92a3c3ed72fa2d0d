/* Stands in for Boost's constants. */
#pragma once
namespace boost {
namespace math {
namespace constants {
template <class T> constexpr T pi() { return T(3.141592653589793238462643383279502884L); }
template <class T> constexpr T two_pi() { return 2 * pi<T>(); }
template <class T> constexpr T half_pi() { return pi<T>() / 2; }
template <class T> constexpr T e() { return T(2.718281828459045235360287471352662498L); }
template <class T> constexpr T root_two() { return T(1.414213562373095048801688724209698079L); }
template <class T> constexpr T root_pi() { return T(1.772453850905516027298167483341145183L); }
template <class T> constexpr T ln_two() { return T(0.693147180559945309417232121458176568L); }
}
}
}
