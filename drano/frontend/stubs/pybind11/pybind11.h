/* Stands in for pybind11's header. */
#ifndef DRANO_STUB_PYBIND11_H
#define DRANO_STUB_PYBIND11_H
#include <functional>
#include <memory>
#include <stddef.h>
#include <string>
#include <vector>
namespace pybind11 {
struct handle {
    template <typename T> T cast() const;
    handle attr(const char *) const;
    template <typename... Ts> handle operator()(Ts &&...) const;
    template <typename T> handle operator[](const T &) const;
    template <typename T> handle &operator=(const T &);
    explicit operator bool() const;
};
struct object : handle {};
#define DRANO_X(name) struct name : object { template <typename... Ts> name(const Ts &...) {} size_t size() const; bool contains(const char *) const; };
DRANO_X(str) DRANO_X(bytes) DRANO_X(list) DRANO_X(tuple) DRANO_X(dict) DRANO_X(none) DRANO_X(int_)
DRANO_X(float_) DRANO_X(capsule) DRANO_X(buffer) DRANO_X(function) DRANO_X(array)
#undef DRANO_X
template <typename T, int = 0> struct array_t : array {
    using array::array;
    T *mutable_data(size_t = 0);
    const T *data(size_t = 0) const;
    ptrdiff_t shape(int) const;
};
struct arg {
    explicit arg(const char *) {}
    template <typename T> arg operator=(const T &) const { return *this; }
    arg noconvert() const { return *this; }
};
namespace literals { inline arg operator""_a(const char *name, size_t) { return arg(name); } }
template <typename... Ts> struct init_list {};
template <typename... Ts> init_list<Ts...> init(const Ts &...) { return {}; }
template <typename... Ts> init_list<Ts...> init() { return {}; }
template <typename... Ts> struct call_guard {};
template <typename... Ts> struct keep_alive {};
struct gil_scoped_release { gil_scoped_release() {} ~gil_scoped_release() {} };
struct gil_scoped_acquire { gil_scoped_acquire() {} ~gil_scoped_acquire() {} };
enum class return_value_policy { automatic, copy, move, reference, take_ownership, reference_internal };
struct module_ : object {
    template <typename... Ts> module_ &def(const char *, const Ts &...) { return *this; }
    module_ def_submodule(const char *, const char * = nullptr);
    static module_ import(const char *);
    template <typename T> void add_object(const char *, const T &) {}
    handle &doc();
};
using module = module_;
template <typename T, typename... Bases> struct class_ : object {
    template <typename... Ts> explicit class_(const Ts &...) {}
#define DRANO_X(name) template <typename... Ts> class_ &name(const Ts &...) { return *this; }
    DRANO_X(def) DRANO_X(def_static) DRANO_X(def_readonly) DRANO_X(def_readwrite) DRANO_X(def_property)
    DRANO_X(def_property_readonly) DRANO_X(def_property_static) DRANO_X(value) DRANO_X(export_values)
#undef DRANO_X
};
template <typename T> using enum_ = class_<T>;
template <typename T> object cast(const T &);
template <typename... Ts> void print(const Ts &...) {}
}
#define PYBIND11_MODULE(name, variable) \
    [[maybe_unused]] static void drano_pybind11_init(::pybind11::module_ &variable)
#define PYBIND11_EMBEDDED_MODULE PYBIND11_MODULE
#define PYBIND11_MAKE_OPAQUE(...)
#endif
