/* Stands in for cuBLAS's header of the same name. */
#ifndef DRANO_STUB_CUBLAS_V2_H
#define DRANO_STUB_CUBLAS_V2_H
#define CUBLAS_V2_H_
#include "cublas_api.h"
#endif
