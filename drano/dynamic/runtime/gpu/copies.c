/* Copies of arrays, as they are when a launch begins: what a launch that the host counts (replay.c) reads.
 *
 * A copy is made by the launch's own stream, in front of it. It serves all launches for which the array has
 * the same content, as its stamp tells (arrays.c). Several are kept, the oldest goes first. They outlive a reset
 * of the device, after which CUDA no longer knows of their memory and events.
 */
#include "replay.h"

#define KEPT 32
#define MOST_BYTES ((uint64_t)128 << 20)  /* of one array */
#define ALL_BYTES ((uint64_t)1 << 30)
#define PADDING 64 /* a last element may reach past the end */

struct gpu_copy {
  uint64_t base, bytes, stamp, epoch;
  char *data;
  cudaEvent_t made;
  int device;
  bool is_made;
  uint32_t users, resets; /* how many there were when it was made */
};

cudaError_t __real_cudaMemcpyAsync(void *, const void *, size_t, enum cudaMemcpyKind, cudaStream_t);
cudaError_t __real_cudaHostRegister(void *, size_t, unsigned);
cudaError_t __real_cudaHostUnregister(void *);
cudaError_t __real_cudaEventSynchronize(cudaEvent_t);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static gpu_copy *kept[KEPT]; /* each of them one user more */
static uint32_t oldest;
static uint64_t all_bytes;
static _Atomic uint32_t resets;

static void release(gpu_copy *c) {
  if (--c->users) return;
  all_bytes -= c->bytes;
  if (c->made != NULL && c->resets == atomic_load(&resets)) {
    if (!c->is_made) __real_cudaEventSynchronize(c->made); /* it may be under way */
    cudaEventDestroy(c->made);
    __real_cudaHostUnregister(c->data);
  }
  free(c->data);
  free(c);
}

void gpu_copy_release(gpu_copy *c) {
  if (c == NULL) return;
  pthread_mutex_lock(&lock);
  release(c);
  pthread_mutex_unlock(&lock);
}

static gpu_copy *found(const gpu_copy *like) {
  for (uint32_t n = 0; n < KEPT; n++)
    if (kept[n] != NULL && kept[n]->base == like->base && kept[n]->stamp == like->stamp &&
        kept[n]->epoch == like->epoch && kept[n]->bytes == like->bytes)
      return kept[n];
  return NULL;
}

/* What is older of the same array is of no use any more. */
static void keep(gpu_copy *c) {
  uint32_t at = oldest;
  for (uint32_t n = 0; n < KEPT; n++)
    if (kept[n] == NULL || kept[n]->base == c->base) at = n;
  if (kept[at] != NULL) release(kept[at]);
  else if (at == oldest) oldest = (oldest + 1) % KEPT;
  kept[at] = c;
  c->users++;
}

static bool filled(gpu_copy *c, cudaStream_t stream) {
  c->resets = atomic_load(&resets);
  return all_bytes + c->bytes <= ALL_BYTES && (c->data = malloc(c->bytes + PADDING)) != NULL &&
         __real_cudaHostRegister(c->data, c->bytes, cudaHostRegisterDefault) == cudaSuccess &&
         cudaEventCreateWithFlags(&c->made, cudaEventDisableTiming) == cudaSuccess &&
         __real_cudaMemcpyAsync(c->data, (void *)(uintptr_t)c->base, c->bytes, cudaMemcpyDeviceToHost, stream) ==
             cudaSuccess &&
         cudaEventRecord(c->made, stream) == cudaSuccess;
}

gpu_copy *gpu_copy_of(uint64_t address, cudaStream_t stream) {
  gpu_copy like = {.epoch = gpu_epoch(), .users = 1};
  like.stamp = gpu_content_at(address, &like.base, &like.bytes);
  if (like.stamp == 0 || like.bytes > MOST_BYTES || cudaGetDevice(&like.device) != cudaSuccess) return NULL;
  pthread_mutex_lock(&lock);
  gpu_copy *c = found(&like);
  if (c != NULL) {
    c->users++;
  } else if ((c = malloc(sizeof *c)) != NULL) {
    *c = like;
    const bool good = filled(c, stream);
    all_bytes += c->bytes;
    if (good) {
      keep(c);
    } else {
      cudaGetLastError();
      release(c);
      c = NULL;
    }
  }
  pthread_mutex_unlock(&lock);
  return c;
}

bool gpu_copy_wait(gpu_copy *c) {
  if (c->is_made || c->resets != atomic_load(&resets)) return true;
  cudaSetDevice(c->device);
  return c->is_made = __real_cudaEventSynchronize(c->made) == cudaSuccess;
}

void gpu_copies_before_reset(void) { atomic_fetch_add(&resets, 1); }

uint64_t gpu_copy_base(const gpu_copy *c) { return c->base; }
uint64_t gpu_copy_bytes(const gpu_copy *c) { return c->bytes; }
char *gpu_copy_data(const gpu_copy *c) { return c->data; }
