/* Stand-in for the CUDA 3 SDK samples' cutil_inline.h. */
#ifndef DRANO_STUB_CUTIL_INLINE_H
#define DRANO_STUB_CUTIL_INLINE_H
#include <cutil.h>
#endif
