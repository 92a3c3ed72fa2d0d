/* Launches that the host counts, while the GPU runs the kernel as it is without counting.
 *
 * Of a kernel whose accesses no data decides, the unit brings what makes its addresses and branches as
 * code for the host (drano/dynamic/gpu/replay/host_code.py), by the CPU's back end. A thread of ours runs that for each
 * launch with a new key (repeats.c), at the device's own addresses, of which nothing is read or
 * written. Large launches are shared out to more threads. Nobody waits for them before the end of the program.
 *
 * How long it takes is tried with one block, on the way to the first launch: what would take too long, or would
 * make those wait that are before it, is counted on the GPU. DRANO_REPLAY=0: all are.
 */
#include "replay.h"
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "../block.h"
#include "../proved.h"

cudaError_t __real_cudaMemcpyFromSymbol(void *, const void *, size_t, size_t, enum cudaMemcpyKind);

#define MAX_REPLAYERS 16
#define TRIAL_NS 50000000ull      /* that one block may take */
#define SMALL_NS 300000ull        /* launches that one thread counts */
#define BACKLOG_NS 3000000000ull  /* of what is not counted yet */
#define PATIENT_NS 2000000000ull  /* until the user is told what is waited for */
#define LAST_NS 5000000000ull     /* that a program which a signal ends waits */

static drano_unit *units[MAX_UNITS];
static _Atomic uint32_t unit_count;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;    /* of the queue */
static pthread_mutex_t proving = PTHREAD_MUTEX_INITIALIZER; /* of what proved.c knows */
static pthread_cond_t queued = PTHREAD_COND_INITIALIZER, shared_out = PTHREAD_COND_INITIALIZER;
static pthread_cond_t returned = PTHREAD_COND_INITIALIZER;
static gpu_replayed *first, *last;
static uint64_t backlog;
static _Atomic uint32_t left;
static struct drano_launch *current;
static uint64_t generation;
static uint32_t helpers, wanted, busy;
static bool started;
static pid_t owner; /* a copy of the process has none of the threads */
static struct drano_counters counters[MAX_REPLAYERS + 1]; /* the last ones are a trial's */
static block_context *contexts[MAX_REPLAYERS + 1];

static uint32_t replayers(void) {
  static uint32_t count;
  if (count) return count;
  const char *asked = getenv("DRANO_WORKERS");
  cpu_set_t set;
  long n = asked != NULL ? strtol(asked, NULL, 10) : 0;
  if (n < 1) n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return count = (uint32_t)(n < 1 ? 1 : n > MAX_REPLAYERS ? MAX_REPLAYERS : n);
}

static bool is_wanted(void) {
  static int known; /* 1: yes, 2: no */
  const char *text = known ? NULL : getenv("DRANO_REPLAY");
  if (!known) known = text != NULL && strcmp(text, "0") == 0 ? 2 : 1;
  return known == 1;
}

/* --- units ------------------------------------------------------------------------------------- */

/* Called by constructors, in any order with those of the units themselves. */
void drano_register_replay(drano_unit *unit) {
  uint32_t count = atomic_load(&unit_count);
  if (unit->abi != DRANO_ABI || count == MAX_UNITS) return;
  unit->proofs = calloc(unit->site_count + 1, sizeof *unit->proofs);
  if (unit->proofs == NULL) return;
  units[count] = unit;
  atomic_store(&unit_count, count + 1);
}

static drano_unit *unit_like(const drano_unit *counted) {
  for (uint32_t k = 0; k < atomic_load(&unit_count); k++)
    if (strcmp(units[k]->id, counted->id) == 0 && units[k]->site_count == counted->site_count) {
      units[k]->site_base = counted->site_base;
      return units[k];
    }
  return NULL;
}

static bool same_place(const gpu_touch *t, int32_t parameter, int32_t offset) {
  return t->parameter == parameter && t->offset == offset;
}

