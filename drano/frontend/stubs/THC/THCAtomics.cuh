/* The same header under an older name. */
#pragma once
#include <ATen/cuda/Atomic.cuh>
