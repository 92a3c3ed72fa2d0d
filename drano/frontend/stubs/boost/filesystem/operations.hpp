/* The same stand-in. */
#pragma once
#include <boost/filesystem.hpp>