/* The arrays that the kernel reads, in the order of its parameters, and which sites are in them. */
static bool described(replay_kernel *k, const gpu_module *m, uint32_t number) {
  for (uint32_t n = 0; n < m->touch_count; n++) {
    const gpu_touch *t = &m->touches[n];
    if (t->kernel != (int32_t)number || t->writes) continue;
    if (k->copies == MAX_COPIES) return false;
    k->touch[k->copies++] = t;
  }
  for (uint32_t n = 0; n < m->touch_count; n++) {
    const gpu_touch *t = &m->touches[n];
    for (uint32_t c = 0; c < k->copies; c++)
      k->writes[c] |= t->kernel == (int32_t)number && t->writes && same_place(k->touch[c], t->parameter, t->offset);
  }
  k->copy_of = malloc(k->kernel->site_count + 1);
  if (k->copy_of == NULL) return false;
  memset(k->copy_of, -1, k->kernel->site_count + 1);
  for (uint32_t n = 0; n < m->root_count; n++) {
    const gpu_root *r = &m->roots[n];
    const uint32_t site = (uint32_t)r->site - k->kernel->first_site;
    /* a site of several roots, which stand together, is counted only */
    const bool other = (n > 0 && r[-1].site == r->site) || (n + 1 < m->root_count && r[1].site == r->site);
    for (uint32_t c = 0; c < k->copies && site < k->kernel->site_count && !other; c++)
      if (same_place(k->touch[c], r->parameter, r->offset)) k->copy_of[site] = (int8_t)c;
  }
  k->parameters = (uint32_t)m->forms[number].deciding;
  return k->kernel->param_count == k->parameters + 3 * k->copies + 1;
}

/* Where the device's variables are, and what it answers: on the device that asked first. */
static bool variables_are_known(gpu_module *m) {
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return false;
  if (m->variables_of == 0) {
    m->variables_of = __real_cudaMemcpyFromSymbol(m->variable_at, &m->variable_table, sizeof m->variable_at, 0,
                                                  cudaMemcpyDeviceToHost) == cudaSuccess ? device + 1 : -1;
    if (m->variables_of < 0) cudaGetLastError();
  }
  return m->variables_of == device + 1 && gpu_answers_are_known(m, device);
}

/* NULL: the host has no code for it. Under repeats.c's lock. */
static replay_kernel *kernel_for(gpu_module *m, uint32_t number) {
  if (m->replays == NULL) {
    m->replays = calloc(m->unit->kernel_count + 1, sizeof *m->replays);
    drano_unit *unit = unit_like(m->unit);
    for (uint32_t k = 0; m->replays != NULL && unit != NULL && k < unit->kernel_count; k++)
      for (uint32_t n = 0; n < m->unit->kernel_count; n++)
        if (strcmp(m->unit->kernels[n].name, unit->kernels[k].name) == 0) {
          m->replays[n].unit = unit;
          m->replays[n].kernel = &unit->kernels[k];
          m->replays[n].refused = !described(&m->replays[n], m, n);
        }
  }
  if (m->replays == NULL || m->replays[number].kernel == NULL || !variables_are_known(m)) return NULL;
  return &m->replays[number];
}

/* --- counting ---------------------------------------------------------------------------------- */

/* Room for every site, and for what generated code counts besides. */
static bool reserve(struct drano_counters *c, const drano_unit *u) {
  const uint32_t sites = atomic_load(&drano_site_count);
  if (c->site_limit < sites) {
    free(c->sites);
    c->sites = calloc(sites, sizeof *c->sites);
    c->site_limit = c->sites != NULL ? sites : 0;
  }
  if (c->work_limit < u->block_count + 1) {
    free(c->work);
    c->work = calloc(2 * ((size_t)u->block_count + 1), sizeof *c->work);
    c->work_limit = c->work != NULL ? u->block_count + 1 : 0;
  }
  if (c->arrays == NULL) {
    c->arrays = calloc(1, sizeof *c->arrays);
    c->array_limit = c->arrays != NULL;
  }
  return c->site_limit && c->work_limit && c->array_limit;
}

