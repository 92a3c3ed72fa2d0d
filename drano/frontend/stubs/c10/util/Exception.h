/* Stands in for PyTorch's header: checks that fail do not come back. */
#ifndef DRANO_STUB_C10_EXCEPTION_H
#define DRANO_STUB_C10_EXCEPTION_H
#include "../macros/Macros.h"
#include <exception>
#include <string>
namespace c10 {
struct Error : std::exception {
    template <typename... Ts> explicit Error(const Ts &...) {}
    const char *what() const noexcept override { return ""; }
};
namespace detail {
template <typename... Ts> [[noreturn]] void fail(const Ts &...) { __builtin_trap(); }
template <typename... Ts> void note(const Ts &...) {}
bool debugging();
}
template <typename... Ts> std::string str(const Ts &...) { return {}; }
}
#define TORCH_CHECK(condition, ...) \
    if (!(condition)) { \
        ::c10::detail::fail(__VA_ARGS__); \
    }
#define TORCH_CHECK_WITH(error, condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_ARG(condition, number, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_VALUE TORCH_CHECK
#define TORCH_CHECK_TYPE TORCH_CHECK
#define TORCH_CHECK_INDEX TORCH_CHECK
#define TORCH_CHECK_LINALG TORCH_CHECK
#define TORCH_CHECK_NOT_IMPLEMENTED TORCH_CHECK
#define TORCH_INTERNAL_ASSERT TORCH_CHECK
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(condition, ...) \
    while (::c10::detail::debugging()) \
    TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_EQ(a, b) TORCH_CHECK((a) == (b))
#define TORCH_CHECK_NE(a, b) TORCH_CHECK((a) != (b))
#define TORCH_CHECK_LT(a, b) TORCH_CHECK((a) < (b))
#define TORCH_CHECK_LE(a, b) TORCH_CHECK((a) <= (b))
#define TORCH_CHECK_GT(a, b) TORCH_CHECK((a) > (b))
#define TORCH_CHECK_GE(a, b) TORCH_CHECK((a) >= (b))
#define AT_ASSERT TORCH_CHECK
#define AT_ASSERTM TORCH_CHECK
#define AT_CHECK TORCH_CHECK
#define AT_ERROR(...) ::c10::detail::fail(__VA_ARGS__)
#define TORCH_WARN(...) ::c10::detail::note(__VA_ARGS__)
#define TORCH_WARN_ONCE(...) ::c10::detail::note(__VA_ARGS__)
#define AT_WARN(...) ::c10::detail::note(__VA_ARGS__)
#endif
