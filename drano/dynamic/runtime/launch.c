/* Launches: blocks go to the workers, one block to one worker; a block's warps take turns.
 *
 * A launch has ended when the call returns: kernels, copies and callbacks of all streams happen in the
 * order in which the program asks for them, which every order that CUDA promises allows. A warp runs
 * until it has exited or all its lanes wait at a barrier; the barrier opens when all the warps that
 * have not exited wait at it. A cooperative launch keeps all of its blocks, and opens its grid barrier
 * when all of them wait.
 */
#include "proved.h"
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>

typedef struct warp_state { bool done, waiting, at_grid; } warp_state;

/* All that one block needs while it runs. */
typedef struct block_context {
  drano_block block;
  drano_warp *warps;
  warp_state *states;
  char *memory;
  uint64_t memory_bytes;
  const drano_kernel *kernel;
  uint32_t warp_count;
} block_context;

kernel_record *_Atomic drano_kernel_records[MAX_KERNELS];
_Atomic uint32_t drano_kernel_record_count;
_Atomic int drano_stopping;
_Thread_local drano_warp *drano_current_warp;
fault_record drano_faults[MAX_FAULTS];
_Atomic uint32_t drano_fault_count;

#define STACK_BYTES ((size_t)64 << 20)

static pthread_mutex_t launching = PTHREAD_MUTEX_INITIALIZER; /* one launch at a time */
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work_there = PTHREAD_COND_INITIALIZER, work_done = PTHREAD_COND_INITIALIZER;
static struct drano_launch *current;
static uint64_t generation;
static unsigned running, wanted, started;
static block_context worker_context[MAX_WORKERS];

uint64_t drano_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

unsigned drano_workers(void) {
  static unsigned count;
  if (count) return count;
  const char *asked = getenv("DRANO_WORKERS");
  long n = asked != NULL ? strtol(asked, NULL, 10) : 0;
  if (n < 1) n = sysconf(_SC_NPROCESSORS_ONLN);
  return count = (unsigned)(n < 1 ? 1 : n > MAX_WORKERS ? MAX_WORKERS : n);
}

/* --- faults --------------------------------------------------------------------------------- */

static bool first_fault(struct drano_launch *launch) {
  return atomic_exchange(&launch->stop, 1) == 0;
}

static void record_fault(struct drano_launch *launch, const drano_site *s, cudaError_t error,
                         const char *line) {
  drano_say("error: %s", line);
  uint32_t n = atomic_load(&drano_fault_count);
  if (n < MAX_FAULTS) {
    drano_faults[n].kernel = launch->kernel->name;
    drano_faults[n].path = s != NULL ? s->path : "";
    drano_faults[n].line = s != NULL ? s->line : 0;
    snprintf(drano_faults[n].text, sizeof drano_faults[n].text, "%s", line);
    atomic_store(&drano_fault_count, n + 1);
  }
  drano_sticky(error);
}

void drano_report(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t lane, cudaError_t error,
                  const char *what) {
  struct drano_launch *launch = w->block->launch;
  if (!first_fault(launch)) return;
  const drano_site *s = u != NULL && site != DRANO_NO_SITE ? &u->sites[site] : NULL;
  char place[300] = "", line[1000];
  if (s != NULL) snprintf(place, sizeof place, "%s:%u:%u: ", s->path, s->line, s->column);
  const drano_dim3 b = w->block->block_idx;
  snprintf(line, sizeof line, "%skernel %s, block (%d,%d,%d), thread (%d,%d,%d): %s", place,
           launch->kernel->name, b.x, b.y, b.z, w->tid_x[lane], w->tid_y[lane], w->tid_z[lane], what);
  record_fault(launch, s, error, line);
}

void drano_fault(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t mask, const char *what) {
  cudaError_t error = strncmp(what, "assert", 6) == 0        ? cudaErrorAssert
                      : strncmp(what, "unsupported", 11) == 0 ? cudaErrorLaunchFailure
                      : strncmp(what, "trap", 4) == 0         ? cudaErrorIllegalInstruction
                                                              : cudaErrorIllegalAddress;
  drano_report(w, u, site, mask ? (uint32_t)__builtin_ctz(mask) : 0, error, what);
}

void drano_assert(drano_warp *w, const drano_unit *u, uint32_t mask, const char *message,
                  const char *file, uint32_t line, const char *function) {
  char text[600];
  snprintf(text, sizeof text, "%s:%u: %s: assertion `%s' failed", file, line, function, message);
  drano_report(w, u, DRANO_NO_SITE, mask ? (uint32_t)__builtin_ctz(mask) : 0, cudaErrorAssert, text);
}

