/* Counting on the GPU: what one warp's access costs, found by its own lanes.
 *
 * Definitions are those of ../count.c. Every lane that makes an access calls here; the lanes that are
 * together (`__activemask`) are one request. All of them work out the same counts, packed into 64 bits:
 * five fields of 13 bits (the last of 12): active lanes, sectors (of shared memory: wavefronts), lines
 * (ideal wavefronts), ideal sectors, and 1 for the request itself. Up to LIMIT of them may be added up
 * before a field can overflow.
 *
 * Counters lie in global memory, one row for each multiprocessor, a slot of 64 bytes for each site in a
 * row; rows are added up by the host. Five lanes add the five fields at once: one request, two sectors.
 * Two keys that differ by a multiple of 2^37 bytes are taken for one: no GPU has that much memory.
 *
 * Compiled by clang to IR; the loads and stores of the program may be moved across what is done here
 * (see drano_add), so that counting does not keep LLVM from optimising them.
 */
typedef unsigned int u32;
typedef unsigned long long u64;

#define INLINE extern "C" __device__ __attribute__((always_inline, visibility("hidden")))
#define SLOW extern "C" __device__ __attribute__((noinline, visibility("hidden")))
#define FULL 0xffffffffu
#define FLAG (1ull << 63)
#define WIDTH 13
#define LIMIT 128 /* requests that may be added up: 128 * 32 < 2^13 */
/* Of an access, and beside it what is known of its memory. */
enum { LOAD, STORE, ATOMIC, KIND = 7, ONLY_SHARED = 8, MAY_BE_SHARED = 16, HISTOGRAM = 32, STEADY = 64 };
enum { LANES, SECTORS, LINES, IDEAL, REQUESTS, CONFLICTS, FIELDS = 8 };

/* Set by the host before the first launch: where the rows begin (0: nothing is counted), u64 in a row,
 * and one less than the number of rows. */
extern "C" __constant__ u64 drano_rows;
extern "C" __constant__ u32 drano_row_length;
extern "C" __constant__ u32 drano_row_mask;
/* Of a sample (drano/dynamic/gpu/counting/sampling.py): launches of up to so many threads are in it whole; of
 * others, blocks whose hash is below the threshold. */
extern "C" __constant__ u64 drano_whole;
extern "C" __constant__ u32 drano_threshold;
__constant__ u64 drano_rows = 0, drano_whole = 0;
__constant__ u32 drano_row_length = 0, drano_row_mask = 0, drano_threshold = 0;

/* An atomic addition to global memory, without an order, and the block's own words; defined in IR. */
extern "C" __device__ void drano_add(u64 address, u64 value);
typedef __attribute__((address_space(3))) u32 *words;
extern "C" __device__ void drano_word_add(words at, u32 value);
extern "C" __device__ u32 drano_word_fetch_add(words at, u32 value);
extern "C" __device__ u32 drano_word_load(words at);
extern "C" __device__ void drano_word_clear(words at);
extern "C" __device__ u32 drano_launch_number();
/* Of the values of the lanes of `mask`: their sum, the largest; instructions of newer GPUs. */
extern "C" __device__ u32 drano_sum(u32 mask, u32 value);
extern "C" __device__ u32 drano_most(u32 mask, u32 value);

static __device__ inline u32 lane_id() { return __nvvm_read_ptx_sreg_laneid(); }
static __device__ inline u32 lanes_below() { return __nvvm_read_ptx_sreg_lanemask_lt(); }
static __device__ inline u32 ballot(u32 mask, bool p) { return __nvvm_vote_ballot_sync(mask, p); }
static __device__ inline u32 from_lane(u32 mask, u32 value, u32 lane) {
  return (u32)__nvvm_shfl_sync_idx_i32(mask, (int)value, (int)lane, 31);
}
/* In whole warps nobody has to be waited for: with the constant, a vote is one instruction. */
#define FOR_WHOLE(MASK, OF) ((MASK) == FULL ? OF(FULL) : OF(MASK))
static __device__ inline u32 count_bits(u32 x) { return (u32)__builtin_popcount(x); }

static __device__ inline u64 packed(u32 lanes, u32 a, u32 b, u32 c) {
  u64 low = (u64)(lanes | a << WIDTH);
  return low + ((u64)b << 2 * WIDTH) + ((u64)c << 3 * WIDTH) + (1ull << 4 * WIDTH);
}

/* --- global memory -------------------------------------------------------------------------- */

/* Number of different keys, whatever their order. */
static __device__ inline u32 different(u32 mask, u32 key) {
  u32 same = __nvvm_match_any_sync_i32(mask, key);
  return count_bits(ballot(mask, (same & lanes_below()) == 0));
}

/* Elements of any size at any address: the units that no lane before has touched. */
static __device__ u32 units(u32 mask, u64 first, u64 last) {
  u32 found = 0;
  for (u32 rest = mask; rest; rest &= rest - 1) {
    u32 lane = (u32)__builtin_ctz(rest);
    u64 from = (u64)from_lane(mask, (u32)first, lane) | (u64)from_lane(mask, (u32)(first >> 32), lane) << 32;
    u32 count = from_lane(mask, (u32)(last - first), lane);
    for (u32 k = 0; k <= count; k++) {
      u64 unit = from + k;
      found += ballot(mask, first <= unit && unit <= last) << (31 - lane) << 1 == 0;
    }
  }
  return found;
}

/* As if the lanes' addresses rose: else the result is flagged, and has to be settled. */
INLINE u64 drano_quick_global(u32 mask, u64 address, u32 bytes, u32 kind) {
  if (bytes > 32 || (bytes & (bytes - 1)) != 0) return FLAG;
  u32 key = (u32)(address >> 5), below = mask & lanes_below(), lanes = count_bits(mask);
  u32 previous = mask == FULL ? (u32)__nvvm_shfl_sync_up_i32(FULL, (int)key, 1, 0)
                              : from_lane(mask, key, below ? 31 - (u32)__builtin_clz(below) : lane_id());
  u32 sectors = count_bits(ballot(mask, key != previous)) + 1;
  u32 lines = count_bits(ballot(mask, (key ^ previous) > 3)) + 1;
  u32 ideal = (lanes * bytes + 31) >> 5;
  u64 flag = ballot(mask, key < previous) ? FLAG : 0;
  return packed(lanes, sectors, lines, ideal < sectors ? ideal : sectors) | flag;
}

