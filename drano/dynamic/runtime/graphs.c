/* Graphs: nodes with what they do and depend on; a launch does them in an order that fits.
 *
 * An executable graph is a copy that remembers which node each of its own was made of. Memory that a
 * graph allocates has its address from the time the node is made; it lives from the node that
 * allocates it until it is freed. Bodies of conditional nodes are graphs, run as their handle says.
 * Limits: semaphores, and launches of graphs by kernels, are not known.
 */
#include "streams.h"

#define GRAPH_MARK 0x64726772u
#define NODE_MARK 0x64726e6fu

typedef struct condition { unsigned value, initial; bool assigns; } condition;

struct CUgraphNode_st {
  unsigned mark;
  enum cudaGraphNodeType type;
  cudaGraph_t graph;
  cudaGraphNode_t origin, copy; /* what it was made of; its copy while one is made */
  node_list needs;
  bool disabled, cooperative;
  uint64_t done; /* number of the launch that has done it */
  union {
    struct cudaKernelNodeParams kernel; /* kernelParams: own copies */
    struct cudaMemcpy3DParms copy_of;
    struct cudaMemsetParams fill;
    struct cudaHostNodeParams host;
    cudaGraph_t child;
    cudaEvent_t event;
    struct { struct cudaMemAllocNodeParams params; } memory;
    void *freed;
#if CUDART_VERSION >= 12040
    struct { condition *handle; enum cudaGraphConditionalNodeType type; unsigned size; cudaGraph_t *bodies; } choice;
#endif
  };
};
struct CUgraph_st { unsigned mark; node_list nodes; };
struct CUgraphExec_st { unsigned mark; cudaGraph_t graph; unsigned long long flags; };

static uint64_t launch_number;
static pthread_mutex_t launching = PTHREAD_MUTEX_INITIALIZER;
/* What nodes allocate: whether it is there is known by its address. */
static struct { void **at; size_t count, room; } graph_memory;
static uint64_t graph_memory_high;

static bool is_graph(cudaGraph_t g) { return g != NULL && g->mark == GRAPH_MARK; }
static bool is_node(cudaGraphNode_t n) { return n != NULL && n->mark == NODE_MARK; }
static bool is_exec(cudaGraphExec_t e) { return e != NULL && e->mark == GRAPH_MARK; }
#define REQUIRE_GRAPH(g) REQUIRE(is_graph(g), cudaErrorInvalidValue)
#define REQUIRE_NODE(n, t) REQUIRE(is_node(n) && (n)->type == (t), cudaErrorInvalidValue)

static void *must(void *pointer) {
  if (pointer == NULL) abort();
  return pointer;
}

void drano_add_nodes(node_list *list, const cudaGraphNode_t *nodes, size_t count) {
  for (size_t k = 0; k < count; k++) {
    size_t at = 0;
    while (at < list->count && list->nodes[at] != nodes[k]) at++;
    if (at < list->count) continue;
    if (list->count == list->room) {
      list->room = list->room ? 2 * list->room : 8;
      list->nodes = must(realloc(list->nodes, list->room * sizeof *list->nodes));
    }
    list->nodes[list->count++] = nodes[k];
  }
}

static void remove_node(node_list *list, cudaGraphNode_t node) {
  size_t kept = 0;
  for (size_t k = 0; k < list->count; k++)
    if (list->nodes[k] != node) list->nodes[kept++] = list->nodes[k];
  list->count = kept;
}

static cudaGraph_t new_graph(void) {
  cudaGraph_t g = must(calloc(1, sizeof *g));
  g->mark = GRAPH_MARK;
  return g;
}

static cudaGraphNode_t append(cudaGraph_t graph, enum cudaGraphNodeType type,
                              const cudaGraphNode_t *needs, size_t count) {
  cudaGraphNode_t n = must(calloc(1, sizeof *n));
  n->mark = NODE_MARK;
  n->type = type;
  n->graph = graph;
  drano_add_nodes(&n->needs, needs, count);
  drano_add_nodes(&graph->nodes, &n, 1);
  return n;
}

