/* Stands in for TVM's interface of functions: the host's side of kernels that Python calls. */
#ifndef DRANO_STUB_TVM_FFI_H
#define DRANO_STUB_TVM_FFI_H
#include "../../dlpack/dlpack.h"
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
inline constexpr bool operator==(DLDataType a, DLDataType b) {
    return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}
inline constexpr bool operator!=(DLDataType a, DLDataType b) { return !(a == b); }
inline constexpr bool operator==(DLDevice a, DLDevice b) {
    return a.device_type == b.device_type && a.device_id == b.device_id;
}
inline constexpr bool operator!=(DLDevice a, DLDevice b) { return !(a == b); }
typedef void *TVMFFIObjectHandle;
typedef void *TVMFFIStreamHandle;
extern "C" {
void *TVMFFIEnvGetStream(int32_t device_type, int32_t device_id);
int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, void *stream, void **old);
int TVMFFIEnvTensorAlloc(DLTensor *, void *);
}
namespace tvm {
namespace ffi {
struct Error : std::runtime_error { using std::runtime_error::runtime_error; };
namespace drano_stub {
struct Message {
    template <typename T> Message &operator<<(const T &) { return *this; }
    Message &operator<<(std::ostream &(*)(std::ostream &)) { return *this; }
};
struct Failure {
    [[noreturn]] ~Failure() noexcept(false) { throw Error("check failed"); }
    template <typename T> Failure &operator<<(const T &) { return *this; }
};
}
struct Any {
    Any() = default;
    template <typename T> Any(const T &) {}
    template <typename T> T cast() const;
    template <typename T> std::optional<T> as() const;
    template <typename T> operator T() const;
};
using AnyView = Any;
struct ObjectRef { bool defined() const; };
struct Object {};
template <typename T> struct ObjectPtr { T *operator->() const; T *get() const; };
template <typename T, typename... A> ObjectPtr<T> make_object(A &&...);
struct String : std::string { using std::string::string; String() = default; String(const std::string &); };
struct Bytes : std::string { using std::string::string; };
struct ShapeView {
    const int64_t *data() const, *begin() const, *end() const;
    size_t size() const;
    int64_t operator[](size_t) const, at(size_t) const, front() const, back() const, Product() const;
    bool empty() const;
};
struct Shape : ShapeView {
    Shape() = default;
    Shape(std::initializer_list<int64_t>);
    Shape(std::vector<int64_t>);
    Shape(const ShapeView &);
};
struct TensorView {
    TensorView() = default;
    TensorView(const DLTensor *);
    void *data_ptr() const;
    DLDevice device() const;
    int32_t ndim() const, dim() const;
    DLDataType dtype() const;
    ShapeView shape() const, sizes() const, strides() const;
    int64_t size(int64_t) const, stride(int64_t) const, numel() const;
    uint64_t byte_offset() const;
    bool IsContiguous() const, is_contiguous() const, defined() const;
    const DLTensor *operator->() const, *GetDLTensorPtr() const;
    TensorView as_strided(ShapeView, ShapeView, ...) const;
};
struct Tensor : TensorView {
    Tensor() = default;
    Tensor(const TensorView &);
    template <typename... A> static Tensor FromNDAlloc(A &&...);
    template <typename... A> static Tensor FromEnvAlloc(A &&...);
    template <typename... A> static Tensor FromDLPack(A &&...);
};
template <typename T> struct Optional : std::optional<T> {
    using std::optional<T>::optional;
    bool defined() const;
};
template <typename T> struct Array {
    Array() = default;
    Array(std::initializer_list<T>);
    template <typename I> Array(I, I);
    const T *begin() const, *end() const;
    T operator[](int64_t) const, at(int64_t) const, front() const, back() const;
    size_t size() const;
    bool empty() const;
    void push_back(const T &), reserve(size_t);
};
template <typename... T> struct Tuple : std::tuple<T...> {
    using std::tuple<T...>::tuple;
    template <size_t n> std::tuple_element_t<n, std::tuple<T...>> get() const;
};
template <typename K, typename V> struct Map : std::map<K, V> { using std::map<K, V>::map; };
template <typename... T> struct Variant : std::variant<T...> { using std::variant<T...>::variant; };
struct Function {
    template <typename F> static Function FromTyped(F &&, ...);
    static std::optional<Function> GetGlobal(const std::string &);
    static Function GetGlobalRequired(const std::string &);
    template <typename... A> Any operator()(A &&...) const;
};
template <typename T> struct TypedFunction;
template <typename R, typename... A> struct TypedFunction<R(A...)> { R operator()(A...) const; };
struct ModuleObj : Object {
    virtual ~ModuleObj() {}
    virtual const char *kind() const { return ""; }
    virtual int GetPropertyMask() const { return 0; }
    virtual Optional<Function> GetFunction(const String &) { return {}; }
};
struct Module : ObjectRef {
    Module() = default;
    template <typename T> explicit Module(const ObjectPtr<T> &) {}
    enum ModulePropertyMask { kBinarySerializable = 1, kRunnable = 2, kCompilationExportable = 4 };
};
struct CUDADeviceGuard {
    CUDADeviceGuard() {}
    explicit CUDADeviceGuard(int) {}
    ~CUDADeviceGuard() {}
};
std::string DLDataTypeToString(DLDataType);
DLDataType StringToDLDataType(const std::string &);
size_t GetDataSize(int64_t, DLDataType), GetDataSize(const DLTensor &);
bool IsContiguous(const DLTensor &);
}
}
#define TVM_FFI_STATIC_INLINE static inline
#define TVM_FFI_INLINE inline
#define TVM_FFI_DLL
#define TVM_FFI_DLL_EXPORT
#define TVM_FFI_COLD_CODE
#define TVM_FFI_UNREACHABLE() __builtin_unreachable()
#define TVM_FFI_THROW(kind) ::tvm::ffi::drano_stub::Failure()
#define TVM_FFI_LOG_AND_THROW(kind) ::tvm::ffi::drano_stub::Failure()
#define TVM_FFI_CHECK(condition, kind) \
    if (!(condition)) ::tvm::ffi::drano_stub::Failure() << "check failed: "
#define TVM_FFI_ICHECK(condition) TVM_FFI_CHECK(condition, InternalError)
#define TVM_FFI_ICHECK_EQ(a, b) TVM_FFI_ICHECK((a) == (b))
#define TVM_FFI_ICHECK_NE(a, b) TVM_FFI_ICHECK((a) != (b))
#define TVM_FFI_ICHECK_LT(a, b) TVM_FFI_ICHECK((a) < (b))
#define TVM_FFI_ICHECK_LE(a, b) TVM_FFI_ICHECK((a) <= (b))
#define TVM_FFI_ICHECK_GT(a, b) TVM_FFI_ICHECK((a) > (b))
#define TVM_FFI_ICHECK_GE(a, b) TVM_FFI_ICHECK((a) >= (b))
#define TVM_FFI_ICHECK_NOTNULL(x) (x)
#define TVM_FFI_DLL_EXPORT_TYPED_FUNC(name, function) \
    [[maybe_unused]] static const auto drano_exported_##name = &function
#define TVM_FFI_STATIC_INIT_BLOCK(...) static void drano_never_called()
#endif
