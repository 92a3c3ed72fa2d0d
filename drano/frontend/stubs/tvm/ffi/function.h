/* Stands in for a header of TVM. */
#include "tvm_ffi.h"
