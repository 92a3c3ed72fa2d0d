/* Launches: blocks go to the workers, one block to one worker; a block's warps take turns.
 *
 * A launch has ended when the call returns: kernels, copies and callbacks of all streams happen in the
 * order in which the program asks for them, which every order that CUDA promises allows. A warp runs
 * until it has exited, all its lanes wait at a barrier, or it has spun for long; the barrier opens when
 * all the warps that have not exited wait at it. A block that only spins is parked, and the worker begins
 * others, as many as a GPU would hold: what it waits for may be theirs to do. A cooperative launch keeps
 * all of its blocks, and opens its grid barrier when all of them wait.
 */
#include "block.h"
#include "proved.h"
#include "races.h"
#include "where.h"
#include <signal.h>
#include <time.h>
#include <sched.h>
#include <unistd.h>

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
static block_context *worker_context[MAX_WORKERS]; /* kept from launch to launch */

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
  if (drano_racing) n = 1; /* what is remembered of accesses is one table */
  if (n < 1) n = sysconf(_SC_NPROCESSORS_ONLN);
  return count = (unsigned)(n < 1 ? 1 : n > MAX_WORKERS ? MAX_WORKERS : n);
}

/* --- faults --------------------------------------------------------------------------------- */

static bool first_fault(struct drano_launch *launch) {
  return atomic_exchange(&launch->stop, 1) == 0;
}

static void record_fault(struct drano_launch *launch, const drano_spot *place, cudaError_t error,
                         const char *line) {
  drano_say("error: %s", line);
  uint32_t n = atomic_load(&drano_fault_count);
  if (n < MAX_FAULTS) {
    drano_faults[n].kernel = launch->kernel->name;
    drano_faults[n].path = place != NULL ? place->path : "";
    drano_faults[n].line = place != NULL ? place->line : 0;
    snprintf(drano_faults[n].text, sizeof drano_faults[n].text, "%s", line);
    atomic_store(&drano_fault_count, n + 1);
  }
  drano_sticky(error);
}

void drano_report_at(drano_warp *w, const drano_spot *p, uint32_t lane, cudaError_t error,
                     const char *what) {
  struct drano_launch *launch = w->block->launch;
  if (!first_fault(launch)) return;
  char place[300] = "", line[1000];
  if (p != NULL) snprintf(place, sizeof place, "%s:%u:%u: ", p->path, p->line, p->column);
  const drano_dim3 b = w->block->block_idx;
  snprintf(line, sizeof line, "%skernel %s, block (%d,%d,%d), thread (%d,%d,%d): %s", place,
           launch->kernel->name, b.x, b.y, b.z, w->tid_x[lane], w->tid_y[lane], w->tid_z[lane], what);
  record_fault(launch, p, error, line);
}

