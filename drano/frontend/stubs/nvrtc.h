/* Stands in for the header of the run-time compiler. */
#ifndef DRANO_STUB_NVRTC_H
#define DRANO_STUB_NVRTC_H
#define __NVRTC_H__
#include <stdlib.h>
#include <string>
typedef struct _nvrtcProgram *nvrtcProgram;
typedef enum {
    NVRTC_SUCCESS, NVRTC_ERROR_OUT_OF_MEMORY, NVRTC_ERROR_PROGRAM_CREATION_FAILURE,
    NVRTC_ERROR_INVALID_INPUT, NVRTC_ERROR_INVALID_PROGRAM, NVRTC_ERROR_INVALID_OPTION,
    NVRTC_ERROR_COMPILATION, NVRTC_ERROR_BUILTIN_OPERATION_FAILURE,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID,
    NVRTC_ERROR_INTERNAL_ERROR
} nvrtcResult;
extern "C" {
const char *nvrtcGetErrorString(nvrtcResult);
nvrtcResult nvrtcVersion(...), nvrtcGetNumSupportedArchs(...), nvrtcGetSupportedArchs(...),
    nvrtcCreateProgram(...), nvrtcDestroyProgram(...), nvrtcCompileProgram(...),
    nvrtcGetPTXSize(...), nvrtcGetPTX(...), nvrtcGetCUBINSize(...), nvrtcGetCUBIN(...),
    nvrtcGetLTOIRSize(...), nvrtcGetLTOIR(...), nvrtcGetProgramLogSize(...),
    nvrtcGetProgramLog(...), nvrtcAddNameExpression(...), nvrtcGetLoweredName(...);
}
template <typename T> nvrtcResult nvrtcGetTypeName(std::string *);
#endif
