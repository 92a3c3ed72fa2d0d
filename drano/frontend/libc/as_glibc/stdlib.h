/* NULL is __null, as with glibc: sources cast musl's nullptr, and take it for a number. glibc's
 * header also brings uint, ushort and ulong, which much CUDA code takes for granted. */
#include_next <stdlib.h>
#include <sys/types.h>
#define __need_NULL
#include <stddef.h>
