/* Stands in for the tools extension library's header: ranges that a profiler shows. */
#ifndef DRANO_STUB_NVTOOLSEXT_H
#define DRANO_STUB_NVTOOLSEXT_H
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>
#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef enum {
    NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB
} nvtxColorType_t;
typedef enum {
    NVTX_MESSAGE_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII, NVTX_MESSAGE_TYPE_UNICODE,
    NVTX_MESSAGE_TYPE_REGISTERED
} nvtxMessageType_t;
typedef enum {
    NVTX_PAYLOAD_UNKNOWN, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64, NVTX_PAYLOAD_TYPE_INT64,
    NVTX_PAYLOAD_TYPE_DOUBLE, NVTX_PAYLOAD_TYPE_UNSIGNED_INT32, NVTX_PAYLOAD_TYPE_INT32,
    NVTX_PAYLOAD_TYPE_FLOAT
} nvtxPayloadType_t;
typedef union { const char *ascii; const wchar_t *unicode; nvtxStringHandle_t registered; } nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;
extern "C" {
void nvtxInitialize(const void *), nvtxMarkA(const char *), nvtxMarkW(const wchar_t *),
    nvtxMarkEx(const nvtxEventAttributes_t *), nvtxRangeEnd(nvtxRangeId_t),
    nvtxNameCategoryA(uint32_t, const char *), nvtxNameOsThreadA(uint32_t, const char *),
    nvtxDomainDestroy(nvtxDomainHandle_t), nvtxDomainMarkEx(...), nvtxDomainRangeEnd(...),
    nvtxDomainNameCategoryA(...);
int nvtxRangePushA(const char *), nvtxRangePushW(const wchar_t *),
    nvtxRangePushEx(const nvtxEventAttributes_t *), nvtxRangePop(void), nvtxDomainRangePushEx(...),
    nvtxDomainRangePop(nvtxDomainHandle_t);
nvtxRangeId_t nvtxRangeStartA(const char *), nvtxRangeStartEx(const nvtxEventAttributes_t *),
    nvtxDomainRangeStartEx(...);
nvtxDomainHandle_t nvtxDomainCreateA(const char *);
nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t, const char *);
}
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#endif
