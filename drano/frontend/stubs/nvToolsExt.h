/* Version 3 of the library, where it is installed, or its stand-in. */
#pragma once
#include <nvtx3/nvToolsExt.h>
