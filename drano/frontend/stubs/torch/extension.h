/* Stands in for the library's header of the same name. */
#pragma once
#include <torch/all.h>
#include <torch/python.h>
#ifndef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME drano_extension
#endif