void drano_report(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t lane, cudaError_t error,
                  const char *what) {
  const drano_site *s = u != NULL && site != DRANO_NO_SITE ? &u->sites[site] : NULL;
  const drano_spot place = {s != NULL ? s->path : "", s != NULL ? s->line : 0, s != NULL ? s->column : 0};
  drano_report_at(w, s != NULL ? &place : NULL, lane, error, what);
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

void drano_local_fault(drano_warp *w, const char *path, uint32_t line, uint32_t column, uint64_t lane,
                       int64_t offset, uint64_t size, uint64_t bytes, uint32_t writes) {
  const drano_spot place = {path, line, column};
  char text[200];
  long long far = offset < 0 ? -offset : offset - (int64_t)size;
  const char *where = offset < 0 ? "before the start" : far < 0 ? "before the end" : "beyond the end";
  snprintf(text, sizeof text, "invalid %s of %llu bytes: %lld bytes %s of the %llu bytes of a local array",
           writes ? "store" : "load", (unsigned long long)bytes, far < 0 ? -far : far, where,
           (unsigned long long)size);
  drano_report_at(w, &place, (uint32_t)lane, cudaErrorIllegalAddress, text);
}

/* --- workers -------------------------------------------------------------------------------- */

/* Blocks that a worker has begun and put aside because they only spin. */
typedef struct parking { block_context **parked; uint32_t count, room; } parking;

static block_context *fresh_context(void) {
  block_context *c = calloc(1, sizeof *c);
  if (c == NULL) abort();
  return c;
}

static void park(parking *p, block_context *c) {
  if (p->count == p->room) {
    p->room = p->room ? 2 * p->room : 16;
    p->parked = realloc(p->parked, p->room * sizeof *p->parked);
    if (p->parked == NULL) abort();
  }
  p->parked[p->count++] = c;
}

/* Each parked block gets a turn. False: the launch is to stop. */
static bool resume_parked(struct drano_launch *l, parking *p) {
  for (uint32_t k = 0; k < p->count;) {
    enum outcome outcome = drano_run_block(p->parked[k], l, 1);
    if (outcome == STOPPED) return false;
    if (outcome == SPINNING) {
      k++;
      continue;
    }
    drano_release_context(p->parked[k]);
    p->parked[k] = p->parked[--p->count];
  }
  return true;
}

static void run_blocks(struct drano_launch *l, unsigned worker) {
  struct drano_counters *counters = &drano_worker_counters[worker];
  block_context *own = worker_context[worker] ? worker_context[worker] : fresh_context();
  parking p = {0};
  uint64_t chunk = l->blocks / (drano_workers() * 16u) + 1, number = 0, to = 0;
  if (chunk > 64) chunk = 64;
  drano_prepare_block(own, l, counters);
  while (!atomic_load_explicit(&l->stop, memory_order_relaxed)) {
    if (number == to && p.count < l->resident) {
      number = atomic_fetch_add(&l->next, chunk);
      to = number + chunk < l->blocks ? number + chunk : l->blocks;
      if (number >= l->blocks) number = to = 0;
    }
    const bool begins = number < to && p.count < l->resident;
    if (!begins && p.count == 0) break;
    if (begins) {
      drano_begin_block(own, l, number++);
      enum outcome outcome = drano_run_block(own, l, IDLE_ROUNDS);
      if (outcome == STOPPED) break;
      if (outcome == SPINNING) {
        park(&p, own);
        own = fresh_context();
        drano_prepare_block(own, l, counters);
      }
    }
    if (UNLIKELY(p.count)) {
      if (!resume_parked(l, &p)) break;
      sched_yield();
    }
  }
  for (uint32_t k = 0; k < p.count; k++) drano_release_context(p.parked[k]);
  free(p.parked);
  worker_context[worker] = own;
}

static void run_cooperative_blocks(struct drano_launch *l, unsigned worker) {
  struct drano_counters *counters = &drano_worker_counters[worker];
  for (uint64_t number; (number = atomic_fetch_add(&l->next, 1)) < l->blocks;) {
    block_context *c = l->contexts[number];
    if (c == NULL) {
      c = fresh_context();
      drano_prepare_block(c, l, counters);
      drano_begin_block(c, l, number);
      l->contexts[number] = c;
    } else {
      c->block.counters = counters;
      c->block.work = drano_block_work(l, counters);
      c->block.tallies = c->block.reuse == NULL ? drano_tallies(counters, l) : NULL;
      bool live = false;
      for (uint32_t k = 0; k < c->warp_count; k++) {
        if (l->release) c->states[k].at_grid = false;
        live |= !c->states[k].done;
      }
      if (!live) continue;
    }
    enum outcome outcome = drano_run_block(c, l, IDLE_ROUNDS);
    if (outcome == STOPPED || atomic_load_explicit(&l->stop, memory_order_relaxed)) break;
    if (outcome == SUSPENDED) atomic_fetch_add(&l->suspended, 1);
    else if (outcome == SPINNING) atomic_fetch_add(&l->spinning, 1);
    else atomic_fetch_add(&l->finished, 1);
  }
}

static void run_share(struct drano_launch *l, unsigned worker) {
  if (l->cooperative) run_cooperative_blocks(l, worker);
  else run_blocks(l, worker);
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

int32_t drano_space(const drano_warp *w, const void *pointer) {
  return (int32_t)place_of(w, (uint64_t)(uintptr_t)pointer);
}

/* What device code with -rdc=true has in the place of a pure virtual function. */
void __drano_dev___cxa_pure_virtual(void);
void __drano_dev___cxa_pure_virtual(void) {
  drano_say("error: a kernel calls a pure virtual function");
  abort();
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
    atomic_store(&l->spinning, 0);
    run_everywhere(l);
    finished += atomic_load(&l->finished);
    if (atomic_load(&l->stop)) break;
    l->release = atomic_load(&l->spinning) == 0; /* else blocks at the grid barrier wait on */
    if (l->release) drano_races_next();
    if (l->release && atomic_load(&l->suspended) && finished) {
      for (uint64_t k = 0; k < l->blocks; k++)
        for (uint32_t j = 0; j < l->contexts[k]->warp_count; j++)
          if (l->contexts[k]->states[j].at_grid) {
            drano_report(&l->contexts[k]->warps[j], NULL, DRANO_NO_SITE, 0, cudaErrorLaunchTimeout,
                         "grid barrier reached by part of the grid: the other blocks have ended");
            goto over;
          }
    }
  } while (atomic_load(&l->suspended) || atomic_load(&l->spinning));
over:
  for (uint64_t k = 0; k < l->blocks; k++)
    if (l->contexts[k] != NULL) drano_release_context(l->contexts[k]);
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
  host_function *f = drano_host_function(function);
  REQUIRE(f != NULL && f->kernel != NULL, cudaErrorInvalidDeviceFunction);
  REQUIRE(shared + f->kernel->static_shared_bytes <= 48 * 1024 || shared <= (size_t)f->max_dynamic_shared,
          cudaErrorInvalidValue);
  return drano_launch_known(f->unit, f->kernel, grid, block, arguments, shared, cooperative);
}

cudaError_t drano_launch_known(drano_unit *unit, const drano_kernel *k, dim3 grid, dim3 block,
                               void **arguments, size_t shared, bool cooperative) {
  const gpu_model *gpu = drano_gpu();
  uint64_t threads = (uint64_t)block.x * block.y * block.z;
  REQUIRE(threads >= 1 && grid.x && grid.y && grid.z, cudaErrorInvalidConfiguration);
  REQUIRE(block.x <= 1024 && block.y <= 1024 && block.z <= 64 && threads <= 1024,
          cudaErrorInvalidConfiguration);
  REQUIRE(grid.x <= 0x7fffffffu && grid.y <= 65535 && grid.z <= 65535, cudaErrorInvalidConfiguration);
  REQUIRE(shared + k->static_shared_bytes <= (size_t)gpu->shared_optin_kb * 1024,
          cudaErrorInvalidValue);
  struct drano_launch l = drano_launch_of(unit, k, grid, block, shared);
  l.cooperative = cooperative;
  int each = drano_blocks_per_sm((int)threads, shared + k->static_shared_bytes, 32);
  uint64_t resident = (uint64_t)(each < 1 ? 1 : each) * (uint64_t)gpu->sms;
  REQUIRE(!cooperative || l.blocks <= resident, cudaErrorCooperativeLaunchTooLarge);
  l.resident = (uint32_t)((resident + drano_workers() - 1) / drano_workers());
  char *params = drano_parameters(k, arguments);
  REQUIRE(params != NULL, cudaErrorMemoryAllocation);
  l.params = params;
  pthread_mutex_lock(&launching);
  drano_counters_reserve(drano_workers());
  drano_choose_proofs(l.unit, k, l.grid, l.block);
  kernel_record *record = record_of(&l);
  launch_shape *shape = record != NULL ? shape_of(record, &l) : NULL;
  l.counted = is_counted(shape);
  if (record != NULL && l.counted) l.sampled = (++record->counted & (record->counted - 1)) == 0;
  atomic_store(&l.stop, atomic_load(&drano_stopping));
  drano_begin_tallies(&l);
  drano_races_next();
  uint64_t start = drano_now();
  if (cooperative) run_cooperative(&l);
  else run_everywhere(&l);
  uint64_t nanoseconds = drano_now() - start;
  drano_end_tallies();
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
  if (UNLIKELY(atomic_load(&l.nested) != NULL)) drano_do_nested(&l);
  return cudaSuccess;
}
