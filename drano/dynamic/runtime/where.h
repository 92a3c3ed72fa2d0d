/* Where an address lies. */
#ifndef DRANO_WHERE_H
#define DRANO_WHERE_H
#include "request.h"

/* The allocation that holds all of [low, high), or NULL. */
static inline const allocation *holder(span s) {
  uint64_t offset = s.low - drano_arena_base;
  if (LIKELY(offset < drano_arena_bytes)) {
    const allocation *a = &drano_allocations[drano_pages[offset >> PAGE_SHIFT]];
    return LIKELY(s.low >= a->base && s.high <= a->end && a->live) ? a : NULL;
  }
  return drano_find_extra(s.low, s.high);
}

enum where { GLOBAL, SHARED, LOCAL /* or parameters: no array */ };

static inline enum where place_of(const drano_warp *w, uint64_t address) {
  const drano_block *b = w->block;
  if (address - (uint64_t)(uintptr_t)b->shared < b->shared_bytes) return SHARED;
  const drano_kernel *k = b->launch->kernel;
  if (address - (uint64_t)(uintptr_t)w->local < (uint64_t)k->local_bytes * DRANO_WARP) return LOCAL;
  if (UNLIKELY(address - (uint64_t)(uintptr_t)w->params < k->params_bytes)) return LOCAL;
  return GLOBAL;
}
#endif
