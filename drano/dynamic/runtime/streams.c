/* Streams and events. All work is done when the call that asks for it returns, so that a stream is
 * only a name, and an event the time at which it was recorded.
 */
#include "drano_runtime.h"

#define STREAM_MARK 0x64727374u
#define EVENT_MARK 0x64726576u

struct CUstream_st { unsigned mark, flags; int priority; };
struct CUevent_st { unsigned mark, flags; uint64_t time; bool recorded; };

static bool valid(cudaStream_t s) {
  return s == NULL || s == cudaStreamLegacy || s == cudaStreamPerThread || s->mark == STREAM_MARK;
}

#define REQUIRE_STREAM(s) REQUIRE(valid(s), cudaErrorInvalidResourceHandle)
#define REQUIRE_EVENT(e) REQUIRE((e) != NULL && (e)->mark == EVENT_MARK, cudaErrorInvalidResourceHandle)

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  CHECK_STATE();
  REQUIRE(stream != NULL, cudaErrorInvalidValue);
  *stream = calloc(1, sizeof **stream);
  REQUIRE(*stream != NULL, cudaErrorMemoryAllocation);
  **stream = (struct CUstream_st){STREAM_MARK, flags, priority};
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  CHECK_STATE();
  REQUIRE(stream != NULL && stream->mark == STREAM_MARK, cudaErrorInvalidResourceHandle);
  stream->mark = 0; /* the few bytes stay, so that a later use is seen */
  return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  CHECK_STATE();
  REQUIRE_STREAM(stream);
  *flags = (uintptr_t)stream > 2 ? stream->flags : 0;
  return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  CHECK_STATE();
  REQUIRE_STREAM(stream);
  *priority = (uintptr_t)stream > 2 ? stream->priority : 0;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  CHECK_STATE();
  REQUIRE_STREAM(stream);
  return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  CHECK_STATE();
  (void)flags;
  REQUIRE_STREAM(stream);
  REQUIRE_EVENT(event);
  return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned flags) {
  CHECK_STATE();
  (void)flags;
  REQUIRE_STREAM(stream);
  REQUIRE(callback != NULL, cudaErrorInvalidValue);
  callback(stream, cudaSuccess, data);
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  CHECK_STATE();
  REQUIRE_STREAM(stream);
  REQUIRE(function != NULL, cudaErrorInvalidValue);
  function(data);
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
  CHECK_STATE();
  REQUIRE_STREAM(stream);
  *status = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache(void) {
  CHECK_STATE();
  return cudaSuccess;
}

/* --- events --------------------------------------------------------------------------------- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  CHECK_STATE();
  REQUIRE(event != NULL, cudaErrorInvalidValue);
  *event = calloc(1, sizeof **event);
  REQUIRE(*event != NULL, cudaErrorMemoryAllocation);
  (*event)->mark = EVENT_MARK;
  (*event)->flags = flags;
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  CHECK_STATE();
  REQUIRE_EVENT(event);
  event->mark = 0;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  CHECK_STATE();
  REQUIRE_STREAM(stream);
  REQUIRE_EVENT(event);
  event->time = drano_now();
  event->recorded = true;
  return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  (void)flags;
  return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  CHECK_STATE();
  REQUIRE_EVENT(event);
  return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  CHECK_STATE();
  REQUIRE(milliseconds != NULL, cudaErrorInvalidValue);
  REQUIRE_EVENT(start);
  REQUIRE_EVENT(end);
  REQUIRE(start->recorded && end->recorded, cudaErrorInvalidResourceHandle);
  REQUIRE(!((start->flags | end->flags) & cudaEventDisableTiming), cudaErrorInvalidResourceHandle);
  *milliseconds = (float)((double)(int64_t)(end->time - start->time) * 1e-6);
  return cudaSuccess;
}
