/* The host's runtime as sources of CUDA 1 to 12 know it, where the SDK at hand has removed it. */

#if CUDART_VERSION >= 11000
struct drano_pointer_attributes : public cudaPointerAttributes {
  enum cudaMemoryType memoryType;
  int isManaged;
};
#define cudaPointerAttributes drano_pointer_attributes
__host__ cudaError_t cudaSetupArgument(const void *, size_t, size_t);
__host__ cudaError_t cudaLaunch(const void *);
#endif

#if CUDART_VERSION >= 12000
__host__ cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphNode_t *,
                                         enum cudaGraphExecUpdateResult *);
static inline __host__ cudaError_t cudaStreamBeginCapture(cudaStream_t stream) {
  return cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
}
enum cudaOutputMode { cudaKeyValuePair = 0x00, cudaCSV = 0x01 };
typedef enum cudaOutputMode cudaOutputMode_t;
__host__ cudaError_t cudaProfilerInitialize(const char *, const char *, cudaOutputMode_t);
#endif

#if CUDART_VERSION >= 12000
/* From a kernel: waits for the kernels that it has launched. */
extern "C" __device__ cudaError_t cudaDeviceSynchronize(void);
#endif

#if CUDART_VERSION >= 13000
static inline __host__ cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
static inline __host__ cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
static inline __host__ cudaError_t cudaThreadSetLimit(enum cudaLimit what, size_t value) {
  return cudaDeviceSetLimit(what, value);
}
static inline __host__ cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit what) {
  return cudaDeviceGetLimit(value, what);
}
static inline __host__ cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache value) {
  return cudaDeviceSetCacheConfig(value);
}
static inline __host__ cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *value) {
  return cudaDeviceGetCacheConfig(value);
}
struct drano_device_prop : public cudaDeviceProp {
  int clockRate;
  int computeMode;
  int cooperativeMultiDeviceLaunch;
  int deviceOverlap;
  int kernelExecTimeoutEnabled;
  int maxTexture1DLinear;
  int memoryClockRate;
  int singleToDoublePrecisionPerfRatio;
};
#define cudaDeviceProp drano_device_prop

static inline __host__ struct cudaMemLocation drano_location(int device) {
  struct cudaMemLocation location;
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}
static inline __host__ cudaError_t cudaMemPrefetchAsync(const void *p, size_t count, int device,
                                                        cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(p, count, drano_location(device), 0, stream);
}
static inline __host__ cudaError_t cudaMemAdvise(const void *p, size_t count,
                                                 enum cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(p, count, advice, drano_location(device));
}
static inline __host__ cudaError_t cudaGraphAddDependencies(
    cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count) {
  return cudaGraphAddDependencies(graph, from, to, (const cudaGraphEdgeData *)0, count);
}
static inline __host__ cudaError_t cudaGraphRemoveDependencies(
    cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, (const cudaGraphEdgeData *)0, count);
}
static inline __host__ cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                                                     cudaGraphNode_t *to, size_t *count) {
  return cudaGraphGetEdges(graph, from, to, (cudaGraphEdgeData *)0, count);
}
static inline __host__ cudaError_t cudaGraphNodeGetDependencies(
    cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count) {
  return cudaGraphNodeGetDependencies(node, nodes, (cudaGraphEdgeData *)0, count);
}
static inline __host__ cudaError_t cudaGraphNodeGetDependentNodes(
    cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count) {
  return cudaGraphNodeGetDependentNodes(node, nodes, (cudaGraphEdgeData *)0, count);
}
static inline __host__ cudaError_t cudaGraphAddNode(
    cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t count,
    struct cudaGraphNodeParams *parameters) {
  return cudaGraphAddNode(node, graph, nodes, (const cudaGraphEdgeData *)0, count, parameters);
}
static inline __host__ cudaError_t cudaStreamGetCaptureInfo(
    cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
    cudaGraph_t *graph, const cudaGraphNode_t **nodes, size_t *count) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, (const cudaGraphEdgeData **)0,
                                  count);
}
static inline __host__ cudaError_t cudaStreamGetCaptureInfo_v2(
    cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id = 0,
    cudaGraph_t *graph = 0, const cudaGraphNode_t **nodes = 0, size_t *count = 0) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, (const cudaGraphEdgeData **)0,
                                  count);
}
static inline __host__ cudaError_t cudaStreamGetCaptureInfo_v3(
    cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id = 0,
    cudaGraph_t *graph = 0, const cudaGraphNode_t **nodes = 0,
    const cudaGraphEdgeData **edges = 0, size_t *count = 0) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, edges, count);
}
static inline __host__ cudaError_t cudaStreamUpdateCaptureDependencies(
    cudaStream_t stream, cudaGraphNode_t *nodes, size_t count, unsigned int flags = 0) {
  return cudaStreamUpdateCaptureDependencies(stream, nodes, (const cudaGraphEdgeData *)0, count,
                                             flags);
}
struct cudaLaunchParams {
  void *func;
  dim3 gridDim;
  dim3 blockDim;
  void **args;
  size_t sharedMem;
  cudaStream_t stream;
};
__host__ cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *, unsigned int,
                                                            unsigned int = 0);
#endif
