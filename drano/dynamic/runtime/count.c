/* Counting: what one warp's access costs, and whether it may be made at all.
 *
 * Definitions are Nsight Compute's, as in drano/lattice/transactions.py: a request touches 128-byte
 * lines and 32-byte sectors of global memory; the ideal is the sectors that its active lanes' bytes
 * would fill, never more than it touches. In shared memory a request takes wavefronts: its lanes go
 * in phases of 32, 16 or 8 lanes (elements of at most 4, of 8, of 16 bytes), neighbouring phases in
 * one where the lanes come in pairs of equal addresses; a phase takes as many wavefronts as the most
 * different words that one bank has to give. Ideal: one each phase. Conflicts of an atomic: lanes
 * beyond the first at each address.
 *
 * Counters are the worker's own: no lock, no atomic operation.
 */
#include "drano_runtime.h"

struct drano_counters drano_worker_counters[MAX_WORKERS];

/* Eight lanes' addresses; the compiler makes of it what the processor has. */
typedef uint64_t lanes8 __attribute__((vector_size(64), aligned(8)));
#define PARTS 4

typedef struct span { uint64_t low, high; } span; /* first byte, one past the last */

static inline void bump(site_counter *c, uint32_t amount) {
  c->hist[amount < DRANO_WARP ? amount : DRANO_WARP]++;
  if (amount < c->least || c->least == 0) c->least = amount;
  if (amount > c->most) c->most = amount;
}

/* Lanes (bit set) whose key no lane before them has. Inactive lanes hold an active lane's key. */
static inline uint32_t first_of_each(const uint32_t key[DRANO_WARP]) {
  uint32_t padded[2 * DRANO_WARP], equal[DRANO_WARP];
  for (int i = 0; i < DRANO_WARP; i++) {
    padded[i] = UINT32_MAX;
    padded[DRANO_WARP + i] = key[i];
    equal[i] = 0;
  }
  for (int shift = 1; shift < DRANO_WARP; shift++)
    for (int i = 0; i < DRANO_WARP; i++)
      equal[i] |= padded[DRANO_WARP + i] == padded[DRANO_WARP + i - shift] ? UINT32_MAX : 0;
  uint32_t first = 0;
  for (int i = 0; i < DRANO_WARP; i++) first |= (uint32_t)(equal[i] == 0) << i;
  return first;
}

/* Number of different keys; one pass where they never fall or never rise. */
static inline uint32_t distinct(const uint32_t key[DRANO_WARP]) {
  uint32_t changes = 0, up = 0, down = 0;
  for (int i = 1; i < DRANO_WARP; i++) {
    changes += key[i] != key[i - 1];
    up += key[i] > key[i - 1];
    down += key[i] < key[i - 1];
  }
  if (up == 0 || down == 0) return changes + 1;
  return (uint32_t)__builtin_popcount(first_of_each(key));
}

/* Any size, any alignment: every unit (line or sector) that each lane touches, by a small hash. */
static uint32_t units_touched(const uint64_t *v, uint32_t mask, uint32_t bytes, unsigned shift) {
  enum { SLOTS = 4096 };
  static _Thread_local uint64_t table[SLOTS];
  static _Thread_local uint32_t stamps[SLOTS], stamp;
  if (++stamp == 0) {
    memset(stamps, 0, sizeof stamps);
    stamp = 1;
  }
  uint32_t found = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint64_t a = v[__builtin_ctz(rest)];
    for (uint64_t unit = a >> shift; unit <= (a + bytes - 1) >> shift && found < SLOTS / 2; unit++) {
      uint32_t slot = (uint32_t)((unit * 0x9E3779B97F4A7C15u) >> 40) & (SLOTS - 1);
      while (stamps[slot] == stamp && table[slot] != unit) slot = (slot + 1) & (SLOTS - 1);
      if (stamps[slot] != stamp) {
        stamps[slot] = stamp;
        table[slot] = unit;
        found++;
      }
    }
  }
  return found;
}

static inline bool equal(const request_memo *m, const lanes8 *from_low, uint64_t base, uint32_t mask) {
  const lanes8 *old = (const lanes8 *)m->from_low;
  lanes8 different = {0};
  for (int k = 0; k < PARTS; k++) different |= from_low[k] ^ old[k];
  return m->mask == mask && m->base == base && !__builtin_reduce_or(different);
}

