/* Stands in for the parts of Boost that host code uses of what the standard library has, too. */
#ifndef DRANO_STUB_BOOST_H
#define DRANO_STUB_BOOST_H
#include <array>
#include <cassert>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#define BOOST_VERSION 108300
#define BOOST_LIB_VERSION "1_83"
#define BOOST_STATIC_ASSERT(...) static_assert((__VA_ARGS__), "")
#define BOOST_STATIC_ASSERT_MSG(...) static_assert(__VA_ARGS__)
#define BOOST_ASSERT(condition) assert(condition)
#define BOOST_VERIFY(condition) ((void)(condition))
#define BOOST_STATIC_CONSTANT(type, assignment) static const type assignment
#define BOOST_FOREACH(variable, range) for (variable : range)
#define BOOST_FORCEINLINE inline __attribute__((always_inline))
#define BOOST_NOINLINE __attribute__((noinline))
#define BOOST_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define BOOST_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
namespace boost {
using std::array;
using std::cref;
using std::const_pointer_cast;
using std::dynamic_pointer_cast;
using std::enable_shared_from_this;
using std::function;
using std::get;
using std::hash;
using std::make_shared;
using std::make_tuple;
using std::ref;
using std::reference_wrapper;
using std::shared_ptr;
using std::static_pointer_cast;
using std::swap;
using std::tie;
using std::tuple;
using std::unordered_map;
using std::unordered_multimap;
using std::unordered_set;
using std::weak_ptr;
using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::int8_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;
/* Of their sizes and the order of their parts as Boost's, since an array of structures with one may
   be a kernel's. */
struct none_t {};
constexpr none_t none = {};
struct blank {};
struct bad_get : std::exception {};
struct bad_any_cast : std::bad_cast {};
struct bad_optional_access : std::logic_error { bad_optional_access(); };
template <class T> class optional {
  public:
    typedef T value_type;
    optional();
    optional(none_t);
    optional(const T &);
    optional(T &&);
    optional(const optional &);
    template <class U> explicit optional(const optional<U> &);
    ~optional();
    optional &operator=(const optional &);
    optional &operator=(const T &);
    optional &operator=(none_t);
    explicit operator bool() const;
    bool operator!() const;
    bool has_value() const, is_initialized() const;
    T &get(), &value(), &operator*(), *operator->(), *get_ptr();
    const T &get() const, &value() const, &operator*() const, *operator->() const, *get_ptr() const;
    T value_or(const T &) const, get_value_or(const T &) const;
    template <class... A> void emplace(A &&...);
    void reset(), reset(const T &);

  private:
    bool initialized_;
    alignas(T) unsigned char storage_[sizeof(T)];
};
template <class T> bool operator==(const optional<T> &, const optional<T> &);
template <class T> bool operator==(const optional<T> &, none_t);
template <class T> bool operator!=(const optional<T> &, none_t);
template <class T> T &get(optional<T> &);
template <class T> optional<typename std::decay<T>::type> make_optional(T &&);
template <class R = void> struct static_visitor { typedef R result_type; };
template <class... Ts> class variant {
  public:
    variant();
    variant(const variant &);
    template <class T> variant(const T &);
    ~variant();
    variant &operator=(const variant &);
    template <class T> variant &operator=(const T &);
    int which() const;
    bool empty() const;

  private:
    int which_;
    typename std::aligned_union<0, Ts...>::type storage_;
};
template <class T, class... Ts> T &get(variant<Ts...> &);
template <class T, class... Ts> const T &get(const variant<Ts...> &);
template <class T, class... Ts> T *get(variant<Ts...> *);
template <class T, class... Ts> const T *get(const variant<Ts...> *);
template <class V, class... Ts>
typename std::decay<V>::type::result_type apply_visitor(V &&visitor, Ts &&...values);
class any {
  public:
    any();
    any(const any &);
    template <class T> any(const T &);
    ~any();
    any &operator=(const any &);
    template <class T> any &operator=(const T &);
    bool empty() const;

  private:
    void *content_;
};
template <class T> T any_cast(const any &);
template <class T> T *any_cast(any *);
template <class... A>
auto bind(A &&...arguments) -> decltype(std::bind(std::forward<A>(arguments)...)) {
    return std::bind(std::forward<A>(arguments)...);
}
template <class R, class... A>
auto bind(A &&...arguments) -> decltype(std::bind<R>(std::forward<A>(arguments)...)) {
    return std::bind<R>(std::forward<A>(arguments)...);
}
template <class T> class scoped_ptr : public std::unique_ptr<T> {
  public:
    using std::unique_ptr<T>::unique_ptr;
    explicit scoped_ptr(T *pointer = nullptr) : std::unique_ptr<T>(pointer) {}
};
template <class T> class scoped_array : public std::unique_ptr<T[]> {
  public:
    explicit scoped_array(T *pointer = nullptr) : std::unique_ptr<T[]>(pointer) {}
};
template <class T> class shared_array : public std::shared_ptr<T[]> {
  public:
    explicit shared_array(T *pointer = nullptr) : std::shared_ptr<T[]>(pointer) {}
};
class noncopyable {
  protected:
    noncopyable() = default;
    noncopyable(const noncopyable &) = delete;
    noncopyable &operator=(const noncopyable &) = delete;
};
struct bad_lexical_cast : std::bad_cast {};
template <class T, class S> T lexical_cast(const S &value);
template <class T> std::size_t hash_value(const T &value);
template <class T> void hash_combine(std::size_t &seed, const T &value);
template <class I> void hash_range(std::size_t &seed, I first, I last);
template <bool C, class T = void> using enable_if_c = std::enable_if<C, T>;
template <class C, class T = void> struct enable_if : std::enable_if<C::value, T> {};
template <class C, class T = void> struct disable_if : std::enable_if<!C::value, T> {};
using std::add_const;
using std::is_arithmetic;
using std::is_base_of;
using std::is_const;
using std::is_convertible;
using std::is_enum;
using std::is_floating_point;
using std::is_integral;
using std::is_pointer;
using std::is_same;
using std::is_void;
using std::make_unsigned;
using std::remove_const;
using std::remove_cv;
using std::remove_pointer;
using std::remove_reference;
using std::false_type;
using std::true_type;
}
#endif
