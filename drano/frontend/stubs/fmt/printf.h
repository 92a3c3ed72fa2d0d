/* The same stand-in. */
#pragma once
#include "core.h"
