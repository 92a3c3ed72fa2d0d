/* Arrays: all allocations that one place in the source makes, by that place. */
#include "drano_runtime.h"

drano_array *_Atomic drano_arrays;
_Atomic uint32_t drano_array_count;
_Thread_local drano_place_record drano_next_place;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t array_room;

/* What the wrapper header says of the call that comes next (see places.h). */
void drano_place(const char *path, unsigned line, const char *text) {
  drano_next_place = (drano_place_record){path, text, line};
}

static uint32_t array_for(const char *name, const char *api, const void *caller, uint8_t kind) {
  drano_place_record place = drano_next_place;
  drano_next_place = (drano_place_record){0};
  if (name == NULL) name = place.text;
  uint32_t count = atomic_load(&drano_array_count);
  drano_array *table = atomic_load(&drano_arrays);
  for (uint32_t i = 1; i < count; i++) {
    drano_array *a = &table[i];
    if (a->api != api && strcmp(a->api, api) != 0) continue;
    if (place.path != NULL ? a->path != NULL && a->line == place.line && a->name == name &&
                                 strcmp(a->path, place.path) == 0
                           : a->path == NULL && a->caller == caller && a->name == name)
      return i;
  }
  if (count == 0) count = 1; /* [0] is what cannot be told */
  if (count >= array_room) {
    uint32_t room = array_room ? array_room * 2 : 256;
    drano_array *grown = calloc(room, sizeof *grown);
    if (grown == NULL) return 0;
    if (table != NULL) memcpy(grown, table, array_room * sizeof *grown);
    atomic_store(&drano_arrays, grown); /* the old one stays: a signal handler may read it */
    table = grown;
    array_room = room;
  }
  table[0].api = "unknown";
  table[count] = (drano_array){.name = name, .api = api, .path = place.path, .line = place.line,
                               .caller = caller, .kind = kind};
  atomic_store(&drano_array_count, count + 1);
  return count;
}

uint32_t drano_array_grows(const char *name, const char *api, const void *caller, enum memory_kind kind,
                           uint64_t bytes) {
  pthread_mutex_lock(&lock);
  uint32_t number = array_for(name, api, caller, (uint8_t)kind);
  drano_array *a = atomic_load(&drano_arrays) ? &atomic_load(&drano_arrays)[number] : NULL;
  if (a != NULL) {
    a->allocations++;
    a->bytes += bytes;
    if (bytes > a->largest) a->largest = bytes;
  }
  pthread_mutex_unlock(&lock);
  return number;
}
