/* The same header as of version 3 of the library. */
#pragma once
#include "nvToolsExtCudaRt.h"
