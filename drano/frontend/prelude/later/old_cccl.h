/* Included first in a unit that misses what CCCL 3 (CUDA 13) has taken out of CUB and Thrust: function
 * objects, iterators, wrappers of barriers and votes. They compute what those of CCCL 2 did. */
#ifndef DRANO_OLD_CCCL_H
#define DRANO_OLD_CCCL_H
#include <cuda/std/limits>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#define DRANO_BOTH __host__ __device__ __forceinline__

namespace drano_cccl {
/* Random access by two functions of Self: at(n), what is n elements on, and step(n). */
template <typename Self, typename Value, typename Reference, typename Offset> struct iterator {
    typedef Offset difference_type;
    typedef Value value_type;
    typedef Value *pointer;
    typedef Reference reference;
    typedef std::random_access_iterator_tag iterator_category;
    DRANO_BOTH Reference operator*() const { return own().at(0); }
    template <typename N> DRANO_BOTH Reference operator[](N n) const { return own().at(n); }
    template <typename N> DRANO_BOTH Self &operator+=(N n) {
        own().step(n);
        return own();
    }
    template <typename N> DRANO_BOTH Self &operator-=(N n) {
        own().step(-static_cast<Offset>(n));
        return own();
    }
    template <typename N> DRANO_BOTH Self operator+(N n) const {
        Self moved = own();
        return moved += n;
    }
    template <typename N, typename std::enable_if<std::is_integral<N>::value, int>::type = 0>
    DRANO_BOTH Self operator-(N n) const {
        Self moved = own();
        return moved -= n;
    }
    DRANO_BOTH Self &operator++() { return own() += 1; }
    DRANO_BOTH Self operator++(int) {
        Self before = own();
        own() += 1;
        return before;
    }

private:
    DRANO_BOTH Self &own() { return *static_cast<Self *>(this); }
    DRANO_BOTH const Self &own() const { return *static_cast<const Self *>(this); }
};
/* Takes any value and keeps none. */
struct sink {
    template <typename T> DRANO_BOTH const sink &operator=(const T &) const { return *this; }
};
}

