/* Stands in for PyTorch's tensors. Operations are declared only, and take any arguments. */
#ifndef DRANO_STUB_ATEN_TENSOR_H
#define DRANO_STUB_ATEN_TENSOR_H
#include "../../c10/core/ScalarType.h"
#include "../../c10/util/ArrayRef.h"
#include "../../c10/util/Optional.h"
#include "../../c10/util/intrusive_ptr.h"
#include "../ceil_div.h"
#include "TensorAccessor.h"
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstring>
#include <functional>
#include <iostream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
namespace c10 {
using string_view = std::string_view;
enum class DeviceType : int8_t { CPU, CUDA, HIP = 6, Meta = 14 };
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA, kHIP = DeviceType::HIP,
                     kMeta = DeviceType::Meta;
enum class DispatchKey : uint16_t { Undefined, CPU, CUDA, Meta, Autograd, AutogradCUDA, AutogradCPU };
enum class Layout : int8_t { Strided, Sparse, SparseCsr };
constexpr Layout kStrided = Layout::Strided, kSparse = Layout::Sparse;
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
using DeviceIndex = int8_t;
struct Device {
    DeviceType type_;
    DeviceIndex index_;
    Device(DeviceType type, DeviceIndex index = -1) : type_(type), index_(index) {}
    Device(const std::string &);
    DeviceType type() const { return type_; }
    DeviceIndex index() const { return index_; }
    bool has_index() const { return index_ != -1; }
    bool is_cuda() const { return type_ == DeviceType::CUDA; }
    bool is_cpu() const { return type_ == DeviceType::CPU; }
    bool operator==(const Device &other) const { return type_ == other.type_ && index_ == other.index_; }
    bool operator!=(const Device &other) const { return !(*this == other); }
    std::string str() const;
};
std::ostream &operator<<(std::ostream &, const Device &);
std::ostream &operator<<(std::ostream &, ScalarType);
std::ostream &operator<<(std::ostream &, IntArrayRef);
struct Scalar {
    Scalar();
    template <typename T, typename = std::enable_if_t<
        std::is_arithmetic_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>>>
    Scalar(T);
    template <typename T> T to() const;
    double toDouble() const;
    float toFloat() const;
    int64_t toLong() const;
    int toInt() const;
    bool toBool() const;
    bool isFloatingPoint() const;
};
/* An argument that a call may pass: a value, or a list of lengths. */
struct Anything {
    Anything() {}
    template <typename T> Anything(const T &) {}
    template <typename A, typename B> Anything(const A &, const B &) {}
    template <typename T> Anything(std::initializer_list<T>) {}
    Anything(std::initializer_list<int64_t>) {}
};
}
namespace caffe2 {
struct TypeMeta {
    c10::ScalarType toScalarType() const;
    size_t itemsize() const;
    std::string_view name() const;
    template <typename T> bool Match() const;
};
bool operator==(TypeMeta, TypeMeta);
bool operator!=(TypeMeta, TypeMeta);
bool operator==(TypeMeta, c10::ScalarType);
bool operator!=(TypeMeta, c10::ScalarType);
bool operator==(c10::ScalarType, TypeMeta);
bool operator!=(c10::ScalarType, TypeMeta);
std::ostream &operator<<(std::ostream &, TypeMeta);
}
namespace c10 {
ScalarType typeMetaToScalarType(caffe2::TypeMeta);
struct TensorOptions {
    TensorOptions();
    TensorOptions(ScalarType);
    TensorOptions(caffe2::TypeMeta);
    TensorOptions(DeviceType);
    TensorOptions(Device);
    TensorOptions(Layout);
    TensorOptions dtype(Anything) const, device(Anything, Anything = {}) const, layout(Anything) const,
        requires_grad(Anything) const, pinned_memory(Anything) const, memory_format(Anything) const;
    caffe2::TypeMeta dtype() const;
    Device device() const;
    Layout layout() const;
    bool requires_grad() const, pinned_memory() const;
    template <typename T> TensorOptions dtype() const;
};
TensorOptions dtype(Anything), device(Anything, Anything = {}), requires_grad(bool = true);
template <typename T> TensorOptions dtype();
}
namespace at {
using c10::optional;
class Tensor;
struct DeprecatedTypeProperties {
    ScalarType scalarType() const;
    Device device() const;
    bool is_cuda() const;
    const char *toString() const;
    operator TensorOptions() const;
};
struct Storage {
    void *data() const, *mutable_data() const;
    size_t nbytes() const;
};
struct TensorImpl;
using TensorList = c10::ArrayRef<Tensor>;
#define DRANO_ANY c10::Anything = {}, c10::Anything = {}, c10::Anything = {}, c10::Anything = {}, c10::Anything = {}
#define DRANO_ANYTHING DRANO_ANY, DRANO_ANY
class Tensor {
public:
    Tensor() {}
    Tensor(c10::intrusive_ptr<TensorImpl>) {}
    int64_t dim() const, ndimension() const, numel() const, size(int64_t) const, stride(int64_t) const,
        storage_offset() const, get_device() const, element_size() const, itemsize() const,
        use_count() const;
    size_t nbytes() const;
    IntArrayRef sizes() const, strides() const;
    bool defined() const, is_cuda() const, is_cpu() const, is_sparse() const, requires_grad() const,
        is_floating_point() const, is_complex() const, is_signed() const, is_pinned() const,
        is_non_overlapping_and_dense() const, has_storage() const, is_same(const Tensor &) const,
        equal(const Tensor &) const, allclose(DRANO_ANY) const, is_same_size(const Tensor &) const,
        is_quantized() const, is_contiguous(c10::MemoryFormat = c10::MemoryFormat::Contiguous) const,
        is_leaf() const, is_meta() const, is_set_to(const Tensor &) const, is_coalesced() const;
    ScalarType scalar_type() const;
    caffe2::TypeMeta dtype() const;
    Device device() const;
    Layout layout() const;
    TensorOptions options() const;
    DeprecatedTypeProperties &type() const;
    Storage storage() const;
    c10::MemoryFormat suggest_memory_format() const;
    TensorImpl *unsafeGetTensorImpl() const;
    std::string toString() const;
    Tensor grad() const, &mutable_grad() const;
    void *data_ptr() const, *mutable_data_ptr() const;
    const void *const_data_ptr() const;
    template <typename T> T *data_ptr() const;
    template <typename T> T *data() const;
    template <typename T> T *mutable_data_ptr() const;
    template <typename T> const std::remove_const_t<T> *const_data_ptr() const;
    Scalar item() const;
    template <typename T> T item() const;
    void backward(DRANO_ANY) const, reset(), print() const;
    template <typename T> void register_hook(T) const;
    template <typename T, size_t N> TensorAccessor<T, N> accessor() const;
    template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits>
    PackedTensorAccessor32<T, N, P> packed_accessor32() const;
    template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits>
    PackedTensorAccessor64<T, N, P> packed_accessor64() const;
    template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits, typename I = int64_t>
    GenericPackedTensorAccessor<T, N, P, I> generic_packed_accessor() const;
    template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits, typename I = int64_t>
    GenericPackedTensorAccessor<T, N, P, I> packed_accessor() const;
    Tensor operator[](c10::Anything) const, operator-() const, operator~() const;
    Tensor &operator+=(c10::Anything), &operator-=(c10::Anything), &operator*=(c10::Anything),
        &operator/=(c10::Anything);
    Tensor max() const, min() const, max(const Tensor &) const, min(const Tensor &) const;
    std::tuple<Tensor, Tensor> max(int64_t, bool = false) const, min(int64_t, bool = false) const,
        sort(DRANO_ANY) const, topk(DRANO_ANY) const, kthvalue(DRANO_ANY) const, mode(DRANO_ANY) const;
    std::vector<Tensor> split(DRANO_ANY) const, chunk(DRANO_ANY) const, unbind(DRANO_ANY) const,
        split_with_sizes(DRANO_ANY) const;
#define DRANO_X(name) Tensor name(DRANO_ANY) const;
    DRANO_X(view) DRANO_X(reshape) DRANO_X(view_as) DRANO_X(reshape_as) DRANO_X(expand)
    DRANO_X(expand_as) DRANO_X(permute) DRANO_X(transpose) DRANO_X(t) DRANO_X(flatten)
    DRANO_X(unflatten) DRANO_X(squeeze) DRANO_X(squeeze_) DRANO_X(unsqueeze) DRANO_X(unsqueeze_)
    DRANO_X(contiguous) DRANO_X(clone) DRANO_X(detach) DRANO_X(detach_) DRANO_X(to) DRANO_X(cpu)
    DRANO_X(cuda) DRANO_X(type_as) DRANO_X(narrow) DRANO_X(slice) DRANO_X(select) DRANO_X(index)
    DRANO_X(index_select) DRANO_X(index_put_) DRANO_X(index_add_) DRANO_X(index_fill_)
    DRANO_X(gather) DRANO_X(scatter) DRANO_X(scatter_) DRANO_X(scatter_add) DRANO_X(scatter_add_)
    DRANO_X(masked_select) DRANO_X(masked_fill) DRANO_X(masked_fill_) DRANO_X(masked_scatter_)
    DRANO_X(zero_) DRANO_X(fill_) DRANO_X(copy_) DRANO_X(set_) DRANO_X(resize_) DRANO_X(resize_as_)
    DRANO_X(uniform_) DRANO_X(normal_) DRANO_X(random_) DRANO_X(bernoulli_) DRANO_X(add)
    DRANO_X(add_) DRANO_X(sub) DRANO_X(sub_) DRANO_X(mul) DRANO_X(mul_) DRANO_X(div) DRANO_X(div_)
    DRANO_X(pow) DRANO_X(pow_) DRANO_X(neg) DRANO_X(neg_) DRANO_X(abs) DRANO_X(abs_) DRANO_X(exp)
    DRANO_X(exp_) DRANO_X(log) DRANO_X(log_) DRANO_X(sqrt) DRANO_X(sqrt_) DRANO_X(rsqrt)
    DRANO_X(square) DRANO_X(sin) DRANO_X(cos) DRANO_X(tanh) DRANO_X(tanh_) DRANO_X(sigmoid)
    DRANO_X(sigmoid_) DRANO_X(relu) DRANO_X(relu_) DRANO_X(floor) DRANO_X(ceil) DRANO_X(round)
    DRANO_X(clamp) DRANO_X(clamp_) DRANO_X(clamp_min) DRANO_X(clamp_min_) DRANO_X(clamp_max)
    DRANO_X(clamp_max_) DRANO_X(addmm) DRANO_X(addmm_) DRANO_X(baddbmm) DRANO_X(baddbmm_)
    DRANO_X(addmv) DRANO_X(addcmul) DRANO_X(addcmul_) DRANO_X(addcdiv) DRANO_X(addcdiv_) DRANO_X(mm)
    DRANO_X(bmm) DRANO_X(mv) DRANO_X(dot) DRANO_X(matmul) DRANO_X(sum) DRANO_X(mean) DRANO_X(std)
    DRANO_X(var) DRANO_X(prod) DRANO_X(cumsum) DRANO_X(cumprod) DRANO_X(norm) DRANO_X(argmax)
    DRANO_X(argmin) DRANO_X(argsort) DRANO_X(amax) DRANO_X(amin) DRANO_X(any) DRANO_X(all)
    DRANO_X(eq) DRANO_X(ne) DRANO_X(lt) DRANO_X(le) DRANO_X(gt) DRANO_X(ge) DRANO_X(eq_)
    DRANO_X(logical_and) DRANO_X(logical_or) DRANO_X(logical_not) DRANO_X(bitwise_and)
    DRANO_X(nonzero) DRANO_X(triu) DRANO_X(tril) DRANO_X(diag) DRANO_X(diagonal) DRANO_X(repeat)
    DRANO_X(repeat_interleave) DRANO_X(roll) DRANO_X(flip) DRANO_X(softmax) DRANO_X(log_softmax)
    DRANO_X(remainder) DRANO_X(fmod) DRANO_X(erf) DRANO_X(new_empty) DRANO_X(new_zeros)
    DRANO_X(new_ones) DRANO_X(new_full) DRANO_X(new_tensor) DRANO_X(as_strided) DRANO_X(pin_memory)
    DRANO_X(requires_grad_) DRANO_X(set_requires_grad) DRANO_X(coalesce) DRANO_X(to_dense)
    DRANO_X(to_sparse) DRANO_X(indices) DRANO_X(values) DRANO_X(toType) DRANO_X(unfold)
    DRANO_X(swapaxes) DRANO_X(movedim) DRANO_X(alias) DRANO_X(data) DRANO_X(variable_data)
    DRANO_X(tensor_data) DRANO_X(where) DRANO_X(isnan) DRANO_X(isinf) DRANO_X(isfinite)
    DRANO_X(sign) DRANO_X(logsumexp) DRANO_X(median) DRANO_X(nan_to_num) DRANO_X(log1p)
    DRANO_X(expm1) DRANO_X(bincount) DRANO_X(rename)
#undef DRANO_X
};
using TensorBase = Tensor;

#define DRANO_X(name) Tensor name(DRANO_ANYTHING);
DRANO_X(empty) DRANO_X(zeros) DRANO_X(ones) DRANO_X(full) DRANO_X(rand) DRANO_X(randn)
DRANO_X(randint) DRANO_X(randperm) DRANO_X(arange) DRANO_X(range) DRANO_X(linspace) DRANO_X(eye)
DRANO_X(tensor) DRANO_X(from_blob) DRANO_X(scalar_tensor) DRANO_X(empty_like) DRANO_X(zeros_like)
DRANO_X(ones_like) DRANO_X(full_like) DRANO_X(rand_like) DRANO_X(randn_like) DRANO_X(empty_strided)
DRANO_X(cat) DRANO_X(concat) DRANO_X(stack) DRANO_X(hstack) DRANO_X(vstack) DRANO_X(einsum)
DRANO_X(outer) DRANO_X(ger) DRANO_X(conv1d) DRANO_X(conv2d) DRANO_X(conv3d) DRANO_X(linear)
DRANO_X(dropout) DRANO_X(embedding) DRANO_X(layer_norm) DRANO_X(batch_norm) DRANO_X(tensordot)
DRANO_X(cdist) DRANO_X(cross) DRANO_X(bmm_out) DRANO_X(mm_out) DRANO_X(matmul_out) DRANO_X(add_out)
DRANO_X(mul_out) DRANO_X(addmm_out) DRANO_X(sum_out) DRANO_X(empty_out) DRANO_X(zeros_out)
DRANO_X(cat_out) DRANO_X(index_select_out) DRANO_X(maximum) DRANO_X(minimum) 
DRANO_X(view_as_real) DRANO_X(view_as_complex) DRANO_X(where) DRANO_X(isin) DRANO_X(searchsorted)
DRANO_X(bucketize) DRANO_X(nonzero) DRANO_X(triu) DRANO_X(tril) DRANO_X(diag) DRANO_X(cumsum)
DRANO_X(softmax_out) DRANO_X(bitwise_or) DRANO_X(logical_xor) DRANO_X(sparse_coo_tensor)
DRANO_X(sparse_csr_tensor) DRANO_X(gelu) DRANO_X(silu) DRANO_X(leaky_relu) DRANO_X(view)
DRANO_X(reshape) DRANO_X(view_as) DRANO_X(reshape_as) DRANO_X(expand) DRANO_X(expand_as)
DRANO_X(permute) DRANO_X(transpose) DRANO_X(flatten) DRANO_X(unflatten) DRANO_X(squeeze)
DRANO_X(squeeze_) DRANO_X(unsqueeze) DRANO_X(unsqueeze_) DRANO_X(clone) DRANO_X(detach)
DRANO_X(detach_) DRANO_X(narrow) DRANO_X(slice) DRANO_X(select) DRANO_X(index) DRANO_X(index_select)
DRANO_X(index_put_) DRANO_X(index_add_) DRANO_X(index_fill_) DRANO_X(gather) DRANO_X(scatter)
DRANO_X(scatter_) DRANO_X(scatter_add) DRANO_X(scatter_add_) DRANO_X(masked_select)
DRANO_X(masked_fill) DRANO_X(masked_fill_) DRANO_X(masked_scatter_) DRANO_X(zero_) DRANO_X(fill_)
DRANO_X(copy_) DRANO_X(set_) DRANO_X(resize_) DRANO_X(resize_as_) DRANO_X(uniform_) DRANO_X(normal_)
DRANO_X(random_) DRANO_X(bernoulli_) DRANO_X(add) DRANO_X(add_) DRANO_X(sub) DRANO_X(sub_)
DRANO_X(mul) DRANO_X(mul_) DRANO_X(div) DRANO_X(div_) DRANO_X(pow) DRANO_X(pow_) DRANO_X(neg)
DRANO_X(neg_) DRANO_X(abs) DRANO_X(abs_) DRANO_X(exp) DRANO_X(exp_) DRANO_X(log) DRANO_X(log_)
DRANO_X(sqrt) DRANO_X(sqrt_) DRANO_X(rsqrt) DRANO_X(square) DRANO_X(sin) DRANO_X(cos) DRANO_X(tanh)
DRANO_X(tanh_) DRANO_X(sigmoid) DRANO_X(sigmoid_) DRANO_X(relu) DRANO_X(relu_) DRANO_X(floor)
DRANO_X(ceil) DRANO_X(round) DRANO_X(clamp) DRANO_X(clamp_) DRANO_X(clamp_min) DRANO_X(clamp_min_)
DRANO_X(clamp_max) DRANO_X(clamp_max_) DRANO_X(addmm) DRANO_X(addmm_) DRANO_X(baddbmm)
DRANO_X(baddbmm_) DRANO_X(addmv) DRANO_X(addcmul) DRANO_X(addcmul_) DRANO_X(addcdiv)
DRANO_X(addcdiv_) DRANO_X(mm) DRANO_X(bmm) DRANO_X(mv) DRANO_X(dot) DRANO_X(matmul) DRANO_X(sum)
DRANO_X(mean) DRANO_X(std) DRANO_X(var) DRANO_X(prod) DRANO_X(cumprod) DRANO_X(norm) DRANO_X(argmax)
DRANO_X(argmin) DRANO_X(argsort) DRANO_X(amax) DRANO_X(amin) DRANO_X(any) DRANO_X(all) DRANO_X(eq)
DRANO_X(ne) DRANO_X(lt) DRANO_X(le) DRANO_X(gt) DRANO_X(ge) DRANO_X(eq_) DRANO_X(logical_and)
DRANO_X(logical_or) DRANO_X(logical_not) DRANO_X(bitwise_and) DRANO_X(diagonal) DRANO_X(repeat)
DRANO_X(repeat_interleave) DRANO_X(roll) DRANO_X(flip) DRANO_X(softmax) DRANO_X(log_softmax)
DRANO_X(remainder) DRANO_X(fmod) DRANO_X(erf) DRANO_X(new_empty) DRANO_X(new_zeros)
DRANO_X(new_ones) DRANO_X(new_full) DRANO_X(new_tensor) DRANO_X(as_strided) DRANO_X(pin_memory)
DRANO_X(requires_grad_) DRANO_X(set_requires_grad) DRANO_X(coalesce) DRANO_X(to_dense)
DRANO_X(to_sparse) DRANO_X(indices) DRANO_X(values) DRANO_X(toType) DRANO_X(unfold)
DRANO_X(swapaxes) DRANO_X(movedim) DRANO_X(alias) DRANO_X(variable_data) DRANO_X(tensor_data)
DRANO_X(isnan) DRANO_X(isinf) DRANO_X(isfinite) DRANO_X(sign) DRANO_X(logsumexp) DRANO_X(median)
DRANO_X(nan_to_num) DRANO_X(log1p) DRANO_X(expm1) DRANO_X(bincount)
#undef DRANO_X
std::tuple<Tensor, Tensor> sort(DRANO_ANY), topk(DRANO_ANY), max(const Tensor &, int64_t, bool = false),
    min(const Tensor &, int64_t, bool = false);
std::tuple<Tensor, Tensor, Tensor> unique_consecutive(DRANO_ANY), unique_dim(DRANO_ANY), _unique2(DRANO_ANY),
    native_layer_norm(DRANO_ANY), svd(DRANO_ANY);
std::vector<Tensor> split(DRANO_ANY), chunk(DRANO_ANY), unbind(DRANO_ANY), meshgrid(DRANO_ANY);
Tensor max(const Tensor &), min(const Tensor &), max(const Tensor &, const Tensor &),
    min(const Tensor &, const Tensor &), t(const Tensor &);
bool equal(const Tensor &, const Tensor &), allclose(DRANO_ANY), is_floating_point(const Tensor &);
#define DRANO_X(op) \
    Tensor operator op(const Tensor &, const Tensor &); \
    Tensor operator op(const Tensor &, Scalar); \
    Tensor operator op(Scalar, const Tensor &);
DRANO_X(+) DRANO_X(-) DRANO_X(*) DRANO_X(/) DRANO_X(%) DRANO_X(<) DRANO_X(<=) DRANO_X(>) DRANO_X(>=)
DRANO_X(==) DRANO_X(!=) DRANO_X(&) DRANO_X(|) DRANO_X(^)
#undef DRANO_X
c10::optional<Device> device_of(const Tensor &);
std::ostream &operator<<(std::ostream &, const Tensor &);
using CheckedFrom = const char *;
struct TensorArg {
    Tensor tensor;
    const char *name;
    int pos;
    TensorArg(const Tensor &t, const char *n, int p) : tensor(t), name(n), pos(p) {}
    const Tensor *operator->() const { return &tensor; }
    const Tensor &operator*() const { return tensor; }
};
void checkAllSameGPU(DRANO_ANY), checkAllSameType(DRANO_ANY), checkSameGPU(DRANO_ANY),
    checkSameType(DRANO_ANY), checkSameSize(DRANO_ANY), checkDim(DRANO_ANY), checkContiguous(DRANO_ANY),
    checkScalarType(DRANO_ANY), checkAllContiguous(DRANO_ANY), checkAllDefined(DRANO_ANY),
    checkBackend(DRANO_ANY);
struct DeviceGuard { explicit DeviceGuard(Device) {} ~DeviceGuard() {} };
struct OptionalDeviceGuard { template <typename... T> explicit OptionalDeviceGuard(T...) {} ~OptionalDeviceGuard() {} };
struct NoGradGuard { NoGradGuard() {} ~NoGradGuard() {} };
struct AutoGradMode { AutoGradMode(bool) {} ~AutoGradMode() {} };
struct AutoDispatchBelowADInplaceOrView { AutoDispatchBelowADInplaceOrView() {} ~AutoDispatchBelowADInplaceOrView() {} };
struct AutoDispatchBelowAutograd { AutoDispatchBelowAutograd() {} ~AutoDispatchBelowAutograd() {} };
struct Generator { template <typename T> T *get() const; };
struct Context {
    bool deterministicAlgorithms() const, deterministicAlgorithmsWarnOnly() const, allowTF32CuBLAS() const,
        allowTF32CuDNN() const, allowFP16ReductionCuBLAS() const, userEnabledCuDNN() const, benchmarkCuDNN() const,
        deterministicCuDNN() const, hasCUDA() const;
    static void alertNotDeterministic(const char *);
    template <typename... T> const Generator &defaultGenerator(T...) const;
};
Context &globalContext();
template <typename T> T *get_generator_or_default(const c10::optional<Generator> &, const Generator &);
namespace indexing {
enum class TensorIndexType { None, Ellipsis };
constexpr TensorIndexType None = TensorIndexType::None, Ellipsis = TensorIndexType::Ellipsis;
struct Slice { Slice(c10::Anything = {}, c10::Anything = {}, c10::Anything = {}) {} };
}
}
namespace c10 { using at::DeviceGuard; using at::OptionalDeviceGuard; }
#undef DRANO_ANY
#undef DRANO_ANYTHING
#endif
