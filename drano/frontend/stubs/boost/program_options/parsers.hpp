/* The same stand-in. */
#pragma once
#include <boost/program_options.hpp>