/* Adds a node with an API call's arguments; NULL when they are wrong. */
static cudaGraphNode_t add(cudaGraphNode_t *made, cudaGraph_t graph, enum cudaGraphNodeType type,
                           const cudaGraphNode_t *needs, size_t count) {
  if (made == NULL || !is_graph(graph) || (count && needs == NULL)) return NULL;
  for (size_t k = 0; k < count; k++)
    if (!is_node(needs[k]) || needs[k]->graph != graph) return NULL;
  return *made = append(graph, type, needs, count);
}
#define ADD(TYPE) \
  CHECK_STATE(); \
  cudaGraphNode_t n = add(node, graph, cudaGraphNodeType##TYPE, needs, count); \
  REQUIRE(n != NULL, cudaErrorInvalidValue)
#define NODE_ARGUMENTS \
  cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count

/* --- kernels -------------------------------------------------------------------------------- */

static void free_arguments(void **arguments) {
  if (arguments == NULL) return;
  free(arguments[0]);
  free(arguments);
}

/* The values of a launch's arguments: one block of memory, and where each lies in it. */
static cudaError_t set_kernel(cudaGraphNode_t n, const struct cudaKernelNodeParams *p) {
  host_function *f = drano_host_function(p->func);
  if (f == NULL || f->kernel == NULL) return cudaErrorInvalidDeviceFunction;
  if (p->kernelParams == NULL && f->kernel->param_count && p->extra != NULL)
    return drano_unsupported("graph kernel node with `extra`");
  const drano_kernel *k = f->kernel;
  void **arguments = must(calloc(k->param_count + 1, sizeof *arguments));
  char *values = must(calloc(1, k->params_bytes + 1));
  arguments[0] = values;
  for (uint32_t a = 0; a < k->param_count; a++) {
    arguments[a] = values + k->params[a].offset;
    memcpy(arguments[a], p->kernelParams[a], k->params[a].bytes);
  }
  free_arguments(n->kernel.kernelParams);
  n->kernel = *p;
  n->kernel.extra = NULL;
  n->kernel.kernelParams = arguments;
  return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(NODE_ARGUMENTS, const struct cudaKernelNodeParams *p) {
  REQUIRE(p != NULL, cudaErrorInvalidValue);
  ADD(Kernel);
  return drano_error(set_kernel(n, p));
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t n, struct cudaKernelNodeParams *p) {
  CHECK_STATE();
  REQUIRE_NODE(n, cudaGraphNodeTypeKernel);
  *p = n->kernel;
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t n, const struct cudaKernelNodeParams *p) {
  CHECK_STATE();
  REQUIRE_NODE(n, cudaGraphNodeTypeKernel);
  return drano_error(set_kernel(n, p));
}

/* --- copies, fills, host functions ---------------------------------------------------------- */

struct cudaMemcpy3DParms drano_copy_of(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                       size_t width, size_t height, enum cudaMemcpyKind kind) {
  struct cudaMemcpy3DParms p = {0};
  p.dstPtr = (struct cudaPitchedPtr){to, to_pitch, width, height};
  p.srcPtr = (struct cudaPitchedPtr){(void *)(uintptr_t)from, from_pitch, width, height};
  p.extent = (struct cudaExtent){width, height, 1};
  p.kind = kind;
  return p;
}

static struct cudaMemcpy3DParms bytes_of(void *to, const void *from, size_t bytes,
                                         enum cudaMemcpyKind kind) {
  return drano_copy_of(to, bytes, from, bytes, bytes, 1, kind);
}

cudaError_t cudaGraphAddMemcpyNode(NODE_ARGUMENTS, const struct cudaMemcpy3DParms *p) {
  REQUIRE(p != NULL, cudaErrorInvalidValue);
  ADD(Memcpy);
  n->copy_of = *p;
  return cudaSuccess;
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t n, struct cudaMemcpy3DParms *p) {
  CHECK_STATE();
  REQUIRE_NODE(n, cudaGraphNodeTypeMemcpy);
  *p = n->copy_of;
  return cudaSuccess;
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t n, const struct cudaMemcpy3DParms *p) {
  CHECK_STATE();
  REQUIRE_NODE(n, cudaGraphNodeTypeMemcpy);
  n->copy_of = *p;
  return cudaSuccess;
}

cudaError_t cudaGraphAddMemsetNode(NODE_ARGUMENTS, const struct cudaMemsetParams *p) {
  REQUIRE(p != NULL, cudaErrorInvalidValue);
  ADD(Memset);
  n->fill = *p;
  return cudaSuccess;
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t n, struct cudaMemsetParams *p) {
  CHECK_STATE();
  REQUIRE_NODE(n, cudaGraphNodeTypeMemset);
  *p = n->fill;
  return cudaSuccess;
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t n, const struct cudaMemsetParams *p) {
  CHECK_STATE();
  REQUIRE_NODE(n, cudaGraphNodeTypeMemset);
  n->fill = *p;
  return cudaSuccess;
}

cudaError_t cudaGraphAddHostNode(NODE_ARGUMENTS, const struct cudaHostNodeParams *p) {
  REQUIRE(p != NULL && p->fn != NULL, cudaErrorInvalidValue);
  ADD(Host);
  n->host = *p;
  return cudaSuccess;
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t n, struct cudaHostNodeParams *p) {
  CHECK_STATE();
  REQUIRE_NODE(n, cudaGraphNodeTypeHost);
  *p = n->host;
  return cudaSuccess;
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t n, const struct cudaHostNodeParams *p) {
  CHECK_STATE();
  REQUIRE_NODE(n, cudaGraphNodeTypeHost);
  n->host = *p;
  return cudaSuccess;
}

#if CUDART_VERSION >= 11010
cudaError_t cudaGraphAddMemcpyNode1D(NODE_ARGUMENTS, void *to, const void *from, size_t bytes,
                                     enum cudaMemcpyKind kind) {
  ADD(Memcpy);
  n->copy_of = bytes_of(to, from, bytes, kind);
  return cudaSuccess;
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t n, void *to, const void *from, size_t bytes,
                                           enum cudaMemcpyKind kind) {
  CHECK_STATE();
  REQUIRE_NODE(n, cudaGraphNodeTypeMemcpy);
  n->copy_of = bytes_of(to, from, bytes, kind);
  return cudaSuccess;
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(NODE_ARGUMENTS, const void *symbol, const void *from,
                                           size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  void *to;
  cudaError_t error = cudaGetSymbolAddress(&to, symbol);
  if (error != cudaSuccess) return error;
  return cudaGraphAddMemcpyNode1D(node, graph, needs, count, (char *)to + offset, from, bytes, kind);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(NODE_ARGUMENTS, void *to, const void *symbol, size_t bytes,
                                             size_t offset, enum cudaMemcpyKind kind) {
  void *from;
  cudaError_t error = cudaGetSymbolAddress(&from, symbol);
  if (error != cudaSuccess) return error;
  return cudaGraphAddMemcpyNode1D(node, graph, needs, count, to, (char *)from + offset, bytes, kind);
}
#endif

/* --- other nodes ---------------------------------------------------------------------------- */

static cudaGraph_t copy_graph(cudaGraph_t from);

cudaError_t cudaGraphAddEmptyNode(NODE_ARGUMENTS) {
  ADD(Empty);
  return cudaSuccess;
}

cudaError_t cudaGraphAddChildGraphNode(NODE_ARGUMENTS, cudaGraph_t child) {
  REQUIRE_GRAPH(child);
  ADD(Graph);
  n->child = copy_graph(child);
  return cudaSuccess;
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t n, cudaGraph_t *graph) {
  CHECK_STATE();
  REQUIRE_NODE(n, cudaGraphNodeTypeGraph);
  *graph = n->child;
  return cudaSuccess;
}

#if CUDART_VERSION >= 11010
cudaError_t cudaGraphAddEventRecordNode(NODE_ARGUMENTS, cudaEvent_t event) {
  ADD(EventRecord);
  n->event = event;
  return cudaSuccess;
}

cudaError_t cudaGraphAddEventWaitNode(NODE_ARGUMENTS, cudaEvent_t event) {
  ADD(WaitEvent);
  n->event = event;
  return cudaSuccess;
}
#endif

static uint64_t graph_memory_used(void) {
  uint64_t bytes = 0;
  for (size_t k = 0; k < graph_memory.count; k++) {
    const allocation *a = drano_find((uint64_t)(uintptr_t)graph_memory.at[k]);
    if (a != NULL) bytes += a->end - a->base;
  }
  return bytes;
}

#if CUDART_VERSION >= 11040
/* An address for what is not there yet. */
static cudaError_t reserve_memory(cudaGraphNode_t n, struct cudaMemAllocNodeParams *p) {
  p->dptr = drano_allocate(p->bytesize, MEM_DEVICE, "graph allocation", __builtin_return_address(0));
  if (p->dptr == NULL) return cudaErrorMemoryAllocation;
  drano_release(p->dptr, 1 << MEM_DEVICE);
  if (graph_memory.count == graph_memory.room) {
    graph_memory.room = graph_memory.room ? 2 * graph_memory.room : 16;
    graph_memory.at = must(realloc(graph_memory.at, graph_memory.room * sizeof *graph_memory.at));
  }
  graph_memory.at[graph_memory.count++] = p->dptr;
  n->memory.params = *p;
  return cudaSuccess;
}

cudaError_t cudaGraphAddMemAllocNode(NODE_ARGUMENTS, struct cudaMemAllocNodeParams *p) {
  REQUIRE(p != NULL && p->bytesize, cudaErrorInvalidValue);
  ADD(MemAlloc);
  return drano_error(reserve_memory(n, p));
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t n, struct cudaMemAllocNodeParams *p) {
  CHECK_STATE();
  REQUIRE_NODE(n, cudaGraphNodeTypeMemAlloc);
  *p = n->memory.params;
  return cudaSuccess;
}

cudaError_t cudaGraphAddMemFreeNode(NODE_ARGUMENTS, void *pointer) {
  ADD(MemFree);
  n->freed = pointer;
  return cudaSuccess;
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t n, void *pointer) {
  CHECK_STATE();
  REQUIRE_NODE(n, cudaGraphNodeTypeMemFree);
  *(void **)pointer = n->freed;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType what, void *value) {
  CHECK_STATE();
  REQUIRE(device == 0 && value != NULL, cudaErrorInvalidValue);
  bool high = what == cudaGraphMemAttrUsedMemHigh || what == cudaGraphMemAttrReservedMemHigh;
  *(uint64_t *)value = high ? graph_memory_high : graph_memory_used();
  return cudaSuccess;
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType what, void *value) {
  CHECK_STATE();
  (void)what, (void)value;
  REQUIRE(device == 0, cudaErrorInvalidValue);
  graph_memory_high = graph_memory_used();
  return cudaSuccess;
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  CHECK_STATE();
  REQUIRE(device == 0, cudaErrorInvalidDevice);
  return cudaSuccess;
}
#endif

#if CUDART_VERSION >= 12040
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned initial, unsigned flags) {
  CHECK_STATE();
  REQUIRE(handle != NULL && is_graph(graph), cudaErrorInvalidValue);
  condition *made = must(calloc(1, sizeof *made)); /* a few bytes that stay */
  *made = (condition){initial, initial, (flags & cudaGraphCondAssignDefault) != 0};
  *handle = (cudaGraphConditionalHandle)(uintptr_t)made;
  return cudaSuccess;
}

static cudaError_t add_choice(NODE_ARGUMENTS, struct cudaConditionalNodeParams *p) {
  ADD(Conditional);
  n->choice.handle = (condition *)(uintptr_t)p->handle;
  n->choice.type = p->type;
  n->choice.size = p->size;
  n->choice.bodies = must(calloc(p->size + 1, sizeof *n->choice.bodies));
  for (unsigned k = 0; k < p->size; k++) n->choice.bodies[k] = new_graph();
  p->phGraph_out = n->choice.bodies;
  return cudaSuccess;
}
#endif

#if CUDART_VERSION >= 12020
static cudaError_t add_any(NODE_ARGUMENTS, struct cudaGraphNodeParams *p) {
  REQUIRE(p != NULL, cudaErrorInvalidValue);
  switch (p->type) {
  case cudaGraphNodeTypeKernel: {
    struct cudaKernelNodeParams k = {p->kernel.func, p->kernel.gridDim, p->kernel.blockDim,
                                     p->kernel.sharedMemBytes, p->kernel.kernelParams, p->kernel.extra};
    return cudaGraphAddKernelNode(node, graph, needs, count, &k);
  }
  case cudaGraphNodeTypeMemcpy:
    return cudaGraphAddMemcpyNode(node, graph, needs, count, &p->memcpy.copyParams);
  case cudaGraphNodeTypeMemset: {
    struct cudaMemsetParams f = {p->memset.dst, p->memset.pitch, p->memset.value,
                                 p->memset.elementSize, p->memset.width, p->memset.height};
    return cudaGraphAddMemsetNode(node, graph, needs, count, &f);
  }
  case cudaGraphNodeTypeHost: {
    struct cudaHostNodeParams h = {p->host.fn, p->host.userData};
    return cudaGraphAddHostNode(node, graph, needs, count, &h);
  }
  case cudaGraphNodeTypeGraph:
    return cudaGraphAddChildGraphNode(node, graph, needs, count, p->graph.graph);
  case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(node, graph, needs, count);
  case cudaGraphNodeTypeMemFree:
    return cudaGraphAddMemFreeNode(node, graph, needs, count, p->free.dptr);
  case cudaGraphNodeTypeMemAlloc: {
    struct cudaMemAllocNodeParams a = {.bytesize = p->alloc.bytesize};
    cudaError_t error = cudaGraphAddMemAllocNode(node, graph, needs, count, &a);
    p->alloc.dptr = a.dptr;
    return error;
  }
#if CUDART_VERSION >= 12040
  case cudaGraphNodeTypeConditional: return add_choice(node, graph, needs, count, &p->conditional);
#endif
  default: return drano_unsupported("cudaGraphAddNode of this type");
  }
}
#if CUDART_VERSION >= 13000
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *needs,
                             const cudaGraphEdgeData *edges, size_t count,
                             struct cudaGraphNodeParams *p) {
  (void)edges;
  return add_any(node, graph, needs, count, p);
}
#else
cudaError_t cudaGraphAddNode(NODE_ARGUMENTS, struct cudaGraphNodeParams *p) {
  return add_any(node, graph, needs, count, p);
}
#endif
#endif

/* --- graphs --------------------------------------------------------------------------------- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags) {
  CHECK_STATE();
  REQUIRE(graph != NULL && flags == 0, cudaErrorInvalidValue);
  *graph = new_graph();
  return cudaSuccess;
}

static void free_graph(cudaGraph_t g) {
  for (size_t k = 0; k < g->nodes.count; k++) {
    cudaGraphNode_t n = g->nodes.nodes[k];
    if (n->type == cudaGraphNodeTypeKernel) free_arguments(n->kernel.kernelParams);
    if (n->type == cudaGraphNodeTypeGraph) free_graph(n->child);
    free(n->needs.nodes);
    n->mark = 0; /* the few bytes stay, so that a later use is seen */
  }
  free(g->nodes.nodes);
  g->nodes = (node_list){0};
  g->mark = 0;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  CHECK_STATE();
  REQUIRE_GRAPH(graph);
  free_graph(graph);
  return cudaSuccess;
}

