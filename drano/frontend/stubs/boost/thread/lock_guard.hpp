/* The same stand-in. */
#pragma once
#include <boost/thread.hpp>
