/* What glibc has and musl has not: the caller's stack. */
#ifndef DRANO_AS_GLIBC_EXECINFO_H
#define DRANO_AS_GLIBC_EXECINFO_H
#ifdef __cplusplus
extern "C" {
#endif
int backtrace(void **, int);
char **backtrace_symbols(void *const *, int);
void backtrace_symbols_fd(void *const *, int, int);
#ifdef __cplusplus
}
#endif
#endif
