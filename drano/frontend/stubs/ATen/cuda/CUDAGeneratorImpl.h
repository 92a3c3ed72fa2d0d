/* Stands in for PyTorch's random generator of the GPU. */
#ifndef DRANO_STUB_ATEN_CUDA_GENERATOR_IMPL_H
#define DRANO_STUB_ATEN_CUDA_GENERATOR_IMPL_H
#include "../core/Tensor.h"
#include "PhiloxCudaState.h"
#include <mutex>
namespace at {
struct CUDAGeneratorImpl {
    PhiloxCudaState philox_cuda_state(uint64_t);
    std::pair<uint64_t, uint64_t> philox_engine_inputs(uint64_t);
    uint64_t current_seed() const, philox_offset_per_thread() const;
    void set_current_seed(uint64_t), set_philox_offset_per_thread(uint64_t);
    std::mutex mutex_;
};
namespace cuda { namespace detail {
const Generator &getDefaultCUDAGenerator(c10::DeviceIndex = -1);
} }
}
#endif