static cudaGraph_t copy_graph(cudaGraph_t from) {
  cudaGraph_t to = new_graph();
  for (size_t k = 0; k < from->nodes.count; k++) {
    cudaGraphNode_t old = from->nodes.nodes[k], n = append(to, old->type, NULL, 0);
    node_list none = n->needs;
    *n = *old;
    n->needs = none;
    n->graph = to;
    n->origin = old;
    old->copy = n;
    if (n->type == cudaGraphNodeTypeKernel) {
      n->kernel.kernelParams = NULL;
      set_kernel(n, &old->kernel);
    }
    if (n->type == cudaGraphNodeTypeGraph) n->child = copy_graph(old->child);
#if CUDART_VERSION >= 12040
    if (n->type == cudaGraphNodeTypeConditional) {
      n->choice.bodies = must(calloc(n->choice.size + 1, sizeof *n->choice.bodies));
      for (unsigned b = 0; b < n->choice.size; b++) n->choice.bodies[b] = copy_graph(old->choice.bodies[b]);
    }
#endif
  }
  for (size_t k = 0; k < from->nodes.count; k++) {
    cudaGraphNode_t old = from->nodes.nodes[k];
    for (size_t d = 0; d < old->needs.count; d++)
      drano_add_nodes(&old->copy->needs, &old->needs.nodes[d]->copy, 1);
  }
  return to;
}

