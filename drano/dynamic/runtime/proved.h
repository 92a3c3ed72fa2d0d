/* Accesses whose lanes lie at proved distances (drano/dynamic/instrument/proved_patterns.py): what a full warp's request
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

/* Full warps' `n` requests at an address with this place in a line; returns the sectors of one. */
static inline uint32_t count_proved(site_counter *c, const drano_proof *p, uint64_t address, uint64_t n, bool shared) {
  const drano_cost *cost = &p->at[address & 127];
  const uint32_t amount = shared ? cost->wavefronts : cost->lines;
  c->executions += n;
  c->lanes += n * DRANO_WARP;
  c->conflicts += n * p->conflicts;
  c->hist[amount < DRANO_WARP ? amount : DRANO_WARP] += n;
  if (amount < c->least || c->least == 0) c->least = amount;
  if (amount > c->most) c->most = amount;
  if (shared) {
    c->shared_executions += n;
    c->wavefronts += n * cost->wavefronts;
    c->wavefronts_ideal += n * p->wavefronts_ideal;
  } else {
    c->lines += n * cost->lines;
    c->sectors += n * cost->sectors;
    c->ideal += n * cost->ideal;
  }
  return cost->sectors;
}

/* Chooses the proofs that hold for a launch: `u->proofs` by site. */
void drano_choose_proofs(const drano_unit *u, const drano_kernel *k, drano_dim3 grid, drano_dim3 block) HIDDEN;
/* DRANO_PRUNE=verify: every access is compared with its proof. */
extern bool drano_verifying HIDDEN;
/* False, and the kernel ends with a line: the proof is wrong. */
bool drano_verify(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t mask,
                  const uint64_t address[DRANO_WARP]) HIDDEN;
/* Whether any launch was counted by a proof of this site: of those chosen here, and for the profile. */
bool drano_was_chosen(const drano_unit *u, uint32_t site) HIDDEN;
bool drano_was_proved(const drano_unit *u, uint32_t site) HIDDEN;
/* Where the lanes of a full warp are, from lane 0's address. */
static inline void drano_row_addresses(const drano_proof *p, uint64_t address, uint64_t v[DRANO_WARP]) {
  for (int lane = 0; lane < DRANO_WARP; lane++) v[lane] = address + (uint64_t)(int64_t)p->pattern->offset[lane];
}

/* Tallies (tally.c). This worker's for a launch; NULL: generated code is to look at every lane. */
drano_tally *drano_tallies(struct drano_counters *counters, const struct drano_launch *l) HIDDEN;
void drano_flush_tallies(struct drano_counters *counters, const struct drano_launch *l) HIDDEN;
/* From now on generated code counts the site's requests in [low, high) of `array` by itself. */
void drano_settle_tally(const drano_block *b, const drano_unit *u, uint32_t site, uint64_t low, uint64_t high,
                        uint32_t array, bool near) HIDDEN;
/* Those of the launch that runs for its results (row.c). */
void drano_begin_tallies(struct drano_launch *l) HIDDEN;
void drano_end_tallies(void) HIDDEN; /* what was counted goes to the sites' counters */
#endif
