/* Stands in for PyTorch's atomic operations. */
#ifndef DRANO_STUB_ATEN_CUDA_ATOMIC_H
#define DRANO_STUB_ATEN_CUDA_ATOMIC_H
#include "../../c10/core/ScalarType.h"
#include "../../c10/util/complex.h"
namespace drano_stub {
template <typename To, typename From> __device__ inline To bits_of(From from) {
    To to;
    __builtin_memcpy(&to, &from, sizeof(To));
    return to;
}
/* By compare-and-swap of the word that holds it, as PyTorch does it. */
template <typename T, typename F> __device__ inline T exchanged(T *address, F change) {
    if constexpr (sizeof(T) < 4) {
        const size_t offset = reinterpret_cast<size_t>(address) & 3;
        unsigned *word = reinterpret_cast<unsigned *>(reinterpret_cast<char *>(address) - offset);
        using Part = std::conditional_t<sizeof(T) == 1, uint8_t, uint16_t>;
        const unsigned shift = offset * 8, mask = static_cast<unsigned>(Part(-1)) << shift;
        unsigned old = *word, before;
        do {
            before = old;
            const T value = bits_of<T>(static_cast<Part>(before >> shift));
            const unsigned now = bits_of<Part>(static_cast<T>(change(value)));
            old = atomicCAS(word, before, (before & ~mask) | (now << shift));
        } while (old != before);
        return bits_of<T>(static_cast<Part>(old >> shift));
    } else {
        using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
        Word *word = reinterpret_cast<Word *>(address);
        Word old = *word, before;
        do {
            before = old;
            old = atomicCAS(word, before, bits_of<Word>(static_cast<T>(change(bits_of<T>(before)))));
        } while (old != before);
        return bits_of<T>(old);
    }
}
}
#define DRANO_X(name, result) \
    template <typename T> __device__ inline T name(T *address, T value) { \
        return drano_stub::exchanged(address, [value](T old) -> T { return result; }); \
    }
DRANO_X(gpuAtomicMul, old * value) DRANO_X(gpuAtomicMax, old < value ? value : old)
DRANO_X(gpuAtomicMin, value < old ? value : old)
#undef DRANO_X
__device__ inline c10::Half gpuAtomicAdd(c10::Half *address, c10::Half value) {
    return atomicAdd(reinterpret_cast<__half *>(address), static_cast<__half>(value));
}
__device__ inline c10::BFloat16 gpuAtomicAdd(c10::BFloat16 *address, c10::BFloat16 value) {
    return atomicAdd(reinterpret_cast<__nv_bfloat16 *>(address), static_cast<__nv_bfloat16>(value));
}
#define DRANO_X(T) \
    __device__ inline T gpuAtomicAdd(T *address, T value) { return atomicAdd(address, value); }
DRANO_X(float) DRANO_X(double) DRANO_X(int)
#undef DRANO_X
__device__ inline int64_t gpuAtomicAdd(int64_t *address, int64_t value) {
    return atomicAdd(reinterpret_cast<unsigned long long *>(address), value);
}
#define DRANO_X(T, result) \
    __device__ inline T gpuAtomicAdd(T *address, T value) { \
        return drano_stub::exchanged(address, [value](T old) -> T { return result; }); \
    }
DRANO_X(uint8_t, old + value) DRANO_X(int8_t, old + value) DRANO_X(int16_t, old + value)
DRANO_X(bool, old || value)
#undef DRANO_X
template <typename T>
__device__ inline void gpuAtomicAdd(c10::complex<T> *address, c10::complex<T> value) {
    gpuAtomicAdd(&address->real_, value.real_);
    gpuAtomicAdd(&address->imag_, value.imag_);
}
template <typename T> __device__ inline void gpuAtomicAddNoReturn(T *address, T value) {
    gpuAtomicAdd(address, value);
}
#define DRANO_X(T) \
    __device__ inline T atomicAdd(T *address, T value) { return gpuAtomicAdd(address, value); }
DRANO_X(c10::Half) DRANO_X(c10::BFloat16) DRANO_X(int64_t)
DRANO_X(uint8_t) DRANO_X(int8_t) DRANO_X(int16_t) DRANO_X(bool)
#undef DRANO_X
#endif
