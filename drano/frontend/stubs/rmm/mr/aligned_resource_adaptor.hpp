/* The same stand-in. */
#pragma once
#include <rmm/drano_rmm.h>
