/* What the parts of the run-time library know of each other; nothing here is seen by programs.
 *
 * Everything that a signal handler may read (counters, tables) is reached through pointers that are
 * published whole: a table grows into a new copy, the old one is never freed.
 */
#ifndef DRANO_RUNTIME_H
#define DRANO_RUNTIME_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "drano_abi.h"

#define HIDDEN __attribute__((visibility("hidden")))
#define CALLER __builtin_return_address(0)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* --- counters (count.c) --------------------------------------------------------------------- */

/* A request that was costly to count, and the counts: regular kernels repeat it. Addresses are from the
 * lowest; `base`: what else the counts depend on. */
typedef struct request_memo {
  uint64_t from_low[DRANO_WARP], base;
  uint32_t mask, first, second, padding;
} request_memo;

/* Of one site and one worker. `hist[n]`: requests of n lines (of shared memory: n wavefronts). */
typedef struct site_counter {
  uint64_t executions, lanes, lines, sectors, ideal, wavefronts, wavefronts_ideal, conflicts;
  uint64_t hist[DRANO_WARP + 1];
  uint32_t least, most;
  uint64_t shared_executions; /* those that went to shared memory */
  request_memo last;
} site_counter;

/* Of one array (all allocations of one place in the source) and one worker. */
typedef struct array_counter {
  uint64_t reads, writes, atomics, sectors; /* thread-level accesses; sectors of all of them */
} array_counter;

struct drano_counters {
  site_counter *sites;
  array_counter *arrays;
  drano_visits *work;      /* of each block of code; behind them as many that nobody reads */
  drano_tally *tallies;    /* of the sites of the kernel that runs */
  uint32_t site_limit, array_limit, work_limit, tally_limit;
  request_memo recent; /* of any site: neighbouring accesses share an index */
};

static inline void count_array(struct drano_counters *counters, uint32_t array, uint8_t kind,
                               uint64_t lanes, uint64_t sectors) {
  array_counter *a = &counters->arrays[array < counters->array_limit ? array : 0];
  if (kind == DRANO_LOAD) a->reads += lanes;
  else if (kind == DRANO_STORE) a->writes += lanes;
  else a->atomics += lanes;
  a->sectors += sectors;
}

#define MAX_WORKERS 256
extern struct drano_counters drano_worker_counters[MAX_WORKERS] HIDDEN;
void drano_counters_reserve(unsigned workers) HIDDEN;

/* --- memory (memory.c) ---------------------------------------------------------------------- */

enum memory_kind { MEM_DEVICE, MEM_HOST, MEM_MANAGED, MEM_ARRAY, MEM_VARIABLE, MEM_REGISTERED };

typedef struct allocation {
  uint64_t base, end;
  uint32_t array;           /* index of its drano_array */
  uint8_t kind, live;
  unsigned flags;
  const void *caller;
} allocation;

/* All allocations made at one place. */
typedef struct drano_array {
  const char *name, *api, *path;
  uint32_t line;
  const void *caller;
  uint8_t kind;
  uint64_t allocations, bytes, largest;
} drano_array;

extern uint64_t drano_arena_base HIDDEN, drano_arena_bytes HIDDEN;
extern uint32_t *drano_pages HIDDEN;          /* page of the arena -> allocation, 0: none */
extern allocation *drano_allocations HIDDEN;  /* [0] is none */
extern drano_array *_Atomic drano_arrays HIDDEN;
extern _Atomic uint32_t drano_array_count HIDDEN;
/* An allocation by this place, or `name`; gives the number of its array (array_names.c). */
uint32_t drano_array_grows(const char *name, const char *api, const void *caller, enum memory_kind kind,
                           uint64_t bytes) HIDDEN;
#define PAGE_SHIFT 12

void *drano_allocate(uint64_t bytes, enum memory_kind kind, const char *api, const void *caller) HIDDEN;
bool drano_release(void *pointer, unsigned kinds) HIDDEN; /* kinds: bit set of memory_kind */
bool drano_revive(void *pointer) HIDDEN; /* what was released lives again, at its address */
allocation *drano_find(uint64_t address) HIDDEN;          /* live one that holds it, or NULL */
const allocation *drano_find_extra(uint64_t low, uint64_t high) HIDDEN;
void drano_add_range(uint64_t base, uint64_t bytes, enum memory_kind kind, const char *name) HIDDEN;
bool drano_remove_range(uint64_t base) HIDDEN;
void drano_describe(uint64_t address, char *text, size_t size) HIDDEN;
uint64_t drano_memory_used(void) HIDDEN;
extern bool drano_lenient HIDDEN; /* DRANO_BOUNDS=warn */
/* The place of the host call that comes next, by the compiler's wrapper header. */
typedef struct drano_place_record { const char *path, *text; uint32_t line; } drano_place_record;
extern _Thread_local drano_place_record drano_next_place HIDDEN;

/* --- errors (errors.c) ---------------------------------------------------------------------- */

cudaError_t drano_error(cudaError_t error) HIDDEN;  /* remembers it for cudaGetLastError */
void drano_sticky(cudaError_t error) HIDDEN;        /* the device is lost until it is reset */
cudaError_t drano_state(void) HIDDEN;               /* the sticky error, or success */
void drano_clear_errors(void) HIDDEN;
cudaError_t drano_unsupported(const char *name) HIDDEN;
typedef struct { const char *name; uint64_t calls; } unsupported_call;
extern unsupported_call drano_unsupported_calls[] HIDDEN;
extern _Atomic uint32_t drano_unsupported_count HIDDEN;
void drano_say(const char *format, ...) HIDDEN __attribute__((format(printf, 1, 2)));
/* Returns the sticky error to the caller at once: the first line of most API functions. */
#define CHECK_STATE() do { drano_start(); cudaError_t lost = drano_state(); \
  if (UNLIKELY(lost != cudaSuccess)) return drano_error(lost); } while (0)
