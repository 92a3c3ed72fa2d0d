/* Stands in for PyTorch's state of its random generator, as kernels get it: numbers, or, in a CUDA
   graph, pointers to them. */
#ifndef DRANO_STUB_ATEN_PHILOX_CUDA_STATE_H
#define DRANO_STUB_ATEN_PHILOX_CUDA_STATE_H
#include <cstdint>
#include <tuple>
namespace at {
struct PhiloxCudaState {
    union Payload { uint64_t val; int64_t *ptr; };
    PhiloxCudaState() = default;
    PhiloxCudaState(uint64_t seed, uint64_t offset) { seed_.val = seed; offset_.val = offset; }
    PhiloxCudaState(int64_t *seed, int64_t *offset, uint64_t offset_intragraph)
        : offset_intragraph_(offset_intragraph), captured_(true) {
        seed_.ptr = seed; offset_.ptr = offset;
    }
    Payload seed_{}, offset_{};
    uint64_t offset_intragraph_ = 0;
    bool captured_ = false;
};
namespace cuda { namespace philox {
__host__ __device__ inline std::tuple<uint64_t, uint64_t> unpack(PhiloxCudaState state) {
    if (!state.captured_)
        return std::make_tuple(state.seed_.val, state.offset_.val);
    return std::make_tuple(static_cast<uint64_t>(*state.seed_.ptr),
                           static_cast<uint64_t>(*state.offset_.ptr) + state.offset_intragraph_);
}
} }
}
#endif
