/* Stands in for the library's header of the same name. */
#pragma once
#include <pybind11/pybind11.h>
