/* Counters on the device, and how their sums come to where the profile looks for them.
 *
 * A module's table has a row for each multiprocessor. Copies are made by a stream of our own, now and
 * then while the program runs, so that something is left when a kernel fails (CUDA then gives nothing
 * back any more), and at the end. A signal's handler must not call CUDA: a thread that waits for
 * it makes the last copy.
 */
#include "replay.h"
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

cudaError_t __real_cudaMalloc(void **, size_t);
cudaError_t __real_cudaHostRegister(void *, size_t, unsigned);
cudaError_t __real_cudaMemcpyAsync(void *, const void *, size_t, enum cudaMemcpyKind, cudaStream_t);

/* How often, and that copying (20 bytes a nanosecond) takes a fiftieth of the time at most. */
#define LAUNCH_NS 20000000ull
#define WAIT_NS 200000ull
#define EASY_BYTES 20
#define EASY_PART 50
#define LAST_COPY_SECONDS 5

struct drano_counters drano_worker_counters[MAX_WORKERS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cudaStream_t streams[MAX_DEVICES];
static _Atomic uint32_t prepared[MAX_DEVICES]; /* modules whose counters are there */
static _Atomic uint64_t last_snapshot, table_bytes;
static _Atomic int failed;
static sem_t asked, answered;

uint64_t drano_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

unsigned drano_workers(void) { return 1; }

static struct cudaDeviceProp properties = {.name = "GPU"};

const gpu_model *drano_gpu(void) {
  static gpu_model model = {.name = "GPU", .full_name = properties.name};
  return &model;
}

void gpu_note_error(cudaError_t error, const char *where) {
  if (atomic_exchange(&failed, (int)error) != 0) return;
  fault_record *f = &drano_faults[0];
  f->kernel = f->path = "";
  snprintf(f->text, sizeof f->text, "%s: %s; counts are up to the last copy of them before that", where,
           cudaGetErrorString(error));
  atomic_store(&drano_fault_count, 1);
  drano_say("error: %s", f->text);
}

/* --- tables --------------------------------------------------------------------------------- */

uint64_t gpu_row_bytes(const gpu_module *m) { return m->slots * SLOT_FIELDS * 8; }
uint64_t gpu_table_bytes(const gpu_module *m, uint64_t tables) { return tables * m->height * gpu_row_bytes(m); }
static uint64_t all_bytes(const gpu_module *m) { return gpu_table_bytes(m, 1 + m->spare + m->repeating); }

static bool make_table(gpu_module *m, int device) {
  counter_table *t = &m->tables[device];
  uint64_t bytes = all_bytes(m), address;
  uint32_t rows = (uint32_t)m->height, length = (uint32_t)(gpu_row_bytes(m) / 8), mask = rows - 1;
  uint64_t whole = gpu_whole_threads(device);
  uint32_t threshold = gpu_threshold(m->sample);
  if (__real_cudaMalloc((void **)&t->rows, bytes) != cudaSuccess) return false;
  t->copy = calloc(1, bytes);
  if (t->copy == NULL || __real_cudaHostRegister(t->copy, bytes, cudaHostRegisterDefault) != cudaSuccess) return false;
  address = (uint64_t)(uintptr_t)t->rows;
  t->row_count = rows;
  atomic_fetch_add(&table_bytes, rows * m->slots * SLOT_FIELDS * 8);
  return cudaMemset(t->rows, 0, bytes) == cudaSuccess &&
         cudaMemcpyToSymbol(&m->row_length, &length, 4, 0, cudaMemcpyHostToDevice) == cudaSuccess &&
         cudaMemcpyToSymbol(&m->row_mask, &mask, 4, 0, cudaMemcpyHostToDevice) == cudaSuccess &&
         cudaMemcpyToSymbol(&m->whole, &whole, 8, 0, cudaMemcpyHostToDevice) == cudaSuccess &&
         cudaMemcpyToSymbol(&m->threshold, &threshold, 4, 0, cudaMemcpyHostToDevice) == cudaSuccess &&
         cudaMemcpyToSymbol(&m->rows, &address, 8, 0, cudaMemcpyHostToDevice) == cudaSuccess;
}

static void *last_copy(void *unused);
static void at_exit(void) { drano_write_profile("exit"); }

static void start_device(int device) {
  static bool started;
  cudaStreamCreateWithFlags(&streams[device], cudaStreamNonBlocking);
  if (started) return;
  started = true;
  cudaGetDeviceProperties(&properties, device);
  atexit(at_exit); /* after CUDA's own, so that it runs before it */
  pthread_t thread;
  sem_init(&asked, 0, 0);
  sem_init(&answered, 0, 0);
  if (pthread_create(&thread, NULL, last_copy, NULL) == 0) pthread_detach(thread);
}

void gpu_prepare(void) {
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess || device >= MAX_DEVICES) return;
  uint32_t count = atomic_load(&gpu_module_count);
  if (atomic_load(&prepared[device]) == count) return;
  pthread_mutex_lock(&lock);
  if (streams[device] == NULL) start_device(device);
  for (uint32_t k = 0; k < count; k++) {
    gpu_module *m = gpu_modules[k];
    counter_table *t = &m->tables[device];
    if (t->tried || gpu_unit_of(m) == NULL || m->slots == 0) continue;
    t->tried = true;
    if (!make_table(m, device)) {
      cudaError_t error = cudaGetLastError();
      drano_say("warning: no counters on device %d: %s", device, cudaGetErrorString(error));
      t->rows = NULL;
    }
  }
  atomic_store(&prepared[device], count);
  pthread_mutex_unlock(&lock);
}

