/* Sets of counters: one for each combination of arrays that a kernel is launched with.
 *
 * Where the address of an access comes from is known (drano/dynamic/gpu/replay/address_roots.py): mostly from a pointer
 * among the kernel's parameters, whose value is known when it is launched. So what was counted in launches
 * with the same arrays belongs to those. An instrumented kernel has a parameter more than the program knows
 * of: the distance of the set's slots from its own. The first set has the kernel's own slots, others lie in
 * further tables, behind the first: rows stay short, which short kernels feel. When there is no more room, sets are joined: what differs is then of no known array.
 * What was counted for launches that repeat (repeats.c) lies apart: there, several sets may have the same
 * slots, each with its arrays and the number of launches that the counts stand for.
 */
#include "gpu.h"

#define MAX_ROOTS 64 /* different ones of a kernel; further ones are not known */
#define SPARE 3       /* sets more for each kernel, and some where there are few slots */
#define SOME_SLOTS 64
#define REPEATS 32    /* sets for launches that repeat, as far as the slots go */
#define REPEAT_SLOTS 2048
#define ROWS 128
#define MAX_BYTES ((uint64_t)64 << 20) /* of all tables */

typedef struct pointer_place { int32_t parameter, offset; } pointer_place;

struct gpu_set {
  uint32_t distance;
  bool repeats;
  uint64_t launches; /* that the counts stand for */
  const gpu_replayed *replayed; /* the host's counts; NULL: they are on the GPU */
  gpu_set *next;
  uint32_t array[]; /* of each pointer */
};

