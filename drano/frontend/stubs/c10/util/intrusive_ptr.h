/* Stands in for PyTorch's counted pointers. */
#pragma once
#include <memory>
namespace c10 {
struct intrusive_ptr_target {};
template <typename T> using intrusive_ptr = std::shared_ptr<T>;
template <typename T, typename... Ts> intrusive_ptr<T> make_intrusive(Ts &&...arguments) {
    return std::make_shared<T>(static_cast<Ts &&>(arguments)...);
}
}
namespace torch { struct CustomClassHolder : c10::intrusive_ptr_target {}; }