static __device__ __attribute__((always_inline)) u64 settle_global(u32 mask, u64 address, u32 bytes) {
  u32 lanes = count_bits(mask), sectors, lines, ideal = (lanes * bytes + 31) >> 5;
  if (bytes <= 32 && (bytes & (bytes - 1)) == 0) {
    sectors = different(mask, (u32)(address >> 5));
    lines = different(mask, (u32)(address >> 7));
  } else {
    u64 last = address + bytes - 1;
    sectors = units(mask, address >> 5, last >> 5);
    lines = units(mask, address >> 7, last >> 7);
  }
  return packed(lanes, sectors, lines, ideal < sectors ? ideal : sectors);
}

SLOW u64 drano_settle_global(u32 mask, u64 address, u32 bytes, u32 kind, u64 quick) {
  if (!(quick & FLAG)) return quick;
#define OF(MASK) settle_global(MASK, address, bytes)
  return FOR_WHOLE(mask, OF);
#undef OF
}

static __device__ inline u64 global_counts(u32 mask, u64 address, u32 bytes, u32 kind) {
  u64 quick = drano_quick_global(mask, address, bytes, kind);
  return quick & FLAG ? drano_settle_global(mask, address, bytes, kind, quick) : quick;
}

/* --- shared memory -------------------------------------------------------------------------- */

/* Wavefronts of the lanes of `part`: the most different words that one bank has to give. Lanes with the
 * same bits are found bit by bit: `match` would take several hundred cycles where all differ. */
static __device__ inline u32 wavefronts(u32 mask, u32 part, u32 word, u32 banks) {
  u32 peers = part, same, bit = 1;
  for (; bit < banks; bit *= 2) {
    u32 set = ballot(mask, word & bit);
    peers &= word & bit ? set : ~set;
  }
  same = peers;
  for (; bit < 1u << 16; bit *= 2) { /* 256 KB of words */
    u32 set = ballot(mask, word & bit);
    same &= word & bit ? set : ~set;
  }
  u32 first = ballot(mask, part >> lane_id() & 1 && (same & lanes_below()) == 0);
  u32 words = count_bits(peers & first), most = 0;
  for (u32 step = 32; step; step /= 2) /* the largest of all lanes */
    if (ballot(mask, words >= most + step)) most += step;
  return most;
}

static __device__ inline bool paired(u32 mask, u32 word, u32 distance) {
  u32 other = lane_id() ^ distance;
  return ballot(mask, from_lane(mask, word, mask >> other & 1 ? other : lane_id()) != word) == 0;
}

/* Words a step apart, by lanes without a gap (of an odd step: by any): how many one bank has to give. */
static __device__ inline u32 stepped(u32 lanes, u32 step) {
  u32 twos = step ? (u32)__builtin_ctz(step) : 5;
  if (twos > 5) twos = 5;
  return step ? (lanes + (32u >> twos) - 1) >> (5 - twos) : 1;
}

/* `address`: in the window of shared memory. As if neighbouring lanes accessed neighbouring elements, or
 * all one row of the banks: else flagged. */
INLINE u64 drano_quick_shared(u32 mask, u64 address, u32 bytes, u32 kind) {
  if (bytes > 16 || (bytes & (bytes - 1)) != 0) return FLAG;
  u32 word = (u32)address / (bytes < 4 ? 4 : bytes), leader = (u32)__builtin_ctz(mask);
  u32 first = from_lane(mask, word, leader), n = bytes <= 4 ? 1 : bytes / 4;
  bool simple = ballot(mask, word - first != lane_id() - leader) == 0;
  if (bytes <= 4) simple |= ballot(mask, (word ^ first) > 31) == 0;
  else simple &= mask == FULL;
  return packed(count_bits(mask), n, n, 0) | (simple ? 0 : FLAG);
}

static __device__ __attribute__((always_inline)) u64 settle_shared(u32 mask, u64 address, u32 bytes, u32 kind) {
  u32 offset = (u32)address;
  u32 n = 0, ideal = 0;
  if (bytes > 16 || (bytes & (bytes - 1)) != 0) {
    for (u32 piece = 0; piece < bytes; piece += 4) {
      n += wavefronts(mask, mask, (offset + piece) >> 2, 32);
      ideal++;
    }
  } else {
    u32 banks = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8, width = banks;
    u32 word = offset >> (bytes <= 4 ? 2 : bytes == 8 ? 3 : 4);
    if (bytes == 4) {
      u32 leader = (u32)__builtin_ctz(mask), others = mask & (mask - 1), row = mask >> leader;
      u32 first = from_lane(mask, word, leader);
      u32 step = from_lane(mask, word, others ? (u32)__builtin_ctz(others) : leader) - first;
      bool even = ballot(mask, word - first != step * (lane_id() - leader)) == 0;
      even &= (step & 1) != 0 || (row & (row + 1)) == 0; /* an odd step never meets a bank again */
      if (even) return packed(count_bits(mask), stepped(count_bits(mask), step), 1, 0);
    }
    if ((kind & KIND) == LOAD && width < 32 && (paired(mask, word, 1) || paired(mask, word, 2))) width *= 2;
    for (u32 at = 0; at < 32; at += width) {
      u32 phase = mask & (width == 32 ? FULL : (1u << width) - 1) << at;
      if (!phase) continue;
      n += wavefronts(mask, phase, word, banks);
      ideal++;
    }
  }
  return packed(count_bits(mask), n, ideal, 0);
}

SLOW u64 drano_settle_shared(u32 mask, u64 address, u32 bytes, u32 kind, u64 quick) {
  if (!(quick & FLAG)) return quick;
#define OF(MASK) settle_shared(MASK, address, bytes, kind)
  return FOR_WHOLE(mask, OF);
#undef OF
}

static __device__ inline u64 shared_counts(u32 mask, u64 offset, u32 bytes, u32 kind) {
  u64 quick = drano_quick_shared(mask, offset, bytes, kind);
  return quick & FLAG ? drano_settle_shared(mask, offset, bytes, kind, quick) : quick;
}

/* --- counters ------------------------------------------------------------------------------- */

static __device__ inline u64 counters_of(u32 slot) {
  u64 row = __nvvm_read_ptx_sreg_smid() & drano_row_mask;
  return drano_rows + 8 * (row * drano_row_length + (u64)slot * FIELDS);
}

static __device__ inline u64 part_of(u64 counts, u32 field) {
  return counts >> field * WIDTH & ((1u << WIDTH) - 1);
}

SLOW void drano_add_alone(u64 at, u64 sum) {
  for (u32 field = LANES; field <= REQUESTS; field++) drano_add(at + 8 * field, part_of(sum, field));
}

/* What all lanes of `mask` hold is added once: by as many lanes as there are fields, if they are there. */
static __device__ inline void add_once(u32 mask, u32 slot, u64 counts) {
  if (drano_rows == 0) return;
  u32 rank = count_bits(mask & lanes_below());
  u64 at = counters_of(slot);
  if (__builtin_expect(count_bits(mask) > REQUESTS, 1)) {
    if (rank <= REQUESTS) drano_add(at + 8 * rank, part_of(counts, rank));
  } else if (rank == 0) {
    drano_add_alone(at, counts);
  }
}