/* Whether the request is the site's last one, or the worker's, again, at a place as good: its counts
 * hold, and are in the site's memo. Else `remember` them. Inactive lanes hold an active one's address. */
static inline bool again(site_counter *c, const request_memo *recent, const uint64_t *v, uint32_t mask,
                         uint32_t bytes, uint64_t low, bool shared) {
  const uint64_t base = (low & 127) | (uint64_t)shared << 8 | (uint64_t)bytes << 16;
  const lanes8 *part = (const lanes8 *)v;
  lanes8 from_low[PARTS];
  for (int k = 0; k < PARTS; k++) from_low[k] = part[k] - low;
  if (equal(&c->last, from_low, base, mask)) return true;
  if (equal(recent, from_low, base, mask)) {
    c->last = *recent;
    return true;
  }
  memcpy(c->last.from_low, from_low, sizeof from_low);
  c->last.mask = mask;
  c->last.base = base;
  return false;
}

static inline void remember(site_counter *c, request_memo *recent, uint32_t first, uint32_t second) {
  c->last.first = first;
  c->last.second = second;
  *recent = c->last;
}

/* Copies with inactive lanes filled by the active lane before them (or the first one). */
static inline void fill(const uint64_t *v, uint32_t mask, uint64_t *out) {
  uint64_t last = v[__builtin_ctz(mask)];
  for (int i = 0; i < DRANO_WARP; i++) {
    last = mask >> i & 1 ? v[i] : last;
    out[i] = last;
  }
}

/* `v`: inactive lanes filled with an active one's address. Returns the sectors. */
static inline uint32_t count_global(site_counter *c, request_memo *recent, const uint64_t *v, uint32_t mask, uint32_t lanes,
                                    uint32_t bytes, bool natural, span s) {
  uint32_t sectors, lines;
  uint64_t base = s.low & ~(uint64_t)127;
  if (LIKELY(natural && s.high - base <= 2048)) {
    const lanes8 *part = (const lanes8 *)v;
    lanes8 one = {1, 1, 1, 1, 1, 1, 1, 1}, set = {0};
    for (int k = 0; k < PARTS; k++) set |= one << ((part[k] - base) >> 5);
    uint64_t bits = __builtin_reduce_or(set);
    sectors = (uint32_t)__builtin_popcountll(bits);
    uint64_t fold = bits | bits >> 1;
    fold |= fold >> 2;
    lines = (uint32_t)__builtin_popcountll(fold & 0x1111111111111111u);
  } else if (natural && again(c, recent, v, mask, bytes, s.low, false)) {
    sectors = c->last.first;
    lines = c->last.second;
  } else if (natural && s.high - base < (uint64_t)1 << 36) {
    uint64_t filled[DRANO_WARP];
    uint32_t key[DRANO_WARP];
    const uint64_t *from = v;
    if (mask != UINT32_MAX) {
      fill(v, mask, filled);
      from = filled;
    }
    for (int i = 0; i < DRANO_WARP; i++) key[i] = (uint32_t)((from[i] - base) >> 5);
    sectors = distinct(key);
    for (int i = 0; i < DRANO_WARP; i++) key[i] >>= 2;
    lines = distinct(key);
    remember(c, recent, sectors, lines);
  } else {
    sectors = units_touched(v, mask, bytes, 5);
    lines = units_touched(v, mask, bytes, 7);
    if (natural) remember(c, recent, sectors, lines);
  }
  uint64_t ideal = ((uint64_t)lanes * bytes + 31) >> 5;
  c->sectors += sectors;
  c->lines += lines;
  c->ideal += ideal < sectors ? ideal : sectors;
  bump(c, lines);
  return sectors;
}

/* Wavefronts of one phase: the most different words (of 4, 8 or 16 bytes) in one bank. */
static uint32_t phase_wavefronts(const uint32_t *word, uint32_t lanes, uint32_t banks) {
  uint8_t count[DRANO_WARP] = {0};
  uint32_t most = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    uint8_t n = ++count[word[__builtin_ctz(rest)] & (banks - 1)];
    most = n > most ? n : most;
  }
  return most;
}

