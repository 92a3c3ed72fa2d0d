/* Times of kernels: by an event before and one behind each launch, read when they have long been passed.
 *
 * What lies between two events is the kernel and, where the device had nothing else to do, the time that
 * the launch took to get there: microseconds; kernels of several streams that run beside each other are each given the whole time.
 * DRANO_TIMES=0 turns it off. Launches into a graph that is being captured have no time of their own.
 */
#include "gpu.h"

#define MAX_TIMERS 2048 /* launches that are under way; further ones wait for no one, and have no time */

struct gpu_timer {
  cudaEvent_t start, stop;
  int device;
  kernel_record *record;
  uint32_t shape;
  gpu_timer *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static gpu_timer *idle[MAX_DEVICES], *first, **last = &first;
static unsigned made, since;

static bool wanted(void) {
  static int known; /* 1: yes, 2: no */
  const char *text = known ? NULL : getenv("DRANO_TIMES");
  if (!known) known = text != NULL && strcmp(text, "0") == 0 ? 2 : 1;
  return known == 1;
}

/* Nothing that the program asks CUDA for later may be an error of ours. */
static bool may_ask(void) { return cudaPeekAtLastError() == cudaSuccess; }

static gpu_timer *new_timer(int device) {
  gpu_timer *t = idle[device];
  if (t != NULL) {
    idle[device] = t->next;
    return t;
  }
  if (made == MAX_TIMERS || (t = calloc(1, sizeof *t)) == NULL) return NULL;
  t->device = device;
  if (cudaEventCreate(&t->start) == cudaSuccess && cudaEventCreate(&t->stop) == cudaSuccess) {
    made++;
    return t;
  }
  cudaGetLastError();
  free(t);
  return NULL;
}

/* CUDA loads a kernel when it is first asked for: that is not to be timed. */
static void load(const void *kernel, int device) {
  static const void *_Atomic seen[4096];
  const char *key = (const char *)kernel + device; /* each device has its own */
  const size_t at = (uintptr_t)key * 2654435761u % (sizeof seen / sizeof *seen);
  struct cudaFuncAttributes unused;
  if (atomic_load(&seen[at]) == key) return;
  if (cudaFuncGetAttributes(&unused, kernel) != cudaSuccess) cudaGetLastError();
  atomic_store(&seen[at], key);
}

bool gpu_is_capturing(cudaStream_t stream) {
  enum cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
  if (!may_ask()) return true;
  if (cudaStreamIsCapturing(stream, &capturing) == cudaSuccess) return capturing != cudaStreamCaptureStatusNone;
  cudaGetLastError();
  return true;
}

gpu_timer *gpu_time_start(const void *kernel, cudaStream_t stream) {
  int device = 0;
  if (!wanted() || gpu_is_capturing(stream) || cudaGetDevice(&device) != cudaSuccess || device >= MAX_DEVICES) return NULL;
  load(kernel, device);
  pthread_mutex_lock(&lock);
  if (idle[device] == NULL && ++since % 256 == 0) gpu_read_times_locked();
  gpu_timer *t = new_timer(device);
  pthread_mutex_unlock(&lock);
  if (t != NULL && cudaEventRecord(t->start, stream) != cudaSuccess) {
    cudaGetLastError();
    gpu_time_stop(t, stream, NULL, 0);
    return NULL;
  }
  return t;
}

void gpu_time_stop(gpu_timer *t, cudaStream_t stream, kernel_record *record, uint32_t shape) {
  if (t == NULL) return;
  if (record != NULL && cudaEventRecord(t->stop, stream) != cudaSuccess) {
    cudaGetLastError();
    record = NULL;
  }
  pthread_mutex_lock(&lock);
  t->record = record;
  t->shape = shape;
  t->next = NULL;
  if (record == NULL) {
    t->next = idle[t->device];
    idle[t->device] = t;
  } else {
    *last = t;
    last = &t->next;
  }
  pthread_mutex_unlock(&lock);
}

/* In the order of the launches, up to the first that is not done. */
void gpu_read_times_locked(void) {
  float milliseconds = 0;
  while (first != NULL && may_ask()) {
    gpu_timer *t = first;
    cudaError_t error = cudaEventQuery(t->stop);
    if (error == cudaSuccess) error = cudaEventElapsedTime(&milliseconds, t->start, t->stop);
    if (error != cudaSuccess) {
      cudaGetLastError();
      return;
    }
    uint64_t nanoseconds = milliseconds > 0 ? (uint64_t)(1e6 * (double)milliseconds) : 0;
    t->record->nanoseconds += nanoseconds;
    if (t->shape < MAX_SHAPES) t->record->shape[t->shape].nanoseconds += nanoseconds;
    first = t->next;
    if (first == NULL) last = &first;
    t->next = idle[t->device];
    idle[t->device] = t;
  }
}

void gpu_read_times(void) {
  pthread_mutex_lock(&lock);
  gpu_read_times_locked();
  pthread_mutex_unlock(&lock);
}

/* A reset takes events with it. */
void gpu_forget_timers(int device) {
  pthread_mutex_lock(&lock);
  gpu_read_times_locked();
  for (gpu_timer **at = &first; *at != NULL;)
    if ((*at)->device == device) *at = (*at)->next;
    else at = &(*at)->next;
  for (last = &first; *last != NULL; last = &(*last)->next) {}
  idle[device] = NULL;
  made = 0;
  pthread_mutex_unlock(&lock);
}
