/* Rows of the kernel that runs for its results: full warps' requests whose lanes lie at proved distances. */
#include "proved.h"
#include "where.h"

static struct drano_launch *_Atomic counting; /* the launch whose tallies may hold something */

void drano_begin_tallies(struct drano_launch *l) { atomic_store(&counting, l); }

void drano_end_tallies(void) {
  const struct drano_launch *l = atomic_exchange(&counting, NULL);
  if (l == NULL) return;
  for (unsigned k = 0; k < drano_workers(); k++) drano_flush_tallies(&drano_worker_counters[k], l);
}

void drano_collect(const char *reason) {
  (void)reason;
  drano_end_tallies();
}

/* The bounds within which generated code may count this site's requests by itself. */
static void settle(const drano_block *b, const drano_unit *u, uint32_t site, uint64_t address) {
  const drano_proof *p = u->proofs[site];
  if (address & p->misaligned) return;
  const span range = {address + (uint64_t)p->low, address + (uint64_t)p->high};
  const uint64_t shared = (uint64_t)(uintptr_t)b->shared;
  if (range.low >= shared && range.high <= shared + b->shared_bytes) {
    drano_settle_tally(b, u, site, shared, shared + b->shared_bytes, 0, true);
    return;
  }
  const allocation *a = holder(range);
  /* what kernels allocate they may free while another one counts */
  if (a == NULL || (a->kind == MEM_DEVICE && a->caller == NULL)) return;
  drano_settle_tally(b, u, site, a->base, a->end, a->array, false);
}

int32_t drano_row(drano_warp *w, const drano_unit *u, uint32_t site, uint64_t address) {
  _Alignas(64) uint64_t v[DRANO_WARP];
  drano_row_addresses(u->proofs[site], address, v);
  if (drano_access(w, u, site, UINT32_MAX, v)) return 1;
  settle(w->block, u, site, address);
  return 0;
}