cudaError_t cudaGraphClone(cudaGraph_t *made, cudaGraph_t graph) {
  CHECK_STATE();
  REQUIRE(made != NULL && is_graph(graph), cudaErrorInvalidValue);
  *made = copy_graph(graph);
  return cudaSuccess;
}

static cudaGraphNode_t copy_in(cudaGraph_t graph, cudaGraphNode_t node) {
  for (size_t k = 0; k < graph->nodes.count; k++)
    if (graph->nodes.nodes[k]->origin == node) return graph->nodes.nodes[k];
  return NULL;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t node, cudaGraph_t clone) {
  CHECK_STATE();
  REQUIRE(found != NULL && is_node(node) && is_graph(clone), cudaErrorInvalidValue);
  *found = copy_in(clone, node);
  REQUIRE(*found != NULL, cudaErrorInvalidValue);
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) {
  CHECK_STATE();
  REQUIRE(is_node(node) && type != NULL, cudaErrorInvalidValue);
  *type = node->type;
  return cudaSuccess;
}

/* As many as there is room for; without room, how many there are. */
static cudaError_t give_nodes(const node_list *list, cudaGraphNode_t *nodes, size_t *count) {
  REQUIRE(count != NULL, cudaErrorInvalidValue);
  for (size_t k = 0; nodes != NULL && k < *count; k++)
    nodes[k] = k < list->count ? list->nodes[k] : NULL;
  if (nodes == NULL || *count > list->count) *count = list->count;
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  CHECK_STATE();
  REQUIRE_GRAPH(graph);
  return give_nodes(&graph->nodes, nodes, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  CHECK_STATE();
  REQUIRE_GRAPH(graph);
  node_list roots = {0};
  for (size_t k = 0; k < graph->nodes.count; k++)
    if (graph->nodes.nodes[k]->needs.count == 0) drano_add_nodes(&roots, &graph->nodes.nodes[k], 1);
  cudaError_t error = give_nodes(&roots, nodes, count);
  free(roots.nodes);
  return error;
}

static cudaError_t give_edges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count) {
  CHECK_STATE();
  REQUIRE(is_graph(graph) && count != NULL, cudaErrorInvalidValue);
  size_t found = 0;
  for (size_t k = 0; k < graph->nodes.count; k++)
    for (size_t d = 0; d < graph->nodes.nodes[k]->needs.count; d++, found++)
      if (from != NULL && to != NULL && found < *count) {
        from[found] = graph->nodes.nodes[k]->needs.nodes[d];
        to[found] = graph->nodes.nodes[k];
      }
  if (from == NULL || *count > found) *count = found;
  return cudaSuccess;
}

