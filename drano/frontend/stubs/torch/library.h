/* Stands in for PyTorch's registration of operators. */
#ifndef DRANO_STUB_TORCH_LIBRARY_H
#define DRANO_STUB_TORCH_LIBRARY_H
#include "../ATen/core/Tensor.h"
namespace torch {
struct Library {
    template <typename... Ts> Library &def(const Ts &...) { return *this; }
    template <typename... Ts> Library &impl(const Ts &...) { return *this; }
    template <typename... Ts> Library &fallback(const Ts &...) { return *this; }
    template <typename... Ts> void set_python_module(const Ts &...) {}
    template <typename T, typename... Ts> Library &class_(const Ts &...) { return *this; }
};
template <typename K, typename F> F dispatch(K, F &&function) { return function; }
template <typename F> F schema(F function) { return function; }
}
#define DRANO_TORCH_INIT(name, library) \
    [[maybe_unused]] static void C10_CONCATENATE(name, __LINE__)(torch::Library & library)
#define TORCH_LIBRARY(ns, m) DRANO_TORCH_INIT(drano_torch_library_, m)
#define TORCH_LIBRARY_FRAGMENT(ns, m) DRANO_TORCH_INIT(drano_torch_library_, m)
#define TORCH_LIBRARY_IMPL(ns, key, m) DRANO_TORCH_INIT(drano_torch_library_, m)
#define TORCH_FN(function) (&function)
#define TORCH_FN_TYPE(function) decltype(&function)
#define TORCH_SELECTIVE_NAME(name) name
#define TORCH_SELECTIVE_SCHEMA(name) name
#endif
