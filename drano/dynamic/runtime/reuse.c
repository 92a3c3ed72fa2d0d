/* How often the warps of a block read the words of an array: what staging in shared memory would save.
 *
 * After GMProf (HiPC 2010). A read is one word of 4 bytes that one warp's request loads, however many
 * of its lanes do; what only one thread reads is one read, however often: a register holds it. Every
 * word that a block touches is remembered, so only some blocks are looked at: of the first, second,
 * fourth, eighth ... counted launch of a kernel the one in the grid's middle, and one from its first
 * third. Arrays are told apart by allocation; what the block writes, too, is marked. A block that reads
 * more than MAX_WORDS different words is left out.
 */
#include "reuse.h"

enum { FIRST_ROOM = 4096, MAX_WORDS = 1 << 21, MAX_HELD = 64 };
#define SEVERAL UINT32_MAX /* more than one thread has read it */

typedef struct word {
  uint64_t place, stamp; /* address / 4, 0: none; of the last request that read it */
  uint32_t reads, reader, array;
  bool counted; /* by that request */
} word;

typedef struct held { /* one allocation that the block uses */
  const allocation *memory;
  drano_reuse_record record;
} held;

struct drano_reuse {
  word *words;
  uint64_t requests;
  uint32_t room, used, arrays;
  bool full;
  held array[MAX_HELD];
};

drano_reuse_record drano_reuse_records[DRANO_MAX_REUSE];
_Atomic uint32_t drano_reuse_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool drano_reuse_wanted(const struct drano_launch *l, uint64_t number) {
  return l->sampled && (number == l->blocks / 2 || number == l->blocks / 3);
}

struct drano_reuse *drano_reuse_begin(void) {
  struct drano_reuse *r = calloc(1, sizeof *r);
  if (r == NULL) return NULL;
  r->room = FIRST_ROOM;
  r->words = calloc(r->room, sizeof *r->words);
  if (r->words != NULL) return r;
  free(r);
  return NULL;
}

static word *slot(word *words, uint32_t room, uint64_t place) {
  uint32_t at = (uint32_t)((place * 0x9e3779b97f4a7c15u) >> 32) & (room - 1);
  while (words[at].place != 0 && words[at].place != place) at = (at + 1) & (room - 1);
  return &words[at];
}

static bool grow(struct drano_reuse *r) {
  if (r->used == MAX_WORDS) return false;
  word *more = calloc((size_t)r->room * 2, sizeof *more);
  if (more == NULL) return false;
  for (uint32_t k = 0; k < r->room; k++)
    if (r->words[k].place != 0) *slot(more, r->room * 2, r->words[k].place) = r->words[k];
  free(r->words);
  r->words = more;
  r->room *= 2;
  return true;
}

static const allocation *memory_at(uint64_t address, uint32_t bytes) {
  uint64_t offset = address - drano_arena_base;
  if (offset >= drano_arena_bytes) return drano_find_extra(address, address + bytes);
  const allocation *a = &drano_allocations[drano_pages[offset >> PAGE_SHIFT]];
  return address >= a->base && address + bytes <= a->end && a->live ? a : NULL;
}

static held *array_of(struct drano_reuse *r, const allocation *memory) {
  for (uint32_t k = 0; k < r->arrays; k++)
    if (r->array[k].memory == memory) return &r->array[k];
  if (r->arrays == MAX_HELD) return NULL;
  held *h = &r->array[r->arrays++];
  h->memory = memory;
  return h;
}

static void remember_site(drano_reuse_record *record, uint32_t ordinal) {
  for (uint32_t k = 0; k < record->sites; k++)
    if (record->site[k] == ordinal) return;
  if (ordinal != UINT32_MAX && record->sites < DRANO_REUSE_SITES) record->site[record->sites++] = ordinal;
}

static void read_word(struct drano_reuse *r, uint64_t place, uint32_t reader, uint32_t array) {
  word *w = slot(r->words, r->room, place);
  if (w->place == 0) {
    if (2 * (r->used + 1) > r->room) {
      if (!grow(r)) {
        r->full = true;
        return;
      }
      w = slot(r->words, r->room, place);
    }
    *w = (word){.place = place, .stamp = r->requests, .reads = 1, .reader = reader, .array = array,
                .counted = true};
    r->used++;
    return;
  }
  const bool again = w->stamp == r->requests;
  if (!again) w->counted = false;
  w->stamp = r->requests;
  if (w->reader == reader) return;
  w->reader = SEVERAL;
  if (!w->counted) w->reads++;
  w->counted = true;
}

void drano_reuse_access(drano_warp *w, const drano_site *s, uint32_t mask,
                        const uint64_t address[DRANO_WARP]) {
  struct drano_reuse *r = w->block->reuse;
  if (r->full || s->space == 3 || s->space == 4 || s->space == 5) return;
  r->requests++;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    const uint32_t lane = (uint32_t)__builtin_ctz(rest);
    const allocation *memory = memory_at(address[lane], s->bytes);
    held *h = memory != NULL ? array_of(r, memory) : NULL; /* NULL: shared or local memory */
    if (h == NULL) continue;
    if (s->kind != DRANO_LOAD) {
      h->record.written = true;
      continue;
    }
    remember_site(&h->record, s->ordinal);
    const uint64_t last = (address[lane] + s->bytes - 1) / 4;
    for (uint64_t place = address[lane] / 4; place <= last; place++)
      read_word(r, place, w->warp_id * DRANO_WARP + lane + 1, (uint32_t)(h - r->array));
  }
}

/* Records of one kernel, array and first access add up. */
static void add(const drano_reuse_record *one) {
  uint32_t count = atomic_load(&drano_reuse_count);
  drano_reuse_record *sum = NULL;
  for (uint32_t k = 0; k < count && sum == NULL; k++) {
    drano_reuse_record *old = &drano_reuse_records[k];
    if (old->kernel == one->kernel && old->array == one->array && old->site[0] == one->site[0]) sum = old;
  }
  if (sum == NULL) {
    if (count == DRANO_MAX_REUSE) return;
    drano_reuse_records[count] = *one;
    atomic_store(&drano_reuse_count, count + 1);
    return;
  }
  sum->blocks++;
  sum->reads += one->reads;
  sum->words += one->words;
  if (one->most_words > sum->most_words) sum->most_words = one->most_words;
  sum->written |= one->written;
  for (uint32_t k = 0; k < one->sites; k++) remember_site(sum, one->site[k]);
}

void drano_reuse_end(drano_block *b) {
  struct drano_reuse *r = b->reuse;
  b->reuse = NULL;
  for (uint32_t k = 0; k < r->room && !r->full; k++)
    if (r->words[k].place != 0) {
      drano_reuse_record *record = &r->array[r->words[k].array].record;
      record->words++;
      record->reads += r->words[k].reads;
    }
  pthread_mutex_lock(&lock);
  for (uint32_t k = 0; k < r->arrays && !r->full; k++) {
    drano_reuse_record *record = &r->array[k].record;
    if (record->sites == 0) continue;
    record->kernel = b->launch->kernel;
    record->array = r->array[k].memory->array;
    record->blocks = 1;
    record->most_words = record->words;
    add(record);
  }
  pthread_mutex_unlock(&lock);
  free(r->words);
  free(r);
}

void drano_reuse_drop(drano_block *b) {
  if (b->reuse == NULL) return;
  free(b->reuse->words);
  free(b->reuse);
  b->reuse = NULL;
}
