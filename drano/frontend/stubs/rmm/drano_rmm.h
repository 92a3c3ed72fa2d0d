/* Stands in for RMM's headers: streams, buffers, vectors and memory resources of the host. */
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#if __has_include(<cuda/__memory_resource/any_resource.h>)
#ifndef LIBCUDACXX_ENABLE_EXPERIMENTAL_MEMORY_RESOURCE
#define LIBCUDACXX_ENABLE_EXPERIMENTAL_MEMORY_RESOURCE
#endif
#include <cuda/memory_resource>
#define DRANO_RMM_CUDA_RESOURCES
#endif
#include <cuda/std/span>
#include <cuda/stream_ref>
#include <thrust/device_malloc_allocator.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>

#define RMM_EXPORT
#define RMM_HIDDEN
#define RMM_NAMESPACE rmm
#define RMM_FUNC_RANGE()
#define RMM_EXPECTS(...) ((void)0)
#define RMM_FAIL(...) abort()
#define RMM_CUDA_TRY(...) ((void)(RMM_FIRST_(__VA_ARGS__, 0)))
#define RMM_CUDA_TRY_ALLOC(...) ((void)(RMM_FIRST_(__VA_ARGS__, 0)))
#define RMM_FIRST_(first, ...) (first)
#define RMM_ASSERT_CUDA_SUCCESS(...) ((void)(__VA_ARGS__))
#define RMM_ASSERT_CUDA_SUCCESS_SAFE_SHUTDOWN(...) ((void)(__VA_ARGS__))
#define RMM_LOG_TRACE(...) ((void)0)
#define RMM_LOG_DEBUG(...) ((void)0)
#define RMM_LOG_INFO(...) ((void)0)
#define RMM_LOG_WARN(...) ((void)0)
#define RMM_LOG_ERROR(...) ((void)0)
#define RMM_LOG_CRITICAL(...) ((void)0)
#define RMM_LOGGING_ASSERT(...) ((void)0)
#define RMM_DEFAULT_HOST_ALIGNMENT 8

namespace rmm {

struct logic_error : std::logic_error { using std::logic_error::logic_error; };
struct cuda_error : std::runtime_error { using std::runtime_error::runtime_error; };
struct bad_alloc : std::bad_alloc {
    bad_alloc(const char *);
    bad_alloc(const std::string &);
};
struct out_of_memory : bad_alloc { using bad_alloc::bad_alloc; };
struct out_of_range : std::out_of_range { using std::out_of_range::out_of_range; };
struct invalid_argument : std::invalid_argument { using std::invalid_argument::invalid_argument; };

inline constexpr std::size_t CUDA_ALLOCATION_ALIGNMENT = 256, RMM_DEFAULT_ALIGNMENT = 8;
bool is_pow2(std::size_t);
bool is_supported_alignment(std::size_t);
std::size_t align_up(std::size_t, std::size_t = 0), align_down(std::size_t, std::size_t = 0);
bool is_aligned(std::size_t, std::size_t = 0);
bool is_pointer_aligned(const void *, std::size_t = 0);

struct cuda_device_id {
    using value_type = int;
    constexpr cuda_device_id() noexcept : cuda_device_id(0) {}
    explicit constexpr cuda_device_id(int id) noexcept : id_(id) {}
    constexpr int value() const noexcept { return id_; }
    friend bool operator==(cuda_device_id a, cuda_device_id b) { return a.id_ == b.id_; }
    friend bool operator!=(cuda_device_id a, cuda_device_id b) { return a.id_ != b.id_; }

  private:
    int id_;
};
cuda_device_id get_current_cuda_device();
int get_num_cuda_devices();
std::pair<std::size_t, std::size_t> available_device_memory();
std::size_t percent_of_free_device_memory(int);
struct cuda_set_device_raii {
    explicit cuda_set_device_raii(cuda_device_id);
    ~cuda_set_device_raii();
};

class cuda_stream_view {
  public:
    constexpr cuda_stream_view() = default;
    cuda_stream_view(int) = delete;
    cuda_stream_view(std::nullptr_t) = delete;
    constexpr cuda_stream_view(cudaStream_t stream) noexcept : stream_(stream) {}
    cuda_stream_view(cuda::stream_ref);
    constexpr cudaStream_t value() const noexcept { return stream_; }
    constexpr operator cudaStream_t() const noexcept { return stream_; }
    operator cuda::stream_ref() const noexcept;
    bool is_per_thread_default() const noexcept;
    bool is_default() const noexcept;
    void synchronize() const;
    void synchronize_no_throw() const noexcept;