/* --- one block ------------------------------------------------------------------------------ */

static uint64_t align_up(uint64_t value, uint64_t to) { return (value + to - 1) & ~(to - 1); }

/* Make `c` fit the launch; memory is kept from block to block. */
static void prepare(block_context *c, struct drano_launch *l, struct drano_counters *counters) {
  const drano_kernel *k = l->kernel;
  uint64_t frame = align_up(k->frame_bytes, 64), local = align_up((uint64_t)k->local_bytes * 32, 64);
  uint64_t shared = align_up(l->shared_bytes, 128);
  uint64_t need = 4096 + shared + l->warps * (frame + local + sizeof(drano_warp) + sizeof(warp_state) + 64);
  if (need > c->memory_bytes) {
    if (c->memory) munmap(c->memory, c->memory_bytes);
    c->memory_bytes = align_up(need, 1 << 16);
    c->memory = mmap(NULL, c->memory_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (c->memory == MAP_FAILED) {
      drano_say("error: no memory for a block of kernel %s", k->name);
      abort();
    }
  }
  char *at = c->memory;
  c->block.shared = at;
  at += align_up(shared + 1, 128); /* not even an empty one is another's */
  char *frames = at;
  at += l->warps * frame;
  char *locals = at;
  at += l->warps * local;
  c->warps = (drano_warp *)at;
  at += align_up(l->warps * sizeof(drano_warp), 64);
  c->states = (warp_state *)at;
  c->kernel = k;
  c->warp_count = l->warps;
  c->block.block_dim = l->block;
  c->block.grid_dim = l->grid;
  c->block.shared_bytes = l->shared_bytes;
  c->block.dynamic_shared_offset = l->dynamic_shared_offset;
  c->block.warps = l->warps;
  c->block.launch = l;
  c->block.counters = counters;
  for (uint32_t k2 = 0; k2 < l->warps; k2++) {
    drano_warp *w = &c->warps[k2];
    memset(w, 0, sizeof *w);
    w->params = l->params;
    w->frame = frames + k2 * frame;
    w->local = locals + k2 * local;
    w->block = &c->block;
    w->warp_id = k2;
    for (uint32_t lane = 0; lane < DRANO_WARP; lane++) {
      uint32_t t = k2 * DRANO_WARP + lane;
      w->tid_x[lane] = (int32_t)(t % (uint32_t)l->block.x);
      w->tid_y[lane] = (int32_t)(t / (uint32_t)l->block.x % (uint32_t)l->block.y);
      w->tid_z[lane] = (int32_t)(t / (uint32_t)l->block.x / (uint32_t)l->block.y);
    }
  }
}

static void begin_block(block_context *c, struct drano_launch *l, uint64_t number) {
  uint64_t x = (uint64_t)l->grid.x, y = (uint64_t)l->grid.y;
  c->block.block_idx = (drano_dim3){(int32_t)(number % x), (int32_t)(number / x % y),
                                    (int32_t)(number / x / y)};
  for (uint32_t k = 0; k < l->warps; k++) {
    drano_warp *w = &c->warps[k];
    uint32_t first = k * DRANO_WARP, count = l->threads - first;
    w->live = count >= DRANO_WARP ? UINT32_MAX : (1u << count) - 1;
    w->barrier_threads = w->barrier_arrive = w->barrier_true = 0;
    c->states[k] = (warp_state){0};
    memset(w->frame, 0, 8); /* the step function sets the rest */
  }
}

static void barrier_fault(block_context *c, drano_warp *w, uint32_t lanes) {
  char text[200];
  uint32_t waiting = 0, live = 0;
  for (uint32_t k = 0; k < c->warp_count; k++) {
    if (c->states[k].done) continue;
    live += (uint32_t)__builtin_popcount(c->warps[k].live);
    if (c->states[k].waiting && c->warps[k].barrier_id == w->barrier_id)
      waiting += (uint32_t)__builtin_popcount(c->warps[k].barrier_lanes);
  }
  snprintf(text, sizeof text,
           "barrier reached by part of the block: %u of its %u threads wait at barrier %u, the others "
           "never come",
           waiting, live, w->barrier_id);
  drano_report(w, NULL, DRANO_NO_SITE, lanes ? (uint32_t)__builtin_ctz(lanes) : 0,
               cudaErrorIllegalAddress, text);
}

/* Open the barriers at which all that must come wait. False: none, though somebody waits. */
static bool open_barriers(block_context *c) {
  bool any = false;
  uint32_t live = 0;
  for (uint32_t k = 0; k < c->warp_count; k++)
    if (!c->states[k].done) live++;
  for (uint32_t k = 0; k < c->warp_count; k++) {
    drano_warp *first = &c->warps[k];
    if (!c->states[k].waiting) continue;
    uint32_t id = first->barrier_id, warps = 0, threads = 0, yes = 0, expected = first->barrier_threads;
    for (uint32_t j = 0; j < c->warp_count; j++) {
      if (!c->states[j].waiting || c->warps[j].barrier_id != id) continue;
      warps++;
      threads += (uint32_t)__builtin_popcount(c->warps[j].barrier_lanes);
      yes += (uint32_t)__builtin_popcount(c->warps[j].barrier_true);
    }
    /* a named barrier counts whole warps */
    if (expected ? warps * DRANO_WARP < expected : warps < live) continue;
    for (uint32_t j = 0; j < c->warp_count; j++) {
      if (!c->states[j].waiting || c->warps[j].barrier_id != id) continue;
      c->states[j].waiting = false;
      c->warps[j].barrier_count = yes;
      c->warps[j].barrier_total = threads;
      any = true;
    }
  }
  return any;
}

enum outcome { FINISHED, SUSPENDED, STOPPED };

static enum outcome run_block(block_context *c, struct drano_launch *l) {
  int32_t (*step)(drano_warp *) = l->kernel->step;
  for (;;) {
    uint32_t done = 0, at_grid = 0;
    for (uint32_t k = 0; k < c->warp_count; k++) {
      warp_state *s = &c->states[k];
      drano_warp *w = &c->warps[k];
      while (!s->done && !s->waiting && !s->at_grid) {
        drano_current_warp = w;
        int32_t status = step(w);
        if (status == DRANO_EXITED) {
          s->done = true;
        } else if (status == DRANO_AT_BARRIER) {
          if (UNLIKELY(w->barrier_lanes != w->live && !w->barrier_threads)) {
            barrier_fault(c, w, w->barrier_lanes);
            return STOPPED;
          }
          s->waiting = !w->barrier_arrive;
        } else if (status == DRANO_AT_GRID_BARRIER) {
          if (!l->cooperative) {
            drano_report(w, NULL, DRANO_NO_SITE, 0, cudaErrorLaunchFailure,
                         "grid barrier in a kernel that was not launched cooperatively");
            return STOPPED;
          }
          s->at_grid = true;
        } else {
          atomic_store(&l->stop, 1);
          return STOPPED;
        }
        if (UNLIKELY(atomic_load_explicit(&l->stop, memory_order_relaxed))) return STOPPED;
      }
      done += s->done;
      at_grid += s->at_grid;
    }
    if (done == c->warp_count) return FINISHED;
    if (done + at_grid == c->warp_count) return SUSPENDED;
    if (!open_barriers(c)) {
      for (uint32_t k = 0; k < c->warp_count; k++)
        if (c->states[k].waiting) {
          barrier_fault(c, &c->warps[k], c->warps[k].barrier_lanes);
          break;
        }
      return STOPPED;
    }
  }
}

/* --- workers -------------------------------------------------------------------------------- */

static void run_share(struct drano_launch *l, unsigned worker) {
  block_context *own = &worker_context[worker];
  struct drano_counters *counters = &drano_worker_counters[worker];
  if (!l->cooperative) prepare(own, l, counters);
  uint64_t chunk = l->blocks / (drano_workers() * 16u) + 1;
  if (chunk > 64) chunk = 64;
  while (!atomic_load_explicit(&l->stop, memory_order_relaxed)) {
    uint64_t from = atomic_fetch_add(&l->next, chunk);
    if (from >= l->blocks) break;
    uint64_t to = from + chunk < l->blocks ? from + chunk : l->blocks;
    for (uint64_t number = from; number < to; number++) {
      block_context *c = own;
      if (l->cooperative) {
        if (l->contexts[number] == NULL) {
          c = calloc(1, sizeof *c);
          if (c == NULL) abort();
          prepare(c, l, counters);
          begin_block(c, l, number);
          l->contexts[number] = c;
        } else {
          c = l->contexts[number];
          c->block.counters = counters;
          bool live = false;
          for (uint32_t k = 0; k < c->warp_count; k++) {
            c->states[k].at_grid = false;
            live |= !c->states[k].done;
          }
          if (!live) continue;
        }
      } else {
        begin_block(c, l, number);
      }
      enum outcome outcome = run_block(c, l);
      if (outcome == STOPPED) break;
      if (outcome == SUSPENDED) atomic_fetch_add(&l->suspended, 1);
      else atomic_fetch_add(&l->finished, 1);
      if (atomic_load_explicit(&l->stop, memory_order_relaxed)) break;
    }
  }
  drano_current_warp = NULL;
}

static void *worker_main(void *argument) {
  unsigned worker = (unsigned)(uintptr_t)argument;
  uint64_t seen = 0;
  for (;;) {
    pthread_mutex_lock(&pool_lock);
    while (generation == seen || worker >= wanted) {
      if (generation != seen) seen = generation;
      pthread_cond_wait(&work_there, &pool_lock);
    }
    seen = generation;
    struct drano_launch *l = current;
    pthread_mutex_unlock(&pool_lock);
    run_share(l, worker);
    pthread_mutex_lock(&pool_lock);
    if (--running == 0) pthread_cond_signal(&work_done);
    pthread_mutex_unlock(&pool_lock);
  }
  return NULL;
}

static bool start_workers(unsigned count) {
  while (started < count) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigset_t all, before; /* signals go to the program's own threads */
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGABRT);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int failed = pthread_create(&thread, &attributes, worker_main, (void *)(uintptr_t)started);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (failed) return started > 0;
    started++;
  }
  return true;
}

