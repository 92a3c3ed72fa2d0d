/* What the code of a launch that the host counts calls: its accesses, and what else it might ask for.
 *
 * Addresses are the device's: they are counted, and nothing is there. Only those in arrays that are copied, as they
 * decide, must be within them.
 */
#include "replay.h"
#include "../proved.h"
#include "../request.h"
#include "../reuse.h"

/* The array that a site's addresses must stay in; all of memory for those that are only counted. */
static inline span bounds_of(const struct drano_launch *l, uint32_t site) {
  const gpu_replayed *r = (const gpu_replayed *)l; /* its first member */
  const int8_t copy = r->kernel->copy_of[site - l->kernel->first_site];
  if (LIKELY(copy < 0)) return (span){0, UINT64_MAX};
  const uint64_t base = gpu_copy_base(r->copies[copy]);
  return (span){base, base + gpu_copy_bytes(r->copies[copy])};
}

/* What lies there decides more than this access, and is not known. */
static int32_t left_array(drano_warp *w) {
  atomic_store(&w->block->launch->stop, 1);
  return 1;
}

int32_t drano_access(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t mask,
                     const uint64_t address[DRANO_WARP]) {
  if (UNLIKELY(mask == 0)) return 0;
  drano_block *b = w->block;
  if (UNLIKELY(atomic_load_explicit(&b->launch->stop, memory_order_relaxed))) return 1;
  const drano_site *s = &u->sites[site];
  site_counter *c = &b->counters->sites[u->site_base + site];
  const drano_proof *proof = u->proofs[site];
  const bool near = s->space == 3;
  const span bounds = bounds_of(b->launch, site);
  if (proof != NULL && mask == UINT32_MAX && (address[0] & proof->misaligned) == 0) {
    if (address[0] + (uint64_t)proof->low < bounds.low || address[0] + (uint64_t)proof->high > bounds.high)
      return left_array(w);
    count_proved(c, proof, address[0], 1, near);
    return 0;
  }
  _Alignas(64) uint64_t v[DRANO_WARP];
  const span range = gather(address, mask, s->bytes, v).range;
  if (range.low < bounds.low || range.high > bounds.high) return left_array(w);
  if (near) count_near(c, &b->counters->recent, s, v, mask, (uint64_t)(uintptr_t)b->shared, range);
  else count_far(c, &b->counters->recent, s, v, mask, range);
  return 0;
}

int32_t drano_row(drano_warp *w, const drano_unit *u, uint32_t site, uint64_t address) {
  const drano_site *s = &u->sites[site];
  const drano_proof *p = u->proofs[site];
  _Alignas(64) uint64_t v[DRANO_WARP];
  drano_row_addresses(p, address, v);
  if (drano_access(w, u, site, UINT32_MAX, v)) return 1;
  if ((address & p->misaligned) != 0) return 0;
  span bounds = bounds_of(w->block->launch, site);
  if (bounds.low == 0) bounds = (span){(uint64_t)p->low, UINT64_MAX + (uint64_t)p->high}; /* any address */
  drano_settle_tally(w->block, u, site, bounds.low, bounds.high, 0, s->space == 3);
  return 0;
}

void drano_report_at(drano_warp *w, const drano_spot *place, uint32_t lane, cudaError_t error, const char *what) {
  (void)place, (void)lane, (void)error, (void)what;
  atomic_store(&w->block->launch->stop, 1);
}

void drano_report(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t lane, cudaError_t error,
                  const char *what) {
  (void)u, (void)site;
  drano_report_at(w, NULL, lane, error, what);
}

void drano_fault(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t mask, const char *what) {
  (void)u, (void)site, (void)mask;
  drano_report_at(w, NULL, 0, cudaErrorLaunchFailure, what);
}

/* What blocks read again is not measured here. */
bool drano_reuse_wanted(const struct drano_launch *l, uint64_t number) { return (void)l, (void)number, false; }
struct drano_reuse *drano_reuse_begin(void) { return NULL; }
void drano_reuse_end(drano_block *b) { (void)b; }
void drano_reuse_drop(drano_block *b) { (void)b; }
