// old: nvcc 13 refuses it
// Calls of the runtime as CUDA 7 to 12 declared them.
#include <cuda_runtime.h>
#include <cuda_profiler_api.h>
#include <stdio.h>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main() {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  printf("%d %d %d %d\n", prop.clockRate, prop.memoryClockRate, prop.computeMode, prop.deviceOverlap);
  printf("%d %d\n", prop.kernelExecTimeoutEnabled, prop.singleToDoublePrecisionPerfRatio);
  float *p; cudaMallocManaged(&p, 1024);
  cudaMemPrefetchAsync(p, 1024, 0, 0);
  cudaMemPrefetchAsync(p, 1024, 0);
  cudaMemPrefetchAsync(p, 1024, cudaCpuDeviceId);
  cudaMemAdvise(p, 1024, cudaMemAdviseSetReadMostly, 0);
  cudaMemAdvise(p, 1024, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
  cudaGraph_t graph; cudaGraphExec_t exec; cudaGraphNode_t node, nodes[2];
  cudaStream_t s; cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaStreamCaptureStatus status; unsigned long long id;
  cudaStreamGetCaptureInfo(s, &status, &id);
  cudaStreamGetCaptureInfo(s, &status);
  cudaStreamGetCaptureInfo_v2(s, &status, &id);
  k<<<1, 32, 0, s>>>(p);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphInstantiate(&exec, graph);
  cudaGraphInstantiateWithFlags(&exec, graph, 0);
  cudaGraphAddDependencies(graph, nodes, nodes + 1, 1);
  cudaGraphRemoveDependencies(graph, nodes, nodes + 1, 1);
  size_t count; cudaGraphGetEdges(graph, nodes, nodes, &count);
  cudaGraphNodeGetDependencies(node, nodes, &count);
  cudaGraphNodeGetDependentNodes(node, nodes, &count);
  cudaGraphNode_t bad; cudaGraphExecUpdateResult result;
  cudaGraphExecUpdate(exec, graph, &bad, &result);
  cudaGraphKernelNodeSetParams(node, nullptr);
  cudaGraphLaunch(exec, s);
  cudaThreadSynchronize(); cudaThreadExit(); cudaThreadSetCacheConfig(cudaFuncCachePreferL1);
  cudaThreadSetLimit(cudaLimitStackSize, 1024);
  cudaEvent_t e; cudaEventCreate(&e); float ms; cudaEventElapsedTime(&ms, e, e);
  cudaFuncSetSharedMemConfig(k, cudaSharedMemBankSizeEightByte);
  cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  cudaSharedMemConfig config; cudaDeviceGetSharedMemConfig(&config);
  cudaPointerAttributes attributes; cudaPointerGetAttributes(&attributes, p);
  if (attributes.type == cudaMemoryTypeDevice) puts("device");
  cudaStreamAttachMemAsync(s, p);
  void *arguments[] = {&p};
  cudaLaunchCooperativeKernel((void *)k, dim3(1), dim3(32), arguments, 0, s);
  cudaLaunchKernel(k, dim3(1), dim3(32), arguments, 0, s);
  cudaLaunchParams launch; cudaLaunchCooperativeKernelMultiDevice(&launch, 1, 0);
  cudaProfilerStart(); cudaProfilerStop();
}