/* Blocks of the launch, until there are none left or `most` have been run. */
static void run_blocks(struct drano_launch *l, uint32_t worker, uint64_t most) {
  struct drano_counters *own = &counters[worker];
  if (contexts[worker] == NULL) contexts[worker] = calloc(1, sizeof(block_context));
  block_context *c = contexts[worker];
  uint64_t chunk = l->blocks / (replayers() * 16u) + 1, number = 0, to = 0;
  if (chunk > 64) chunk = 64;
  if (c == NULL || !reserve(own, l->unit)) {
    atomic_store(&l->stop, 1);
    return;
  }
  drano_prepare_block(c, l, own);
  for (; most && !atomic_load_explicit(&l->stop, memory_order_relaxed); most--) {
    if (number == to) {
      number = atomic_fetch_add(&l->next, chunk);
      to = number + chunk < l->blocks ? number + chunk : l->blocks;
      if (number >= l->blocks) break;
    }
    drano_begin_block(c, l, number++);
    if (drano_run_block(c, l, IDLE_ROUNDS) != FINISHED) atomic_store(&l->stop, 1);
  }
  drano_flush_tallies(own, l);
}

/* What a thread has counted goes to `to`, or nowhere. */
static void collect(struct drano_counters *from, const struct drano_launch *l, site_counts *to) {
  const drano_kernel *k = l->kernel;
  for (uint32_t n = 0; n < k->site_count && from->site_limit; n++) {
    site_counter *c = &from->sites[l->unit->site_base + k->first_site + n];
    if (to != NULL && c->executions) {
      to[n].executions += c->executions;
      to[n].lanes += c->lanes;
      to[n].lines += c->lines;
      to[n].sectors += c->sectors;
      to[n].ideal += c->ideal;
      to[n].wavefronts += c->wavefronts;
      to[n].wavefronts_ideal += c->wavefronts_ideal;
      to[n].conflicts += c->conflicts;
      to[n].shared_executions += c->shared_executions;
    }
    if (c->executions) memset(c, 0, sizeof *c);
  }
}

/* --- threads ----------------------------------------------------------------------------------- */

