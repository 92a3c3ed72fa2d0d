/* Launches that the host counts (replay.c). */
#ifndef DRANO_REPLAY_H
#define DRANO_REPLAY_H
#include "gpu.h"

/* What was counted of a site, in one launch. */
typedef struct site_counts {
  uint64_t executions, lanes, lines, sectors, ideal, wavefronts, wavefronts_ideal, conflicts, shared_executions;
} site_counts;

/* A launch that the host is to count; NULL: it has no code for that, or would take too long. */
gpu_replayed *gpu_replay_start(gpu_module *m, uint32_t kernel, dim3 grid, dim3 block, size_t shared,
                               void **arguments, cudaStream_t stream) HIDDEN;
/* The launch was made: it is counted; or it was not, and counts nothing. */
void gpu_replay_end(gpu_replayed *r, bool launched) HIDDEN;
/* Until all is counted; not `for_all`: for some seconds at most. */
void gpu_replay_wait(bool for_all) HIDDEN;
const site_counts *gpu_replay_counts(const gpu_replayed *r) HIDDEN; /* of the kernel's sites; NULL: not counted */

/* The content of the array that holds `address`, as it is when what is in the stream now is done (copies.c);
 * NULL: there is none. To be waited for, and released. */
typedef struct gpu_copy gpu_copy;
gpu_copy *gpu_copy_of(uint64_t address, cudaStream_t stream) HIDDEN;
bool gpu_copy_wait(gpu_copy *c) HIDDEN;
void gpu_copies_before_reset(void) HIDDEN; /* all that was to be done is done */
void gpu_copy_release(gpu_copy *c) HIDDEN;
uint64_t gpu_copy_base(const gpu_copy *c) HIDDEN; /* on the device */
uint64_t gpu_copy_bytes(const gpu_copy *c) HIDDEN;
char *gpu_copy_data(const gpu_copy *c) HIDDEN;

/* --- what replay.c and replay_access.c share ----------------------------------------------------- */

#define MAX_COPIES 16

/* A kernel for the host. Behind the program's `parameters` it has three for each of the `copies` of arrays that it
 * reads (where the array is, its bytes, and where the copy is), and one for the addresses of variables. */
typedef struct replay_kernel {
  drano_unit *unit;
  const drano_kernel *kernel;
  uint32_t parameters, copies;
  const gpu_touch *touch[MAX_COPIES];
  bool writes[MAX_COPIES];  /* to the copy: then each launch has its own */
  int8_t *copy_of;          /* of each of the kernel's sites: in which array it is, -1: none of these */
  uint64_t each_thousand;   /* nanoseconds that a thousand threads took at most; 0: not known */
  bool refused;
} replay_kernel;

enum { REPLAY_QUEUED, REPLAY_COUNTED, REPLAY_FAILED };
struct gpu_replayed {
  struct drano_launch launch;
  replay_kernel *kernel;
  gpu_replayed *next;
  uint64_t expected; /* nanoseconds */
  gpu_copy *copies[MAX_COPIES];
  _Atomic int state;
  site_counts counts[]; /* of the kernel's sites */
};
#endif
