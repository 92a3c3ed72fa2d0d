/* Stands in for cuDNN's header. */
#ifndef DRANO_STUB_CUDNN_H
#define DRANO_STUB_CUDNN_H
#define CUDNN_H_
#include <cuda_runtime.h>
#include <library_types.h>
#include <stddef.h>
#include <stdint.h>
#define CUDNN_MAJOR 9
#define CUDNN_MINOR 0
#define CUDNN_PATCHLEVEL 0
#define CUDNN_VERSION 90000
#define CUDNN_DIM_MAX 8
#define CUDNN_BN_MIN_EPSILON 0.0
typedef struct cudnnContext *cudnnHandle_t;
typedef struct cudnnTensorStruct *cudnnTensorDescriptor_t;
typedef struct cudnnFilterStruct *cudnnFilterDescriptor_t;
typedef struct cudnnConvolutionStruct *cudnnConvolutionDescriptor_t;
typedef struct cudnnPoolingStruct *cudnnPoolingDescriptor_t;
typedef struct cudnnLRNStruct *cudnnLRNDescriptor_t;
typedef struct cudnnActivationStruct *cudnnActivationDescriptor_t;
typedef struct cudnnSpatialTransformerStruct *cudnnSpatialTransformerDescriptor_t;
typedef struct cudnnOpTensorStruct *cudnnOpTensorDescriptor_t;
typedef struct cudnnReduceTensorStruct *cudnnReduceTensorDescriptor_t;
typedef struct cudnnDropoutStruct *cudnnDropoutDescriptor_t;
typedef struct cudnnRNNStruct *cudnnRNNDescriptor_t;
typedef struct cudnnRNNDataStruct *cudnnRNNDataDescriptor_t;
typedef struct cudnnCTCLossStruct *cudnnCTCLossDescriptor_t;
typedef struct cudnnAttnStruct *cudnnAttnDescriptor_t;
typedef struct cudnnSeqDataStruct *cudnnSeqDataDescriptor_t;
typedef void *cudnnBackendDescriptor_t;
typedef enum {
    CUDNN_STATUS_SUCCESS = 0,
    CUDNN_STATUS_NOT_INITIALIZED = 1001,
    CUDNN_STATUS_BAD_PARAM = 2000,
    CUDNN_STATUS_INVALID_VALUE = 2001,
    CUDNN_STATUS_NOT_SUPPORTED = 3000,
    CUDNN_STATUS_ARCH_MISMATCH = 3004,
    CUDNN_STATUS_INTERNAL_ERROR = 4000,
    CUDNN_STATUS_MAPPING_ERROR = 4006,
    CUDNN_STATUS_ALLOC_FAILED = 4008,
    CUDNN_STATUS_EXECUTION_FAILED = 5000,
    CUDNN_STATUS_LICENSE_ERROR = 5999
} cudnnStatus_t;
typedef enum {
    CUDNN_DATA_FLOAT, CUDNN_DATA_DOUBLE, CUDNN_DATA_HALF, CUDNN_DATA_INT8, CUDNN_DATA_INT32,
    CUDNN_DATA_INT8x4, CUDNN_DATA_UINT8, CUDNN_DATA_UINT8x4, CUDNN_DATA_INT8x32,
    CUDNN_DATA_BFLOAT16, CUDNN_DATA_INT64, CUDNN_DATA_BOOLEAN, CUDNN_DATA_FP8_E4M3,
    CUDNN_DATA_FP8_E5M2
} cudnnDataType_t;
typedef enum { CUDNN_DEFAULT_MATH, CUDNN_TENSOR_OP_MATH, CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION, CUDNN_FMA_MATH } cudnnMathType_t;
typedef enum { CUDNN_NOT_PROPAGATE_NAN, CUDNN_PROPAGATE_NAN } cudnnNanPropagation_t;
typedef enum { CUDNN_NON_DETERMINISTIC, CUDNN_DETERMINISTIC } cudnnDeterminism_t;
typedef enum { CUDNN_TENSOR_NCHW, CUDNN_TENSOR_NHWC, CUDNN_TENSOR_NCHW_VECT_C } cudnnTensorFormat_t;
typedef enum { CUDNN_CONVOLUTION, CUDNN_CROSS_CORRELATION } cudnnConvolutionMode_t;
typedef enum {
    CUDNN_OP_TENSOR_ADD, CUDNN_OP_TENSOR_MUL, CUDNN_OP_TENSOR_MIN, CUDNN_OP_TENSOR_MAX,
    CUDNN_OP_TENSOR_SQRT, CUDNN_OP_TENSOR_NOT
} cudnnOpTensorOp_t;
typedef enum {
    CUDNN_REDUCE_TENSOR_ADD, CUDNN_REDUCE_TENSOR_MUL, CUDNN_REDUCE_TENSOR_MIN,
    CUDNN_REDUCE_TENSOR_MAX, CUDNN_REDUCE_TENSOR_AMAX, CUDNN_REDUCE_TENSOR_AVG,
    CUDNN_REDUCE_TENSOR_NORM1, CUDNN_REDUCE_TENSOR_NORM2
} cudnnReduceTensorOp_t;
typedef enum { CUDNN_REDUCE_TENSOR_NO_INDICES, CUDNN_REDUCE_TENSOR_FLATTENED_INDICES } cudnnReduceTensorIndices_t;
typedef enum { CUDNN_32BIT_INDICES, CUDNN_64BIT_INDICES } cudnnIndicesType_t;
typedef enum { CUDNN_SOFTMAX_FAST, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_LOG } cudnnSoftmaxAlgorithm_t;
typedef enum { CUDNN_SOFTMAX_MODE_INSTANCE, CUDNN_SOFTMAX_MODE_CHANNEL } cudnnSoftmaxMode_t;
typedef enum {
    CUDNN_POOLING_MAX, CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING,
    CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING, CUDNN_POOLING_MAX_DETERMINISTIC
} cudnnPoolingMode_t;
typedef enum {
    CUDNN_ACTIVATION_SIGMOID, CUDNN_ACTIVATION_RELU, CUDNN_ACTIVATION_TANH,
    CUDNN_ACTIVATION_CLIPPED_RELU, CUDNN_ACTIVATION_ELU, CUDNN_ACTIVATION_IDENTITY,
    CUDNN_ACTIVATION_SWISH
} cudnnActivationMode_t;
typedef enum { CUDNN_LRN_CROSS_CHANNEL_DIM1 } cudnnLRNMode_t;
typedef enum {
    CUDNN_BATCHNORM_PER_ACTIVATION, CUDNN_BATCHNORM_SPATIAL, CUDNN_BATCHNORM_SPATIAL_PERSISTENT
} cudnnBatchNormMode_t;
typedef enum {
    CUDNN_BATCHNORM_OPS_BN, CUDNN_BATCHNORM_OPS_BN_ACTIVATION, CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION
} cudnnBatchNormOps_t;
typedef enum {
    CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM,
    CUDNN_CONVOLUTION_FWD_ALGO_GEMM, CUDNN_CONVOLUTION_FWD_ALGO_DIRECT,
    CUDNN_CONVOLUTION_FWD_ALGO_FFT, CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING,
    CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD, CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED,
    CUDNN_CONVOLUTION_FWD_ALGO_COUNT
} cudnnConvolutionFwdAlgo_t;
typedef enum {
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, CUDNN_CONVOLUTION_BWD_DATA_ALGO_1,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT, CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT_TILING,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD, CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD_NONFUSED,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT
} cudnnConvolutionBwdDataAlgo_t;
typedef enum {
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT_TILING, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT
} cudnnConvolutionBwdFilterAlgo_t;
typedef enum {
    CUDNN_CONVOLUTION_FWD_NO_WORKSPACE, CUDNN_CONVOLUTION_FWD_PREFER_FASTEST,
    CUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT
} cudnnConvolutionFwdPreference_t;
typedef enum {
    CUDNN_CONVOLUTION_BWD_DATA_NO_WORKSPACE, CUDNN_CONVOLUTION_BWD_DATA_PREFER_FASTEST,
    CUDNN_CONVOLUTION_BWD_DATA_SPECIFY_WORKSPACE_LIMIT
} cudnnConvolutionBwdDataPreference_t;
typedef enum {
    CUDNN_CONVOLUTION_BWD_FILTER_NO_WORKSPACE, CUDNN_CONVOLUTION_BWD_FILTER_PREFER_FASTEST,
    CUDNN_CONVOLUTION_BWD_FILTER_SPECIFY_WORKSPACE_LIMIT
} cudnnConvolutionBwdFilterPreference_t;
typedef enum { CUDNN_RNN_RELU, CUDNN_RNN_TANH, CUDNN_LSTM, CUDNN_GRU } cudnnRNNMode_t;
typedef enum { CUDNN_UNIDIRECTIONAL, CUDNN_BIDIRECTIONAL } cudnnDirectionMode_t;
typedef enum { CUDNN_LINEAR_INPUT, CUDNN_SKIP_INPUT } cudnnRNNInputMode_t;
typedef enum {
    CUDNN_RNN_ALGO_STANDARD, CUDNN_RNN_ALGO_PERSIST_STATIC, CUDNN_RNN_ALGO_PERSIST_DYNAMIC
} cudnnRNNAlgo_t;
#define DRANO_PERF(kind) \
    typedef struct { \
        cudnnConvolution##kind##Algo_t algo; \
        cudnnStatus_t status; \
        float time; \
        size_t memory; \
        cudnnDeterminism_t determinism; \
        cudnnMathType_t mathType; \
        int reserved[3]; \
    } cudnnConvolution##kind##AlgoPerf_t;
