/* Streams, events and graphs, as far as the parts of the library share them.
 *
 * What a stream that is captured is asked to do becomes a node of its graph instead of being done.
 */
#ifndef DRANO_STREAMS_H
#define DRANO_STREAMS_H
#include "drano_runtime.h"

/* Nodes, for instance those that the next one of a stream depends on. */
typedef struct node_list { cudaGraphNode_t *nodes; size_t count, room; } node_list;

/* One capture: of the stream that began it, and of all that were joined to it by events. */
typedef struct capture {
  cudaGraph_t graph;
  cudaStream_t origin;
  uint64_t id;
  bool active, into; /* `into`: the graph is the caller's */
} capture;

struct CUstream_st { unsigned mark, flags; int priority; capture *capture; node_list tips; };
struct CUevent_st {
  unsigned mark, flags; uint64_t time; bool recorded;
  capture *capture; node_list tips;
};

static inline bool drano_is_captured(cudaStream_t s) {
  return (uintptr_t)s > 2 && s->capture != NULL && s->capture->active;
}

void drano_add_nodes(node_list *list, const cudaGraphNode_t *nodes, size_t count) HIDDEN;

/* What the captured stream is asked to do, as a node behind those that came before (graphs.c). */
cudaError_t drano_capture_kernel(cudaStream_t s, const void *function, dim3 grid, dim3 block,
                                 void **arguments, size_t shared, bool cooperative) HIDDEN;
cudaError_t drano_capture_copy(cudaStream_t s, const struct cudaMemcpy3DParms *copy) HIDDEN;
cudaError_t drano_capture_fill(cudaStream_t s, void *to, size_t pitch, int value, size_t width,
                               size_t height) HIDDEN;
cudaError_t drano_capture_host(cudaStream_t s, cudaHostFn_t function, void *data) HIDDEN;
cudaError_t drano_capture_malloc(cudaStream_t s, void **pointer, size_t bytes) HIDDEN;
cudaError_t drano_capture_free(cudaStream_t s, void *pointer) HIDDEN;

/* A copy of rows, as the general one says it. */
struct cudaMemcpy3DParms drano_copy_of(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                       size_t width, size_t height, enum cudaMemcpyKind kind) HIDDEN;

/* What cannot be captured must not be done at once either. */
#define REFUSE_CAPTURE(s) REQUIRE(!drano_is_captured(s), cudaErrorStreamCaptureUnsupported)
#endif
