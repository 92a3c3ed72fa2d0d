/* Stands in for what cuFFT's and cuBLAS's interfaces for several GPUs share. */
#ifndef DRANO_STUB_CUDALIBXT_H
#define DRANO_STUB_CUDALIBXT_H
#include <stddef.h>
#define CUDA_XT_DESCRIPTOR_VERSION 0x01000000
#define MAX_CUDA_DESCRIPTOR_GPUS 64
typedef enum { LIB_FORMAT_CUFFT, LIB_FORMAT_UNDEFINED } libFormat;
typedef struct cudaXtDesc_t {
    int version, nGPUs, GPUs[MAX_CUDA_DESCRIPTOR_GPUS];
    void *data[MAX_CUDA_DESCRIPTOR_GPUS];
    size_t size[MAX_CUDA_DESCRIPTOR_GPUS];
    void *cudaXtState;
} cudaXtDesc;
typedef struct cudaLibXtDesc_t {
    int version;
    cudaXtDesc *descriptor;
    libFormat library;
    int subFormat;
    void *libDescriptor;
} cudaLibXtDesc;
#endif