static bool paired(const uint32_t *word, uint32_t mask, int distance) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    int lane = __builtin_ctz(rest), other = lane ^ distance;
    if (mask >> other & 1 && word[lane] != word[other]) return false;
  }
  return true;
}

/* Full warps with elements of 8 or 16 bytes, each phase within 128 bytes: no conflict. Returns the
 * number of phases, 0 when it is not so simple. */
static inline uint32_t plain_phases(const uint64_t *v, uint32_t bytes) {
  const lanes8 *part = (const lanes8 *)v;
  uint64_t low[PARTS], high[PARTS];
  bool paired_lanes = v[0] == v[1] || v[0] == v[2];
  for (int k = 0; k < PARTS; k++) {
    low[k] = __builtin_reduce_min(part[k]);
    high[k] = __builtin_reduce_max(part[k]);
  }
  if (paired_lanes) return 0;
  if (bytes == 8) {
    for (int k = 0; k < PARTS; k += 2) {
      uint64_t from = low[k] < low[k + 1] ? low[k] : low[k + 1];
      uint64_t to = high[k] > high[k + 1] ? high[k] : high[k + 1];
      if (to + 8 - from > 128) return 0;
    }
    return 2;
  }
  for (int k = 0; k < PARTS; k++)
    if (high[k] + 16 - low[k] > 128) return 0;
  return 4;
}

/* `v` relative to the block's shared memory. */
static inline void count_shared(site_counter *c, request_memo *recent, const uint64_t *v, uint32_t mask, uint32_t lanes,
                                uint32_t bytes, span s) {
  c->shared_executions++;
  if (LIKELY(bytes <= 4 && s.high - (s.low & ~(uint64_t)3) <= 128)) {
    c->wavefronts++;
    c->wavefronts_ideal++;
    bump(c, 1);
    return;
  }
  if (s.high - s.low == bytes && (bytes == 8 || bytes == 16)) { /* all lanes at one address */
    uint32_t n = bytes == 8 ? 1 : (uint32_t)((mask & 0xffff) != 0) + (uint32_t)(mask >> 16 != 0);
    c->wavefronts += n;
    c->wavefronts_ideal += n;
    bump(c, n);
    return;
  }
  if (mask == UINT32_MAX && (bytes == 8 || bytes == 16)) {
    uint32_t n = plain_phases(v, bytes);
    if (n) {
      c->wavefronts += n;
      c->wavefronts_ideal += n;
      bump(c, n);
      return;
    }
  }
  uint32_t word[DRANO_WARP], wavefronts = 0, ideal = 0;
  if (again(c, recent, v, mask, bytes, s.low, true)) {
    wavefronts = c->last.first;
    ideal = c->last.second;
  } else if (bytes > 16 || (bytes & (bytes - 1)) != 0) { /* in pieces of 4 bytes, as the compiler would */
    for (uint32_t piece = 0; piece < bytes; piece += 4) {
      for (int i = 0; i < DRANO_WARP; i++) word[i] = (uint32_t)((v[i] + piece) >> 2);
      wavefronts += phase_wavefronts(word, first_of_each(word), 32);
      ideal++;
    }
  } else {
    unsigned shift = bytes <= 4 ? 2 : bytes == 8 ? 3 : 4;
    int width = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
    uint32_t banks = (uint32_t)width;
    for (int i = 0; i < DRANO_WARP; i++) word[i] = (uint32_t)(v[i] >> shift);
    uint32_t first = first_of_each(word);
    if (width < 32) {
      uint32_t span_lanes = 2 * (uint32_t)width; /* two phases may go as one */
      for (uint32_t at = 0; at < 32; at += span_lanes) {
        uint32_t part = (span_lanes == 32 ? UINT32_MAX : (1u << span_lanes) - 1) << at & mask;
        if (!part) continue;
        bool merged = paired(word, part, 1) || paired(word, part, 2);
        uint32_t low = (1u << width) - 1;
        for (int half = 0; half < (merged ? 1 : 2); half++) {
          uint32_t phase = merged ? part : part & low << (at + (uint32_t)(half * width));
          if (!phase) continue;
          /* equal words of one phase are one: take the first lane of each in this phase */
          uint32_t chosen = 0;
          for (uint32_t rest = phase; rest; rest &= rest - 1) {
            int lane = __builtin_ctz(rest);
            bool seen = false;
            if (!(first >> lane & 1))
              for (uint32_t before = phase & ((1u << lane) - 1); before && !seen; before &= before - 1)
                seen = word[__builtin_ctz(before)] == word[lane];
            if (!seen) chosen |= 1u << lane;
          }
          wavefronts += phase_wavefronts(word, chosen, banks);
          ideal++;
        }
      }
    } else {
      wavefronts = phase_wavefronts(word, first, banks);
      ideal = 1;
    }
  }
  (void)lanes;
  remember(c, recent, wavefronts, ideal);
  c->wavefronts += wavefronts;
  c->wavefronts_ideal += ideal;
  bump(c, wavefronts);
}

