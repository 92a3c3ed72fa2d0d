// Graphs made by hand and by capture, conditional nodes, memory of graphs and pools; prints what is wrong.
#include <cstdio>

static int failures;
#define WANT(condition) \
  do { if (!(condition)) { failures++; printf("line %d: %s\n", __LINE__, #condition); } } while (0)
#define OK(call) WANT((call) == cudaSuccess)

__global__ void add(int *p, int n) { p[threadIdx.x] += n; }
__global__ void twice(int *p) { p[threadIdx.x] *= 2; }

static void count_up(void *data) { ++*(int *)data; }

static void by_hand(int *p, int *back) {
  cudaGraph_t graph, clone;
  cudaGraphNode_t fill, first, second, copy, host, found;
  cudaGraphExec_t exec;
  int calls = 0, three = 3, five = 5;
  OK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams zero = {};
  zero.dst = p, zero.elementSize = 4, zero.width = 32, zero.height = 1, zero.value = 1;
  OK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero));
  void *arguments[] = {&p, &three};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void *)add, kernel.gridDim = 1, kernel.blockDim = 32, kernel.kernelParams = arguments;
  OK(cudaGraphAddKernelNode(&first, graph, &fill, 1, &kernel));
  three = 100; /* its value was taken */
  OK(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, back, p, 128, cudaMemcpyDeviceToHost));
  void *one[] = {&p};
  cudaKernelNodeParams doubling = kernel;
  doubling.func = (void *)twice, doubling.kernelParams = one;
  OK(cudaGraphAddKernelNode(&second, graph, &first, 1, &doubling));
#if CUDART_VERSION >= 13000
  OK(cudaGraphAddDependencies(graph, &second, &copy, nullptr, 1));
#else
  OK(cudaGraphAddDependencies(graph, &second, &copy, 1));
#endif
  cudaHostNodeParams calling = {count_up, &calls};
  OK(cudaGraphAddHostNode(&host, graph, &copy, 1, &calling));
  size_t nodes = 0, roots = 0;
  OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  OK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  WANT(nodes == 5 && roots == 1);
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphLaunch(exec, 0));
  WANT(back[0] == 8 && back[31] == 8 && calls == 1);
  void *other[] = {&p, &five};
  kernel.kernelParams = other;
  OK(cudaGraphExecKernelNodeSetParams(exec, first, &kernel));
  OK(cudaGraphLaunch(exec, 0));
  WANT(back[0] == 12 && calls == 2);
  OK(cudaGraphClone(&clone, graph));
  OK(cudaGraphNodeFindInClone(&found, host, clone));
  OK(cudaGraphDestroyNode(found));
  cudaGraphExecUpdateResultInfo info;
  WANT(cudaGraphExecUpdate(exec, clone, &info) == cudaErrorGraphExecUpdateFailure);
  OK(cudaGraphExecUpdate(exec, graph, &info));
  OK(cudaGraphLaunch(exec, 0));
  WANT(back[0] == 8 && calls == 3);
  OK(cudaGraphExecDestroy(exec));
  WANT(cudaGraphLaunch(exec, 0) == cudaErrorInvalidValue);
  OK(cudaGraphDestroy(clone));
  OK(cudaGraphDestroy(graph));
  cudaGetLastError();
}

static void captured(int *p, int *back) {
  cudaStream_t a, b;
  cudaEvent_t fork, join;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  int calls = 0, *scratch;
  cudaStreamCaptureStatus status;
  OK(cudaStreamCreate(&a));
  OK(cudaStreamCreate(&b));
  OK(cudaEventCreate(&fork));
  OK(cudaEventCreate(&join));
  OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  OK(cudaMemsetAsync(p, 0, 128, a));
  OK(cudaEventRecord(fork, a));
  OK(cudaStreamWaitEvent(b, fork, 0));
  add<<<1, 16, 0, a>>>(p, 1);
  add<<<1, 16, 0, b>>>(p + 16, 2);
  OK(cudaStreamIsCapturing(b, &status));
  WANT(status == cudaStreamCaptureStatusActive);
  OK(cudaEventRecord(join, b));
  OK(cudaStreamWaitEvent(a, join, 0));
  OK(cudaMallocAsync((void **)&scratch, 128, a));
  OK(cudaMemcpyAsync(scratch, p, 128, cudaMemcpyDeviceToDevice, a));
  add<<<1, 32, 0, a>>>(scratch, 10);
  OK(cudaMemcpyAsync(back, scratch, 128, cudaMemcpyDeviceToHost, a));
  OK(cudaFreeAsync(scratch, a));
  OK(cudaLaunchHostFunc(a, count_up, &calls));
  back[0] = -1;
  WANT(cudaStreamSynchronize(a) == cudaErrorStreamCaptureUnsupported);
  OK(cudaStreamEndCapture(a, &graph));
  WANT(back[0] == -1 && calls == 0);
  OK(cudaStreamIsCapturing(b, &status));
  WANT(status == cudaStreamCaptureStatusNone);
  OK(cudaGraphInstantiate(&exec, graph, 0));
  for (int k = 0; k < 2; k++) OK(cudaGraphLaunch(exec, a));
  WANT(back[0] == 11 && back[31] == 12 && calls == 2);
  WANT(cudaMemcpy(back, scratch, 128, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  cudaGetLastError();
}

#if CUDART_VERSION >= 13000
__global__ void count_down(int *p, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, --*p != 0);
}

static void conditional(int *p, int *back) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node, inner;
  cudaGraphConditionalHandle handle;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams loop = {cudaGraphNodeTypeConditional};
  loop.conditional.handle = handle;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  OK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));
  void *arguments[] = {&p, &handle};
  cudaGraphNodeParams body = {cudaGraphNodeTypeKernel};
  body.kernel.func = (void *)count_down;
  body.kernel.gridDim = body.kernel.blockDim = 1;
  body.kernel.kernelParams = arguments;
  OK(cudaGraphAddNode(&inner, loop.conditional.phGraph_out[0], nullptr, nullptr, 0, &body));
  OK(cudaGraphInstantiate(&exec, graph, 0));
  int ten = 10;
  for (int k = 0; k < 2; k++) {
    OK(cudaMemcpy(p, &ten, 4, cudaMemcpyHostToDevice));
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaMemcpy(back, p, 4, cudaMemcpyDeviceToHost));
    WANT(back[0] == 0);
  }
}
#endif

static void pools() {
  cudaMemPool_t pool, made;
  cudaStream_t stream;
  int *p;
  uint64_t keep = 1 << 20, value = 0;
  OK(cudaStreamCreate(&stream));
  OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value));
  WANT(value == keep);
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  OK(cudaMemPoolCreate(&made, &properties));
  OK(cudaMallocFromPoolAsync((void **)&p, 64, made, stream));
  add<<<1, 16, 0, stream>>>(p, 1);
  OK(cudaFreeAsync(p, stream));
  OK(cudaStreamSynchronize(stream));
  OK(cudaMemPoolDestroy(made));
}

int main() {
  int *p, *back;
  OK(cudaMalloc(&p, 128));
  OK(cudaMallocHost(&back, 128));
  by_hand(p, back);
  captured(p, back);
#if CUDART_VERSION >= 13000
  conditional(p, back);
#endif
  pools();
  OK(cudaGetLastError());
  if (!failures) printf("all as it should be\n");
  return failures != 0;
}