static void run_everywhere(struct drano_launch *l) {
  unsigned count = drano_workers();
  if (count > l->blocks) count = (unsigned)l->blocks;
  atomic_store(&l->next, 0);
  pthread_mutex_lock(&pool_lock);
  if (!start_workers(count)) {
    drano_say("error: no thread could be started");
    abort();
  }
  wanted = running = count < started ? count : started;
  current = l;
  generation++;
  pthread_cond_broadcast(&work_there);
  while (running) pthread_cond_wait(&work_done, &pool_lock);
  wanted = 0;
  pthread_mutex_unlock(&pool_lock);
}

static void run_cooperative(struct drano_launch *l) {
  l->contexts = calloc(l->blocks, sizeof *l->contexts);
  if (l->contexts == NULL) abort();
  uint64_t finished = 0;
  do {
    atomic_store(&l->suspended, 0);
    atomic_store(&l->finished, 0);
    run_everywhere(l);
    finished += atomic_load(&l->finished);
    if (atomic_load(&l->stop)) break;
    if (atomic_load(&l->suspended) && finished) {
      for (uint64_t k = 0; k < l->blocks; k++)
        for (uint32_t j = 0; j < l->contexts[k]->warp_count; j++)
          if (l->contexts[k]->states[j].at_grid) {
            drano_report(&l->contexts[k]->warps[j], NULL, DRANO_NO_SITE, 0, cudaErrorLaunchTimeout,
                         "grid barrier reached by part of the grid: the other blocks have ended");
            goto over;
          }
    }
  } while (atomic_load(&l->suspended));
over:
  for (uint64_t k = 0; k < l->blocks; k++)
    if (l->contexts[k] != NULL) {
      munmap(l->contexts[k]->memory, l->contexts[k]->memory_bytes);
      free(l->contexts[k]);
    }
  free(l->contexts);
}

