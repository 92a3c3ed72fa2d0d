/* The same header under an older name. */
#pragma once
#include "cusparse.h"
