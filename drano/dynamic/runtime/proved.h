/* Accesses whose lanes lie at proved distances (drano/dynamic/proved.py): what a full warp's request
 * costs is known from one lane's address, and looked up. */
#ifndef DRANO_PROVED_H
#define DRANO_PROVED_H
#include "drano_runtime.h"

typedef struct drano_cost { uint8_t lines, sectors, ideal, wavefronts; } drano_cost;

/* A pattern of a site, worked out for all its lanes. `low`, `high`: from lane 0's address to the first
 * byte that any lane accesses, and to one past the last; `misaligned`: bits that are 0 in a good
 * address; `at[a]`: the cost when lane 0's address is a bytes beyond a multiple of a line. */
typedef struct drano_proof {
  const drano_pattern *pattern;
  struct drano_proof *next; /* of the same site */
  int64_t low, high;
  uint32_t misaligned, wavefronts_ideal, conflicts;
  drano_cost at[128];
} drano_proof;

/* Chooses the proofs that hold for a launch: `u->proofs` by site. */
void drano_choose_proofs(const drano_unit *u, const drano_kernel *k, drano_dim3 grid, drano_dim3 block) HIDDEN;
/* DRANO_PRUNE=verify: every access is compared with its proof. */
extern bool drano_verifying HIDDEN;
/* False, and the kernel ends with a line: the proof is wrong. */
bool drano_verify(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t mask,
                  const uint64_t address[DRANO_WARP]) HIDDEN;
/* Whether any launch was counted by a proof of this site. */
bool drano_was_proved(const drano_unit *u, uint32_t site) HIDDEN;

/* Tallies (tally.c). This worker's for a launch; NULL: generated code is to look at every lane. */
drano_tally *drano_tallies(struct drano_counters *counters, const struct drano_launch *l) HIDDEN;
void drano_begin_tallies(struct drano_launch *l) HIDDEN;
void drano_end_tallies(void) HIDDEN; /* what was counted goes to the sites' counters */
#endif
