/* How often blocks read the elements of arrays, of a few blocks of each kernel. */
#ifndef DRANO_REUSE_H
#define DRANO_REUSE_H
#include "drano_runtime.h"

enum { DRANO_MAX_REUSE = 4096, DRANO_REUSE_SITES = 32 };

/* One array of one kernel, by its first load that a block came to; the sum over `blocks`. */
typedef struct drano_reuse_record {
  const drano_kernel *kernel;
  uint64_t blocks, reads, words, most_words; /* most_words: of one block */
  uint32_t array, sites;
  uint32_t site[DRANO_REUSE_SITES]; /* ordinals of the loads */
  bool written;
} drano_reuse_record;
extern drano_reuse_record drano_reuse_records[DRANO_MAX_REUSE] HIDDEN;
extern _Atomic uint32_t drano_reuse_count HIDDEN;

bool drano_reuse_wanted(const struct drano_launch *l, uint64_t number) HIDDEN;
struct drano_reuse *drano_reuse_begin(void) HIDDEN; /* NULL: no memory */
/* The lanes of `mask` access memory; only in blocks that are looked at. */
void drano_reuse_access(drano_warp *w, const drano_site *s, uint32_t mask,
                        const uint64_t address[DRANO_WARP]) HIDDEN;
void drano_reuse_end(drano_block *b) HIDDEN;  /* the block has ended: its counts go to the records */
void drano_reuse_drop(drano_block *b) HIDDEN; /* it has not: they go nowhere */
#endif
