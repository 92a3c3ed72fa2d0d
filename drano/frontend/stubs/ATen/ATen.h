/* Stands in for the library's header of the same name. */
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/core/TensorAccessor.h>
#include <ATen/Dispatch.h>
#include <c10/util/Half.h>
