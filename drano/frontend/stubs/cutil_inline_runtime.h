/* Stand-in for the CUDA 3 SDK samples' cutil_inline_runtime.h. */
#ifndef DRANO_STUB_CUTIL_INLINE_RUNTIME_H
#define DRANO_STUB_CUTIL_INLINE_RUNTIME_H
#include <cutil.h>
#endif