static cudaError_t give_dependents(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count) {
  CHECK_STATE();
  REQUIRE(is_node(node), cudaErrorInvalidValue);
  node_list found = {0};
  for (size_t k = 0; k < node->graph->nodes.count; k++)
    for (size_t d = 0; d < node->graph->nodes.nodes[k]->needs.count; d++)
      if (node->graph->nodes.nodes[k]->needs.nodes[d] == node)
        drano_add_nodes(&found, &node->graph->nodes.nodes[k], 1);
  cudaError_t error = give_nodes(&found, nodes, count);
  free(found.nodes);
  return error;
}

static cudaError_t change_edges(cudaGraph_t graph, const cudaGraphNode_t *from,
                                const cudaGraphNode_t *to, size_t count, bool adds) {
  CHECK_STATE();
  REQUIRE(is_graph(graph) && (count == 0 || (from != NULL && to != NULL)), cudaErrorInvalidValue);
  for (size_t k = 0; k < count; k++) {
    REQUIRE(is_node(from[k]) && is_node(to[k]), cudaErrorInvalidValue);
    if (adds) drano_add_nodes(&to[k]->needs, &from[k], 1);
    else remove_node(&to[k]->needs, from[k]);
  }
  return cudaSuccess;
}

#if CUDART_VERSION >= 13000
#define EDGES const cudaGraphEdgeData *edges,
#define EDGES_OUT cudaGraphEdgeData *edges,
#define NO_EDGES (void)edges
#else
#define EDGES
#define EDGES_OUT
#define NO_EDGES (void)0
#endif
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, EDGES size_t count) {
  NO_EDGES;
  return change_edges(graph, from, to, count, true);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, EDGES size_t count) {
  NO_EDGES;
  return change_edges(graph, from, to, count, false);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              EDGES_OUT size_t *count) {
  NO_EDGES;
  return give_edges(graph, from, to, count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                         EDGES_OUT size_t *count) {
  CHECK_STATE();
  NO_EDGES;
  REQUIRE(is_node(node), cudaErrorInvalidValue);
  return give_nodes(&node->needs, nodes, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                           EDGES_OUT size_t *count) {
  NO_EDGES;
  return give_dependents(node, nodes, count);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  CHECK_STATE();
  REQUIRE(is_node(node), cudaErrorInvalidValue);
  remove_node(&node->graph->nodes, node);
  for (size_t k = 0; k < node->graph->nodes.count; k++)
    remove_node(&node->graph->nodes.nodes[k]->needs, node);
  node->mark = 0;
  return cudaSuccess;
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags) {
  CHECK_STATE();
  (void)flags;
  REQUIRE(is_graph(graph) && path != NULL, cudaErrorInvalidValue);
  FILE *file = fopen(path, "w");
  REQUIRE(file != NULL, cudaErrorUnknown);
  fprintf(file, "digraph {\n");
  for (size_t k = 0; k < graph->nodes.count; k++) {
    cudaGraphNode_t n = graph->nodes.nodes[k];
    fprintf(file, "  n%p [label=\"type %d\"];\n", (void *)n, (int)n->type);
    for (size_t d = 0; d < n->needs.count; d++)
      fprintf(file, "  n%p -> n%p;\n", (void *)n->needs.nodes[d], (void *)n);
  }
  fprintf(file, "}\n");
  fclose(file);
  return cudaSuccess;
}

/* --- execution ------------------------------------------------------------------------------ */

static cudaError_t run_graph(cudaGraph_t graph);

static cudaError_t run_fill(const struct cudaMemsetParams *f) {
  const unsigned size = f->elementSize ? f->elementSize : 1;
  if (size == 1) return cudaMemset2D(f->dst, f->pitch, (int)f->value, f->width, f->height);
  for (size_t row = 0; row < f->height; row++) {
    char *at = (char *)f->dst + row * f->pitch;
    cudaError_t error = cudaMemset(at, 0, f->width * size); /* is it there? */
    if (error != cudaSuccess) return error;
    for (size_t k = 0; k < f->width; k++) memcpy(at + k * size, &f->value, size);
  }
  return cudaSuccess;
}

#if CUDART_VERSION >= 12040
static cudaError_t run_choice(cudaGraphNode_t n) {
  cudaError_t error = cudaSuccess;
  const condition *handle = n->choice.handle;
  switch (n->choice.type) {
  case cudaGraphCondTypeWhile:
    while (error == cudaSuccess && *(volatile const unsigned *)&handle->value) error = run_graph(n->choice.bodies[0]);
    return error;
  case cudaGraphCondTypeIf:
    if (handle->value) return run_graph(n->choice.bodies[0]);
    return n->choice.size > 1 ? run_graph(n->choice.bodies[1]) : cudaSuccess;
  default:
    return handle->value < n->choice.size ? run_graph(n->choice.bodies[handle->value]) : cudaSuccess;
  }
}
#endif

void drano_set_condition(uint64_t handle, uint32_t value) {
  ((condition *)(uintptr_t)handle)->value = value;
}

static cudaError_t run_node(cudaGraphNode_t n) {
  switch (n->type) {
  case cudaGraphNodeTypeKernel: {
    const struct cudaKernelNodeParams *k = &n->kernel;
    return drano_launch_kernel(k->func, k->gridDim, k->blockDim, k->kernelParams, k->sharedMemBytes,
                               n->cooperative);
  }
  case cudaGraphNodeTypeMemcpy: return cudaMemcpy3D(&n->copy_of);
  case cudaGraphNodeTypeMemset: return run_fill(&n->fill);
  case cudaGraphNodeTypeHost: return n->host.fn(n->host.userData), cudaSuccess;
  case cudaGraphNodeTypeGraph: return run_graph(n->child);
  case cudaGraphNodeTypeEventRecord: return cudaEventRecord(n->event, NULL);
#if CUDART_VERSION >= 11040
  case cudaGraphNodeTypeMemAlloc: {
    drano_revive(n->memory.params.dptr);
    const uint64_t used = graph_memory_used();
    if (used > graph_memory_high) graph_memory_high = used;
    return cudaSuccess;
  }
  case cudaGraphNodeTypeMemFree: return cudaFree(n->freed);
#endif
#if CUDART_VERSION >= 12040
  case cudaGraphNodeTypeConditional: return run_choice(n);
#endif
  default: return cudaSuccess; /* empty nodes, waits: all is done in order */
  }
}

static cudaError_t run_after_needs(cudaGraphNode_t n, uint64_t number) {
  if (n->done == number) return cudaSuccess;
  n->done = number;
  for (size_t k = 0; k < n->needs.count; k++) {
    cudaError_t error = run_after_needs(n->needs.nodes[k], number);
    if (error != cudaSuccess) return error;
  }
  return n->disabled ? cudaSuccess : run_node(n);
}

static cudaError_t run_graph(cudaGraph_t graph) {
  uint64_t number = ++launch_number;
  cudaError_t error = cudaSuccess;
  for (size_t k = 0; error == cudaSuccess && k < graph->nodes.count; k++)
    error = run_after_needs(graph->nodes.nodes[k], number);
  return error;
}

static void reset_conditions(cudaGraph_t graph) {
#if CUDART_VERSION >= 12040
  for (size_t k = 0; k < graph->nodes.count; k++) {
    cudaGraphNode_t n = graph->nodes.nodes[k];
    if (n->type == cudaGraphNodeTypeGraph) reset_conditions(n->child);
    if (n->type != cudaGraphNodeTypeConditional) continue;
    if (n->choice.handle->assigns) n->choice.handle->value = n->choice.handle->initial;
    for (unsigned b = 0; b < n->choice.size; b++) reset_conditions(n->choice.bodies[b]);
  }
#else
  (void)graph;
#endif
}

static cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags) {
  CHECK_STATE();
  REQUIRE(exec != NULL && is_graph(graph), cudaErrorInvalidValue);
  cudaGraphExec_t made = must(calloc(1, sizeof *made));
  *made = (struct CUgraphExec_st){GRAPH_MARK, copy_graph(graph), flags};
  *exec = made;
  return cudaSuccess;
}

#if CUDART_VERSION >= 12000
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags) {
  return instantiate(exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *p) {
  REQUIRE(p != NULL, cudaErrorInvalidValue);
  cudaError_t error = instantiate(exec, graph, p->flags);
  p->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  p->errNode_out = NULL;
  return error;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags) {
  CHECK_STATE();
  REQUIRE(is_exec(exec) && flags != NULL, cudaErrorInvalidValue);
  *flags = exec->flags;
  return cudaSuccess;
}
#else
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *node,
                                 char *log, size_t bytes) {
  if (node != NULL) *node = NULL;
  if (log != NULL && bytes) *log = 0;
  return instantiate(exec, graph, 0);
}
#endif
#if CUDART_VERSION >= 11040
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return instantiate(exec, graph, flags);
}
#endif

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  CHECK_STATE();
  REQUIRE(is_exec(exec), cudaErrorInvalidValue);
  free_graph(exec->graph);
  exec->mark = 0;
  return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  CHECK_STATE();
  (void)stream;
  REQUIRE(is_exec(exec), cudaErrorInvalidValue);
  return cudaSuccess;
}

