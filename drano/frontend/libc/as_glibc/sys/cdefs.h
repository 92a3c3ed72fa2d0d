/* The macros of glibc's that sources use without asking for them. */
#ifndef DRANO_AS_GLIBC_SYS_CDEFS_H
#define DRANO_AS_GLIBC_SYS_CDEFS_H
#ifdef __cplusplus
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#else
#define __BEGIN_DECLS
#define __END_DECLS
#endif
#ifndef __THROW
#define __THROW
#endif
#endif
