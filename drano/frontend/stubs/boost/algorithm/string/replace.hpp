/* The same stand-in. */
#pragma once
#include <boost/algorithm/string.hpp>