#define REQUIRE(condition, error) do { if (UNLIKELY(!(condition))) return drano_error(error); } while (0)

/* --- the device (device.c) ------------------------------------------------------------------ */

typedef struct gpu_model {
  const char *name, *full_name;
  int major, minor, sms, clock_mhz, memory_mhz, bus_bits, l2_mb, shared_sm_kb, shared_optin_kb;
  int threads_sm, blocks_sm, cores_sm;
  unsigned memory_gb;
} gpu_model;
const gpu_model *drano_gpu(void) HIDDEN;
uint64_t drano_device_memory(void) HIDDEN;
int drano_blocks_per_sm(int threads, size_t shared, int registers) HIDDEN;

/* --- units and symbols (register.c) --------------------------------------------------------- */

typedef struct drano_module drano_module;
typedef struct host_function {
  const void *host; drano_module *module; const char *name;
  const drano_kernel *kernel; drano_unit *unit;
  int max_dynamic_shared, carveout;
} host_function;
typedef struct host_variable {
  const void *host; drano_module *module; const char *name;
  char *address; uint64_t bytes; int kind, dims, normalized;  /* 0 variable, 1 texture, 2 surface */
} host_variable;
host_function *drano_host_function(const void *host) HIDDEN;
host_variable *drano_host_variable(const void *host) HIDDEN;
extern drano_unit *drano_units[] HIDDEN;
extern _Atomic uint32_t drano_unit_count HIDDEN, drano_site_count HIDDEN, drano_work_count HIDDEN;
#define MAX_UNITS 4096

/* --- launches (launch.c) -------------------------------------------------------------------- */

typedef struct launch_shape {
  drano_dim3 grid, block; uint32_t shared; uint64_t launches, counted, nanoseconds;
} launch_shape;
#define MAX_SHAPES 64
typedef struct kernel_record {
  const drano_kernel *kernel; const drano_unit *unit;
  uint64_t launches, nanoseconds, threads; uint32_t shapes, other_shapes, counted;
  uint64_t launched_blocks;
  uint64_t blocks, sampled_blocks; /* of a sample: how many there were, and how many are counted; else 0 */
  launch_shape shape[MAX_SHAPES];
} kernel_record;
extern kernel_record *_Atomic drano_kernel_records[] HIDDEN;
extern _Atomic uint32_t drano_kernel_record_count HIDDEN;
#define MAX_KERNELS 65536

struct drano_launch {
  const drano_unit *unit;
  const drano_kernel *kernel;
  const char *params;
  drano_dim3 grid, block;
  uint32_t threads, warps, shared_bytes, dynamic_shared_offset;
  uint64_t blocks;
  atomic_ullong next;
  atomic_int stop;        /* all workers are to end */
  uint32_t resident;      /* blocks that one worker may have begun: its share of what a GPU holds */
  bool release;           /* of a cooperative launch: its grid barrier opens */
  bool cooperative, counted; /* not counted: accesses are checked only */
  bool sampled;           /* reuse is measured in some of its blocks */
  struct block_context **contexts;  /* of a cooperative launch: blocks that wait */
  atomic_ullong suspended, finished, spinning;
  struct nested_work *_Atomic nested; /* what this kernel has put aside, the last first (nested.c) */
};
extern _Atomic int drano_stopping HIDDEN;  /* a signal has come */
cudaError_t drano_launch_kernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                size_t shared, bool cooperative) HIDDEN;
cudaError_t drano_launch_known(drano_unit *unit, const drano_kernel *k, dim3 grid, dim3 block,
                               void **arguments, size_t shared, bool cooperative) HIDDEN;
void drano_do_nested(struct drano_launch *parent) HIDDEN; /* all that it has put aside */
unsigned drano_workers(void) HIDDEN;
uint64_t drano_now(void) HIDDEN;  /* nanoseconds */

/* Ends the kernel: one line on stderr for the first of a launch. */
void drano_report(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t lane, cudaError_t error,
                  const char *what) HIDDEN;
void drano_report_at(drano_warp *w, const drano_spot *place, uint32_t lane, cudaError_t error,
                     const char *what) HIDDEN;
typedef struct fault_record { const char *kernel, *path; uint32_t line; char text[512]; } fault_record;
#define MAX_FAULTS 64
extern fault_record drano_faults[MAX_FAULTS] HIDDEN;
extern _Atomic uint32_t drano_fault_count HIDDEN;

/* --- textures (texture.c) ------------------------------------------------------------------- */

struct cudaArray {
  char *data; size_t width, height, depth, row_bytes; unsigned element; struct cudaChannelFormatDesc desc;
  unsigned flags;
};
bool drano_array_valid(const struct cudaArray *array) HIDDEN;

/* --- the profile (profile.c, signals.c) ----------------------------------------------------- */

void drano_start(void) HIDDEN;                       /* once: before anything else */
void drano_write_profile(const char *reason) HIDDEN; /* safe in a signal handler; once */
void drano_collect(const char *reason) HIDDEN; /* first: what is counted elsewhere comes here */
void drano_install_handlers(void) HIDDEN;
extern _Thread_local drano_warp *drano_current_warp HIDDEN;

#endif
