/* The same stand-in. */
#pragma once
#include <boost/drano_boost.h>
