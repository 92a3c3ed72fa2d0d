/* One block while it runs: its memory, its warps, its barriers. */
#ifndef DRANO_BLOCK_H
#define DRANO_BLOCK_H
#include "drano_runtime.h"

typedef struct warp_state { bool done, waiting, at_grid; } warp_state;

/* All that one block needs while it runs. */
typedef struct block_context {
  drano_block block;
  drano_warp *warps;
  warp_state *states;
  char *memory;
  uint64_t memory_bytes;
  const drano_kernel *kernel;
  drano_tally *tallies; /* for blocks that nothing else must see all accesses of */
  uint32_t warp_count;
} block_context;

static inline uint64_t align_up(uint64_t value, uint64_t to) { return (value + to - 1) & ~(to - 1); }

/* Where a block of a launch counts what it executes: what need not be counted goes where nobody looks. */
static inline drano_visits *drano_block_work(const struct drano_launch *l,
                                             const struct drano_counters *counters) {
  return counters->work + (l->counted ? 0 : counters->work_limit);
}

enum outcome { FINISHED, SUSPENDED, SPINNING, STOPPED };
#define IDLE_ROUNDS 8 /* of spinning warps, before their block is parked */

/* A launch as its blocks see it, and its parameters as kernels read them: to be freed; NULL: no memory. */
struct drano_launch drano_launch_of(const drano_unit *unit, const drano_kernel *k, dim3 grid, dim3 block,
                                    size_t shared) HIDDEN;
char *drano_parameters(const drano_kernel *k, void **arguments) HIDDEN;
/* Make `c` fit the launch; memory is kept from block to block. */
void drano_prepare_block(block_context *c, struct drano_launch *l, struct drano_counters *counters) HIDDEN;
void drano_begin_block(block_context *c, struct drano_launch *l, uint64_t number) HIDDEN;
/* Until the block ends, or its warps only spin for so many rounds. */
enum outcome drano_run_block(block_context *c, struct drano_launch *l, uint32_t rounds) HIDDEN;
void drano_release_context(block_context *c) HIDDEN;
#endif