INLINE u64 drano_one_request(u32 mask) { return packed(count_bits(mask), 0, 0, 0); }

/* The active lanes come to a block of code. */
SLOW void drano_visit(u32 slot) {
  u32 mask = __nvvm_activemask();
  add_once(mask, slot, drano_one_request(mask));
}

/* A lane's own sum. */
SLOW void drano_flush_full(u32 slot, u64 sum) {
  if (sum != 0 && drano_rows != 0) drano_add_alone(counters_of(slot), sum);
}

/* --- what the instrumented code calls: segments ---------------------------------------------- */

INLINE u32 drano_mask() { return __nvvm_activemask(); }
INLINE bool drano_leads(u32 mask) { return (mask & lanes_below()) == 0; }
INLINE bool drano_any(u32 mask, u32 different) {
#define OF(MASK) ballot(MASK, different != 0)
  return FOR_WHOLE(mask, OF) != 0;
#undef OF
}
/* Whether the lanes' values are not all the same. */
INLINE u32 drano_unlike(u32 mask, u32 value) {
  u32 leader = (u32)__builtin_ctz(mask);
  return from_lane(mask, value, leader) ^ value;
}

/* Runs of lanes, of which `ends` are the last ones, that have a lane of `mask`: what is added to a run
 * carries into its last lane when a lane before is set. */
static __device__ inline u32 runs(u32 mask, u32 ends) { return count_bits((((mask & ~ends) + ~ends) | mask) & ends); }

/* A proved pattern in shared memory: what it costs when just the first lanes are there. */
typedef __attribute__((address_space(4))) const u64 *costs_table;

INLINE u64 drano_prefix(u32 mask, costs_table costs) {
  u32 lanes = count_bits(mask);
  return mask & (mask + 1) ? FLAG : costs[lanes - 1] + lanes;
}

/* Lanes that are proved to lie `stride` bytes apart; `ends`: by lane 0's place in its line. */
typedef __attribute__((address_space(4))) const u64 *ends_table;

INLINE u64 drano_runs(u32 mask, u64 address, u32 bytes, u32 stride, ends_table ends) {
  u32 leader = (u32)__builtin_ctz(mask), lanes = count_bits(mask);
  u32 place = from_lane(mask, (u32)address, leader) - leader * stride;
  u64 both = ends[(place & 127) / bytes];
  u32 sectors = runs(mask, (u32)both), lines = runs(mask, (u32)(both >> 32)), ideal = (lanes * bytes + 31) >> 5;
  return packed(lanes, sectors, lines, ideal < sectors ? ideal : sectors);
}

SLOW void drano_add_each(u32 mask, u32 slot, u32 n, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f) {
  u64 all[6] = {a, b, c, d, e, f};
  for (u32 k = 0; k < n; k++)
    if (all[k]) add_once(mask, slot + k, all[k]);
}

/* By bits of the number: of comparisons with 0, 1, 2… LLVM makes a branch for each, which lanes take in turn. */
static __device__ inline u64 chosen(u32 number, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f) {
  u64 low = number & 1 ? b : a, middle = number & 1 ? d : c, high = number & 1 ? f : e;
  u64 both = number & 2 ? middle : low;
  return number & 4 ? high : both;
}

/* `n` entries of neighbouring slots, which all lanes hold: a lane for each count of each entry. */
INLINE void drano_add_up(u32 mask, u32 slot, u32 n, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f) {
  if (drano_rows == 0) return;
  if (__builtin_expect(count_bits(mask) < n * (REQUESTS + 1), 0)) {
    drano_add_each(mask, slot, n, a, b, c, d, e, f);
    return;
  }
  u32 rank = count_bits(mask & lanes_below()), entry = rank / (REQUESTS + 1);
  u32 field = rank % (REQUESTS + 1);
  u64 part = part_of(chosen(entry, a, b, c, d, e, f), field);
  if (entry < n && part) drano_add(counters_of(slot) + 8 * (entry * FIELDS + field), part);
}

/* --- counters of a block, in shared memory ---------------------------------------------------- */

/* A word for each count of the kernel's entries, and one for the threads that have ended. Only what a
 * thread adds once, or its sums at its end, goes here: 32 bits are enough. The last threads of a block
 * add its words to the counters. */
INLINE void drano_block_start(words block, u32 count) {
  u32 x = __nvvm_read_ptx_sreg_ntid_x(), y = __nvvm_read_ptx_sreg_ntid_y(), z = __nvvm_read_ptx_sreg_ntid_z();
  u32 me = __nvvm_read_ptx_sreg_tid_x() + x * (__nvvm_read_ptx_sreg_tid_y() + y * __nvvm_read_ptx_sreg_tid_z());
  for (u32 k = me; k <= count; k += x * y * z) drano_word_clear(block + k);
  __nvvm_bar_sync(0);
}

SLOW void drano_block_last(words block, u32 count, u32 slot, u32 mask) {
  if (drano_rows == 0) return;
  u64 at = counters_of(slot);
  for (u32 k = count_bits(mask & lanes_below()); k < count; k += count_bits(mask)) {
    u32 value = drano_word_load(block + k);
    if (value) drano_add(at + 8 * (k / (REQUESTS + 1) * FIELDS + k % (REQUESTS + 1)), value);
  }
}

INLINE void drano_block_end(words block, u32 count, u32 slot) {
  u32 mask = __nvvm_activemask(), ended = 0, leader = (u32)__builtin_ctz(mask);
  u32 threads = __nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_ntid_y() * __nvvm_read_ptx_sreg_ntid_z();
  if (lane_id() == leader) ended = drano_word_fetch_add(block + count, count_bits(mask));
  if (from_lane(mask, ended, leader) + count_bits(mask) == threads) drano_block_last(block, count, slot, mask);
}

SLOW void drano_block_each(words at, u32 mask, u32 n, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f) {
  u64 all[6] = {a, b, c, d, e, f};
  if (mask & lanes_below()) return;
  for (u32 k = 0; k < n; k++)
    for (u32 field = LANES; field <= REQUESTS && all[k]; field++)
      drano_word_add(at + k * (REQUESTS + 1) + field, (u32)part_of(all[k], field));
}

