/* NULL is __null, as with glibc: sources cast musl's nullptr, and take it for a number. */
#include_next <stdio.h>
#define __need_NULL
#include <stddef.h>
