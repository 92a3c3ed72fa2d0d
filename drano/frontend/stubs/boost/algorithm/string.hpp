/* Stands in for Boost's algorithms of strings. */
#pragma once
#include <string>
#include <vector>
namespace boost {
namespace algorithm {
enum token_compress_mode_type { token_compress_on, token_compress_off };
struct drano_classified {};
template <class R> drano_classified is_any_of(const R &);
drano_classified is_space(), is_digit(), is_alpha();
template <class R, class S, class... A> R &split(R &, const S &, A &&...);
template <class R, class S> std::string join(const R &, const S &);
template <class S> void trim(S &);
template <class S> void trim_left(S &);
template <class S> void trim_right(S &);
template <class S, class P> void trim_if(S &, P);
template <class S> std::string trim_copy(const S &);
template <class S> void to_lower(S &);
template <class S> void to_upper(S &);
template <class S> std::string to_lower_copy(const S &);
template <class S> std::string to_upper_copy(const S &);
template <class S, class T> bool starts_with(const S &, const T &);
template <class S, class T> bool ends_with(const S &, const T &);
template <class S, class T> bool contains(const S &, const T &);
template <class S, class T> bool iequals(const S &, const T &);
template <class S, class T> bool icontains(const S &, const T &);
template <class S, class F, class T> void replace_all(S &, const F &, const T &);
template <class S, class F, class T> void replace_first(S &, const F &, const T &);
template <class S, class F, class T> std::string replace_all_copy(const S &, const F &, const T &);
template <class S, class F> void erase_all(S &, const F &);
}
using namespace algorithm;
}
