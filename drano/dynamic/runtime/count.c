/* Counting: what one warp's access costs (request.h), and whether it may be made at all.
 *
 * An access with a proof (proved.c) is counted from the address of one lane. Counters are the worker's
 * own: no lock, no atomic operation.
 */
#include "proved.h"
#include "races.h"
#include "request.h"
#include "reuse.h"
#include "where.h"

struct drano_counters drano_worker_counters[MAX_WORKERS];

static int fault(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t lane, uint64_t address,
                 const char *why) {
  const int error = why[0] == 'm' ? cudaErrorMisalignedAddress : cudaErrorIllegalAddress;
  char nearby[256], text[400];
  const drano_site *s = &u->sites[site];
  static const char *const kinds[] = {"load", "store", "atomic"};
  drano_describe(address, nearby, sizeof nearby);
  snprintf(text, sizeof text, "%s %s of %u bytes at 0x%llx: %s", why, kinds[s->kind % 3], s->bytes,
           (unsigned long long)address, nearby);
  drano_report(w, u, site, lane, error, text);
  return 1;
}

/* DRANO_BOUNDS=warn: as on a GPU, where what lies near an allocation can be read and written. */
static bool tolerated(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t lane,
                      uint64_t address) {
  uint64_t offset = address - drano_arena_base;
  if (!drano_lenient || offset >= drano_arena_bytes) return false;
  static atomic_uchar said[1 << 16]; /* a line for each site */
  const drano_site *s = &u->sites[site];
  if (atomic_exchange(&said[(u->site_base + site) & 0xffff], 1)) return true;
  char nearby[256];
  drano_describe(address, nearby, sizeof nearby);
  drano_say("warning: %s:%u:%u: kernel %s, block (%d,%d,%d), thread (%d,%d,%d): access outside of "
            "any array: %s",
            s->path, s->line, s->column, w->block->launch->kernel->name, w->block->block_idx.x,
            w->block->block_idx.y, w->block->block_idx.z, w->tid_x[lane], w->tid_y[lane],
            w->tid_z[lane], nearby);
  return true;
}

/* Lanes in several allocations, or at least one in none. */
static int check_each(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t mask,
                      const uint64_t *v, uint32_t bytes, uint8_t kind) {
  struct drano_counters *counters = w->block->counters;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    const allocation *a = holder((span){v[lane], v[lane] + bytes});
    if (a != NULL) count_array(counters, a->array, kind, 1, 1);
    else if (!tolerated(w, u, site, lane, v[lane]))
      return fault(w, u, site, lane, v[lane], "invalid");
  }
  return 0;
}

/* 0: done, 1: the kernel ends, MIXED: `where` was a guess, and the lanes are not all there. */
enum { MIXED = 2 };

static inline bool overlaps(span s, const void *start, uint64_t bytes) {
  return s.low < (uint64_t)(uintptr_t)start + bytes && s.high > (uint64_t)(uintptr_t)start;
}

static int access_in(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t mask,
                     const uint64_t *address, enum where where, bool guess, site_counter *c) {
  const drano_site *s = &u->sites[site];
  const uint32_t bytes = s->bytes, alignment = request_alignment(s);
  const uint32_t first = (uint32_t)__builtin_ctz(mask);
  _Alignas(64) uint64_t v[DRANO_WARP];
  const gathered all = gather(address, mask, bytes, v);
  const span range = all.range;
  const uint64_t low = range.low, high = range.high - bytes;
  if (guess) {
    const drano_block *b = w->block;
    if (where == SHARED ? low < (uint64_t)(uintptr_t)b->shared ||
                              high >= (uint64_t)(uintptr_t)b->shared + b->shared_bytes
                        : overlaps(range, b->shared, b->shared_bytes) ||
                              overlaps(range, w->local,
                                       (uint64_t)b->launch->kernel->local_bytes * DRANO_WARP) ||
                              overlaps(range, w->params, b->launch->kernel->params_bytes))
      return MIXED;
  }
  if (UNLIKELY(all.bits & (alignment - 1))) {
    for (uint32_t lane = first; lane < DRANO_WARP; lane++)
      if (mask >> lane & 1 && v[lane] & (alignment - 1))
        return fault(w, u, site, lane, v[lane], "misaligned");
  }
  if (where == SHARED) {
    const uint64_t base = (uint64_t)(uintptr_t)w->block->shared;
    if (UNLIKELY(low < base || range.high > base + w->block->shared_bytes)) {
      for (uint32_t lane = first; lane < DRANO_WARP; lane++)
        if (mask >> lane & 1 && (v[lane] < base || v[lane] + bytes > base + w->block->shared_bytes)) {
          char text[160];
          snprintf(text, sizeof text,
                   "invalid access of %u bytes at offset %lld of the block's %u bytes of shared memory",
                   bytes, (long long)(v[lane] - base), w->block->shared_bytes);
          drano_report(w, u, site, lane, cudaErrorIllegalAddress, text);
          return 1;
        }
    }
    if (w->block->launch->counted) count_near(c, &w->block->counters->recent, s, v, mask, base, range);
    return 0;
  }
  const allocation *a = holder(range);
  if (UNLIKELY(a == NULL) && check_each(w, u, site, mask, v, bytes, s->kind)) return 1;
  if (!w->block->launch->counted) return 0;
  const uint32_t sectors = count_far(c, &w->block->counters->recent, s, v, mask, range);
  if (a != NULL) count_array(w->block->counters, a->array, s->kind, (uint32_t)__builtin_popcount(mask), sectors);
  return 0;
}