static cudaGraphNode_t captured(cudaStream_t s, enum cudaGraphNodeType type);

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  CHECK_STATE();
  REQUIRE(is_exec(exec), cudaErrorInvalidValue);
  if (drano_is_captured(stream)) {
    captured(stream, cudaGraphNodeTypeGraph)->child = copy_graph(exec->graph);
    return cudaSuccess;
  }
  pthread_mutex_lock(&launching);
  reset_conditions(exec->graph);
  cudaError_t error = run_graph(exec->graph);
  pthread_mutex_unlock(&launching);
  return drano_error(error);
}

#define IN_EXEC(TYPE) \
  CHECK_STATE(); \
  REQUIRE(is_exec(exec) && is_node(node), cudaErrorInvalidValue); \
  cudaGraphNode_t n = copy_in(exec->graph, node); \
  REQUIRE_NODE(n, cudaGraphNodeType##TYPE)

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *p) {
  IN_EXEC(Kernel);
  return drano_error(set_kernel(n, p));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *p) {
  IN_EXEC(Memcpy);
  n->copy_of = *p;
  return cudaSuccess;
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *p) {
  IN_EXEC(Memset);
  n->fill = *p;
  return cudaSuccess;
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *p) {
  IN_EXEC(Host);
  n->host = *p;
  return cudaSuccess;
}