/* As drano_add_up. */
INLINE void drano_block_up(words at, u32 mask, u32 n, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f) {
  if (__builtin_expect(count_bits(mask) < n * (REQUESTS + 1), 0)) {
    drano_block_each(at, mask, n, a, b, c, d, e, f);
    return;
  }
  u32 rank = count_bits(mask & lanes_below()), entry = rank / (REQUESTS + 1);
  u32 part = (u32)part_of(chosen(entry, a, b, c, d, e, f), rank % (REQUESTS + 1));
  if (entry < n && part) drano_word_add(at + rank, part);
}

/* --- sums at the end of a thread --------------------------------------------------------------- */

static __device__ inline u64 whole_from(u64 value, u32 lane) {
  return (u64)from_lane(FULL, (u32)value, lane) | (u64)from_lane(FULL, (u32)(value >> 32), lane) << 32;
}

/* Mostly one lane of a full warp has them: the others get them from it. */
#define FLUSH(ADD, EACH)                                                                              \
  u32 mask = __nvvm_activemask(), holders = ballot(mask, (a | b | c | d | e | f) != 0);               \
  if (holders == 0) return;                                                                           \
  if (mask == FULL && (holders & (holders - 1)) == 0) {                                               \
    u32 lane = (u32)__builtin_ctz(holders);                                                           \
    a = whole_from(a, lane), b = whole_from(b, lane), c = whole_from(c, lane);                        \
    d = whole_from(d, lane), e = whole_from(e, lane), f = whole_from(f, lane);                        \
    ADD;                                                                                              \
  } else {                                                                                            \
    EACH;                                                                                             \
  }

SLOW void drano_flush_each(u32 slot, u32 n, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f) {
  u64 all[6] = {a, b, c, d, e, f};
  for (u32 k = 0; k < n; k++) drano_flush_full(slot + k, all[k]);
}
INLINE void drano_flush_up(u32 slot, u32 n, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f) {
  FLUSH(drano_add_up(FULL, slot, n, a, b, c, d, e, f), drano_flush_each(slot, n, a, b, c, d, e, f))
}
INLINE void drano_block_flush(words at, u32 n, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f) {
  FLUSH(drano_block_up(at, FULL, n, a, b, c, d, e, f), drano_block_each(at, 1u << lane_id(), n, a, b, c, d, e, f))
}

/* --- loops whose accesses are known when they are entered --------------------------------------- */

/* The lanes of `mask` enter together. Each makes `n` requests of its own, of which the first ones are at
 * `address` and the following each `step` further, and is in the first n requests of the warp. What it
 * adds to the counts of all of them: */
typedef struct { u32 lanes, sectors, lines, ideal, requests; } share;

#define PORTION (1u << 14) /* iterations at a time: 32 bits are enough for what they come to */

/* Where instructions of newer GPUs have to be replaced. */
SLOW u32 drano_sum_of_bits(u32 mask, u32 value) {
  u32 sum = 0;
  for (u32 bit = 0; bit < 24; bit++) sum += count_bits(ballot(mask, value >> bit & 1)) << bit;
  return sum;
}
SLOW u32 drano_most_of_bits(u32 mask, u32 value) {
  u32 most = 0;
  for (u32 step = PORTION; step; step /= 2)
    if (ballot(mask, value >= most + step)) most += step;
  return most;
}

static __device__ inline u64 wide_from_lane(u32 mask, u64 value, u32 lane) {
  return (u64)from_lane(mask, (u32)value, lane) | (u64)from_lane(mask, (u32)(value >> 32), lane) << 32;
}

static __device__ inline void add_sums(u32 mask, u32 slot, u64 lanes, u64 sectors, u64 lines, u64 ideal, u64 requests) {
  u32 rank = count_bits(mask & lanes_below());
  u64 at = counters_of(slot);
  if (count_bits(mask) > REQUESTS) {
    u64 mine = chosen(rank, lanes, sectors, lines, ideal, requests, 0);
    if (rank <= REQUESTS && mine) drano_add(at + 8 * rank, mine);
  } else if (rank == 0) {
    drano_add(at + 8 * LANES, lanes), drano_add(at + 8 * SECTORS, sectors), drano_add(at + 8 * LINES, lines);
    drano_add(at + 8 * IDEAL, ideal), drano_add(at + 8 * REQUESTS, requests);
  }
}

static __device__ inline void add_shares(u32 mask, u32 slot, share s) {
  u32 lanes = drano_sum(mask, s.lanes), sectors = drano_sum(mask, s.sectors), lines = drano_sum(mask, s.lines);
  add_sums(mask, slot, lanes, sectors, lines, drano_sum(mask, s.ideal), drano_sum(mask, s.requests));
}

/* After how many steps, as a power of two, a place in a line is come to again. */
static __device__ inline u32 period(u32 step) { return step & 127 ? 7 - (u32)__builtin_ctz(step & 127) : 0; }

/* Which iterations have to be looked at: all lanes make the first `least` ones, of which the first
 * `equal` stand for all, as the others are at the same places of a line; each further one is asked for. */
typedef struct { u32 least, equal, all, bits; } plan;

static __device__ inline plan planned(u32 mask, u32 n, u32 bits) {
  plan p;
  p.least = PORTION - drano_most(mask, PORTION - n), p.bits = bits;
  p.equal = p.least >> bits ? 1u << bits : p.least;
  p.all = p.equal + drano_most(mask, n) - p.least;
  return p;
}
static __device__ inline u32 iteration(plan p, u32 item) { return item < p.equal ? item : p.least + item - p.equal; }
static __device__ inline u32 often(plan p, u32 item) {
  return item < p.equal ? (p.least - item + (1u << p.bits) - 1) >> p.bits : item < p.all;
}

/* Of `n` places in a line, each a bit of its words, from `first` on in steps: how many are in `places`, and
 * in `others`. */
static __device__ inline void places_in(u32 n, u32 first, u32 step, u32 places, u32 others, u32 *a, u32 *b) {
  u32 twos = step & 31 ? (u32)__builtin_ctz(step & 31) : 5, bits = 5 - twos;
  u32 every = (twos > 0 ? 0x55555555u : FULL) & (twos > 1 ? 0x33333333u : FULL) & (twos > 2 ? 0x0f0f0f0fu : FULL);
  every &= (twos > 3 ? 0x00ff00ffu : FULL) & (twos > 4 ? 0x0000ffffu : FULL);
  u32 rounds = n >> bits, left = n & ((1u << bits) - 1), some = 0;
  every <<= first & ((1u << twos) - 1);
  if ((step & 31) == 1 || (step & 31) == 31) {
    u32 row = (1u << left) - 1, from = (step & 31) == 1 ? first : first - left + 1;
    some = row << (from & 31) | (from & 31 ? row >> (32 - (from & 31)) : 0);
  } else {
    for (u32 k = 0; k < left; k++) some |= 1u << ((first + k * step) & 31);
  }
  *a = rounds * count_bits(every & places) + count_bits(some & places);
  *b = rounds * count_bits(every & others) + count_bits(some & others);
}

