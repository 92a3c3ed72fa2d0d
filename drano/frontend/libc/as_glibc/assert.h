/* A failed assertion calls what it calls with glibc, so that kernels become the same code. */
#undef assert
#ifdef NDEBUG
#define assert(...) ((void)0)
#elif defined(__cplusplus)
#define assert(...) \
  (static_cast<bool>(__VA_ARGS__) \
       ? void(0) \
       : __assert_fail(#__VA_ARGS__, __FILE__, __LINE__, __extension__ __PRETTY_FUNCTION__))
#else
#define assert(...) \
  ((__VA_ARGS__) ? (void)0 : __assert_fail(#__VA_ARGS__, __FILE__, __LINE__, __func__))
#endif
#if !defined(__cplusplus) && __STDC_VERSION__ >= 201112L && !defined(static_assert)
#define static_assert _Static_assert
#endif
#ifndef DRANO_AS_GLIBC_ASSERT_H
#define DRANO_AS_GLIBC_ASSERT_H
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((__noreturn__)) void __assert_fail(const char *, const char *, unsigned, const char *);
#ifdef __cplusplus
}
#endif
#endif
