/* The GPU's counting library, executed by a warp of 32 fibers that take turns: a lane goes on behind a
 * vote or a shuffle when all lanes of its mask have come to one. Reads cases from a file (`row`) and
 * writes the five counts of each. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>

static const unsigned WARP = 32;
static ucontext_t scheduler, lanes[WARP];
static char stacks[WARP][1 << 16];
static unsigned now;
static struct { bool waits, ended, alone; unsigned mask, lane, key; uint64_t value, result; } state[WARP];
static unsigned (*const bits)(unsigned) = [](unsigned x) { return (unsigned)__builtin_popcount(x); };

static uint64_t meet(unsigned mask, unsigned key, uint64_t value, unsigned lane) {
  state[now].waits = true, state[now].alone = false, state[now].mask = mask, state[now].key = key;
  state[now].value = value, state[now].lane = lane;
  unsigned me = now;
  swapcontext(&lanes[me], &scheduler);
  return state[me].result;
}

enum { BALLOT = 1, SHUFFLE, SHUFFLE_UP, MATCH, SUM, MOST };
static unsigned __nvvm_vote_ballot_sync(unsigned mask, bool p) { return (unsigned)meet(mask, BALLOT, p, 0); }
static int __nvvm_shfl_sync_idx_i32(unsigned mask, int value, int lane, int) {
  return (int)meet(mask, SHUFFLE, (unsigned)value, (unsigned)lane & 31);
}
static int __nvvm_shfl_sync_up_i32(unsigned mask, int value, int by, int) {
  return (int)meet(mask, SHUFFLE, (unsigned)value, now >= (unsigned)by ? now - (unsigned)by : now);
}
static unsigned __nvvm_match_any_sync_i32(unsigned mask, unsigned value) { return (unsigned)meet(mask, MATCH, value, 0); }
static unsigned __nvvm_match_any_sync_i64(unsigned mask, uint64_t value) { return (unsigned)meet(mask, MATCH, value, 0); }
/* Who is together: all that have come to the same place when nobody can go on otherwise. */
static unsigned __nvvm_activemask() {
  state[now].waits = state[now].alone = true;
  unsigned me = now;
  swapcontext(&lanes[me], &scheduler);
  return (unsigned)state[me].result;
}
static bool __nvvm_isspacep_shared(const void *p) { return (uint64_t)p >> 24 == 0x55; }
static bool __nvvm_isspacep_local(const void *p) { return (uint64_t)p >> 24 == 0x66; }
static void __nvvm_bar_sync(int) {}
#define REGISTER(NAME, VALUE) static unsigned __nvvm_read_ptx_sreg_##NAME() { return VALUE; }
REGISTER(laneid, now) REGISTER(lanemask_lt, (1u << now) - 1) REGISTER(smid, 0)
REGISTER(tid_x, now) REGISTER(tid_y, 0) REGISTER(tid_z, 0) REGISTER(ntid_x, 32) REGISTER(ntid_y, 1) REGISTER(ntid_z, 1)
REGISTER(ctaid_x, 0) REGISTER(ctaid_y, 0) REGISTER(ctaid_z, 0)
REGISTER(nctaid_x, 1) REGISTER(nctaid_y, 1) REGISTER(nctaid_z, 1)

#define __device__
#define __constant__
#include COUNTING

extern "C" {
void drano_add(u64 address, u64 value) { *(u64 *)address += value; }
void drano_word_add(words, u32) {}
u32 drano_word_fetch_add(words, u32) { return 0; }
u32 drano_word_load(words) { return 0; }
void drano_word_clear(words) {}
u32 drano_launch_number() { return 0; }
u32 drano_sum(u32 mask, u32 value) { return OWN_REDUCTIONS ? drano_sum_of_bits(mask, value) : (u32)meet(mask, SUM, value, 0); }
u32 drano_most(u32 mask, u32 value) { return OWN_REDUCTIONS ? drano_most_of_bits(mask, value) : (u32)meet(mask, MOST, value, 0); }
}

