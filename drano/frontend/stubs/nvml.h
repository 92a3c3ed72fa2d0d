/* Stands in for the header of NVIDIA's management library. */
#ifndef DRANO_STUB_NVML_H
#define DRANO_STUB_NVML_H
#include <stddef.h>
#define NVML_API_VERSION 12
#define NVML_DEVICE_NAME_BUFFER_SIZE 64
#define NVML_DEVICE_NAME_V2_BUFFER_SIZE 96
#define NVML_DEVICE_UUID_BUFFER_SIZE 80
#define NVML_DEVICE_UUID_V2_BUFFER_SIZE 96
#define NVML_DEVICE_SERIAL_BUFFER_SIZE 30
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE 32
#define NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE 80
#define NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE 80
#define NVML_MAX_PHYSICAL_BRIDGE 128
#define NVML_NVLINK_MAX_LINKS 18
typedef struct nvmlDevice_st *nvmlDevice_t;
typedef struct nvmlUnit_st *nvmlUnit_t;
typedef struct nvmlEventSet_st *nvmlEventSet_t;
typedef enum nvmlReturn_enum {
    NVML_SUCCESS = 0,
    NVML_ERROR_UNINITIALIZED = 1,
    NVML_ERROR_INVALID_ARGUMENT = 2,
    NVML_ERROR_NOT_SUPPORTED = 3,
    NVML_ERROR_NO_PERMISSION = 4,
    NVML_ERROR_ALREADY_INITIALIZED = 5,
    NVML_ERROR_NOT_FOUND = 6,
    NVML_ERROR_INSUFFICIENT_SIZE = 7,
    NVML_ERROR_INSUFFICIENT_POWER = 8,
    NVML_ERROR_DRIVER_NOT_LOADED = 9,
    NVML_ERROR_TIMEOUT = 10,
    NVML_ERROR_IRQ_ISSUE = 11,
    NVML_ERROR_LIBRARY_NOT_FOUND = 12,
    NVML_ERROR_FUNCTION_NOT_FOUND = 13,
    NVML_ERROR_GPU_IS_LOST = 15,
    NVML_ERROR_UNKNOWN = 999
} nvmlReturn_t;
typedef enum { NVML_FEATURE_DISABLED, NVML_FEATURE_ENABLED } nvmlEnableState_t;
typedef enum { NVML_TEMPERATURE_GPU, NVML_TEMPERATURE_COUNT } nvmlTemperatureSensors_t;
typedef enum {
    NVML_TEMPERATURE_THRESHOLD_SHUTDOWN, NVML_TEMPERATURE_THRESHOLD_SLOWDOWN,
    NVML_TEMPERATURE_THRESHOLD_MEM_MAX, NVML_TEMPERATURE_THRESHOLD_GPU_MAX
} nvmlTemperatureThresholds_t;
typedef enum {
    NVML_CLOCK_GRAPHICS, NVML_CLOCK_SM, NVML_CLOCK_MEM, NVML_CLOCK_VIDEO, NVML_CLOCK_COUNT
} nvmlClockType_t;
typedef enum { NVML_CLOCK_ID_CURRENT, NVML_CLOCK_ID_APP_CLOCK_TARGET } nvmlClockId_t;
typedef enum {
    NVML_TOTAL_POWER_SAMPLES, NVML_GPU_UTILIZATION_SAMPLES, NVML_MEMORY_UTILIZATION_SAMPLES,
    NVML_ENC_UTILIZATION_SAMPLES, NVML_DEC_UTILIZATION_SAMPLES, NVML_PROCESSOR_CLK_SAMPLES,
    NVML_MEMORY_CLK_SAMPLES, NVML_MODULE_POWER_SAMPLES
} nvmlSamplingType_t;
typedef enum {
    NVML_VALUE_TYPE_DOUBLE, NVML_VALUE_TYPE_UNSIGNED_INT, NVML_VALUE_TYPE_UNSIGNED_LONG,
    NVML_VALUE_TYPE_UNSIGNED_LONG_LONG, NVML_VALUE_TYPE_SIGNED_LONG_LONG
} nvmlValueType_t;
typedef enum { NVML_PCIE_UTIL_TX_BYTES, NVML_PCIE_UTIL_RX_BYTES } nvmlPcieUtilCounter_t;
typedef enum { NVML_COMPUTEMODE_DEFAULT } nvmlComputeMode_t;
typedef enum { NVML_PSTATE_0, NVML_PSTATE_UNKNOWN = 32 } nvmlPstates_t;
typedef union {
    double dVal;
    int siVal;
    unsigned int uiVal;
    unsigned long ulVal;
    unsigned long long ullVal;
    signed long long sllVal;
} nvmlValue_t;
typedef struct { unsigned long long timeStamp; nvmlValue_t sampleValue; } nvmlSample_t;
typedef struct { unsigned int gpu, memory; } nvmlUtilization_t;
typedef struct { unsigned long long total, free, used; } nvmlMemory_t;
typedef struct { unsigned int version; unsigned long long total, reserved, free, used; } nvmlMemory_v2_t;
typedef struct {
    unsigned int pid;
    unsigned long long usedGpuMemory;
    unsigned int gpuInstanceId, computeInstanceId;
} nvmlProcessInfo_t;
typedef struct {
    char busIdLegacy[16];
    unsigned int domain, bus, device, pciDeviceId, pciSubSystemId;
    char busId[NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE];
} nvmlPciInfo_t;
#define nvmlClocksThrottleReasonNone 0x0ULL
#define nvmlClocksThrottleReasonGpuIdle 0x1ULL
#define nvmlClocksThrottleReasonApplicationsClocksSetting 0x2ULL
#define nvmlClocksThrottleReasonSwPowerCap 0x4ULL
#define nvmlClocksThrottleReasonHwSlowdown 0x8ULL
#define nvmlClocksThrottleReasonSyncBoost 0x10ULL
#define nvmlClocksThrottleReasonSwThermalSlowdown 0x20ULL
#define nvmlClocksThrottleReasonHwThermalSlowdown 0x40ULL
#define nvmlClocksThrottleReasonHwPowerBrakeSlowdown 0x80ULL
#define nvmlClocksThrottleReasonDisplayClockSetting 0x100ULL
#define nvmlClocksThrottleReasonAll 0x1ffULL
#define nvmlInit nvmlInit_v2
#define nvmlDeviceGetCount nvmlDeviceGetCount_v2
#define nvmlDeviceGetHandleByIndex nvmlDeviceGetHandleByIndex_v2
#define nvmlDeviceGetHandleByPciBusId nvmlDeviceGetHandleByPciBusId_v2
#define nvmlDeviceGetPciInfo nvmlDeviceGetPciInfo_v3
#define nvmlDeviceGetComputeRunningProcesses nvmlDeviceGetComputeRunningProcesses_v3
extern "C" {
const char *nvmlErrorString(nvmlReturn_t);
nvmlReturn_t nvmlInit_v2(...), nvmlInitWithFlags(...), nvmlShutdown(...),
    nvmlSystemGetDriverVersion(...), nvmlSystemGetNVMLVersion(...),
    nvmlSystemGetCudaDriverVersion(...), nvmlDeviceGetCount_v2(...),
    nvmlDeviceGetHandleByIndex_v2(...), nvmlDeviceGetHandleByPciBusId_v2(...),
    nvmlDeviceGetHandleByUUID(...), nvmlDeviceGetName(...), nvmlDeviceGetUUID(...),
    nvmlDeviceGetIndex(...), nvmlDeviceGetSerial(...), nvmlDeviceGetPciInfo_v3(...),
    nvmlDeviceGetClockInfo(...), nvmlDeviceGetMaxClockInfo(...), nvmlDeviceGetClock(...),
    nvmlDeviceGetApplicationsClock(...), nvmlDeviceSetApplicationsClocks(...),
    nvmlDeviceResetApplicationsClocks(...), nvmlDeviceSetGpuLockedClocks(...),
    nvmlDeviceResetGpuLockedClocks(...), nvmlDeviceGetCurrentClocksThrottleReasons(...),
    nvmlDeviceGetTemperature(...), nvmlDeviceGetTemperatureThreshold(...),
    nvmlDeviceGetFanSpeed(...), nvmlDeviceGetPowerUsage(...),
    nvmlDeviceGetPowerManagementLimit(...), nvmlDeviceGetEnforcedPowerLimit(...),
    nvmlDeviceGetTotalEnergyConsumption(...), nvmlDeviceGetPerformanceState(...),
    nvmlDeviceGetPowerState(...), nvmlDeviceGetUtilizationRates(...),
    nvmlDeviceGetMemoryInfo(...), nvmlDeviceGetMemoryInfo_v2(...), nvmlDeviceGetSamples(...),
    nvmlDeviceGetComputeRunningProcesses_v3(...), nvmlDeviceGetPcieThroughput(...),
    nvmlDeviceGetMaxPcieLinkGeneration(...), nvmlDeviceGetCurrPcieLinkWidth(...),
    nvmlDeviceGetCurrPcieLinkGeneration(...), nvmlDeviceGetCudaComputeCapability(...),
    nvmlDeviceGetComputeMode(...), nvmlDeviceGetPersistenceMode(...), nvmlDeviceGetNvLinkState(...),
    nvmlDeviceGetNvLinkRemotePciInfo_v2(...), nvmlDeviceSetCpuAffinity(...),
    nvmlDeviceGetCpuAffinity(...), nvmlDeviceGetMemoryBusWidth(...), nvmlDeviceGetNumGpuCores(...);
}
#endif
