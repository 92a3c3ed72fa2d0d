/* Stands in for PyTorch's views of tensors in kernels: their layout and addresses are the real ones. */
#ifndef DRANO_STUB_ATEN_TENSORACCESSOR_H
#define DRANO_STUB_ATEN_TENSORACCESSOR_H
#include "../../c10/macros/Macros.h"
#include "../../c10/util/ArrayRef.h"
namespace at {
template <typename T> struct DefaultPtrTraits { typedef T *PtrType; };
template <typename T> struct RestrictPtrTraits { typedef T *__restrict__ PtrType; };

/* Points to sizes and strides, outermost dimension first. */
template <typename T, size_t N, template <typename U> class PtrTraits, typename index_t>
class TensorAccessorBase {
public:
    typedef typename PtrTraits<T>::PtrType PtrType;
    C10_HOST_DEVICE TensorAccessorBase(PtrType data, const index_t *sizes, const index_t *strides)
        : data_(data), sizes_(sizes), strides_(strides) {}
    C10_HOST IntArrayRef sizes() const { return IntArrayRef(sizes_, N); }
    C10_HOST IntArrayRef strides() const { return IntArrayRef(strides_, N); }
    C10_HOST_DEVICE index_t stride(index_t i) const { return strides_[i]; }
    C10_HOST_DEVICE index_t size(index_t i) const { return sizes_[i]; }
    C10_HOST_DEVICE PtrType data() { return data_; }
    C10_HOST_DEVICE const PtrType data() const { return data_; }

protected:
    PtrType data_;
    const index_t *sizes_;
    const index_t *strides_;
};
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits,
          typename index_t = int64_t>
class TensorAccessor : public TensorAccessorBase<T, N, PtrTraits, index_t> {
    using Inner = TensorAccessor<T, N - 1, PtrTraits, index_t>;

public:
    using TensorAccessorBase<T, N, PtrTraits, index_t>::TensorAccessorBase;
    C10_HOST_DEVICE Inner operator[](index_t i) {
        return Inner(this->data_ + this->strides_[0] * i, this->sizes_ + 1, this->strides_ + 1);
    }
    C10_HOST_DEVICE const Inner operator[](index_t i) const {
        return Inner(this->data_ + this->strides_[0] * i, this->sizes_ + 1, this->strides_ + 1);
    }
};
template <typename T, template <typename U> class PtrTraits, typename index_t>
class TensorAccessor<T, 1, PtrTraits, index_t> : public TensorAccessorBase<T, 1, PtrTraits, index_t> {
public:
    using TensorAccessorBase<T, 1, PtrTraits, index_t>::TensorAccessorBase;
    C10_HOST_DEVICE T &operator[](index_t i) const { return this->data_[this->strides_[0] * i]; }
};

/* Holds sizes and strides, so that it can be passed to kernels. */
template <typename T, size_t N, template <typename U> class PtrTraits, typename index_t>
class GenericPackedTensorAccessorBase {
public:
    typedef typename PtrTraits<T>::PtrType PtrType;
    template <typename source_index_t>
    C10_HOST GenericPackedTensorAccessorBase(
        PtrType data, const source_index_t *sizes, const source_index_t *strides) : data_(data) {
        for (size_t i = 0; i < N; ++i) {
            sizes_[i] = sizes[i];
            strides_[i] = strides[i];
        }
    }
    C10_HOST_DEVICE index_t stride(index_t i) const { return strides_[i]; }
    C10_HOST_DEVICE index_t size(index_t i) const { return sizes_[i]; }
    C10_HOST_DEVICE PtrType data() { return data_; }
    C10_HOST_DEVICE const PtrType data() const { return data_; }

protected:
    PtrType data_;
    index_t sizes_[N];
    index_t strides_[N];
};
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits,
          typename index_t = int64_t>
class GenericPackedTensorAccessor : public GenericPackedTensorAccessorBase<T, N, PtrTraits, index_t> {
    using Inner = TensorAccessor<T, N - 1, PtrTraits, index_t>;

public:
    using GenericPackedTensorAccessorBase<T, N, PtrTraits, index_t>::GenericPackedTensorAccessorBase;
    C10_DEVICE Inner operator[](index_t i) {
        return Inner(this->data_ + this->strides_[0] * i, this->sizes_ + 1, this->strides_ + 1);
    }
    C10_DEVICE const Inner operator[](index_t i) const {
        return Inner(this->data_ + this->strides_[0] * i, this->sizes_ + 1, this->strides_ + 1);
    }
};
template <typename T, template <typename U> class PtrTraits, typename index_t>
class GenericPackedTensorAccessor<T, 1, PtrTraits, index_t>
    : public GenericPackedTensorAccessorBase<T, 1, PtrTraits, index_t> {
public:
    using GenericPackedTensorAccessorBase<T, 1, PtrTraits, index_t>::GenericPackedTensorAccessorBase;
    C10_DEVICE T &operator[](index_t i) const { return this->data_[this->strides_[0] * i]; }
};
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, PtrTraits, int32_t>;
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, PtrTraits, int64_t>;
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits,
          typename index_t = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, PtrTraits, index_t>;
}
namespace torch { using namespace at; }
#endif