  private:
    cudaStream_t stream_{};
};
static constexpr cuda_stream_view cuda_stream_default{};
static const cuda_stream_view cuda_stream_legacy{cudaStreamLegacy};
static const cuda_stream_view cuda_stream_per_thread{cudaStreamPerThread};
bool operator==(cuda_stream_view, cuda_stream_view);
bool operator!=(cuda_stream_view, cuda_stream_view);
std::ostream &operator<<(std::ostream &, cuda_stream_view);

class cuda_stream {
  public:
    enum class flags : std::uint32_t { sync_default = 0, non_blocking = 1 };
    cuda_stream(flags = flags::sync_default);
    cuda_stream(cuda_stream &&) = default;
    cuda_stream &operator=(cuda_stream &&) = default;
    bool is_valid() const;
    cudaStream_t value() const;
    explicit operator cudaStream_t() const noexcept;
    cuda_stream_view view() const;
    operator cuda_stream_view() const;
    void synchronize() const;
    void synchronize_no_throw() const noexcept;

  private:
    alignas(8) char stream_[40];
};
class cuda_stream_pool {
  public:
    static constexpr std::size_t default_size = 16;
    explicit cuda_stream_pool(std::size_t = default_size, cuda_stream::flags = {});
    cuda_stream_pool(cuda_stream_pool &&) = delete;
    cuda_stream_view get_stream() const noexcept;
    cuda_stream_view get_stream(std::size_t) const;
    std::size_t get_pool_size() const noexcept;

  private:
    std::vector<cuda_stream> streams_;
    mutable std::size_t next_;
};

namespace mr {
/* Any resource, or a reference to one. */
class resource {
  public:
    resource() = default;
    template <class R, class = std::enable_if_t<!std::is_base_of_v<resource, std::decay_t<R>>>>
    resource(R &&) {}
    void *allocate(std::size_t, std::size_t = 0);
    void *allocate(cuda::stream_ref, std::size_t, std::size_t = 0);
    void *allocate(std::size_t, std::size_t, cuda_stream_view);
    void *allocate_async(std::size_t, std::size_t, cuda_stream_view);
    void *allocate_async(std::size_t, cuda_stream_view);
    void *allocate_sync(std::size_t, std::size_t = 0);
    template <class... Ts> void deallocate(void *, Ts...);
    template <class... Ts> void deallocate_async(void *, Ts...);
    template <class... Ts> void deallocate_sync(void *, Ts...);
#ifdef DRANO_RMM_CUDA_RESOURCES
    template <class... Ps> operator cuda::mr::any_resource<Ps...>() const;
    template <class... Ps> operator cuda::mr::resource_ref<Ps...>() const;
#endif
    friend bool operator==(const resource &, const resource &) { return true; }
    friend bool operator!=(const resource &, const resource &) { return false; }
};
}  // namespace mr
using device_resource_ref = mr::resource;
using device_async_resource_ref = mr::resource;
using host_resource_ref = mr::resource;
using host_async_resource_ref = mr::resource;
using host_device_resource_ref = mr::resource;
using host_device_async_resource_ref = mr::resource;
template <class R> device_async_resource_ref to_device_async_resource_ref_checked(R *);

namespace mr {
class device_memory_resource {
  public:
    virtual ~device_memory_resource() = default;
    void *allocate(std::size_t, cuda_stream_view = {});
    void *allocate(cuda_stream_view, std::size_t, std::size_t = 0);
    void *allocate_async(std::size_t, std::size_t, cuda_stream_view);
    void *allocate_async(std::size_t, cuda_stream_view);
    template <class... Ts> void deallocate(Ts...);
    template <class... Ts> void deallocate_async(Ts...);
    bool is_equal(const device_memory_resource &) const noexcept;
    virtual bool supports_streams() const noexcept { return true; }
    virtual bool supports_get_mem_info() const noexcept { return true; }
    std::pair<std::size_t, std::size_t> get_mem_info(cuda_stream_view) const;
    friend bool operator==(const device_memory_resource &, const device_memory_resource &) { return true; }
    friend bool operator!=(const device_memory_resource &, const device_memory_resource &) { return false; }