/* --- records -------------------------------------------------------------------------------- */

static kernel_record *record_of(const struct drano_launch *l) {
  uint32_t count = atomic_load(&drano_kernel_record_count);
  kernel_record *r;
  for (uint32_t at = 0; at < count; at++) {
    r = atomic_load(&drano_kernel_records[at]);
    if (r->kernel == l->kernel) return r;
  }
  if (count == MAX_KERNELS || (r = calloc(1, sizeof *r)) == NULL) return NULL;
  r->kernel = l->kernel;
  r->unit = l->unit;
  atomic_store(&drano_kernel_records[count], r);
  atomic_store(&drano_kernel_record_count, count + 1);
  return r;
}

/* The record of this launch's shape; NULL when there are too many shapes. */
static launch_shape *shape_of(kernel_record *r, const struct drano_launch *l) {
  for (launch_shape *shape = r->shape; shape < r->shape + r->shapes; shape++)
    if (memcmp(&shape->grid, &l->grid, sizeof l->grid) == 0 &&
        memcmp(&shape->block, &l->block, sizeof l->block) == 0 && shape->shared == l->shared_bytes)
      return shape;
  if (r->shapes == MAX_SHAPES) return NULL;
  launch_shape *fresh = &r->shape[r->shapes];
  *fresh = (launch_shape){.grid = l->grid, .block = l->block, .shared = l->shared_bytes};
  r->shapes++;
  return fresh;
}

