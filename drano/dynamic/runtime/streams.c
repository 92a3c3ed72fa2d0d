/* Streams and events. All work is done when the call that asks for it returns, so that a stream is
 * only a name, and an event the time at which it was recorded.
 */
#include "streams.h"

#define STREAM_MARK 0x64727374u
#define EVENT_MARK 0x64726576u

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
  **stream = (struct CUstream_st){.mark = STREAM_MARK, .flags = flags, .priority = priority};
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
  REFUSE_CAPTURE(stream);
  return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  CHECK_STATE();
  (void)flags;
  REQUIRE_STREAM(stream);
  REQUIRE_EVENT(event);
  if (event->capture == NULL || !event->capture->active) return cudaSuccess;
  REQUIRE((uintptr_t)stream > 2, cudaErrorStreamCaptureImplicit);
  if (!drano_is_captured(stream)) {
    stream->capture = event->capture;
    stream->tips.count = 0;
  }
  REQUIRE(stream->capture == event->capture, cudaErrorStreamCaptureMerge);
  drano_add_nodes(&stream->tips, event->tips.nodes, event->tips.count);
  return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned flags) {
  CHECK_STATE();
  (void)flags;
  REQUIRE_STREAM(stream);
  REQUIRE(callback != NULL, cudaErrorInvalidValue);
  REFUSE_CAPTURE(stream);
  callback(stream, cudaSuccess, data);
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  CHECK_STATE();
  REQUIRE_STREAM(stream);
  REQUIRE(function != NULL, cudaErrorInvalidValue);
  if (drano_is_captured(stream)) return drano_capture_host(stream, function, data);
  function(data);
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
  CHECK_STATE();
  REQUIRE_STREAM(stream);
  *status = drano_is_captured(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

#if CUDART_VERSION >= 11000
/* Hints: how L2 is to be used. */
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID what,
                                   const cudaStreamAttrValue *value) {
  CHECK_STATE();
  (void)what;
  REQUIRE_STREAM(stream);
  REQUIRE(value != NULL, cudaErrorInvalidValue);
  return cudaSuccess;
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  CHECK_STATE();
  REQUIRE_STREAM(to);
  REQUIRE_STREAM(from);
  return cudaSuccess;
}
#endif

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
  event->capture = drano_is_captured(stream) ? stream->capture : NULL;
  if (event->capture != NULL) {
    event->tips.count = 0;
    drano_add_nodes(&event->tips, stream->tips.nodes, stream->tips.count);
    return cudaSuccess;
  }
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

/* --- profilers ------------------------------------------------------------------------------ */

/* Every launch is counted as DRANO_LAUNCHES says. */
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

cudaError_t cudaProfilerStart(void) {
  CHECK_STATE();
  return cudaSuccess;
}

cudaError_t cudaProfilerStop(void) {
  CHECK_STATE();
  return cudaSuccess;
}
