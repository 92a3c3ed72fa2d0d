/* Data races of kernels, as far as one run of them shows.
 *
 * For each word of 4 bytes the last write and the last reads of two different warps are remembered, with
 * the launch, the block, and how many barriers the block has passed. Two accesses conflict that touch one
 * byte, one of them writing and not both atomic, if they are of different blocks of one launch, or of
 * different warps of a block between the same barriers. Conflicts are counted by kernel, array and kind.
 * Limits: warps run in lock step here, so lanes of one warp are not compared; a barrier of some of the
 * warps counts as one of all; fences and flags, by which warps may wait for each other, are not known, so
 * what they order is a conflict here. A word remembers no third reader.
 */
#include "races.h"
#include "where.h"

enum { FIRST_ROOM = 1 << 16, MAX_CELLS = 1 << 25, MAX_CONFLICTS = 256 };

typedef struct touch {
  uint64_t phase, block; /* phase 0: none */
  uint32_t warp, interval, site;
  uint8_t bytes, atomic;
} touch;

typedef struct cell {
  uint64_t place; /* address / 4, 0: none */
  touch write, read, other;
} cell;

typedef struct conflict {
  const drano_unit *unit;
  uint32_t site, with;
  const char *array;
  uint64_t times;
} conflict;

static const char *file_name;
static cell *cells;
static uint64_t phase = 1;
static uint32_t room, used, conflicts;
static bool full;
static conflict found[MAX_CONFLICTS];

void drano_races_next(void) { phase++; }

static cell *slot(cell *in, uint32_t size, uint64_t place) {
  uint32_t at = (uint32_t)((place * 0x9e3779b97f4a7c15u) >> 32) & (size - 1);
  while (in[at].place != 0 && in[at].place != place) at = (at + 1) & (size - 1);
  return &in[at];
}

static cell *cell_of(uint64_t place) {
  cell *c = slot(cells, room, place);
  if (c->place != 0) return c;
  if (2 * (used + 1) > room) {
    cell *more = room < MAX_CELLS ? calloc((size_t)room * 2, sizeof *more) : NULL;
    if (more == NULL) {
      full = true;
      return NULL;
    }
    for (uint32_t k = 0; k < room; k++)
      if (cells[k].place != 0) *slot(more, room * 2, cells[k].place) = cells[k];
    free(cells);
    cells = more;
    room *= 2;
    c = slot(cells, room, place);
  }
  c->place = place;
  used++;
  return c;
}

static bool conflicts_with(const touch *old, const touch *now, bool near) {
  if (old->phase != now->phase || !(old->bytes & now->bytes) || (old->atomic && now->atomic)) return false;
  if (old->block != now->block) return !near; /* shared memory is the next block's, too */
  return old->warp != now->warp && old->interval == now->interval;
}

static const char *array_name(uint64_t address, bool near) {
  const allocation *a = near ? NULL : drano_find(address);
  const char *name = a != NULL ? drano_arrays[a->array].name : NULL;
  return near ? "shared" : name != NULL ? name : "global";
}

static void report(const drano_unit *u, const touch *old, const touch *now, uint64_t address, bool near) {
  for (uint32_t k = 0; k < conflicts; k++)
    if (found[k].unit == u && found[k].site == now->site && found[k].with == old->site) {
      found[k].times++;
      return;
    }
  if (conflicts == MAX_CONFLICTS) return;
  found[conflicts++] = (conflict){u, now->site, old->site, array_name(address, near), 1};
}

static void touch_word(const drano_unit *u, const touch *now, uint8_t kind, uint64_t place, bool near) {
  cell *c = cell_of(place);
  if (c == NULL) return;
  const touch *const before[] = {&c->write, &c->read, &c->other};
  for (int k = 0; k < (kind == DRANO_LOAD ? 1 : 3); k++)
    if (conflicts_with(before[k], now, near)) report(u, before[k], now, place * 4, near);
  if (kind != DRANO_LOAD) {
    const touch *w = &c->write; /* parts of a word that one warp writes one after the other */
    const bool more = w->phase == now->phase && w->block == now->block && w->warp == now->warp &&
                      w->interval == now->interval && w->atomic == now->atomic;
    const uint8_t bytes = more ? w->bytes | now->bytes : now->bytes;
    c->write = *now;
    c->write.bytes = bytes;
    return;
  }
  if (c->read.phase != now->phase || c->read.block != now->block || c->read.warp != now->warp) c->other = c->read;
  c->read = *now;
}

void drano_race_access(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t mask,
                       const uint64_t address[DRANO_WARP]) {
  const drano_site *s = &u->sites[site];
  const drano_block *b = w->block;
  if (s->space == 4 || s->space == 5) return;
  touch now = {.phase = phase, .warp = w->warp_id, .interval = b->interval, .site = site,
               .atomic = s->kind == DRANO_ATOMIC};
  now.block = ((uint64_t)(uint32_t)b->block_idx.z << 48) + ((uint64_t)(uint32_t)b->block_idx.y << 32) +
              (uint32_t)b->block_idx.x;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    const uint64_t low = address[__builtin_ctz(rest)], high = low + s->bytes;
    const enum where where = s->space == 3 ? SHARED : s->space == 1 ? GLOBAL : place_of(w, low);
    if (where == LOCAL) continue;
    for (uint64_t place = low / 4; place * 4 < high; place++) {
      now.bytes = 0;
      for (uint64_t k = 0; k < 4; k++)
        if (place * 4 + k >= low && place * 4 + k < high) now.bytes |= (uint8_t)(1u << k);
      touch_word(u, &now, s->kind, place, where == SHARED);
    }
  }
}

/* One line for each: times, kernel, array, and for both accesses kind, path and line. */
static void write_races(void) {
  static const char *const kinds[] = {"load", "store", "atomic"};
  FILE *out = fopen(file_name, "w");
  if (out == NULL) {
    drano_say("error: %s: cannot be written", file_name);
    return;
  }
  for (uint32_t k = 0; k < conflicts; k++) {
    const drano_site *one = &found[k].unit->sites[found[k].site], *other = &found[k].unit->sites[found[k].with];
    fprintf(out, "%llu\t%s\t%s\t%s\t%s\t%u\t%s\t%s\t%u\n", (unsigned long long)found[k].times, one->kernel,
            found[k].array, kinds[one->kind % 3], one->path, one->line, kinds[other->kind % 3], other->path,
            other->line);
  }
  if (full) fputs("0\t\t\tfull\t\t0\t\t\t0\n", out);
  if (fclose(out) != 0) drano_say("error: %s: cannot be written", file_name);
}

__attribute__((constructor)) static void start(void) {
  const char *file = getenv("DRANO_RACES");
  if (file == NULL || !*file) return;
  file_name = strdup(file);
  room = FIRST_ROOM;
  cells = calloc(room, sizeof *cells);
  drano_racing = file_name != NULL && cells != NULL;
  if (!drano_racing) drano_say("error: no memory to look for data races");
  if (drano_racing) atexit(write_races);
}