/* `how`: 0 global, 1 shared, 2 generic, 3 only how often, 4 shared with a table of costs. */
struct row { u32 how, mask, bytes, kind; u64 n[WARP], address[WARP], step[WARP], costs[WARP]; };
static row given;
static u64 slots[3][FIELDS];

static void lane_main() {
  u32 lane = now;
  u64 n = given.n[lane], at = given.address[lane], step = given.step[lane];
  switch (given.how) {
    case 0: drano_loop_global(given.mask, 0, n, at, step, given.bytes, given.kind); break;
    case 1: drano_loop_shared(given.mask, 0, n, at, step, given.bytes, given.kind); break;
    case 2: drano_loop_generic(1, given.mask, 0, n, at, step, given.bytes, given.kind); break;
    case 4: drano_loop_prefix(given.mask, 0, n, at, step, given.bytes, given.kind, (costs_table)given.costs); break;
    default: drano_loop_requests(given.mask, 0, n);
  }
  state[lane].ended = true;
  swapcontext(&lanes[lane], &scheduler);
}

/* The lanes of `mask` have come to the same instruction. */
static void answer(u32 mask) {
  for (u32 lane = 0; lane < WARP; lane++) {
    if (!(mask >> lane & 1)) continue;
    u64 found = 0;
    for (u32 other = 0; other < WARP; other++) {
      if (!(mask >> other & 1)) continue;
      u64 value = state[other].value;
      switch (state[lane].key) {
        case BALLOT: found |= (value != 0) << other; break;
        case SHUFFLE: found = other == state[lane].lane ? value : found; break;
        case MATCH: found |= (u64)(value == state[lane].value) << other; break;
        case SUM: found = (u32)(found + value); break;
        default: found = value > found ? value : found;
      }
    }
    if (state[lane].key == SHUFFLE && !(mask >> state[lane].lane & 1)) abort();
    state[lane].result = found, state[lane].waits = false;
  }
}

static bool go_on() {
  for (u32 lane = 0; lane < WARP; lane++) {
    if (!(given.mask >> lane & 1) || state[lane].ended || state[lane].waits) continue;
    now = lane;
    swapcontext(&scheduler, &lanes[lane]);
    return true;
  }
  u32 alone = 0;
  for (u32 lane = 0; lane < WARP; lane++) {
    if (!(given.mask >> lane & 1) || !state[lane].waits) continue;
    if (state[lane].alone) { alone |= 1u << lane; continue; }
    u32 ready = 0;
    for (u32 other = 0; other < WARP; other++)
      if (state[other].waits && !state[other].alone && state[other].mask == state[lane].mask &&
          state[other].key == state[lane].key)
        ready |= 1u << other;
    if (!(state[lane].mask >> lane & 1)) abort();
    if (ready == state[lane].mask) { answer(ready); return true; }
  }
  for (u32 lane = 0; lane < WARP; lane++)
    if (alone >> lane & 1) state[lane].result = alone, state[lane].waits = false;
  return alone != 0;
}

int main(int, char **arguments) {
  FILE *in = fopen(arguments[1], "rb");
  drano_rows = (u64)slots, drano_row_length = 3 * FIELDS, drano_row_mask = 0;
  while (fread(&given, sizeof given, 1, in) == 1) {
    memset(slots, 0, sizeof slots), memset(state, 0, sizeof state);
    for (u32 lane = 0; lane < WARP; lane++) {
      getcontext(&lanes[lane]);
      lanes[lane].uc_stack.ss_sp = stacks[lane], lanes[lane].uc_stack.ss_size = sizeof stacks[lane];
      makecontext(&lanes[lane], lane_main, 0);
    }
    while (go_on()) {}
    for (u32 lane = 0; lane < WARP; lane++)
      if (given.mask >> lane & 1 && !state[lane].ended) abort(); /* it waits for others for ever */
    for (u32 slot = 0; slot < 3; slot++)
      for (u32 f = LANES; f <= REQUESTS; f++) printf("%llu ", slots[slot][f]);
    puts("");
  }
}