static void count_conflicts(site_counter *c, const uint64_t *v, uint32_t lanes, span s) {
  if (s.high - s.low < UINT32_MAX) {
    uint32_t key[DRANO_WARP];
    for (int i = 0; i < DRANO_WARP; i++) key[i] = (uint32_t)(v[i] - s.low);
    c->conflicts += lanes - distinct(key);
    return;
  }
  uint32_t different = 0;
  for (int i = 0; i < DRANO_WARP; i++) {
    bool seen = false;
    for (int j = 0; j < i && !seen; j++) seen = v[j] == v[i];
    different += !seen;
  }
  c->conflicts += lanes - different;
}

static inline void count_array(struct drano_counters *counters, uint32_t array, uint8_t kind,
                               uint32_t lanes, uint32_t sectors) {
  array_counter *a = &counters->arrays[array < counters->array_limit ? array : 0];
  if (kind == DRANO_LOAD) a->reads += lanes;
  else if (kind == DRANO_STORE) a->writes += lanes;
  else a->atomics += lanes;
  a->sectors += sectors;
}

/* The allocation that holds all of [low, high), or NULL. */
static inline const allocation *holder(span s) {
  uint64_t offset = s.low - drano_arena_base;
  if (LIKELY(offset < drano_arena_bytes)) {
    const allocation *a = &drano_allocations[drano_pages[offset >> PAGE_SHIFT]];
    return LIKELY(s.low >= a->base && s.high <= a->end && a->live) ? a : NULL;
  }
  return drano_find_extra(s.low, s.high);
}