struct kernel_sets {
  uint32_t pointers;
  pointer_place *pointer;
  gpu_set *_Atomic first;
  gpu_set *last;
  uint32_t tables, repeating; /* that its sets have beyond the first; of those, for launches that repeat */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int pointer_number(const kernel_sets *k, const gpu_root *r) {
  for (uint32_t n = 0; n < k->pointers; n++)
    if (k->pointer[n].parameter == r->parameter && k->pointer[n].offset == r->offset) return (int)n;
  return -1;
}

void gpu_make_sets(gpu_module *m) {
  uint32_t sites = m->unit->site_count, kernels = m->unit->kernel_count;
  const uint64_t slots = m->slots ? m->slots : 1;
  m->sets = calloc(kernels + 1, sizeof *m->sets);
  m->kernel_of = malloc((sites + 1) * sizeof *m->kernel_of);
  if (m->sets == NULL || m->kernel_of == NULL) abort();
  for (uint32_t n = 0; n < sites; n++) m->kernel_of[n] = kernels; /* of no kernel */
  for (uint32_t k = 0; k < kernels; k++) {
    const drano_kernel *kernel = &m->unit->kernels[k];
    for (uint32_t n = 0; n < kernel->site_count; n++) m->kernel_of[kernel->first_site + n] = k;
    m->sets[k].pointer = calloc(MAX_ROOTS, sizeof(pointer_place));
    if (m->sets[k].pointer == NULL) abort();
    if (m->forms[k].parameters >= 0) m->spare = SPARE + SOME_SLOTS / slots;
    if (m->forms[k].repeats >= 0 && m->sample == 0)
      m->repeating = REPEAT_SLOTS / slots < REPEATS ? REPEAT_SLOTS / slots + 1 : REPEATS;
  }
  m->height = ROWS;
  while (m->height > 1 && gpu_table_bytes(m, 1 + m->spare + m->repeating) > MAX_BYTES) m->height /= 2;
  for (uint32_t n = 0; n < m->root_count; n++) {
    const gpu_root *r = &m->roots[n];
    kernel_sets *k = &m->sets[m->kernel_of[r->site]];
    if (r->parameter >= 0 && k->pointer != NULL && k->pointers < MAX_ROOTS && pointer_number(k, r) < 0)
      k->pointer[k->pointers++] = (pointer_place){r->parameter, r->offset};
  }
}

static gpu_set *new_set(kernel_sets *k, const uint32_t *array, uint32_t distance, bool repeats) {
  gpu_set *s = calloc(1, sizeof *s + k->pointers * sizeof *array);
  if (s == NULL) abort();
  s->distance = distance;
  s->repeats = repeats;
  s->launches = repeats ? 0 : 1;
  memcpy(s->array, array, k->pointers * sizeof *array);
  if (k->last == NULL) atomic_store(&k->first, s);
  else k->last->next = s;
  return k->last = s;
}

static void arrays_of(const kernel_sets *k, void **arguments, uint32_t array[MAX_ROOTS]) {
  for (uint32_t n = 0; n < k->pointers; n++) {
    uint64_t address;
    memcpy(&address, (const char *)arguments[k->pointer[n].parameter] + k->pointer[n].offset, sizeof address);
    array[n] = gpu_array_at(address);
  }
}

/* Of those that repeat, or of the others, one with these arrays; of the others else `last` one. */
static gpu_set *set_with(const kernel_sets *k, const uint32_t *array, bool repeats, uint32_t distance,
                         const gpu_replayed *replayed, gpu_set **last) {
  for (gpu_set *s = k->first; s != NULL; s = s->next) {
    if (s->repeats != repeats || s->replayed != replayed || (repeats && s->distance != distance)) continue;
    if (memcmp(s->array, array, k->pointers * sizeof *array) == 0) return s;
    *last = s;
  }
  return NULL;
}

/* The distance of the kernel's slots in its next table. */
static uint32_t taken(gpu_module *m, kernel_sets *k) {
  if (++k->tables > m->used) m->used = k->tables;
  return (uint32_t)(k->tables * m->height * m->slots);
}

/* Those that do not count are there, too: then there is nothing to tell apart. */
uint32_t gpu_set_for(gpu_module *m, uint32_t kernel, void **arguments) {
  kernel_sets *k = &m->sets[kernel];
  const gpu_forms *own = &m->forms[kernel];
  uint32_t array[MAX_ROOTS], distance;
  arrays_of(k, arguments, array);
  pthread_mutex_lock(&lock);
  gpu_set *last = NULL, *s = set_with(k, array, false, 0, NULL, &last);
  if (s == NULL && last == NULL) {
    s = new_set(k, array, 0, false);
  } else if (s == NULL && own->parameters >= 0 && k->tables - k->repeating < m->spare) {
    s = new_set(k, array, taken(m, k), false);
  } else if (s == NULL) {
    s = last;
    for (uint32_t n = 0; n < k->pointers; n++)
      if (s->array[n] != array[n]) s->array[n] = 0;
  }
  distance = s->distance;
  pthread_mutex_unlock(&lock);
  return distance;
}

bool gpu_room_for_repeats(gpu_module *m, uint32_t kernel, uint32_t *distance) {
  kernel_sets *k = &m->sets[kernel];
  pthread_mutex_lock(&lock);
  const bool room = k->repeating < m->repeating;
  k->repeating += room;
  if (room) *distance = taken(m, k);
  pthread_mutex_unlock(&lock);
  return room;
}

gpu_set *gpu_repeat_set(gpu_module *m, uint32_t kernel, void **arguments, uint32_t distance,
                        const gpu_replayed *replayed) {
  kernel_sets *k = &m->sets[kernel];
  uint32_t array[MAX_ROOTS];
  arrays_of(k, arguments, array);
  pthread_mutex_lock(&lock);
  gpu_set *last = NULL, *s = set_with(k, array, true, distance, replayed, &last);
  if (s == NULL) (s = new_set(k, array, distance, true))->replayed = replayed;
  pthread_mutex_unlock(&lock);
  return s;
}

void gpu_stands_for_one_more(gpu_set *s) {
  pthread_mutex_lock(&lock);
  s->launches++;
  pthread_mutex_unlock(&lock);
}

uint64_t gpu_launches_of(const gpu_set *s) { return s == NULL ? 1 : s->launches; }
const gpu_replayed *gpu_replayed_of(const gpu_set *s) { return s == NULL ? NULL : s->replayed; }

const gpu_set *gpu_next_set(const gpu_module *m, uint32_t site, const gpu_set *s) {
  return s == NULL ? atomic_load(&m->sets[m->kernel_of[site]].first) : s->next;
}

uint32_t gpu_distance(const gpu_set *s) { return s == NULL ? 0 : s->distance; }

/* The array that a site accesses in launches of the set: the one that all of its roots agree on. */
uint32_t gpu_array_of(const gpu_module *m, uint32_t site, const gpu_set *s) {
  uint32_t from = 0, to = m->root_count, found = 0;
  const kernel_sets *k = &m->sets[m->kernel_of[site]];
  while (from < to) { /* the first root of the site */
    uint32_t middle = (from + to) / 2;
    if (m->roots[middle].site < (int32_t)site) from = middle + 1;
    else to = middle;
  }
  for (uint32_t n = from; n < m->root_count && m->roots[n].site == (int32_t)site; n++) {
    const gpu_root *r = &m->roots[n];
    int number = r->parameter >= 0 ? pointer_number(k, r) : -1;
    uint32_t array = r->variable >= 0 ? m->variables[r->variable] : number >= 0 && s ? s->array[number] : 0;
    if (array == 0 || (n > from && array != found)) return 0;
    found = array;
  }
  return found;
}