#if CUDART_VERSION >= 11010
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
                                               const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  IN_EXEC(Memcpy);
  n->copy_of = bytes_of(to, from, bytes, kind);
  return cudaSuccess;
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  IN_EXEC(Graph);
  REQUIRE_GRAPH(child);
  n->child = copy_graph(child);
  return cudaSuccess;
}
#endif

#if CUDART_VERSION >= 11060
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  CHECK_STATE();
  REQUIRE(is_exec(exec) && copy_in(exec->graph, node) != NULL, cudaErrorInvalidValue);
  copy_in(exec->graph, node)->disabled = !enabled;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled) {
  CHECK_STATE();
  REQUIRE(is_exec(exec) && copy_in(exec->graph, node) != NULL, cudaErrorInvalidValue);
  *enabled = !copy_in(exec->graph, node)->disabled;
  return cudaSuccess;
}
#endif

/* The same nodes in the same order, with the same needs. */
static bool same_shape(cudaGraph_t a, cudaGraph_t b) {
  if (a->nodes.count != b->nodes.count) return false;
  for (size_t k = 0; k < a->nodes.count; k++) b->nodes.nodes[k]->copy = a->nodes.nodes[k];
  for (size_t k = 0; k < a->nodes.count; k++) {
    cudaGraphNode_t x = a->nodes.nodes[k], y = b->nodes.nodes[k];
    if (x->type != y->type || x->needs.count != y->needs.count) return false;
    for (size_t d = 0; d < x->needs.count; d++)
      if (y->needs.nodes[d]->copy != x->needs.nodes[d]) return false;
  }
  return true;
}

static bool update(cudaGraphExec_t exec, cudaGraph_t graph) {
  if (!same_shape(exec->graph, graph)) return false;
  cudaGraph_t fresh = copy_graph(graph);
  for (size_t k = 0; k < fresh->nodes.count; k++) /* it goes on answering to the nodes it was made of */
    fresh->nodes.nodes[k]->origin = exec->graph->nodes.nodes[k]->origin;
  free_graph(exec->graph);
  exec->graph = fresh;
  return true;
}

#if CUDART_VERSION >= 12000
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info) {
  CHECK_STATE();
  REQUIRE(is_exec(exec) && is_graph(graph), cudaErrorInvalidValue);
  bool done = update(exec, graph);
  if (info != NULL) {
    memset(info, 0, sizeof *info);
    info->result = done ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged;
  }
  REQUIRE(done, cudaErrorGraphExecUpdateFailure);
  return cudaSuccess;
}
#else
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *node,
                                enum cudaGraphExecUpdateResult *result) {
  CHECK_STATE();
  REQUIRE(is_exec(exec) && is_graph(graph), cudaErrorInvalidValue);
  bool done = update(exec, graph);
  if (node != NULL) *node = NULL;
  if (result != NULL)
    *result = done ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged;
  REQUIRE(done, cudaErrorGraphExecUpdateFailure);
  return cudaSuccess;
}
#endif

/* --- capture -------------------------------------------------------------------------------- */

static uint64_t captures;

static cudaGraphNode_t captured(cudaStream_t s, enum cudaGraphNodeType type) {
  cudaGraphNode_t n = append(s->capture->graph, type, s->tips.nodes, s->tips.count);
  s->tips.count = 0;
  drano_add_nodes(&s->tips, &n, 1);
  return n;
}