/* Where lanes lie in order, and leave the loop in order: each with the lane before it, which is there as
 * long as both are. And where all are at one address. */
enum { IN_NO_ORDER, IN_ORDER, AT_ONE_PLACE };

static __device__ __attribute__((always_inline)) u32 by_pairs(u32 mask, u64 many, u64 address, u32 step, u32 bytes, share *s) {
  u32 n = (u32)many, below = mask & lanes_below(), before = below ? 31 - (u32)__builtin_clz(below) : lane_id();
  u32 above = mask >> lane_id() >> 1, theirs = from_lane(mask, n, before);
  u64 there = wide_from_lane(mask, address, before);
  u64 far = address > there ? address - there : there - address;
  bool longer = ballot(mask, n > theirs) != 0, shorter = ballot(mask, n < theirs) != 0;
  bool rises = ballot(mask, address > there) != 0, falls = ballot(mask, address < there) != 0;
  if (ballot(mask, (((u32)address | step) & 3) != 0 || many > PORTION) != 0) return IN_NO_ORDER;
  if (!rises && !falls) return AT_ONE_PLACE;
  if ((longer && shorter) || (rises && falls) || ballot(mask, below != 0 && far < bytes) != 0) return IN_NO_ORDER;
  u32 words = far < 128 ? (u32)far >> 2 : 32, low = (u32)(address < there ? address : there) >> 2 & 31;
  u32 across_lines = (u32)(0xffffffff00000000ull >> words);
  u32 across_sectors = (0xff00u >> (words < 8 ? words : 8) & 0xff) * 0x01010101u;
  u32 both = n < theirs ? n : theirs, rank = count_bits(longer ? above : below), own = rank == 0 ? n : 0;
  u32 sectors, lines;
  places_in(both, low, step >> 2, across_sectors, across_lines, &sectors, &lines);
  s->lanes = n, s->sectors = sectors + own, s->lines = lines + own, s->requests = own;
  s->ideal = (rank * bytes & 31) == 0 ? n : 0;
  return IN_ORDER;
}

/* A lane to ask; where it is not there, another one, whose answer does not count. */
static __device__ inline u32 one_of(u32 mask, u32 lane) {
  return mask >> lane & 1 ? lane : (u32)__builtin_ctz(mask);
}
#define AT_ONCE 8 /* lanes that are asked before the first answer is looked at */

/* Gives the lanes each other's places and numbers of iterations, so that the places rise. */
static __device__ inline void by_place(u32 mask, int *place, u32 *n) {
  u32 mine = 0, from = 0, rank = count_bits(mask & lanes_below());
#pragma unroll 8
  for (u32 lane = 0; lane < 32; lane++) {
    int other = (int)from_lane(mask, (u32)*place, one_of(mask, lane));
    mine += (mask >> lane & 1) && (other < *place || (other == *place && lane < lane_id()));
  }
#pragma unroll 8
  for (u32 lane = 0; lane < 32; lane++) {
    u32 theirs = from_lane(mask, mine, one_of(mask, lane));
    from = (mask >> lane & 1) && theirs == rank ? lane : from;
  }
  *place = (int)from_lane(mask, (u32)*place, from), *n = from_lane(mask, *n, from);
}

/* An iteration for each lane, which goes through the lanes by their places. False: these are too far apart. */
static __device__ __attribute__((always_inline)) bool by_iterations(u32 mask, u64 address, u32 step, u32 n, u32 bytes, share *s) {
  u32 leader = (u32)__builtin_ctz(mask), below = mask & lanes_below();
  u32 before = below ? 31 - (u32)__builtin_clz(below) : lane_id();
  u64 far = address - wide_from_lane(mask, address, leader), most = 1u << 29;
  int place = (int)(from_lane(mask, (u32)address, leader) & 127) + (int)(u32)far;
  int previous = (int)from_lane(mask, (u32)place, before);
  bool rises = ballot(mask, place > previous) != 0, falls = ballot(mask, place < previous) != 0;
  if (ballot(mask, far + most >= 2 * most)) return false;
  if (rises && falls) by_place(mask, &place, &n);
  plan p = planned(mask, n, period(step));
  for (u32 at = 0; at < p.all; at += count_bits(mask)) {
    u32 item = at + count_bits(below), k = iteration(p, item);
    u32 all = 0; /* lanes, sectors, lines: 8 bits each */
    int moved = (int)(k * step), last = 0x70000000;
    for (u32 from = 0; from < 32; from += AT_ONCE) {
      int keys[AT_ONCE];
      u32 counts[AT_ONCE];
#pragma unroll
      for (u32 j = 0; j < AT_ONCE; j++) {
        keys[j] = (int)from_lane(mask, (u32)place, one_of(mask, from + j));
        counts[j] = from_lane(mask, n, one_of(mask, from + j));
      }
#pragma unroll
      for (u32 j = 0; j < AT_ONCE; j++) {
        int key = (keys[j] + moved) >> 5;
        bool on = (mask >> (from + j) & 1) && k < counts[j];
        u32 more = key == last ? 1 : ((u32)key ^ (u32)last) > 3 ? 0x10101 : 0x101;
        all += on ? more : 0, last = on ? key : last;
      }
    }
    u32 lanes = all & 255, sectors = all >> 8 & 255, lines = all >> 16;
    u32 ideal = (lanes * bytes + 31) >> 5, times = often(p, item);
    s->lanes += times * lanes, s->sectors += times * sectors, s->lines += times * lines;
    s->ideal += times * (ideal < sectors ? ideal : sectors), s->requests += times * (lanes != 0);
  }
  return true;
}

SLOW bool drano_loop_by_iterations(u32 mask, u32 slot, u32 n, u64 address, u32 step, u32 bytes) {
  share s = {0, 0, 0, 0, 0};
#define OF(MASK) by_iterations(MASK, address, step, n, bytes, &s)
  bool done = FOR_WHOLE(mask, OF);
#undef OF
  if (done) add_shares(mask, slot, s);
  return done;
}

/* Where neighbouring lanes lie in a few runs, in each of which places and numbers of iterations move by a step
 * from lane to lane: an iteration for each lane, which goes through the runs by their places. False: they do
 * not, or places do not rise from run to run, wherever the first one begins. */
#define MOST_RUNS 4

