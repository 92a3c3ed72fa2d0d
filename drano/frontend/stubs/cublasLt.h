/* Stands in for cuBLASLt's header. */
#ifndef DRANO_STUB_CUBLASLT_H
#define DRANO_STUB_CUBLASLT_H
#define CUBLASLT_H_
#include "cublas_api.h"
#include <stdio.h>
typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct { uint64_t data[8]; } cublasLtMatrixLayoutOpaque_t, cublasLtMatrixTransformDescOpaque_t;
typedef struct { uint64_t data[32]; } cublasLtMatmulDescOpaque_t;
typedef struct { uint64_t data[8]; } cublasLtMatmulPreferenceOpaque_t;
typedef struct { uint64_t data[8]; } cublasLtMatmulAlgo_t;
typedef cublasLtMatrixLayoutOpaque_t *cublasLtMatrixLayout_t;
typedef cublasLtMatrixTransformDescOpaque_t *cublasLtMatrixTransformDesc_t;
typedef cublasLtMatmulDescOpaque_t *cublasLtMatmulDesc_t;
typedef cublasLtMatmulPreferenceOpaque_t *cublasLtMatmulPreference_t;
typedef struct {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
    int reserved[4];
} cublasLtMatmulHeuristicResult_t;
typedef enum {
    CUBLASLT_MATRIX_LAYOUT_TYPE, CUBLASLT_MATRIX_LAYOUT_ORDER, CUBLASLT_MATRIX_LAYOUT_ROWS,
    CUBLASLT_MATRIX_LAYOUT_COLS, CUBLASLT_MATRIX_LAYOUT_LD, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
    CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET
} cublasLtMatrixLayoutAttribute_t;
typedef enum {
    CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW, CUBLASLT_ORDER_COL32, CUBLASLT_ORDER_COL4_4R2_8C,
    CUBLASLT_ORDER_COL32_2R_4R4
} cublasLtOrder_t;
typedef enum {
    CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, CUBLASLT_MATMUL_DESC_SCALE_TYPE,
    CUBLASLT_MATMUL_DESC_POINTER_MODE, CUBLASLT_MATMUL_DESC_TRANSA, CUBLASLT_MATMUL_DESC_TRANSB,
    CUBLASLT_MATMUL_DESC_TRANSC, CUBLASLT_MATMUL_DESC_FILL_MODE, CUBLASLT_MATMUL_DESC_EPILOGUE,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE,
    CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
    CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, CUBLASLT_MATMUL_DESC_C_SCALE_POINTER,
    CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, CUBLASLT_MATMUL_DESC_FAST_ACCUM,
    CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, CUBLASLT_MATMUL_DESC_A_SCALE_MODE = 31,
    CUBLASLT_MATMUL_DESC_B_SCALE_MODE, CUBLASLT_MATMUL_DESC_C_SCALE_MODE,
    CUBLASLT_MATMUL_DESC_D_SCALE_MODE, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE,
    CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE
} cublasLtMatmulDescAttributes_t;
typedef enum {
    CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F, CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3,
    CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0, CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F,
    CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F, CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F
} cublasLtMatmulMatrixScale_t;
typedef enum {
    CUBLASLT_POINTER_MODE_HOST, CUBLASLT_POINTER_MODE_DEVICE, CUBLASLT_POINTER_MODE_DEVICE_VECTOR,
    CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO,
    CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST
} cublasLtPointerMode_t;
typedef enum {
    CUBLASLT_EPILOGUE_DEFAULT = 1,
    CUBLASLT_EPILOGUE_RELU = 2,
    CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_RELU_BIAS = 6,
    CUBLASLT_EPILOGUE_DRELU = 136,
    CUBLASLT_EPILOGUE_DRELU_BGRAD = 152,
    CUBLASLT_EPILOGUE_RELU_AUX = 130,
    CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 134,
    CUBLASLT_EPILOGUE_GELU = 32,
    CUBLASLT_EPILOGUE_GELU_BIAS = 36,
    CUBLASLT_EPILOGUE_GELU_AUX = 160,
    CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
    CUBLASLT_EPILOGUE_DGELU = 192,
    CUBLASLT_EPILOGUE_DGELU_BGRAD = 208,
    CUBLASLT_EPILOGUE_BGRADA = 256,
    CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;
typedef enum {
    CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
    CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
    CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
    CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT = 9,
    CUBLASLT_MATMUL_PREF_IMPL_MASK = 12
} cublasLtMatmulPreferenceAttributes_t;
typedef enum {
    CUBLASLT_REDUCTION_SCHEME_NONE = 0, CUBLASLT_REDUCTION_SCHEME_INPLACE = 1,
    CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE = 2, CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE = 4,
    CUBLASLT_REDUCTION_SCHEME_MASK = 7
} cublasLtReductionScheme_t;
typedef enum {
    CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE,
    CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB
} cublasLtMatrixTransformDescAttributes_t;
typedef enum {
    CUBLASLT_ALGO_CONFIG_ID, CUBLASLT_ALGO_CONFIG_TILE_ID, CUBLASLT_ALGO_CONFIG_SPLITK_NUM,
    CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING,
    CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, CUBLASLT_ALGO_CONFIG_STAGES_ID
} cublasLtMatmulAlgoConfigAttributes_t;
typedef enum {
    CUBLASLT_ALGO_CAP_SPLITK_SUPPORT, CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK,
    CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT, CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT,
    CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT, CUBLASLT_ALGO_CAP_UPLO_SUPPORT,
    CUBLASLT_ALGO_CAP_TILE_IDS, CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX
} cublasLtMatmulAlgoCapAttributes_t;
typedef enum { CUBLASLT_MATMUL_TILE_UNDEFINED } cublasLtMatmulTile_t;
typedef enum { CUBLASLT_MATMUL_STAGES_UNDEFINED } cublasLtMatmulStages_t;
typedef enum { CUBLASLT_SEARCH_BEST_FIT, CUBLASLT_SEARCH_LIMITED_BY_ALGO_ID } cublasLtMatmulSearch_t;
extern "C" {
size_t cublasLtGetVersion(void), cublasLtGetCudartVersion(void);
const char *cublasLtGetStatusName(cublasStatus_t), *cublasLtGetStatusString(cublasStatus_t);
cublasStatus_t cublasLtCreate(...), cublasLtDestroy(...), cublasLtGetProperty(...),
    cublasLtMatmul(...), cublasLtMatrixTransform(...), cublasLtMatrixLayoutInit(...),
    cublasLtMatrixLayoutCreate(...), cublasLtMatrixLayoutDestroy(...),
    cublasLtMatrixLayoutSetAttribute(...), cublasLtMatrixLayoutGetAttribute(...),
    cublasLtMatmulDescInit(...), cublasLtMatmulDescCreate(...), cublasLtMatmulDescDestroy(...),
    cublasLtMatmulDescSetAttribute(...), cublasLtMatmulDescGetAttribute(...),
    cublasLtMatrixTransformDescInit(...), cublasLtMatrixTransformDescCreate(...),
    cublasLtMatrixTransformDescDestroy(...), cublasLtMatrixTransformDescSetAttribute(...),
    cublasLtMatrixTransformDescGetAttribute(...), cublasLtMatmulPreferenceInit(...),
    cublasLtMatmulPreferenceCreate(...), cublasLtMatmulPreferenceDestroy(...),
    cublasLtMatmulPreferenceSetAttribute(...), cublasLtMatmulPreferenceGetAttribute(...),
    cublasLtMatmulAlgoGetHeuristic(...), cublasLtMatmulAlgoGetIds(...), cublasLtMatmulAlgoInit(...),
    cublasLtMatmulAlgoCheck(...), cublasLtMatmulAlgoCapGetAttribute(...),
    cublasLtMatmulAlgoConfigSetAttribute(...), cublasLtMatmulAlgoConfigGetAttribute(...),
    cublasLtLoggerSetCallback(...), cublasLtLoggerSetFile(...), cublasLtLoggerSetLevel(...),
    cublasLtLoggerSetMask(...), cublasLtHeuristicsCacheSetCapacity(...);
}
#endif