/* Whether the next launch of this shape is counted. DRANO_LAUNCHES=N: only the first N launches of
 * each kernel, grid and block; with commas (1,3,6): only these. */
static bool is_counted(const launch_shape *shape) {
  const char *text = getenv("DRANO_LAUNCHES");
  if (text == NULL || *text == 0) return true;
  if (strchr(text, ',') == NULL) {
    uint64_t first = strtoull(text, NULL, 10);
    return first == 0 || (shape != NULL && shape->launches < first);
  }
  for (const char *p = text; shape != NULL && p != NULL; p = strchr(p, ',')) {
    p += *p == ',';
    if (strtoull(p, NULL, 10) == shape->launches + 1) return true;
  }
  return false;
}

cudaError_t drano_launch_kernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                size_t shared, bool cooperative) {
  const gpu_model *gpu = drano_gpu();
  host_function *f = drano_host_function(function);
  REQUIRE(f != NULL && f->kernel != NULL, cudaErrorInvalidDeviceFunction);
  const drano_kernel *k = f->kernel;
  uint64_t threads = (uint64_t)block.x * block.y * block.z;
  REQUIRE(threads >= 1 && grid.x && grid.y && grid.z, cudaErrorInvalidConfiguration);
  REQUIRE(block.x <= 1024 && block.y <= 1024 && block.z <= 64 && threads <= 1024,
          cudaErrorInvalidConfiguration);
  REQUIRE(grid.x <= 0x7fffffffu && grid.y <= 65535 && grid.z <= 65535, cudaErrorInvalidConfiguration);
  REQUIRE(shared + k->static_shared_bytes <= 48 * 1024 || shared <= (size_t)f->max_dynamic_shared,
          cudaErrorInvalidValue);
  REQUIRE(shared + k->static_shared_bytes <= (size_t)gpu->shared_optin_kb * 1024,
          cudaErrorInvalidValue);
  struct drano_launch l = {.unit = f->unit, .kernel = k};
  l.grid = (drano_dim3){(int32_t)grid.x, (int32_t)grid.y, (int32_t)grid.z};
  l.block = (drano_dim3){(int32_t)block.x, (int32_t)block.y, (int32_t)block.z};
  l.threads = (uint32_t)threads;
  l.warps = (l.threads + DRANO_WARP - 1) / DRANO_WARP;
  l.dynamic_shared_offset = (uint32_t)align_up(k->static_shared_bytes, 128);
  l.shared_bytes = shared ? l.dynamic_shared_offset + (uint32_t)shared : k->static_shared_bytes;
  l.blocks = (uint64_t)grid.x * grid.y * grid.z;
  l.cooperative = cooperative;
  if (cooperative) {
    int each = drano_blocks_per_sm((int)threads, shared + k->static_shared_bytes, 32);
    REQUIRE(l.blocks <= (uint64_t)each * (uint64_t)gpu->sms, cudaErrorCooperativeLaunchTooLarge);
  }
  char *params = aligned_alloc(64, align_up(k->params_bytes + 1, 64));
  REQUIRE(params != NULL, cudaErrorMemoryAllocation);
  for (uint32_t n = 0; n < k->param_count; n++)
    memcpy(params + k->params[n].offset, arguments[n], k->params[n].bytes);
  l.params = params;
  pthread_mutex_lock(&launching);
  drano_counters_reserve(drano_workers());
  drano_choose_proofs(l.unit, k, l.grid, l.block);
  kernel_record *record = record_of(&l);
  launch_shape *shape = record != NULL ? shape_of(record, &l) : NULL;
  l.counted = is_counted(shape);
  atomic_store(&l.stop, atomic_load(&drano_stopping));
  uint64_t start = drano_now();
  if (cooperative) run_cooperative(&l);
  else run_everywhere(&l);
  uint64_t nanoseconds = drano_now() - start;
  if (record != NULL) {
    record->launches++;
    record->nanoseconds += nanoseconds;
    record->threads += l.blocks * l.threads;
    if (shape == NULL) record->other_shapes++;
  }
  if (shape != NULL) {
    shape->launches++;
    shape->counted += l.counted;
    shape->nanoseconds += nanoseconds;
  }
  pthread_mutex_unlock(&launching);
  free(params);
  return cudaSuccess;
}