static void *helper(void *number) {
  const uint32_t own = (uint32_t)(uintptr_t)number;
  uint64_t seen = 0;
  setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 10);
  for (;;) {
    pthread_mutex_lock(&lock);
    while (generation == seen || own > wanted) {
      seen = generation;
      pthread_cond_wait(&shared_out, &lock);
    }
    seen = generation;
    struct drano_launch *l = current;
    pthread_mutex_unlock(&lock);
    run_blocks(l, own, UINT64_MAX);
    pthread_mutex_lock(&lock);
    if (--busy == 0) pthread_cond_signal(&returned);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static bool start(pthread_t *thread, void *(*main)(void *), void *argument) {
  sigset_t all, before; /* signals go to the program's own threads */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool good = pthread_create(thread, NULL, main, argument) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return good;
}

static bool start_detached(void *(*main)(void *), uint32_t number) {
  pthread_t thread;
  const bool good = start(&thread, main, (void *)(uintptr_t)number);
  return good && pthread_detach(thread) == 0;
}

/* With as many threads as pay. */
static uint32_t share_out(gpu_replayed *r) {
  uint32_t more = r->expected > SMALL_NS ? replayers() - 1 : 0;
  if (more >= r->launch.blocks) more = (uint32_t)r->launch.blocks - 1;
  pthread_mutex_lock(&lock);
  while (helpers < more && start_detached(helper, helpers + 1)) helpers++;
  wanted = busy = more < helpers ? more : helpers;
  more = wanted;
  current = &r->launch;
  generation++;
  if (more) pthread_cond_broadcast(&shared_out);
  pthread_mutex_unlock(&lock);
  run_blocks(&r->launch, 0, UINT64_MAX);
  pthread_mutex_lock(&lock);
  while (busy) pthread_cond_wait(&returned, &lock);
  wanted = 0;
  pthread_mutex_unlock(&lock);
  return more + 1;
}

/* Of the kernel's own sites: no other launch of it is being counted, or tried, at the same time. */
static void choose_proofs(const struct drano_launch *l) {
  pthread_mutex_lock(&proving);
  drano_choose_proofs(l->unit, l->kernel, l->grid, l->block);
  pthread_mutex_unlock(&proving);
}

static void finish(gpu_replayed *r, int state) {
  free((void *)r->launch.params);
  for (uint32_t c = 0; c < r->kernel->copies; c++) gpu_copy_release(r->copies[c]);
  atomic_store(&r->state, state);
}

/* Waits for the copies, and tells the kernel where they are; those that it writes to are made its own: `own`. */
static bool given_copies(gpu_replayed *r, char *own[MAX_COPIES]) {
  const replay_kernel *k = r->kernel;
  memset(own, 0, MAX_COPIES * sizeof *own);
  for (uint32_t c = 0; c < k->copies; c++) {
    gpu_copy *copy = r->copies[c];
    if (!gpu_copy_wait(copy)) return false;
    const uint64_t base = gpu_copy_base(copy), bytes = gpu_copy_bytes(copy);
    char *data = gpu_copy_data(copy);
    if (k->writes[c]) {
      if ((own[c] = malloc(bytes + 64)) == NULL) return false;
      data = memcpy(own[c], data, bytes);
    }
    const drano_param *p = &k->kernel->params[k->parameters + 3 * c];
    memcpy((char *)r->launch.params + p[0].offset, &base, sizeof base);
    memcpy((char *)r->launch.params + p[1].offset, &bytes, sizeof bytes);
    memcpy((char *)r->launch.params + p[2].offset, &data, sizeof data);
  }
  return true;
}

static void count(gpu_replayed *r) {
  struct drano_launch *l = &r->launch;
  char *own[MAX_COPIES];
  const bool given = given_copies(r, own); /* not where the device has failed */
  if (!given) atomic_store(&l->stop, 1);
  const uint64_t begun = drano_now();
  choose_proofs(l);
  const uint32_t threads = share_out(r);
  const bool good = atomic_load(&l->stop) == 0;
  for (uint32_t k = 0; k < threads; k++) collect(&counters[k], l, good ? r->counts : NULL);
  const uint64_t each = (drano_now() - begun) * threads * 1000 / (l->blocks * l->threads);
  if (each > r->kernel->each_thousand) r->kernel->each_thousand = each;
  if (given && !good && !r->kernel->refused) {
    r->kernel->refused = true;
    drano_say("warning: kernel %s: a launch could not be counted by the host, as what decides its accesses was "
              "read outside of an array; DRANO_REPLAY=0 counts all on the GPU", l->kernel->display);
  }
  for (uint32_t c = 0; c < r->kernel->copies; c++) free(own[c]);
  finish(r, good ? REPLAY_COUNTED : REPLAY_FAILED);
}

static void *counting(void *unused) {
  enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed; /* what the program captures is no concern here */
  (void)unused;
  cudaThreadExchangeStreamCaptureMode(&mode);
  setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 10);
  for (;;) {
    pthread_mutex_lock(&lock);
    while (first == NULL) pthread_cond_wait(&queued, &lock);
    gpu_replayed *r = first;
    first = r->next;
    if (first == NULL) last = NULL;
    pthread_mutex_unlock(&lock);
    count(r);
    pthread_mutex_lock(&lock);
    backlog -= r->expected;
    pthread_mutex_unlock(&lock);
    atomic_fetch_sub(&left, 1);
  }
  return NULL;
}

/* --- one block, to know how long it takes -------------------------------------------------------- */

static void *trial(void *replayed) {
  gpu_replayed *r = replayed;
  char *own[MAX_COPIES];
  if (given_copies(r, own)) run_blocks(&r->launch, MAX_REPLAYERS, 1);
  for (uint32_t c = 0; c < r->kernel->copies; c++) free(own[c]);
  return NULL;
}