static int fault(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t lane, uint64_t address,
                 const char *why) {
  char nearby[256], text[400];
  const drano_site *s = &u->sites[site];
  static const char *const kinds[] = {"load", "store", "atomic"};
  drano_describe(address, nearby, sizeof nearby);
  snprintf(text, sizeof text, "%s %s of %u bytes at 0x%llx: %s", why, kinds[s->kind % 3], s->bytes,
           (unsigned long long)address, nearby);
  drano_report(w, u, site, lane, cudaErrorIllegalAddress, text);
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

enum where { GLOBAL, SHARED, LOCAL };

static inline enum where place_of(const drano_warp *w, uint64_t address) {
  const drano_block *b = w->block;
  if (address - (uint64_t)(uintptr_t)b->shared < b->shared_bytes) return SHARED;
  const drano_kernel *k = b->launch->kernel;
  if (address - (uint64_t)(uintptr_t)w->local < (uint64_t)k->local_bytes * DRANO_WARP) return LOCAL;
  return GLOBAL;
}

/* 0: done, 1: the kernel ends, MIXED: `where` was a guess, and the lanes are not all there. */
enum { MIXED = 2 };

static inline bool overlaps(span s, const void *start, uint64_t bytes) {
  return s.low < (uint64_t)(uintptr_t)start + bytes && s.high > (uint64_t)(uintptr_t)start;
}

static int access_in(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t mask,
                     const uint64_t *address, enum where where, bool guess, site_counter *c) {
  const drano_site *s = &u->sites[site];
  const uint32_t bytes = s->bytes;
  const uint32_t alignment = bytes & -bytes & 31 ? (bytes & -bytes) : 16;
  const uint32_t first = (uint32_t)__builtin_ctz(mask), lanes = (uint32_t)__builtin_popcount(mask);
  _Alignas(64) uint64_t v[DRANO_WARP];
  const lanes8 *given = (const lanes8 *)address;
  lanes8 *part = (lanes8 *)v;
  if (mask == UINT32_MAX) {
    for (int k = 0; k < PARTS; k++) part[k] = given[k];
  } else { /* inactive lanes hold the first active lane's address */
    const lanes8 bit = {1, 2, 4, 8, 16, 32, 64, 128};
    const uint64_t filler = address[first];
    for (int k = 0; k < PARTS; k++) {
      lanes8 on = (lanes8)((bit & (uint64_t)(mask >> 8 * k)) != 0);
      part[k] = (given[k] & on) | (filler & ~on);
    }
  }
  const lanes8 lows = __builtin_elementwise_min(__builtin_elementwise_min(part[0], part[1]),
                                                __builtin_elementwise_min(part[2], part[3]));
  const lanes8 highs = __builtin_elementwise_max(__builtin_elementwise_max(part[0], part[1]),
                                                 __builtin_elementwise_max(part[2], part[3]));
  const uint64_t all = __builtin_reduce_or(part[0] | part[1] | part[2] | part[3]);
  const uint64_t low = __builtin_reduce_min(lows), high = __builtin_reduce_max(highs);
  span range = {low, high + bytes};
  if (guess) {
    const drano_block *b = w->block;
    if (where == SHARED ? low < (uint64_t)(uintptr_t)b->shared ||
                              high >= (uint64_t)(uintptr_t)b->shared + b->shared_bytes
                        : overlaps(range, b->shared, b->shared_bytes) ||
                              overlaps(range, w->local,
                                       (uint64_t)b->launch->kernel->local_bytes * DRANO_WARP))
      return MIXED;
  }
  if (UNLIKELY(all & (alignment - 1))) {
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
    if (!w->block->launch->counted) return 0;
    c->executions++;
    c->lanes += lanes;
    if (s->pruned) return 0;
    for (int i = 0; i < DRANO_WARP; i++) v[i] -= base;
    count_shared(c, &w->block->counters->recent, v, mask, lanes, bytes, (span){low - base, range.high - base});
    if (s->kind == DRANO_ATOMIC) count_conflicts(c, v, lanes, (span){low - base, range.high - base});
    return 0;
  }
  const allocation *a = holder(range);
  if (UNLIKELY(a == NULL) && check_each(w, u, site, mask, v, bytes, s->kind)) return 1;
  if (!w->block->launch->counted) return 0;
  c->executions++;
  c->lanes += lanes;
  uint32_t sectors = 0;
  if (!s->pruned) {
    bool natural = bytes <= 32 && (bytes & (bytes - 1)) == 0;
    sectors = count_global(c, &w->block->counters->recent, v, mask, lanes, bytes, natural, range);
    if (s->kind == DRANO_ATOMIC) count_conflicts(c, v, lanes, range);
  }
  if (a != NULL) count_array(w->block->counters, a->array, s->kind, lanes, sectors);
  return 0;
}

int32_t drano_access(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t mask,
                     const uint64_t address[DRANO_WARP]) {
  if (UNLIKELY(mask == 0)) return 0;
  drano_block *b = w->block;
  if (UNLIKELY(atomic_load_explicit(&b->launch->stop, memory_order_relaxed))) return 1;
  site_counter *c = &b->counters->sites[u->site_base + site];
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

/* Room for every site and array, before a launch. Old tables are kept: a handler may read them. */
void drano_counters_reserve(unsigned workers) {
  uint32_t sites = atomic_load(&drano_site_count), arrays = atomic_load(&drano_array_count);
  for (unsigned k = 0; k < workers; k++) {
    struct drano_counters *c = &drano_worker_counters[k];
    if (c->site_limit < sites) {
      site_counter *grown = calloc(sites, sizeof *grown);
      if (grown == NULL) abort();
      if (c->site_limit) memcpy(grown, c->sites, c->site_limit * sizeof *grown);
      c->sites = grown;
      c->site_limit = sites;
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