  private:
    virtual void *do_allocate(std::size_t, cuda_stream_view) { return nullptr; }
    virtual void do_deallocate(void *, std::size_t, cuda_stream_view) {}
    virtual bool do_is_equal(const device_memory_resource &) const noexcept { return true; }
    virtual std::pair<std::size_t, std::size_t> do_get_mem_info(cuda_stream_view) const { return {}; }
};
class host_memory_resource {
  public:
    virtual ~host_memory_resource() = default;
    void *allocate(std::size_t, std::size_t = 8);
    void deallocate(void *, std::size_t, std::size_t = 8);

  private:
    virtual void *do_allocate(std::size_t, std::size_t) { return nullptr; }
    virtual void do_deallocate(void *, std::size_t, std::size_t) {}
};
/* What is made of any arguments. */
template <class> class made_resource : public device_memory_resource {
  public:
    template <class... Ts> made_resource(Ts &&...) {}
    device_async_resource_ref get_upstream_resource() const noexcept;
    template <class T = void> device_memory_resource *get_upstream() const noexcept;
    template <class... Ts> void release(Ts...);
    template <class... Ts> auto push_counters(Ts...) { return std::pair<std::size_t, std::size_t>(); }
    struct counter { std::int64_t value, peak, total; void add(std::int64_t), sub(std::int64_t); };
    counter get_bytes_counter() const noexcept, get_allocations_counter() const noexcept;
    std::pair<counter, counter> pop_counters();
    std::size_t pool_size() const, get_allocation_limit() const, get_allocated_bytes() const;
    cudaMemPool_t pool_handle() const;
};
class cuda_memory_resource : public made_resource<cuda_memory_resource> {
  public: using made_resource::made_resource;
};
class managed_memory_resource : public made_resource<managed_memory_resource> {
  public: using made_resource::made_resource;
};
class cuda_async_memory_resource : public made_resource<cuda_async_memory_resource> {
  public:
    enum class allocation_handle_type : std::int32_t { none = 0, posix_file_descriptor = 1, win32 = 2,
                                                       win32_kmt = 4, fabric = 8 };
    enum class mempool_usage : unsigned short { hw_decompress = 2 };
    using made_resource::made_resource;
};
class cuda_async_view_memory_resource : public made_resource<cuda_async_view_memory_resource> {
  public: using made_resource::made_resource;
};
class cuda_async_managed_memory_resource : public made_resource<cuda_async_managed_memory_resource> {
  public: using made_resource::made_resource;
};
class system_memory_resource : public made_resource<system_memory_resource> {
  public: using made_resource::made_resource;
};
class pinned_host_memory_resource : public made_resource<pinned_host_memory_resource> {
  public: using made_resource::made_resource;
};
class pinned_memory_resource : public host_memory_resource {};
class new_delete_resource : public host_memory_resource {};
class callback_memory_resource : public made_resource<callback_memory_resource> {
  public: using made_resource::made_resource;
};
/* On top of another one, of any type, or of the one that it is given. */
#define DRANO_RMM_ADAPTOR(NAME)                                                                    \
    template <class Upstream = device_memory_resource>                                             \
    class NAME : public made_resource<NAME<Upstream>> {                                            \
      public: using made_resource<NAME<Upstream>>::made_resource;                                  \
    };                                                                                             \
    template <class... Ts> NAME(Ts...) -> NAME<device_memory_resource>;
DRANO_RMM_ADAPTOR(pool_memory_resource)
DRANO_RMM_ADAPTOR(arena_memory_resource)
DRANO_RMM_ADAPTOR(binning_memory_resource)
DRANO_RMM_ADAPTOR(fixed_size_memory_resource)
DRANO_RMM_ADAPTOR(aligned_resource_adaptor)
DRANO_RMM_ADAPTOR(limiting_resource_adaptor)
DRANO_RMM_ADAPTOR(logging_resource_adaptor)
DRANO_RMM_ADAPTOR(prefetch_resource_adaptor)
DRANO_RMM_ADAPTOR(statistics_resource_adaptor)
DRANO_RMM_ADAPTOR(thread_safe_resource_adaptor)
DRANO_RMM_ADAPTOR(tracking_resource_adaptor)
DRANO_RMM_ADAPTOR(owning_wrapper)
template <class Upstream = device_memory_resource, class Failure = bad_alloc>
class failure_callback_resource_adaptor
    : public made_resource<failure_callback_resource_adaptor<Upstream, Failure>> {
  public: using made_resource<failure_callback_resource_adaptor<Upstream, Failure>>::made_resource;
};
template <template <class...> class R, class... Upstreams, class... Ts>
std::shared_ptr<R<Upstreams...>> make_owning_wrapper(Ts &&...);

device_memory_resource *get_current_device_resource();
device_memory_resource *get_per_device_resource(cuda_device_id);
device_memory_resource *set_current_device_resource(device_memory_resource *);
device_memory_resource *set_per_device_resource(cuda_device_id, device_memory_resource *);
device_async_resource_ref get_current_device_resource_ref();
device_async_resource_ref get_per_device_resource_ref(cuda_device_id);
template <class R> resource set_current_device_resource_ref(R &&);
template <class R> resource set_current_device_resource(R &&);
template <class R> resource set_per_device_resource_ref(cuda_device_id, R &&);
resource reset_current_device_resource_ref(), reset_current_device_resource();
resource reset_per_device_resource_ref(cuda_device_id);

template <class T> class polymorphic_allocator {
  public:
    using value_type = T;
    polymorphic_allocator() = default;
    polymorphic_allocator(device_async_resource_ref);
    template <class U> polymorphic_allocator(const polymorphic_allocator<U> &) noexcept {}
    T *allocate(std::size_t, cuda_stream_view);
    void deallocate(T *, std::size_t, cuda_stream_view);
    device_async_resource_ref get_upstream_resource() const noexcept;
};
template <class T, class U>
bool operator==(const polymorphic_allocator<T> &, const polymorphic_allocator<U> &);
template <class T, class U>
bool operator!=(const polymorphic_allocator<T> &, const polymorphic_allocator<U> &);
template <class Allocator> class stream_allocator_adaptor {
  public:
    using value_type = typename std::allocator_traits<Allocator>::value_type;
    template <class T> struct rebind {
        using other = stream_allocator_adaptor<
            typename std::allocator_traits<Allocator>::template rebind_alloc<T>>;
    };
    stream_allocator_adaptor() = delete;
    stream_allocator_adaptor(const Allocator &, cuda_stream_view) {}
    template <class Other> stream_allocator_adaptor(const stream_allocator_adaptor<Other> &) {}
    value_type *allocate(std::size_t);
    void deallocate(value_type *, std::size_t) noexcept;
    cuda_stream_view stream() const noexcept;
    Allocator underlying_allocator() const noexcept;
};
template <class A, class B>
bool operator==(const stream_allocator_adaptor<A> &, const stream_allocator_adaptor<B> &);
template <class A, class B>
bool operator!=(const stream_allocator_adaptor<A> &, const stream_allocator_adaptor<B> &);
template <class T> class thrust_allocator : public thrust::device_malloc_allocator<T> {
  public:
    template <class U> struct rebind { using other = thrust_allocator<U>; };
    thrust_allocator() = default;
    explicit thrust_allocator(cuda_stream_view, device_async_resource_ref = {}) {}
    template <class U> thrust_allocator(const thrust_allocator<U> &) {}
    cuda_stream_view stream() const noexcept;
    device_async_resource_ref get_upstream_resource() const noexcept;
};
}  // namespace mr

class device_buffer {
  public:
    device_buffer() = default;
    explicit device_buffer(std::size_t, cuda_stream_view, device_async_resource_ref = {});
    explicit device_buffer(std::size_t, std::size_t, cuda_stream_view, device_async_resource_ref = {});
    device_buffer(const void *, std::size_t, cuda_stream_view, device_async_resource_ref = {});
    device_buffer(const device_buffer &, cuda_stream_view, device_async_resource_ref = {});
    device_buffer(const device_buffer &) = delete;
    device_buffer(device_buffer &&) noexcept = default;
    device_buffer &operator=(device_buffer &&) noexcept = default;
    void reserve(std::size_t, cuda_stream_view), resize(std::size_t, cuda_stream_view),
        shrink_to_fit(cuda_stream_view), set_stream(cuda_stream_view) noexcept;
    void *data() noexcept;
    const void *data() const noexcept;
    std::size_t size() const noexcept, capacity() const noexcept, alignment() const noexcept;
    std::int64_t ssize() const noexcept;
    bool is_empty() const noexcept;
    cuda_stream_view stream() const noexcept;
    device_async_resource_ref memory_resource() const noexcept;