static __device__ __attribute__((always_inline)) bool by_runs(u32 mask, u64 address, u32 step, u32 n, u32 bytes, share *s) {
  u32 leader = (u32)__builtin_ctz(mask), lanes = count_bits(mask), me = lane_id() - leader;
  u32 before = me ? lane_id() - 1 : lane_id(), end = leader + lanes;
  if (mask >> leader & ((mask >> leader) + 1)) return false;
  u64 far = address - wide_from_lane(mask, address, leader), most = 1u << 29;
  if (ballot(mask, far + most >= 2 * most)) return false;
  int place = (int)(from_lane(mask, (u32)address, leader) & 127) + (int)(u32)far;
  int away = place - (int)from_lane(mask, (u32)place, before), more = (int)(n - from_lane(mask, n, before));
  u32 both = (u32)away << 2 | (u32)(more + 1); /* as far as they are those of a run */
  bool turns = both != from_lane(mask, both, before);
  u32 starts = 1u << leader | ballot(mask, (u32)away > 32 || (u32)(more + 1) > 2);
  for (u32 rest = ballot(mask, me > 1 && turns) & ~starts; rest; rest &= rest - 1)
    if (!(starts << 1 & rest & -rest)) starts |= rest & -rest; /* it is not the second one of a run */
  u32 drops = ballot(mask, away < 0);
  if (count_bits(starts) > MOST_RUNS || drops & (drops - 1)) return false;
  if (drops && (int)from_lane(mask, (u32)place, end - 1) > (int)from_lane(mask, (u32)place, leader)) return false;
  plan p = planned(mask, n, period(step));
  for (u32 at = 0; at < p.all; at += lanes) {
    u32 item = at + me, k = iteration(p, item), active = 0, sectors = 0, lines = 0;
    int moved = (int)(k * step), last = 0x70000000;
#pragma unroll 1
    for (u32 after = 0; after < 2; after++) { /* from where places drop on, then up to there */
      u32 below = drops ? drops - 1 : 0;
      for (u32 rest = starts & (after ? below : ~below); rest; rest &= rest - 1) {
        u32 first = (u32)__builtin_ctz(rest), others = starts >> first >> 1;
        int length = (int)((others ? first + 1 + (u32)__builtin_ctz(others) : end) - first);
        u32 second = length > 1 ? first + 1 : first;
        int theirs = (int)from_lane(mask, n, first) - (int)k - 1, to = (int)from_lane(mask, (u32)place, first) + moved;
        int by = (int)from_lane(mask, (u32)away, second), slope = (int)from_lane(mask, (u32)more, second);
        if (length == 1) by = slope = 0;
        int low = theirs >= 0 ? 0 : slope > 0 ? -theirs : length;
        int high = slope < 0 && theirs < length ? theirs : length - 1;
        int begin = (to + low * by) >> 5, stop = (to + high * by) >> 5;
        bool on = low <= high;
        active += on ? (u32)(high - low + 1) : 0, sectors += on ? (u32)(stop - begin) + (begin != last) : 0;
        lines += on ? (u32)((stop >> 2) - (begin >> 2)) + (begin >> 2 != last >> 2) : 0, last = on ? stop : last;
      }
    }
    u32 ideal = (active * bytes + 31) >> 5, times = often(p, item);
    s->lanes += times * active, s->sectors += times * sectors, s->lines += times * lines;
    s->ideal += times * (ideal < sectors ? ideal : sectors), s->requests += times * (active != 0);
  }
  return true;
}

SLOW bool drano_loop_by_runs(u32 mask, u32 slot, u32 n, u64 address, u32 step, u32 bytes) {
  share s = {0, 0, 0, 0, 0};
#define OF(MASK) by_runs(MASK, address, step, n, bytes, &s)
  bool done = FOR_WHOLE(mask, OF);
#undef OF
  if (done) add_shares(mask, slot, s);
  return done;
}

/* Else the iterations one by one. `bits`: after how many the places are the same again. What is kept
 * meanwhile is in memory: registers that are seldom needed would be the kernel's. */
SLOW void drano_loop_one_by_one(u32 mask, u32 slot, u32 n, u64 address, u64 step, u32 bytes, u32 kind, u32 bits) {
  volatile struct { plan p; share s; u32 n, slot, bytes, kind; u64 address, step; } kept;
  plan whole = planned(mask, n, bits);
  kept.p.least = whole.least, kept.p.equal = whole.equal, kept.p.all = whole.all, kept.p.bits = whole.bits;
  kept.s.lanes = kept.s.sectors = kept.s.lines = kept.s.ideal = kept.s.requests = 0;
  kept.n = n, kept.slot = slot, kept.bytes = bytes, kept.kind = kind, kept.address = address, kept.step = step;
  for (u32 item = 0; item < kept.p.all; item++) {
    plan p = {kept.p.least, kept.p.equal, kept.p.all, kept.p.bits};
    u32 k = iteration(p, item), part = ballot(mask, k < kept.n);
    if (k >= kept.n) continue;
    u64 at = kept.address + k * kept.step;
    u64 counts = kept.kind & ONLY_SHARED ? shared_counts(part, at, kept.bytes, kept.kind)
                                         : global_counts(part, at, kept.bytes, kept.kind);
    if (part & lanes_below()) continue;
    plan again = {kept.p.least, kept.p.equal, kept.p.all, kept.p.bits};
    u32 times = often(again, item);
    kept.s.lanes += times * (u32)part_of(counts, LANES), kept.s.sectors += times * (u32)part_of(counts, SECTORS);
    kept.s.lines += times * (u32)part_of(counts, LINES), kept.s.ideal += times * (u32)part_of(counts, IDEAL);
    kept.s.requests += times;
  }
  share s = {kept.s.lanes, kept.s.sectors, kept.s.lines, kept.s.ideal, kept.s.requests};
  add_shares(mask, kept.slot, s);
}

/* Whether all lanes' addresses move alike. */
static __device__ inline bool is_steady(u32 mask, u64 step, u32 kind) {
  return kind & STEADY || ballot(mask, step != wide_from_lane(mask, step, (u32)__builtin_ctz(mask))) == 0;
}

/* Whether all lanes make equally many requests. */
static __device__ inline bool are_alike(u32 mask, u64 n) {
  return ballot(mask, (u32)n != from_lane(mask, (u32)n, (u32)__builtin_ctz(mask)) || n >> 32 != 0) == 0;
}

/* All requests cost the same. */
static __device__ inline void add_times(u32 mask, u32 slot, u64 n, u64 counts) {
  add_sums(mask, slot, n * part_of(counts, LANES), n * part_of(counts, SECTORS), n * part_of(counts, LINES),
           n * part_of(counts, IDEAL), n);
}

/* The next portion of a lane's iterations. */
#define PORTIONS(MASK, N, ADDRESS, STEP)                                                              \
  for (u32 part; part = (N) < PORTION ? (u32)(N) : PORTION, ballot(MASK, part != 0);                  \
       (N) -= part, (ADDRESS) += PORTION * (STEP))

