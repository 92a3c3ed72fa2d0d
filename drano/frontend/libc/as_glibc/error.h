/* What glibc has and musl has not: a message of the program's, and its end. */
#ifndef DRANO_AS_GLIBC_ERROR_H
#define DRANO_AS_GLIBC_ERROR_H
#ifdef __cplusplus
extern "C" {
#endif
void error(int, int, const char *, ...);
void error_at_line(int, int, const char *, unsigned, const char *, ...);
#ifdef __cplusplus
}
#endif
#endif