cudaError_t drano_capture_kernel(cudaStream_t s, const void *function, dim3 grid, dim3 block,
                                 void **arguments, size_t shared, bool cooperative) {
  struct cudaKernelNodeParams p = {(void *)(uintptr_t)function, grid, block, (unsigned)shared, arguments, NULL};
  cudaGraphNode_t n = captured(s, cudaGraphNodeTypeKernel);
  n->cooperative = cooperative;
  return drano_error(set_kernel(n, &p));
}

cudaError_t drano_capture_copy(cudaStream_t s, const struct cudaMemcpy3DParms *copy) {
  captured(s, cudaGraphNodeTypeMemcpy)->copy_of = *copy;
  return cudaSuccess;
}

cudaError_t drano_capture_fill(cudaStream_t s, void *to, size_t pitch, int value, size_t width,
                               size_t height) {
  struct cudaMemsetParams fill = {to, pitch, (unsigned char)value, 1, width, height};
  captured(s, cudaGraphNodeTypeMemset)->fill = fill;
  return cudaSuccess;
}

cudaError_t drano_capture_host(cudaStream_t s, cudaHostFn_t function, void *data) {
  captured(s, cudaGraphNodeTypeHost)->host = (struct cudaHostNodeParams){function, data};
  return cudaSuccess;
}

cudaError_t drano_capture_malloc(cudaStream_t s, void **pointer, size_t bytes) {
#if CUDART_VERSION >= 11040
  struct cudaMemAllocNodeParams p = {.bytesize = bytes};
  cudaError_t error = reserve_memory(captured(s, cudaGraphNodeTypeMemAlloc), &p);
  *pointer = p.dptr;
  return drano_error(error);
#else
  (void)s, (void)pointer, (void)bytes;
  return drano_error(cudaErrorStreamCaptureUnsupported);
#endif
}

cudaError_t drano_capture_free(cudaStream_t s, void *pointer) {
#if CUDART_VERSION >= 11040
  captured(s, cudaGraphNodeTypeMemFree)->freed = pointer;
  return cudaSuccess;
#else
  (void)s, (void)pointer;
  return drano_error(cudaErrorStreamCaptureUnsupported);
#endif
}

static cudaError_t begin_capture(cudaStream_t s, cudaGraph_t graph, const cudaGraphNode_t *needs,
                                 size_t count) {
  CHECK_STATE();
  REQUIRE((uintptr_t)s > 2, cudaErrorStreamCaptureUnsupported);
  REQUIRE(!drano_is_captured(s), cudaErrorIllegalState);
  capture *c = must(calloc(1, sizeof *c)); /* events may point to it: it stays */
  *c = (capture){graph != NULL ? graph : new_graph(), s, ++captures, true, graph != NULL};
  s->capture = c;
  s->tips.count = 0;
  drano_add_nodes(&s->tips, needs, count);
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  (void)mode;
  return begin_capture(stream, NULL, NULL, 0);
}

#if CUDART_VERSION >= 12030
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *needs, const cudaGraphEdgeData *edges,
                                          size_t count, enum cudaStreamCaptureMode mode) {
  (void)edges, (void)mode;
  REQUIRE_GRAPH(graph);
  return begin_capture(stream, graph, needs, count);
}
#endif

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  CHECK_STATE();
  REQUIRE(drano_is_captured(stream), cudaErrorIllegalState);
  REQUIRE(stream->capture->origin == stream, cudaErrorStreamCaptureUnmatched);
  REQUIRE(graph != NULL || stream->capture->into, cudaErrorInvalidValue);
  if (graph != NULL) *graph = stream->capture->graph;
  stream->capture->active = false;
  return cudaSuccess;
}

static cudaError_t capture_info(cudaStream_t s, enum cudaStreamCaptureStatus *status,
                                unsigned long long *id, cudaGraph_t *graph,
                                const cudaGraphNode_t **needs, size_t *count) {
  CHECK_STATE();
  bool active = drano_is_captured(s);
  if (status != NULL) *status = active ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  if (!active) return cudaSuccess;
  if (id != NULL) *id = s->capture->id;
  if (graph != NULL) *graph = s->capture->graph;
  if (needs != NULL) *needs = s->tips.nodes;
  if (count != NULL) *count = s->tips.count;
  return cudaSuccess;
}

static cudaError_t change_tips(cudaStream_t s, cudaGraphNode_t *nodes, size_t count, unsigned flags) {
  CHECK_STATE();
  REQUIRE(drano_is_captured(s), cudaErrorIllegalState);
  if (flags == 1) s->tips.count = 0; /* cudaStreamSetCaptureDependencies */
  drano_add_nodes(&s->tips, nodes, count);
  return cudaSuccess;
}

#if CUDART_VERSION >= 13000
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **needs, const cudaGraphEdgeData **edges,
                                     size_t *count) {
  if (edges != NULL) *edges = NULL;
  return capture_info(stream, status, id, graph, needs, count);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                const cudaGraphEdgeData *edges, size_t count,
                                                unsigned flags) {
  (void)edges;
  return change_tips(stream, nodes, count, flags);
}
#else
#if CUDART_VERSION < 12000
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id) {
  return capture_info(stream, status, id, NULL, NULL, NULL);
}
#endif
#if CUDART_VERSION >= 11030
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **needs, size_t *count) {
  return capture_info(stream, status, id, graph, needs, count);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                size_t count, unsigned flags) {
  return change_tips(stream, nodes, count, flags);
}
#endif
#endif
