/* Stands in for {fmt}. */
#ifndef DRANO_STUB_FMT_H
#define DRANO_STUB_FMT_H
#include <cstdio>
#include <ostream>
#include <string>
#include <string_view>
namespace fmt {
using string_view = std::string_view;
template <typename... Ts> struct basic_format_string {
    template <typename S> constexpr basic_format_string(const S &) {}
};
template <typename... Ts> using format_string = basic_format_string<Ts...>;
template <typename T, typename Char = char, typename Enable = void> struct formatter {
    template <typename C> constexpr auto parse(C &context) { return context.begin(); }
    template <typename V, typename C> auto format(const V &, C &context) const { return context.out(); }
};
struct format_parse_context { const char *begin() const, *end() const; };
struct format_context { char *out() const; };
struct memory_buffer { const char *data() const; size_t size() const; void push_back(char); };
template <typename S> string_view runtime(const S &format) { return format; }
template <typename... Ts> std::string format(string_view, const Ts &...) { return {}; }
template <typename... Ts> std::string sprintf(string_view, const Ts &...) { return {}; }
template <typename... Ts> std::string vformat(const Ts &...) { return {}; }
template <typename... Ts> int make_format_args(const Ts &...) { return 0; }
template <typename F, typename... Ts> void print(F &&, const Ts &...) {}
template <typename... Ts> void println(const Ts &...) {}
template <typename Out, typename... Ts> Out format_to(Out out, const Ts &...) { return out; }
template <typename... Ts> size_t formatted_size(const Ts &...) { return 0; }
template <typename T> std::string to_string(const T &) { return {}; }
template <typename... Ts> string_view join(Ts &&...) { return {}; }
template <typename T> const void *ptr(const T &) { return nullptr; }
template <typename... Ts> string_view styled(const Ts &...) { return {}; }
template <typename T> int underlying(T value) { return static_cast<int>(value); }
struct named_argument { template <typename V> int operator=(const V &) const { return 0; } };
namespace literals {
inline named_argument operator""_a(const char *, size_t) { return {}; }
}
template <typename T> auto streamed(const T &value) { return &value; }
}
#define FMT_STRING(text) text
#define FMT_VERSION 110000
#endif
