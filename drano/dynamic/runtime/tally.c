/* Requests that generated code counts itself (full warps, lanes at proved distances), made into counts.
 *
 * A tally counts requests by their place in a line while all of a site's addresses lie in one array;
 * drano_row() sees the first one, and any that is unusual. Tallies are turned into counts when the array
 * changes, at the end of the launch, and before a profile is written.
 */
#include "proved.h"

static void flush(struct drano_counters *counters, const struct drano_launch *l, uint32_t site) {
  drano_tally *t = &counters->tallies[site - l->kernel->first_site];
  const drano_proof *p = t->proof;
  if (p == NULL) return;
  const drano_site *s = &l->unit->sites[site];
  site_counter *c = &counters->sites[l->unit->site_base + site];
  const uint32_t unit = s->bytes < 4 ? s->bytes : 4, kept = l->counted;
  for (uint32_t at = 0; at < 128; at += unit) {
    const uint64_t n = t->times[at / unit];
    if (n == 0) continue;
    t->times[at / unit] = 0;
    if (!kept) continue;
    const uint32_t sectors = count_proved(c, p, at, n, t->shared);
    if (!t->shared) {
      array_counter *a = &counters->arrays[t->array < counters->array_limit ? t->array : 0];
      uint64_t *which = s->kind == DRANO_LOAD ? &a->reads : s->kind == DRANO_STORE ? &a->writes : &a->atomics;
      *which += n * DRANO_WARP;
      a->sectors += n * sectors;
    }
  }
}

/* Room for the kernel's tallies, all empty; NULL when the proofs do not hold for this launch. */
drano_tally *drano_tallies(struct drano_counters *counters, const struct drano_launch *l) {
  const drano_kernel *k = l->kernel;
  if (drano_verifying) return NULL;
  for (uint32_t site = k->first_site; site < k->first_site + k->site_count; site++)
    if (l->unit->sites[site].pattern_count && l->unit->proofs[site] == NULL) return NULL;
  if (counters->tally_limit <= k->site_count) { /* old ones are kept: a handler may read them */
    uint32_t limit = k->site_count + 16;
    drano_tally *fresh = aligned_alloc(64, limit * sizeof *fresh);
    if (fresh == NULL) abort();
    memset(fresh, 0, limit * sizeof *fresh);
    counters->tallies = fresh;
    counters->tally_limit = limit;
  }
  return counters->tallies;
}

void drano_flush_tallies(struct drano_counters *counters, const struct drano_launch *l) {
  const drano_kernel *k = l->kernel;
  if (counters->tally_limit <= k->site_count) return;
  for (uint32_t n = 0; n < k->site_count; n++) {
    flush(counters, l, k->first_site + n);
    counters->tallies[n].proof = NULL;
    counters->tallies[n].base = counters->tallies[n].span = 0;
  }
}

void drano_settle_tally(const drano_block *b, const drano_unit *u, uint32_t site, uint64_t low, uint64_t high,
                        uint32_t array, bool near) {
  const struct drano_launch *l = b->launch;
  drano_tally *t = &b->counters->tallies[site - l->kernel->first_site];
  const drano_proof *p = u->proofs[site];
  if (t->proof != p || t->array != array || t->shared != near) {
    flush(b->counters, l, site);
    t->proof = p;
    t->array = array;
    t->shared = near;
  }
  t->base = low - (uint64_t)p->low;
  t->span = high - (uint64_t)p->high - t->base;
}