DRANO_PERF(Fwd) DRANO_PERF(BwdData) DRANO_PERF(BwdFilter)
#undef DRANO_PERF
#define DRANO_OBJECT(name) cudnnStatus_t cudnnCreate##name##Descriptor(...), cudnnDestroy##name##Descriptor(...);
#define DRANO_CONVOLUTION(kind) \
    cudnnStatus_t cudnnGetConvolution##kind##Algorithm(...), \
        cudnnGetConvolution##kind##Algorithm_v7(...), \
        cudnnGetConvolution##kind##AlgorithmMaxCount(...), \
        cudnnFindConvolution##kind##Algorithm(...), cudnnFindConvolution##kind##AlgorithmEx(...), \
        cudnnGetConvolution##kind##WorkspaceSize(...), cudnnConvolution##kind(...);
extern "C" {
const char *cudnnGetErrorString(cudnnStatus_t);
size_t cudnnGetVersion(void), cudnnGetCudartVersion(void);
DRANO_OBJECT(Tensor) DRANO_OBJECT(Filter) DRANO_OBJECT(Convolution) DRANO_OBJECT(Pooling)
DRANO_OBJECT(LRN) DRANO_OBJECT(Activation) DRANO_OBJECT(SpatialTransformer) DRANO_OBJECT(OpTensor)
DRANO_OBJECT(ReduceTensor) DRANO_OBJECT(Dropout) DRANO_OBJECT(RNN) DRANO_OBJECT(RNNData)
DRANO_OBJECT(CTCLoss) DRANO_OBJECT(Attn) DRANO_OBJECT(SeqData)
DRANO_CONVOLUTION(Forward) DRANO_CONVOLUTION(BackwardData) DRANO_CONVOLUTION(BackwardFilter)
cudnnStatus_t cudnnCreate(...), cudnnDestroy(...), cudnnSetStream(...), cudnnGetStream(...),
    cudnnGetProperty(...), cudnnSetTensor4dDescriptor(...), cudnnSetTensor4dDescriptorEx(...),
    cudnnGetTensor4dDescriptor(...), cudnnSetTensorNdDescriptor(...),
    cudnnSetTensorNdDescriptorEx(...), cudnnGetTensorNdDescriptor(...),
    cudnnGetTensorSizeInBytes(...), cudnnTransformTensor(...), cudnnAddTensor(...),
    cudnnOpTensor(...), cudnnSetOpTensorDescriptor(...), cudnnReduceTensor(...),
    cudnnSetReduceTensorDescriptor(...), cudnnGetReductionWorkspaceSize(...),
    cudnnGetReductionIndicesSize(...), cudnnSetTensor(...), cudnnScaleTensor(...),
    cudnnSetFilter4dDescriptor(...), cudnnGetFilter4dDescriptor(...),
    cudnnSetFilterNdDescriptor(...), cudnnGetFilterNdDescriptor(...),
    cudnnSetConvolution2dDescriptor(...), cudnnGetConvolution2dDescriptor(...),
    cudnnSetConvolutionNdDescriptor(...), cudnnGetConvolution2dForwardOutputDim(...),
    cudnnGetConvolutionNdForwardOutputDim(...), cudnnSetConvolutionMathType(...),
    cudnnSetConvolutionGroupCount(...), cudnnConvolutionBiasActivationForward(...),
    cudnnConvolutionBackwardBias(...), cudnnSoftmaxForward(...), cudnnSoftmaxBackward(...),
    cudnnSetPooling2dDescriptor(...), cudnnSetPoolingNdDescriptor(...),
    cudnnGetPooling2dForwardOutputDim(...), cudnnPoolingForward(...), cudnnPoolingBackward(...),
    cudnnSetActivationDescriptor(...), cudnnActivationForward(...), cudnnActivationBackward(...),
    cudnnSetLRNDescriptor(...), cudnnLRNCrossChannelForward(...),
    cudnnLRNCrossChannelBackward(...), cudnnDeriveBNTensorDescriptor(...),
    cudnnBatchNormalizationForwardTraining(...), cudnnBatchNormalizationForwardInference(...),
    cudnnBatchNormalizationBackward(...), cudnnBatchNormalizationForwardTrainingEx(...),
    cudnnDropoutGetStatesSize(...), cudnnDropoutGetReserveSpaceSize(...),
    cudnnSetDropoutDescriptor(...), cudnnDropoutForward(...), cudnnDropoutBackward(...),
    cudnnSetRNNDescriptor_v6(...), cudnnSetRNNDescriptor_v8(...), cudnnSetRNNMatrixMathType(...),
    cudnnGetRNNWorkspaceSize(...), cudnnGetRNNTrainingReserveSize(...),
    cudnnGetRNNParamsSize(...), cudnnGetRNNLinLayerMatrixParams(...),
    cudnnGetRNNLinLayerBiasParams(...), cudnnRNNForward(...), cudnnRNNForwardTraining(...),
    cudnnRNNForwardInference(...), cudnnRNNBackwardData(...), cudnnRNNBackwardWeights(...),
    cudnnSetRNNDataDescriptor(...), cudnnBackendCreateDescriptor(...),
    cudnnBackendDestroyDescriptor(...), cudnnBackendSetAttribute(...),
    cudnnBackendGetAttribute(...), cudnnBackendFinalize(...), cudnnBackendExecute(...);
}
#undef DRANO_OBJECT
#undef DRANO_CONVOLUTION
#endif
