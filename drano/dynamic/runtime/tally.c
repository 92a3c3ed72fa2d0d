/* Requests that generated code counts itself (full warps, lanes at proved distances), made into counts.
 *
 * A tally counts requests by their place in a line while all of a site's addresses lie in one array;
 * drano_row() sees the first one, and any that is unusual. Tallies are turned into counts when the array
 * changes, at the end of the launch, and before a profile is written.
 */
#include "proved.h"
#include "where.h"

static struct drano_launch *_Atomic counting; /* the launch whose tallies may hold something */

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
    const drano_cost *cost = &p->at[at];
    const uint32_t amount = t->shared ? cost->wavefronts : cost->lines;
    c->executions += n;
    c->lanes += n * DRANO_WARP;
    c->conflicts += n * p->conflicts;
    bump(c, amount);
    c->hist[amount < DRANO_WARP ? amount : DRANO_WARP] += n - 1;
    if (t->shared) {
      c->shared_executions += n;
      c->wavefronts += n * cost->wavefronts;
      c->wavefronts_ideal += n * p->wavefronts_ideal;
    } else {
      c->lines += n * cost->lines;
      c->sectors += n * cost->sectors;
      c->ideal += n * cost->ideal;
      array_counter *a = &counters->arrays[t->array < counters->array_limit ? t->array : 0];
      uint64_t *which = s->kind == DRANO_LOAD ? &a->reads : s->kind == DRANO_STORE ? &a->writes : &a->atomics;
      *which += n * DRANO_WARP;
      a->sectors += n * cost->sectors;
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

void drano_begin_tallies(struct drano_launch *l) { atomic_store(&counting, l); }

static void flush_worker(struct drano_counters *counters, const struct drano_launch *l) {
  const drano_kernel *k = l->kernel;
  if (counters->tally_limit <= k->site_count) return;
  for (uint32_t n = 0; n < k->site_count; n++) {
    flush(counters, l, k->first_site + n);
    counters->tallies[n].proof = NULL;
    counters->tallies[n].base = counters->tallies[n].span = 0;
  }
}

void drano_end_tallies(void) {
  const struct drano_launch *l = atomic_exchange(&counting, NULL);
  if (l == NULL) return;
  for (unsigned k = 0; k < drano_workers(); k++) flush_worker(&drano_worker_counters[k], l);
}

void drano_collect(const char *reason) {
  (void)reason;
  drano_end_tallies();
}

/* The bounds within which generated code may count this site's requests by itself. */
static void settle(drano_warp *w, const drano_unit *u, uint32_t site, uint64_t address) {
  drano_block *b = w->block;
  const struct drano_launch *l = b->launch;
  drano_tally *t = &b->counters->tallies[site - l->kernel->first_site];
  const drano_proof *p = u->proofs[site];
  if (address & p->misaligned) return;
  const span range = {address + (uint64_t)p->low, address + (uint64_t)p->high};
  const uint64_t shared = (uint64_t)(uintptr_t)b->shared;
  uint64_t low, high;
  uint32_t array = 0, near = range.low >= shared && range.high <= shared + b->shared_bytes;
  if (near) {
    low = shared;
    high = shared + b->shared_bytes;
  } else {
    const allocation *a = holder(range);
    /* what kernels allocate they may free while another one counts */
    if (a == NULL || (a->kind == MEM_DEVICE && a->caller == NULL)) return;
    low = a->base;
    high = a->end;
    array = a->array;
  }
  if (t->proof != p || t->array != array || t->shared != near) {
    flush(b->counters, l, site);
    t->proof = p;
    t->array = array;
    t->shared = near;
  }
  t->base = low - (uint64_t)p->low;
  t->span = high - (uint64_t)p->high - t->base;
}

int32_t drano_row(drano_warp *w, const drano_unit *u, uint32_t site, uint64_t address) {
  const drano_proof *p = u->proofs[site];
  _Alignas(64) uint64_t v[DRANO_WARP];
  for (int lane = 0; lane < DRANO_WARP; lane++) v[lane] = address + (uint64_t)(int64_t)p->pattern->offset[lane];
  if (drano_access(w, u, site, UINT32_MAX, v)) return 1;
  settle(w, u, site, address);
  return 0;
}