/* --- copies --------------------------------------------------------------------------------- */

static cudaError_t copy_tables(int device) {
  cudaError_t error = cudaSuccess;
  uint32_t count = atomic_load(&gpu_module_count);
  for (uint32_t k = 0; k < count && error == cudaSuccess; k++) {
    gpu_module *m = gpu_modules[k];
    counter_table *t = &m->tables[device];
    if (t->rows != NULL)
      error = __real_cudaMemcpyAsync(t->copy, t->rows, gpu_table_bytes(m, 1 + m->used), cudaMemcpyDeviceToHost,
                                     streams[device]);
  }
  return error;
}

void gpu_snapshot_soon(bool waited) {
  uint64_t now = drano_now(), last = atomic_load(&last_snapshot);
  uint64_t pause = (waited ? WAIT_NS : LAUNCH_NS) + atomic_load(&table_bytes) / EASY_BYTES * EASY_PART;
  int device = 0;
  if (now - last < pause || !atomic_compare_exchange_strong(&last_snapshot, &last, now)) return;
  if (cudaGetDevice(&device) != cudaSuccess || device >= MAX_DEVICES) return;
  enum cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(cudaStreamLegacy, &capturing) != cudaSuccess) {
    cudaGetLastError(); /* a capture is under way: not now */
    return;
  }
  if (streams[device] == NULL) return;
  /* When nothing runs the copy is whole, and done before a kernel can fail. */
  if (copy_tables(device) == cudaSuccess && waited) cudaStreamSynchronize(streams[device]);
}

/* All that was counted, as far as the devices still give it. */
static void copy_all(bool wait) {
  int current = 0;
  if (cudaGetDevice(&current) != cudaSuccess) return;
  for (int device = 0; device < MAX_DEVICES; device++) {
    if (streams[device] == NULL || cudaSetDevice(device) != cudaSuccess) continue;
    cudaError_t error = wait ? cudaDeviceSynchronize() : cudaSuccess;
    if (error == cudaSuccess) error = copy_tables(device);
    if (error == cudaSuccess) error = cudaStreamSynchronize(streams[device]);
    if (error != cudaSuccess) gpu_note_error(error, "a kernel failed");
  }
  cudaSetDevice(current);
}

