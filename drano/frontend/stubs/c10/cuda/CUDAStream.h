/* Stands in for PyTorch's streams. */
#ifndef DRANO_STUB_C10_CUDA_STREAM_H
#define DRANO_STUB_C10_CUDA_STREAM_H
#include "../../ATen/core/Tensor.h"
#include "CUDAException.h"
namespace c10 {
using StreamId = int64_t;
namespace cuda {
struct CUDAStream {
    CUDAStream(cudaStream_t stream = nullptr) : stream_(stream) {}
    operator cudaStream_t() const { return stream_; }
    cudaStream_t stream() const { return stream_; }
    void synchronize() const;
    bool query() const;
    DeviceIndex device_index() const;
    Device device() const;
    StreamId id() const;
    CUDAStream unwrap() const;
    bool operator==(const CUDAStream &) const;
    bool operator!=(const CUDAStream &) const;

private:
    cudaStream_t stream_;
};
CUDAStream getCurrentCUDAStream(DeviceIndex = -1), getDefaultCUDAStream(DeviceIndex = -1),
    getStreamFromPool(bool high = false, DeviceIndex = -1), getStreamFromExternal(cudaStream_t, DeviceIndex);
void setCurrentCUDAStream(CUDAStream), device_synchronize(), set_device(DeviceIndex);
DeviceIndex current_device(), device_count();
}
}
namespace at { namespace cuda { using namespace c10::cuda; } }
namespace torch { namespace cuda { using namespace c10::cuda; bool is_available(); void synchronize(int64_t = -1); } }
#endif