SLOW void drano_loop_global_slowly(u32 mask, u32 slot, u64 n, u64 address, u64 step, u32 bytes, u32 kind) {
  bool steady = is_steady(mask, step, kind), simple = steady && bytes <= 32 && (bytes & (bytes - 1)) == 0;
  simple = simple && ballot(mask, step + PORTION >= 2 * PORTION) == 0;
  PORTIONS(mask, n, address, step)
    if (!simple || (!drano_loop_by_runs(mask, slot, part, address, (u32)step, bytes) &&
                    !drano_loop_by_iterations(mask, slot, part, address, (u32)step, bytes)))
      drano_loop_one_by_one(mask, slot, part, address, step, bytes, kind, steady ? period((u32)step) : 14);
}

SLOW void drano_loop_global(u32 mask, u32 slot, u64 n, u64 address, u64 step, u32 bytes, u32 kind) {
  share s;
  u32 found = IN_NO_ORDER;
  if (drano_rows == 0) return;
  bool steady = is_steady(mask, step, kind);
  if (steady && ((u32)step & 127) == 0 && are_alike(mask, n)) {
#define OF(MASK) global_counts(MASK, address, bytes, kind)
    add_times(mask, slot, n, FOR_WHOLE(mask, OF));
#undef OF
    return;
  }
  if (steady && bytes >= 4 && bytes <= 32 && (bytes & (bytes - 1)) == 0) {
#define OF(MASK) by_pairs(MASK, n, address, (u32)step, bytes, &s)
    found = FOR_WHOLE(mask, OF);
#undef OF
  }
  if (found == IN_ORDER) {
    add_shares(mask, slot, s);
  } else if (found == AT_ONE_PLACE) {
    u32 most = drano_most(mask, (u32)n);
    add_sums(mask, slot, drano_sum(mask, (u32)n), most, most, most, most);
  } else {
    drano_loop_global_slowly(mask, slot, n, address, step, bytes, kind);
  }
}

SLOW void drano_loop_shared_slowly(u32 mask, u32 slot, u64 n, u64 address, u64 step, u32 bytes, u32 kind) {
  u32 unit = bytes < 4 ? 4 : bytes;
  bool whole = is_steady(mask, step, kind) && (unit & (unit - 1)) == 0 && ((u32)step & (unit - 1)) == 0;
  PORTIONS(mask, n, address, step)
    drano_loop_one_by_one(mask, slot, part, address, step, bytes, kind, whole ? 0 : 14);
}

/* Words of which some share a bank: an iteration for each lane, as long as there are up to four for one. */
static __device__ __attribute__((always_inline)) bool by_banks(u32 mask, u32 word, u32 n, share *s) {
  u32 peers = __nvvm_match_any_sync_i32(mask, word), rank = count_bits(mask & lanes_below());
  plan p = planned(mask, n, 0);
  for (u32 at = 0; at < p.all; at += count_bits(mask)) {
    u32 item = at + rank, k = iteration(p, item), times = often(p, item);
    u32 seen = 0, one = 0, two = 0, three = 0, four = 0, more = 0;
    for (u32 from = 0; from < 32; from += AT_ONCE) {
      u32 theirs[AT_ONCE], same[AT_ONCE];
#pragma unroll
      for (u32 j = 0; j < AT_ONCE; j++) {
        theirs[j] = from_lane(mask, n << 5 | (word & 31), one_of(mask, from + j));
        same[j] = from_lane(mask, peers, one_of(mask, from + j));
      }
#pragma unroll
      for (u32 j = 0; j < AT_ONCE; j++) {
        bool on = (mask >> (from + j) & 1) && k < theirs[j] >> 5;
        u32 bank = on && !(same[j] & seen) ? 1u << (theirs[j] & 31) : 0;
        more |= four & bank, four |= three & bank, three |= two & bank, two |= one & bank, one |= bank;
        seen |= on ? 1u << (from + j) : 0;
      }
    }
    if (ballot(mask, more && times)) return false;
    u32 any = times * (seen != 0);
    s->lanes += times * count_bits(seen), s->requests += any, s->lines += any;
    s->sectors += times * ((one != 0) + (two != 0) + (three != 0) + (four != 0));
  }
  return true;
}

SLOW bool drano_loop_by_banks(u32 mask, u32 slot, u32 n, u32 word) {
  share s = {0, 0, 0, 0, 0};
#define OF(MASK) by_banks(MASK, word, n, &s)
  bool done = FOR_WHOLE(mask, OF);
#undef OF
  if (done) add_shares(mask, slot, s);
  return done;
}

/* From the first word to the last one: in a row of banks no two words share one. */
static __device__ inline u32 spread(u32 mask, u32 word) {
  u32 away = word - from_lane(mask, word, (u32)__builtin_ctz(mask)) + (PORTION >> 1);
  away = away < PORTION ? away : PORTION;
  return drano_most(mask, away) + drano_most(mask, PORTION - away) - PORTION;
}

SLOW void drano_loop_shared(u32 mask, u32 slot, u64 n, u64 address, u64 step, u32 bytes, u32 kind) {
  if (drano_rows == 0) return;
  u32 unit = bytes < 4 ? 4 : bytes;
  bool whole = is_steady(mask, step, kind) && (unit & (unit - 1)) == 0 && ((u32)step & (unit - 1)) == 0;
  if (whole && are_alike(mask, n)) {
    add_times(mask, slot, n, shared_counts(mask, address, bytes, kind));
    return;
  }
  if (whole && bytes <= 4 && ballot(mask, n > PORTION) == 0) {
    u32 word = (u32)address >> 2;
    if (spread(mask, word) < 32) { /* no conflicts: nor are there any for some of the lanes */
      u32 most = drano_most(mask, (u32)n);
      add_sums(mask, slot, drano_sum(mask, (u32)n), most, most, 0, most);
      return;
    }
    if (drano_loop_by_banks(mask, slot, (u32)n, word)) return;
  }
  drano_loop_shared_slowly(mask, slot, n, address, step, bytes, kind);
}

/* A proved pattern in shared memory. */
SLOW void drano_loop_prefix(u32 mask, u32 slot, u64 n, u64 address, u64 step, u32 bytes, u32 kind, costs_table costs) {
  if (drano_rows == 0) return;
  if ((mask & (mask + 1)) == 0 && are_alike(mask, n)) {
    u64 cost = costs[count_bits(mask) - 1];
    add_times(mask, slot, n, cost + count_bits(mask));
  } else {
    drano_loop_shared(mask, slot, n, address, step, bytes, kind);
  }
}