/* A reset takes the counters with it: what they had come to is kept. */
void gpu_before_reset(void) {
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess || device >= MAX_DEVICES || streams[device] == NULL) return;
  copy_all(true);
  gpu_replay_wait(true);
  gpu_copies_before_reset();
  gpu_forget_timers(device);
  gpu_forget_repeats();
  pthread_mutex_lock(&lock);
  uint32_t count = atomic_load(&gpu_module_count);
  for (uint32_t k = 0; k < count; k++) {
    counter_table *t = &gpu_modules[k]->tables[device];
    uint64_t words = all_bytes(gpu_modules[k]) / 8;
    if (t->copy != NULL && t->saved != NULL)
      for (uint64_t n = 0; n < words; n++) t->copy[n] += t->saved[n];
    if (t->copy != NULL) t->saved = t->copy;
    t->copy = t->rows = NULL;
    t->tried = false;
  }
  streams[device] = NULL;
  atomic_store(&prepared[device], 0);
  pthread_mutex_unlock(&lock);
}

static void *last_copy(void *unused) {
  (void)unused;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  while (sem_wait(&asked) != 0)
    if (errno != EINTR) return NULL;
  copy_all(false);
  sem_post(&answered);
  return NULL;
}

void gpu_sum_slot(const gpu_module *m, const counter_table *t, int32_t slot, uint64_t sum[SLOT_FIELDS]) {
  memset(sum, 0, SLOT_FIELDS * sizeof *sum);
  if (slot < 0) return;
  const uint64_t *both[] = {t->copy, t->saved};
  for (int k = 0; k < 2; k++)
    for (uint32_t row = 0; row < t->row_count && both[k] != NULL; row++)
      for (uint64_t f = 0; f < SLOT_FIELDS; f++)
        sum[f] += both[k][row * gpu_row_bytes(m) / 8 + (uint64_t)slot * SLOT_FIELDS + f];
}

void drano_collect(const char *reason) {
  bool own = strcmp(reason, "exit") == 0 || strcmp(reason, "_exit") == 0;
  bool started = false;
  for (int device = 0; device < MAX_DEVICES; device++) started |= streams[device] != NULL;
  if (started && own) {
    copy_all(true);
    gpu_read_times();
  } else if (started) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LAST_COPY_SECONDS;
    sem_post(&asked);
    while (sem_timedwait(&answered, &until) != 0 && errno == EINTR) {}
  }
  struct drano_counters *c = &drano_worker_counters[0];
  c->site_limit = atomic_load(&drano_site_count);
  c->sites = calloc(c->site_limit + 1, sizeof *c->sites);
  c->array_limit = atomic_load(&drano_array_count);
  c->arrays = calloc(c->array_limit + 1, sizeof *c->arrays);
  if (c->sites == NULL || c->arrays == NULL) c->site_limit = c->array_limit = 0;
  c->work_limit = atomic_load(&drano_work_count);
  c->work = calloc(c->work_limit + 1, sizeof *c->work);
  if (c->work == NULL) c->work_limit = 0;
  uint32_t count = atomic_load(&gpu_module_count);
  gpu_replay_wait(own);
  for (uint32_t k = 0; k < count && c->site_limit; k++)
    if (gpu_modules[k]->unit != NULL && gpu_modules[k]->sets != NULL) gpu_add_replayed(gpu_modules[k]);
  for (uint32_t k = 0; k < count && c->site_limit; k++)
    for (int device = 0; device < MAX_DEVICES; device++)
      if (gpu_modules[k]->unit != NULL && gpu_modules[k]->tables[device].row_count) {
        gpu_add_up(gpu_modules[k], &gpu_modules[k]->tables[device]);
        gpu_add_visits(gpu_modules[k], &gpu_modules[k]->tables[device]);
        gpu_collect_blocks(gpu_modules[k], &gpu_modules[k]->tables[device]);
      }
}