/* A full warp's request whose cost is proved. False: something is unusual, and the usual way tells. */
static inline bool counted_by_proof(drano_warp *w, const drano_site *s, const drano_proof *p,
                                    uint64_t address, site_counter *c) {
  const drano_block *b = w->block;
  const span range = {address + (uint64_t)p->low, address + (uint64_t)p->high};
  if (UNLIKELY(address & p->misaligned)) return false;
  const enum where where = s->space == 3                     ? SHARED
                           : s->space == 1 || s->space == 4 ? GLOBAL
                                                             : place_of(w, address);
  const allocation *a = NULL;
  if (where == SHARED) {
    const uint64_t base = (uint64_t)(uintptr_t)b->shared;
    if (UNLIKELY(range.low < base || range.high > base + b->shared_bytes)) return false;
  } else if (UNLIKELY(where == LOCAL || (a = holder(range)) == NULL)) {
    return false;
  }
  if (UNLIKELY(!b->launch->counted)) return true;
  const uint32_t sectors = count_proved(c, p, address, 1, where == SHARED);
  if (where != SHARED) count_array(b->counters, a->array, s->kind, DRANO_WARP, sectors);
  return true;
}

int32_t drano_access(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t mask,
                     const uint64_t address[DRANO_WARP]) {
  if (UNLIKELY(mask == 0)) return 0;
  drano_block *b = w->block;
  if (UNLIKELY(atomic_load_explicit(&b->launch->stop, memory_order_relaxed))) return 1;
  site_counter *c = &b->counters->sites[u->site_base + site];
  if (UNLIKELY(b->reuse != NULL)) drano_reuse_access(w, &u->sites[site], mask, address);
  if (UNLIKELY(drano_racing)) drano_race_access(w, u, site, mask, address);
  const drano_proof *proof = u->proofs[site];
  if (UNLIKELY(drano_verifying) && !drano_verify(w, u, site, mask, address)) return 1;
  if (proof != NULL && mask == UINT32_MAX && counted_by_proof(w, &u->sites[site], proof, address[0], c))
    return 0;
  const uint8_t space = u->sites[site].space;
  if (space == 3) return access_in(w, u, site, mask, address, SHARED, false, c);
  if (LIKELY(space == 1 || space == 4)) return access_in(w, u, site, mask, address, GLOBAL, false, c);
  /* Generic: mostly all lanes are where the first one is; else by where each lane points. */
  enum where first = place_of(w, address[__builtin_ctz(mask)]);
  if (first != LOCAL) {
    int done = access_in(w, u, site, mask, address, first, true, c);
    if (LIKELY(done != MIXED)) return done;
  }
  uint32_t in[3] = {0, 0, 0};
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    in[place_of(w, address[lane])] |= 1u << lane;
  }
  if (in[GLOBAL] && access_in(w, u, site, in[GLOBAL], address, GLOBAL, false, c)) return 1;
  if (in[SHARED] && access_in(w, u, site, in[SHARED], address, SHARED, false, c)) return 1;
  return 0; /* a lane's own local memory */
}

bool drano_was_proved(const drano_unit *u, uint32_t site) { return drano_was_chosen(u, site); }

/* Room for every site and array, before a launch. Old tables are kept: a handler may read them. */
void drano_counters_reserve(unsigned workers) {
  uint32_t sites = atomic_load(&drano_site_count), arrays = atomic_load(&drano_array_count);
  uint32_t work = atomic_load(&drano_work_count);
  for (unsigned k = 0; k < workers; k++) {
    struct drano_counters *c = &drano_worker_counters[k];
    if (c->site_limit < sites) {
      site_counter *grown = calloc(sites, sizeof *grown);
      if (grown == NULL) abort();
      if (c->site_limit) memcpy(grown, c->sites, c->site_limit * sizeof *grown);
      c->sites = grown;
      c->site_limit = sites;
    }
    if (c->work_limit < work) {
      drano_visits *grown = calloc(2 * (size_t)work, sizeof *grown);
      if (grown == NULL) abort();
      if (c->work_limit) memcpy(grown, c->work, c->work_limit * sizeof *grown);
      c->work = grown;
      c->work_limit = work;
    }
    if (c->array_limit < arrays) {
      uint32_t limit = arrays + arrays / 2 + 64;
      array_counter *grown = calloc(limit, sizeof *grown);
      if (grown == NULL) abort();
      if (c->array_limit) memcpy(grown, c->arrays, c->array_limit * sizeof *grown);
      c->arrays = grown;
      c->array_limit = limit;
    }
  }
}
