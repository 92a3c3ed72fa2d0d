/* What one warp's request costs, from the addresses of its lanes.
 *
 * Definitions are Nsight Compute's, as in drano/traffic/transactions.py: a request touches 128-byte
 * lines and 32-byte sectors of global memory; the ideal is the sectors that its active lanes' bytes
 * would fill, never more than it touches. In shared memory a request takes wavefronts: its lanes go
 * in phases of 32, 16 or 8 lanes (elements of at most 4, of 8, of 16 bytes), those of a load twice as
 * wide where all its lanes come in pairs of equal addresses; a phase takes as many wavefronts as the
 * most different words that one bank has to give. Ideal: one each phase. That is what an H200 counts
 * (tests/data/shared_wavefronts.csv). Conflicts of an atomic: lanes beyond the first at each address.
 */
#ifndef DRANO_REQUEST_H
#define DRANO_REQUEST_H
#include "drano_runtime.h"

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

/* Whether the request, with `where` 0 for global memory, is the site's last one, or the worker's, again, at a place as good: its counts
 * hold, and are in the site's memo. Else `remember` them. Inactive lanes hold an active one's address. */
static inline bool again(site_counter *c, const request_memo *recent, const uint64_t *v, uint32_t mask,
                         uint32_t bytes, uint64_t low, uint32_t where) {
  const uint64_t base = (low & 127) | (uint64_t)where << 8 | (uint64_t)bytes << 16;
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
  } else if (natural && again(c, recent, v, mask, bytes, s.low, 0)) {
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

static inline uint32_t bits(int from, int count) {
  return (count == DRANO_WARP ? UINT32_MAX : (1u << count) - 1) << from;
}

/* Lanes of `phase` whose word none of its lanes before them has; `first`: the same for the whole warp. */
static uint32_t first_in_phase(const uint32_t *word, uint32_t phase, uint32_t first) {
  uint32_t chosen = phase & first;
  for (uint32_t rest = phase & ~first; rest; rest &= rest - 1) {
    int lane = __builtin_ctz(rest);
    bool seen = false;
    for (uint32_t before = phase & bits(0, lane); before && !seen; before &= before - 1)
      seen = word[__builtin_ctz(before)] == word[lane];
    if (!seen) chosen |= 1u << lane;
  }
  return chosen;
}

/* `v`: addresses, or distances from the block's shared memory, which starts at a line; `whole`: aligned
 * to the element's size. */
static inline void count_shared(site_counter *c, request_memo *recent, const uint64_t *v, uint32_t mask,
                                uint32_t bytes, bool whole, uint8_t kind, span s) {
  c->shared_executions++;
  if (LIKELY(bytes <= 4 && s.high - (s.low & ~(uint64_t)3) <= 128)) {
    c->wavefronts++;
    c->wavefronts_ideal++;
    bump(c, 1);
    return;
  }
  if (whole && mask == UINT32_MAX && (bytes == 8 || bytes == 16)) {
    uint32_t n = plain_phases(v, bytes);
    if (n) {
      c->wavefronts += n;
      c->wavefronts_ideal += n;
      bump(c, n);
      return;
    }
  }
  uint32_t word[DRANO_WARP], wavefronts = 0, ideal = 0;
  if (again(c, recent, v, mask, bytes, s.low, 1 + kind + 4 * whole)) {
    wavefronts = c->last.first;
    ideal = c->last.second;
  } else if (!whole || bytes > 16 || (bytes & (bytes - 1)) != 0) { /* in pieces of 4 bytes, as the compiler would */
    for (uint32_t piece = 0; piece < bytes; piece += 4) {
      for (int i = 0; i < DRANO_WARP; i++) word[i] = (uint32_t)((v[i] + piece) >> 2);
      wavefronts += phase_wavefronts(word, first_of_each(word), 32);
      ideal++;
    }
  } else {
    const unsigned shift = bytes <= 4 ? 2 : bytes == 8 ? 3 : 4;
    const uint32_t banks = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
    for (int i = 0; i < DRANO_WARP; i++) word[i] = (uint32_t)(v[i] >> shift);
    const uint32_t first = first_of_each(word);
    int width = (int)banks;
    if (kind == DRANO_LOAD && width < DRANO_WARP && (paired(word, mask, 1) || paired(word, mask, 2)))
      width *= 2;
    for (int at = 0; at < DRANO_WARP; at += width) {
      const uint32_t phase = mask & bits(at, width);
      if (!phase) continue;
      wavefronts += phase_wavefronts(word, first_in_phase(word, phase, first), banks);
      ideal++;
    }
  }
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

/* --- whole requests, as both those who run kernels for their results and those who only count have them --- */

/* What a request's addresses are multiples of; below its size the request goes in pieces. */
static inline bool request_is_whole(const drano_site *s) {
  const uint32_t own = s->bytes & -s->bytes & 31 ? (s->bytes & -s->bytes) : 16;
  return s->align == 0 || s->align >= own;
}
static inline uint32_t request_alignment(const drano_site *s) {
  const uint32_t own = s->bytes & -s->bytes & 31 ? (s->bytes & -s->bytes) : 16;
  return request_is_whole(s) ? own : s->align;
}

typedef struct gathered { span range; uint64_t bits; } gathered; /* bits: set in any of the addresses */

/* The active lanes' addresses; inactive lanes hold the first active one's. */
static inline gathered gather(const uint64_t *address, uint32_t mask, uint32_t bytes, uint64_t *v) {
  const lanes8 *given = (const lanes8 *)address;
  lanes8 *part = (lanes8 *)v;
  if (mask == UINT32_MAX) {
    for (int k = 0; k < PARTS; k++) part[k] = given[k];
  } else {
    const lanes8 bit = {1, 2, 4, 8, 16, 32, 64, 128};
    const uint64_t filler = address[__builtin_ctz(mask)];
    for (int k = 0; k < PARTS; k++) {
      lanes8 on = (lanes8)((bit & (uint64_t)(mask >> 8 * k)) != 0);
      part[k] = (given[k] & on) | (filler & ~on);
    }
  }
  const lanes8 lows = __builtin_elementwise_min(__builtin_elementwise_min(part[0], part[1]),
                                                __builtin_elementwise_min(part[2], part[3]));
  const lanes8 highs = __builtin_elementwise_max(__builtin_elementwise_max(part[0], part[1]),
                                                 __builtin_elementwise_max(part[2], part[3]));
  const uint64_t low = __builtin_reduce_min(lows), high = __builtin_reduce_max(highs);
  return (gathered){{low, high + bytes}, __builtin_reduce_or(part[0] | part[1] | part[2] | part[3])};
}

/* A request of global memory; returns its sectors. */
static inline uint32_t count_far(site_counter *c, request_memo *recent, const drano_site *s, const uint64_t *v,
                                 uint32_t mask, span range) {
  const uint32_t bytes = s->bytes, lanes = (uint32_t)__builtin_popcount(mask);
  const bool natural = request_is_whole(s) && bytes <= 32 && (bytes & (bytes - 1)) == 0;
  c->executions++;
  c->lanes += lanes;
  const uint32_t sectors = count_global(c, recent, v, mask, lanes, bytes, natural, range);
  if (s->kind == DRANO_ATOMIC) count_conflicts(c, v, lanes, range);
  return sectors;
}

/* A request of shared memory, which begins at `base`; `v` is changed. */
static inline void count_near(site_counter *c, request_memo *recent, const drano_site *s, uint64_t *v,
                              uint32_t mask, uint64_t base, span range) {
  const uint32_t lanes = (uint32_t)__builtin_popcount(mask);
  const span own = {range.low - base, range.high - base};
  c->executions++;
  c->lanes += lanes;
  for (int i = 0; i < DRANO_WARP; i++) v[i] -= base;
  count_shared(c, recent, v, mask, s->bytes, request_is_whole(s), s->kind, own);
  if (s->kind == DRANO_ATOMIC) count_conflicts(c, v, lanes, own);
}
#endif