  private: /* as large as RMM's own, with the resource in its middle */
    void *data_;
    std::size_t size_, alignment_, capacity_;
    cuda_stream_view stream_;
    alignas(16) char resource_[48];
    cuda_device_id device_;
};

template <class T> class device_uvector {
  public:
    using value_type = T;
    using size_type = std::size_t;
    using reference = T &;
    using const_reference = const T &;
    using pointer = T *;
    using const_pointer = const T *;
    using iterator = T *;
    using const_iterator = const T *;
    using reverse_iterator = std::reverse_iterator<T *>;
    using const_reverse_iterator = std::reverse_iterator<const T *>;
    explicit device_uvector(std::size_t, cuda_stream_view, device_async_resource_ref = {});
    device_uvector(const device_uvector &, cuda_stream_view, device_async_resource_ref = {});
    device_uvector(const device_uvector &) = delete;
    device_uvector(device_uvector &&) noexcept = default;
    device_uvector &operator=(device_uvector &&) noexcept = default;
    T *element_ptr(std::size_t) noexcept;
    const T *element_ptr(std::size_t) const noexcept;
    void set_element_async(std::size_t, const T &, cuda_stream_view),
        set_element_to_zero_async(std::size_t, cuda_stream_view),
        set_element(std::size_t, const T &, cuda_stream_view);
    T element(std::size_t, cuda_stream_view) const, front_element(cuda_stream_view) const,
        back_element(cuda_stream_view) const;
    void reserve(std::size_t, cuda_stream_view), resize(std::size_t, cuda_stream_view),
        shrink_to_fit(cuda_stream_view), set_stream(cuda_stream_view) noexcept;
    device_buffer release() noexcept;
    T *data() noexcept;
    const T *data() const noexcept;
    T *begin() noexcept;
    T *end() noexcept;
    const T *begin() const noexcept;
    const T *end() const noexcept;
    const T *cbegin() const noexcept;
    const T *cend() const noexcept;
    reverse_iterator rbegin() noexcept, rend() noexcept;
    const_reverse_iterator crbegin() const noexcept, crend() const noexcept;
    std::size_t size() const noexcept, capacity() const noexcept;
    std::int64_t ssize() const noexcept;
    bool is_empty() const noexcept;
    operator cuda::std::span<const T>() const noexcept;
    operator cuda::std::span<T>() noexcept;
    cuda_stream_view stream() const noexcept;
    device_async_resource_ref memory_resource() const noexcept;

  private:
    device_buffer storage_;
};

template <class T> class device_scalar {
  public:
    using value_type = T;
    using reference = T &;
    using pointer = T *;
    using const_pointer = const T *;
    explicit device_scalar(cuda_stream_view, device_async_resource_ref = {});
    explicit device_scalar(const T &, cuda_stream_view, device_async_resource_ref = {});
    device_scalar(const device_scalar &, cuda_stream_view, device_async_resource_ref = {});
    device_scalar(device_scalar &&) noexcept = default;
    device_scalar &operator=(device_scalar &&) noexcept = default;
    T value(cuda_stream_view) const;
    void set_value_async(const T &, cuda_stream_view), set_value_to_zero_async(cuda_stream_view);
    T *data() noexcept;
    const T *data() const noexcept;
    std::size_t size() const noexcept;
    cuda_stream_view stream() const noexcept;
    void set_stream(cuda_stream_view) noexcept;
    device_async_resource_ref memory_resource() const noexcept;

  private:
    device_uvector<T> storage_;
};

template <class T> using device_vector = thrust::device_vector<T, mr::thrust_allocator<T>>;

using thrust_exec_policy_t =
    thrust::detail::execute_with_allocator<mr::thrust_allocator<char>,
                                           thrust::cuda_cub::execute_on_stream_base>;
using thrust_exec_policy_nosync_t =
    thrust::detail::execute_with_allocator<mr::thrust_allocator<char>,
                                           thrust::cuda_cub::execute_on_stream_nosync_base>;
class exec_policy : public thrust_exec_policy_t {
  public:
    explicit exec_policy(cuda_stream_view stream = {}, device_async_resource_ref = {})
        : thrust_exec_policy_t(thrust::cuda::par(mr::thrust_allocator<char>(stream)).on(stream)) {}
};
class exec_policy_nosync : public thrust_exec_policy_nosync_t {
  public:
    explicit exec_policy_nosync(cuda_stream_view stream = {}, device_async_resource_ref = {})
        : thrust_exec_policy_nosync_t(
              thrust::cuda::par_nosync(mr::thrust_allocator<char>(stream)).on(stream)) {}
};

template <class T, class... Ts> void prefetch(Ts &&...);
template <class... Ts> void prefetch(Ts &&...);
}  // namespace rmm
