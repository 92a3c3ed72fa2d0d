/* Stands in for the library's header of the same name. */
#pragma once
#include <torch/csrc/stable/drano_stable.h>