/* Requests of known costs: how many. */
SLOW void drano_loop_requests(u32 mask, u32 slot, u64 n) {
  u64 nowhere = 0;
  if (drano_rows == 0) return;
  if (are_alike(mask, n)) {
    add_times(mask, slot, n, count_bits(mask));
    return;
  }
  PORTIONS(mask, n, nowhere, 0) add_sums(mask, slot, drano_sum(mask, part), 0, 0, 0, drano_most(mask, part));
}

/* --- samples ---------------------------------------------------------------------------------- */

/* Whether this block is counted; `slot` counts those that are. Each launch has a sample of its own. */
INLINE bool drano_sampled(u32 slot) {
  u32 x = __nvvm_read_ptx_sreg_ctaid_x(), y = __nvvm_read_ptx_sreg_ctaid_y(), z = __nvvm_read_ptx_sreg_ctaid_z();
  u32 tx = __nvvm_read_ptx_sreg_ntid_x(), ty = __nvvm_read_ptx_sreg_ntid_y(), tz = __nvvm_read_ptx_sreg_ntid_z();
  u64 blocks = (u64)__nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_nctaid_y() * __nvvm_read_ptx_sreg_nctaid_z();
  if (blocks * (tx * ty * tz) > drano_whole) {
    u32 hash = x * 0x9E3779B1u + y * 0x85EBCA77u + z * 0xC2B2AE3Du + drano_launch_number() * 0x27D4EB2Fu;
    hash = (hash ^ hash >> 15) * 0x2C1B3C6Du;
    hash = (hash ^ hash >> 12) * 0x297A2D39u;
    if ((hash ^ hash >> 15) > drano_threshold) return false;
  }
  if (__nvvm_read_ptx_sreg_tid_x() + __nvvm_read_ptx_sreg_tid_y() + __nvvm_read_ptx_sreg_tid_z() == 0 && drano_rows)
    drano_add(counters_of(slot), 1);
  return true;
}

/* --- and single accesses --------------------------------------------------------------------- */

static __device__ inline u64 shared_offset(u64 address) {
  return (u64)(__attribute__((address_space(3))) const char *)(const char *)address;
}

/* Behind the two slots of an access: how many requests had 0 to 31 lines (wavefronts), or more. */
static __device__ inline void add_to_histogram(u32 mask, u32 slot, u32 kind, u32 amount) {
  if (!(kind & HISTOGRAM) || drano_rows == 0 || (mask & lanes_below()) != 0) return;
  drano_add(counters_of(slot + 2) + 8 * (amount < 32 ? amount : 32), 1);
}

/* A generic address: its lanes part by where they point; `slot + 1` counts what goes to shared memory. */
SLOW void drano_generic(u32 slot, u64 address, u32 bytes, u32 kind) {
  if (__nvvm_isspacep_local((const void *)address)) return;
  if (__nvvm_isspacep_shared((const void *)address)) {
    u32 mask = __nvvm_activemask();
    u64 counts = shared_counts(mask, shared_offset(address), bytes, kind);
    add_once(mask, slot + (kind & ONLY_SHARED ? 0 : 1), counts);
    add_to_histogram(mask, slot, kind, (u32)part_of(counts, SECTORS));
  } else {
    u32 mask = __nvvm_activemask();
    u64 counts = global_counts(mask, address, bytes, kind);
    add_once(mask, slot, counts);
    add_to_histogram(mask, slot, kind, (u32)part_of(counts, LINES));
  }
}

/* A generic address that mostly is a global one. Whether it is not: */
INLINE u32 drano_elsewhere(u64 address) {
  return __nvvm_isspacep_shared((const void *)address) | __nvvm_isspacep_local((const void *)address);
}
/* Flagged where some lane's is not. */
INLINE u64 drano_if_global(u32 mask, u64 address, u64 quick) {
  return ballot(mask, drano_elsewhere(address)) ? FLAG : quick;
}
/* Then nothing is added up by the caller. */
SLOW u64 drano_settle_generic(u32 slot, u32 mask, u64 address, u32 bytes, u32 kind, u64 quick) {
  if (!(quick & FLAG)) return quick;
  if (ballot(mask, drano_elsewhere(address)) == 0) return drano_settle_global(mask, address, bytes, kind, quick);
  drano_generic(slot, address, bytes, kind);
  return 0;
}

/* As drano_loop_global; what is elsewhere is counted by itself. */
SLOW void drano_loop_generic(u32 elsewhere, u32 mask, u32 slot, u64 n, u64 address, u64 step, u32 bytes, u32 kind) {
  if (ballot(mask, drano_elsewhere(address) | drano_elsewhere(address + (n - 1) * step)) == 0) {
    drano_loop_global(mask, slot, n, address, step, bytes, kind);
    return;
  }
  for (u64 k = 0; ballot(mask, k < n); k++)
    if (k < n) drano_generic(elsewhere, address + k * step, bytes, kind & ~STEADY);
}

/* Of an atomic: lanes beyond the first at each address. */
static __device__ __attribute__((always_inline)) u32 conflicts(u32 mask, u64 address) {
  u32 leader = (u32)__builtin_ctz(mask), low = (u32)address, same;
  /* Neighbouring elements, as often, and a match of 32 bits takes half the time of one of 64. */
  u32 first = from_lane(mask, low, leader), rank = count_bits(mask & lanes_below());
  if (ballot(mask, low - first != 4 * rank) == 0) return 0;
  bool near = ballot(mask, (u32)(address >> 32) != from_lane(mask, (u32)(address >> 32), leader)) == 0;
  if (near) same = __nvvm_match_any_sync_i32(mask, low);
  else same = __nvvm_match_any_sync_i64(mask, address);
  return count_bits(mask) - count_bits(ballot(mask, (same & lanes_below()) == 0));
}

SLOW void drano_conflicts(u32 slot, u64 address) {
  u32 mask = __nvvm_activemask();
#define OF(MASK) conflicts(MASK, address)
  u32 extra = FOR_WHOLE(mask, OF);
#undef OF
  if (extra && drano_rows && (mask & lanes_below()) == 0)
    drano_add(counters_of(slot) + 8 * CONFLICTS, extra);
}
SLOW void drano_generic_conflicts(u32 slot, u32 shared, u64 address) {
  if (!__nvvm_isspacep_local((const void *)address))
    drano_conflicts(__nvvm_isspacep_shared((const void *)address) ? shared : slot, address);
}

/* A copy or a fill: `length / bytes` accesses of each lane. */
SLOW void drano_range(u32 slot, u64 address, u64 length, u32 bytes, u32 kind) {
  for (u64 at = 0; at + bytes <= length; at += bytes) drano_generic(slot, address + at, bytes, kind);
}