/* Whether it is known afterwards. In a thread of its own, so that it can be stopped. */
static bool try_block(gpu_replayed *r) {
  pthread_t thread;
  replay_kernel *k = r->kernel;
  struct drano_launch *l = &r->launch;
  for (uint32_t c = 0; c < k->copies; c++)
    if (!gpu_copy_wait(r->copies[c])) return false;
  atomic_store(&l->next, l->blocks / 2);
  choose_proofs(l);
  const uint64_t begun = drano_now();
  if (start(&thread, trial, r)) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += TRIAL_NS;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    if (pthread_timedjoin_np(thread, NULL, &until) != 0) {
      atomic_store(&l->stop, 1);
      pthread_join(thread, NULL);
    }
    k->each_thousand = (drano_now() - begun) * 1000 / l->threads + 1;
    k->refused = atomic_load(&l->stop) != 0;
    collect(&counters[MAX_REPLAYERS], l, NULL);
    atomic_store(&l->next, 0);
  }
  return k->each_thousand != 0;
}

/* --- launches ---------------------------------------------------------------------------------- */

gpu_replayed *gpu_replay_start(gpu_module *m, uint32_t kernel, dim3 grid, dim3 block, size_t shared,
                               void **arguments, cudaStream_t stream) {
  replay_kernel *k = is_wanted() ? kernel_for(m, kernel) : NULL;
  const uint64_t threads = (uint64_t)block.x * block.y * block.z;
  if (k == NULL || k->refused || threads == 0 || threads > 1024 || grid.x == 0 || grid.y == 0 || grid.z == 0) return NULL;
  gpu_replayed *r = calloc(1, sizeof *r + (k->kernel->site_count + 1) * sizeof *r->counts);
  void *given[k->kernel->param_count + 1];
  uint64_t later = 0, variables = (uint64_t)(uintptr_t)m->variable_at;
  for (uint32_t n = 0; n < k->kernel->param_count; n++) given[n] = n < k->parameters ? arguments[n] : &later;
  given[k->kernel->param_count - 1] = &variables;
  char *params = drano_parameters(k->kernel, given);
  if (r == NULL || params == NULL) goto no;
  r->launch = drano_launch_of(k->unit, k->kernel, grid, block, shared);
  r->launch.params = params;
  r->launch.counted = true;
  r->kernel = k;
  for (uint32_t c = 0; c < k->copies; c++)
    if ((r->copies[c] = gpu_copy_of(gpu_pointer_in(arguments, k->touch[c]), stream)) == NULL) goto no;
  if (k->each_thousand == 0 && !try_block(r)) goto no;
  r->expected = k->each_thousand * (r->launch.blocks * threads) / 1000;
  if (r->expected > SMALL_NS) r->expected /= replayers();
  pthread_mutex_lock(&lock);
  const bool soon = backlog + r->expected <= BACKLOG_NS;
  pthread_mutex_unlock(&lock);
  if (!k->refused && soon) return r;
no:
  for (uint32_t c = 0; r != NULL && c < k->copies; c++) gpu_copy_release(r->copies[c]);
  free(params);
  free(r);
  return NULL;
}

void gpu_replay_end(gpu_replayed *r, bool launched) {
  pthread_mutex_lock(&lock);
  if (launched && !started) {
    started = start_detached(counting, 0);
    owner = getpid();
  }
  const bool counts = launched && started;
  if (counts) {
    atomic_fetch_add(&left, 1);
    backlog += r->expected;
    if (last != NULL) last->next = r;
    else first = r;
    last = r;
    pthread_cond_signal(&queued);
  }
  pthread_mutex_unlock(&lock);
  if (!counts) finish(r, REPLAY_FAILED);
}

void gpu_replay_wait(bool for_all) {
  const uint64_t begun = drano_now();
  const struct timespec pause = {0, 200000};
  bool said = false;
  while (atomic_load(&left) && getpid() == owner && (for_all || drano_now() - begun < LAST_NS)) {
    if (for_all && !said && drano_now() - begun > PATIENT_NS) {
      drano_say("counting: %u launches are left (DRANO_REPLAY=0 counts all on the GPU)", atomic_load(&left));
      said = true;
    }
    nanosleep(&pause, NULL);
  }
}

const site_counts *gpu_replay_counts(const gpu_replayed *r) {
  return atomic_load(&r->state) == REPLAY_COUNTED ? r->counts : NULL;
}
