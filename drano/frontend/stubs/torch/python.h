/* Stands in for the library's header of the same name. */
#pragma once
#include <torch/all.h>
#include <pybind11/pybind11.h>
namespace py = pybind11;
