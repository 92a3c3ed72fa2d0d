/* What the parts of the GPU's run-time library know of each other.
 *
 * It stands beside CUDA's own library, not in its place: the linker's --wrap sends the program's calls
 * here (__wrap_NAME), and from here they go on (__real_NAME).
 */
#ifndef DRANO_GPU_H
#define DRANO_GPU_H
#include "../drano_runtime.h"

#define SLOT_FIELDS 8 /* as in counting.cu */
enum { F_LANES, F_SECTORS, F_LINES, F_IDEAL, F_REQUESTS, F_CONFLICTS };
#define MAX_DEVICES 16
#define MAX_MODULES 4096

/* Where a site's counts are (drano/dynamic/gpu/segments.py): -1 is none. */
typedef struct gpu_place { int32_t slot, shared, group; uint64_t cost; } gpu_place;
#define COST_WIDTH 13

/* The counters of one module on one device. */
typedef struct counter_table {
  uint64_t *rows;   /* on the device */
  uint64_t *copy;   /* here, in memory that the device can write: what was there last time */
  uint64_t *saved;  /* and what there was before the device was reset */
  uint32_t row_count;
  bool tried;
} counter_table;

/* One fat binary: a unit's device code. */
typedef struct gpu_module {
  void **handle;
  char id[80];
  drano_unit *unit;
  const gpu_place *places;
  uint64_t slots;
  /* Addresses by which the host names the device's variables. */
  char rows, row_length, row_mask;
  counter_table tables[MAX_DEVICES];
} gpu_module;

extern gpu_module *gpu_modules[MAX_MODULES] HIDDEN;
extern _Atomic uint32_t gpu_module_count HIDDEN;

drano_unit *gpu_unit_of(gpu_module *m) HIDDEN;
void gpu_prepare(void) HIDDEN;       /* counters of the current device, for every module */
/* Bring counts here now and then, without waiting; `waited`: the program has just waited for kernels. */
void gpu_snapshot_soon(bool waited) HIDDEN;
void gpu_before_reset(void) HIDDEN;
void gpu_note_error(cudaError_t error, const char *where) HIDDEN;
void gpu_name_function(const void *host, const char *name) HIDDEN;
void gpu_count_launch(const void *host, dim3 grid, dim3 block, size_t shared) HIDDEN;
#endif
