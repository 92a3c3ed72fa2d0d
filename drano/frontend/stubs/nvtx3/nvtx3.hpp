/* Stands in for the library's C++ header. */
#ifndef DRANO_STUB_NVTX3_HPP
#define DRANO_STUB_NVTX3_HPP
#include "nvToolsExt.h"
namespace nvtx3 {
struct domain {
    struct global;
};
struct any_argument {
    template <typename... Ts> any_argument(const Ts &...) {}
};
struct rgb : any_argument { using any_argument::any_argument; };
struct argb : any_argument { using any_argument::any_argument; };
struct color : any_argument { using any_argument::any_argument; };
struct category : any_argument { using any_argument::any_argument; };
struct payload : any_argument { using any_argument::any_argument; };
struct message : any_argument { using any_argument::any_argument; };
struct event_attributes : any_argument { using any_argument::any_argument; };
template <typename D = domain::global> struct named_category_in : category { using category::category; };
template <typename D = domain::global> struct registered_string_in : message { using message::message; };
template <typename D = domain::global> struct scoped_range_in {
    template <typename... Ts> explicit scoped_range_in(const Ts &...) {}
    scoped_range_in(const scoped_range_in &) = delete;
    ~scoped_range_in() {}
};
template <typename D = domain::global> struct unique_range_in {
    template <typename... Ts> explicit unique_range_in(const Ts &...) {}
    ~unique_range_in() {}
};
using scoped_range = scoped_range_in<>;
using unique_range = unique_range_in<>;
template <typename D = domain::global> using domain_thread_range = scoped_range_in<D>;
using thread_range = scoped_range;
template <typename D = domain::global, typename... Ts> void mark_in(const Ts &...) {}
template <typename... Ts> void mark(const Ts &...) {}
}
#define NVTX3_FUNC_RANGE_IN(D) ::nvtx3::scoped_range_in<D> const nvtx3_range__{__func__}
#define NVTX3_FUNC_RANGE() NVTX3_FUNC_RANGE_IN(::nvtx3::domain::global)
#endif
