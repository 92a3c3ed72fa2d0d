/* The prelude of every CUDA unit: clang's own, and what nvcc gives a source for free and clang does
 * not. It is also what the precompiled header is made of. Only declarations that lack in the SDK at
 * hand are added, so that one prelude serves CUDA 7 to 13.
 * What is declared here tells the truth of memory: a function that reads or writes it does so in its
 * body, or has none, which an analysis takes for unknown. */
#ifndef DRANO_PRELUDE_H
#define DRANO_PRELUDE_H

#include <__clang_cuda_runtime_wrapper.h>

/* nvcc's crt/common_functions.h and crt/math_functions.h bring these. */
#include <assert.h>
#include <math.h>
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "predefined.h"
#include "host_functions.h"
#include "cache_hints.h"
#include "float_functions.h"
#include "atomics.h"
#include "textures.h"
#include "old_runtime.h"

/* What the body of a device function with errors is replaced by: drano/frontend/repair/removed_text.py. */
extern "C" __device__ __attribute__((noreturn, nothrow)) void drano_not_compiled(int);

#endif
