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
#endif