namespace cub {
#define DRANO_BINARY(name, result) \
    struct name { \
        template <typename T, typename U> \
        DRANO_BOTH auto operator()(const T &t, const U &u) const -> typename std::decay<decltype(result)>::type { \
            return result; \
        } \
    };
DRANO_BINARY(Max, u > t ? u : t)
DRANO_BINARY(Min, u < t ? u : t)
DRANO_BINARY(Sum, t + u)
DRANO_BINARY(Difference, t - u)
DRANO_BINARY(Division, t / u)
DRANO_BINARY(Equality, t == u)
DRANO_BINARY(Inequality, t != u)
#undef DRANO_BINARY

template <bool Condition, typename Then, typename Else> struct If {
    typedef typename std::conditional<Condition, Then, Else>::type Type;
};
template <typename A, typename B> struct Equals {
    enum { VALUE = std::is_same<A, B>::value, NEGATE = !VALUE };
};
template <int A> struct Int2Type { enum { VALUE = A }; };
template <typename T> DRANO_BOTH void Swap(T &a, T &b) {
    T kept = a;
    a = b;
    b = kept;
}

template <typename T> struct FpLimits {
    static DRANO_BOTH T Max() { return ::cuda::std::numeric_limits<T>::max(); }
    static DRANO_BOTH T Lowest() { return ::cuda::std::numeric_limits<T>::lowest(); }
};
template <typename T, int N> struct ArrayWrapper { T array[N]; };

template <typename Value, typename Offset = ptrdiff_t>
struct ConstantInputIterator
    : drano_cccl::iterator<ConstantInputIterator<Value, Offset>, Value, Value, Offset> {
    DRANO_BOTH ConstantInputIterator(Value value, Offset offset = 0) : value(value), offset(offset) {}
    template <typename N> DRANO_BOTH Value at(N) const { return value; }
    template <typename N> DRANO_BOTH void step(N n) { offset += n; }
    DRANO_BOTH Offset operator-(const ConstantInputIterator &other) const { return offset - other.offset; }
    using drano_cccl::iterator<ConstantInputIterator, Value, Value, Offset>::operator-;
    DRANO_BOTH bool operator==(const ConstantInputIterator &other) const { return offset == other.offset; }
    DRANO_BOTH bool operator!=(const ConstantInputIterator &other) const { return offset != other.offset; }

private:
    Value value;
    Offset offset;
};
template <typename Value, typename Offset = ptrdiff_t>
struct CountingInputIterator
    : drano_cccl::iterator<CountingInputIterator<Value, Offset>, Value, Value, Offset> {
    DRANO_BOTH CountingInputIterator(const Value &value) : value(value) {}
    template <typename N> DRANO_BOTH Value at(N n) const { return value + static_cast<Value>(n); }
    template <typename N> DRANO_BOTH void step(N n) { value += static_cast<Value>(n); }
    DRANO_BOTH Offset operator-(const CountingInputIterator &other) const {
        return static_cast<Offset>(value - other.value);
    }
    using drano_cccl::iterator<CountingInputIterator, Value, Value, Offset>::operator-;
    DRANO_BOTH bool operator==(const CountingInputIterator &other) const { return value == other.value; }
    DRANO_BOTH bool operator!=(const CountingInputIterator &other) const { return value != other.value; }

private:
    Value value;
};
template <typename Value, typename Operation, typename Input, typename Offset = ptrdiff_t>
struct TransformInputIterator
    : drano_cccl::iterator<TransformInputIterator<Value, Operation, Input, Offset>, Value, Value, Offset> {
    DRANO_BOTH TransformInputIterator(Input input, Operation operation) : operation(operation), input(input) {}
    template <typename N> DRANO_BOTH Value at(N n) const { return operation(input[n]); }
    template <typename N> DRANO_BOTH void step(N n) { input += n; }
    DRANO_BOTH Offset operator-(const TransformInputIterator &other) const { return input - other.input; }
    using drano_cccl::iterator<TransformInputIterator, Value, Value, Offset>::operator-;
    DRANO_BOTH bool operator==(const TransformInputIterator &other) const { return input == other.input; }
    DRANO_BOTH bool operator!=(const TransformInputIterator &other) const { return input != other.input; }

private:
    Operation operation;
    Input input;
};

/* What is written to it is gone. */
template <typename Offset = ptrdiff_t>
struct DiscardOutputIterator
    : drano_cccl::iterator<DiscardOutputIterator<Offset>, void, drano_cccl::sink, Offset> {
    DRANO_BOTH DiscardOutputIterator(Offset offset = 0) : offset(offset) {}
    template <typename N> DRANO_BOTH drano_cccl::sink at(N) const { return drano_cccl::sink(); }
    template <typename N> DRANO_BOTH void step(N n) { offset += n; }
    DRANO_BOTH Offset operator-(const DiscardOutputIterator &other) const { return offset - other.offset; }
    using drano_cccl::iterator<DiscardOutputIterator, void, drano_cccl::sink, Offset>::operator-;
    DRANO_BOTH bool operator==(const DiscardOutputIterator &other) const { return offset == other.offset; }
    DRANO_BOTH bool operator!=(const DiscardOutputIterator &other) const { return offset != other.offset; }

private:
    Offset offset;
};

__device__ __forceinline__ unsigned SHL_ADD(unsigned x, unsigned shift, unsigned addend) {
    return (x << shift) + addend;
}
__device__ __forceinline__ unsigned SHR_ADD(unsigned x, unsigned shift, unsigned addend) {
    return (x >> shift) + addend;
}
__device__ __forceinline__ int PRMT(unsigned a, unsigned b, unsigned index) {
    return __byte_perm(a, b, index);
}
__device__ __forceinline__ void ThreadTrap() { __trap(); }
__device__ __forceinline__ void CTA_SYNC() { __syncthreads(); }
__device__ __forceinline__ int CTA_SYNC_AND(int p) { return __syncthreads_and(p); }
__device__ __forceinline__ int CTA_SYNC_OR(int p) { return __syncthreads_or(p); }
__device__ __forceinline__ void WARP_SYNC(unsigned mask) { __syncwarp(mask); }
__device__ __forceinline__ int WARP_ANY(int predicate, unsigned mask) { return __any_sync(mask, predicate); }
__device__ __forceinline__ int WARP_ALL(int predicate, unsigned mask) { return __all_sync(mask, predicate); }
__device__ __forceinline__ int WARP_BALLOT(int predicate, unsigned mask) {
    return __ballot_sync(mask, predicate);
}
__device__ __forceinline__ unsigned LaneId() { return __nvvm_read_ptx_sreg_laneid(); }
__device__ __forceinline__ unsigned WarpId() { return __nvvm_read_ptx_sreg_warpid(); }
}

namespace thrust {
template <typename Argument, typename Result> struct unary_function {
    typedef Argument argument_type;
    typedef Result result_type;
};
template <typename First, typename Second, typename Result> struct binary_function {
    typedef First first_argument_type;
    typedef Second second_argument_type;
    typedef Result result_type;
};
template <typename T = void> struct identity {
    typedef T argument_type;
    typedef T result_type;
    DRANO_BOTH const T &operator()(const T &x) const { return x; }
};
template <> struct identity<void> {
    template <typename T> DRANO_BOTH constexpr T &&operator()(T &&x) const noexcept {
        return static_cast<T &&>(x);
    }
};
}
#undef DRANO_BOTH
#endif
