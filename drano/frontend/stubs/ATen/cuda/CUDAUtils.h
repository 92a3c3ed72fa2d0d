/* Stands in for PyTorch's check that tensors are on the current device. */
#pragma once
#include <ATen/cuda/CUDAContext.h>
namespace at { namespace cuda { bool check_device(c10::ArrayRef<Tensor>); } }
