/* Stands in for PyTorch's shapes of tensors in kernels: their layout and offsets are the real ones. */
#ifndef DRANO_STUB_ATEN_CUDA_DETAIL_TENSORINFO_CUH
#define DRANO_STUB_ATEN_CUDA_DETAIL_TENSORINFO_CUH
#include "../../../c10/macros/Macros.h"
#define MAX_TENSORINFO_DIMS 25
namespace at { namespace cuda { namespace detail {
template <typename T, typename IndexType> struct TensorInfo {
    TensorInfo() : data(nullptr), dims(0) {}
    TensorInfo(T *p, int dim, IndexType *sz, IndexType *st) : data(p), dims(dim) {
        for (int i = 0; i < dim; ++i) {
            sizes[i] = sz[i];
            strides[i] = st[i];
        }
    }
    void reduceDim(int dim) { sizes[dim] = 1; }
    int collapseDims(const int excludeDim = -1);
    C10_HOST_DEVICE bool isContiguous() const { return dims == 1 && strides[0] == 1; }

    T *data;
    IndexType sizes[MAX_TENSORINFO_DIMS];
    IndexType strides[MAX_TENSORINFO_DIMS];
    int dims;
};

/* The offset of an element, counted along the innermost dimension first; Dims of -1: as many as
   the tensor has. */
template <typename T, typename IndexType, int Dims> struct IndexToOffset {
    static C10_HOST_DEVICE IndexType get(IndexType index, const TensorInfo<T, IndexType> &info) {
        IndexType offset = 0;
        for (int dim = (Dims == -1 ? info.dims : Dims) - 1; dim > 0; --dim) {
            offset += index % info.sizes[dim] * info.strides[dim];
            index /= info.sizes[dim];
        }
        return offset + index * info.strides[0];
    }
};
} } }
#endif
