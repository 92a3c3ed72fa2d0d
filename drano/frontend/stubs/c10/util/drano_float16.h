/* Operations of 16-bit floating-point types, which compute in float. */
#ifndef DRANO_STUB_C10_FLOAT16_H
#define DRANO_STUB_C10_FLOAT16_H
#include "../macros/Macros.h"
#include <limits>
#include <type_traits>
#define DRANO_BINARY(T, op) \
    C10_HOST_DEVICE inline T operator op(const T &a, const T &b) { \
        return static_cast<float>(a) op static_cast<float>(b); \
    } \
    C10_HOST_DEVICE inline T &operator op##=(T &a, const T &b) { \
        a = a op b; \
        return a; \
    } \
    C10_HOST_DEVICE inline float operator op(T a, float b) { return static_cast<float>(a) op b; } \
    C10_HOST_DEVICE inline float operator op(float a, T b) { return a op static_cast<float>(b); } \
    C10_HOST_DEVICE inline float &operator op##=(float &a, const T &b) { \
        return a op##= static_cast<float>(b); \
    } \
    C10_HOST_DEVICE inline double operator op(T a, double b) { return static_cast<double>(a) op b; } \
    C10_HOST_DEVICE inline double operator op(double a, T b) { return a op static_cast<double>(b); } \
    C10_HOST_DEVICE inline T operator op(T a, int b) { return a op static_cast<T>(b); } \
    C10_HOST_DEVICE inline T operator op(int a, T b) { return static_cast<T>(a) op b; } \
    C10_HOST_DEVICE inline T operator op(T a, int64_t b) { return a op static_cast<T>(b); } \
    C10_HOST_DEVICE inline T operator op(int64_t a, T b) { return static_cast<T>(a) op b; }
/* PyTorch leaves them to the conversion to float, and its builds switch off those of __half, which
   would be as good a match. */
#define DRANO_COMPARISON(T, op) \
    C10_HOST_DEVICE inline bool operator op(const T &a, const T &b) { \
        return static_cast<float>(a) op static_cast<float>(b); \
    } \
    template <typename N, typename std::enable_if<std::is_arithmetic<N>::value, int>::type = 0> \
    C10_HOST_DEVICE inline bool operator op(const T &a, N b) { \
        return static_cast<float>(a) op b; \
    } \
    template <typename N, typename std::enable_if<std::is_arithmetic<N>::value, int>::type = 0> \
    C10_HOST_DEVICE inline bool operator op(N a, const T &b) { \
        return a op static_cast<float>(b); \
    }
#define DRANO_FLOAT16(T, largest, smallest, step) \
    namespace c10 { \
    DRANO_BINARY(T, +) DRANO_BINARY(T, -) DRANO_BINARY(T, *) DRANO_BINARY(T, /) \
    C10_HOST_DEVICE inline T operator-(const T &a) { return -static_cast<float>(a); } \
    DRANO_COMPARISON(T, <) DRANO_COMPARISON(T, >) DRANO_COMPARISON(T, <=) DRANO_COMPARISON(T, >=) \
    DRANO_COMPARISON(T, ==) DRANO_COMPARISON(T, !=) \
    } \
    template <> class std::numeric_limits<c10::T> : public std::numeric_limits<float> { \
    public: \
        static constexpr c10::T bits(unsigned short x) { return c10::T(x, c10::T::from_bits()); } \
        static constexpr c10::T max() { return bits(largest); } \
        static constexpr c10::T lowest() { return bits(largest | 0x8000); } \
        static constexpr c10::T min() { return bits(smallest); } \
        static constexpr c10::T epsilon() { return bits(step); } \
        static constexpr c10::T infinity() { return bits((largest) + 1); } \
        static constexpr c10::T quiet_NaN() { return bits((largest) + 0x41); } \
    };
#endif
