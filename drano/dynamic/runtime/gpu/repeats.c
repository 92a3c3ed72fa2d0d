/* Launches that need not be counted, as one like them was.
 *
 * What a repeatable kernel (drano/dynamic/gpu/replay/repeatable.py) counts is decided by its key: the shapes and
 * the bytes of its parameters (of a pointer that stands for an array only its place in a line), and the
 * contents of arrays that it reads indices from, as their stamps tell them (contents.c). The first
 * launch with a key is counted, by the host if it can (replay.c), else into a set of counters of its own. Others
 * are of the kernel as it is without counting, `K_drano_plain`: the counts are told to stand for one launch more.
 * Launches into a graph are counted as ever: nobody knows how often they run. There is room for some keys
 * of each kernel; launches with further ones are counted as ever, too. DRANO_REPEATS=0: all launches are.
 * In a sample only what the host counts repeats: then all blocks of these launches are in it.
 */
#include "replay.h"

#define MAX_KEYS 64       /* of a kernel, that are counted on the GPU, */
#define MAX_REPLAYED 4096 /* and by the host */
#define BUCKETS 256
#define MAX_KEY 4500  /* bytes: parameters are 4 KB at most */
#define MAX_CONTENTS 16

enum { BEGUN, COUNTED, GONE };
typedef struct launch_key {
  uint64_t hash;
  uint32_t bytes, state, distance;
  gpu_replayed *replayed; /* the host counts it, or has; NULL: the GPU */
  struct launch_key *next;
  unsigned char key[];
} launch_key;

struct gpu_repeats { launch_key *first[BUCKETS]; uint32_t on_gpu, on_host; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool wanted(void) {
  static int known; /* 1: yes, 2: no */
  const char *text = known ? NULL : getenv("DRANO_REPEATS");
  if (!known) known = text != NULL && strcmp(text, "0") == 0 ? 2 : 1;
  return known == 1;
}

typedef struct key_text { uint32_t bytes; unsigned char at[MAX_KEY]; } key_text;

static bool put(key_text *k, const void *data, size_t bytes) {
  if (k->bytes + bytes > MAX_KEY) return false;
  memcpy(&k->at[k->bytes], data, bytes);
  k->bytes += (uint32_t)bytes;
  return true;
}

static bool key_of(const gpu_module *m, const gpu_forms *own, dim3 grid, dim3 block, size_t shared, int device,
                   void **arguments, key_text *k) {
  const uint64_t head[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, (uint64_t)device};
  bool fits = put(k, head, sizeof head);
  for (int32_t n = 0; n < own->deciding && fits; n++) {
    const gpu_parameter *p = &m->parameters[own->repeats + n];
    uint64_t address;
    if (!p->place) {
      fits = put(k, arguments[n], p->bytes);
      continue;
    }
    memcpy(&address, arguments[n], sizeof address);
    address %= 128;
    fits = put(k, &address, 1);
  }
  return fits;
}

static bool same_pointer(const gpu_touch *a, const gpu_touch *b) {
  return a->parameter == b->parameter && a->offset == b->offset;
}

/* The contents that it depends on. None may be known, or the kernel itself may change one: `changes`, if by the
 * same pointer. */
static bool put_contents(const gpu_module *m, uint32_t kernel, void **arguments, key_text *k, bool *changes) {
  uint64_t stamps[MAX_CONTENTS];
  const gpu_touch *read[MAX_CONTENTS];
  uint32_t count = 0;
  *changes = false;
  for (uint32_t n = 0; n < m->touch_count; n++) {
    const gpu_touch *t = &m->touches[n];
    if (t->kernel != (int32_t)kernel || t->writes) continue;
    if (count == MAX_CONTENTS) return false;
    read[count] = t;
    if ((stamps[count++] = gpu_stamp_at(gpu_pointer_in(arguments, t))) == 0) return false;
  }
  if (count == 0) return true;
  for (uint32_t n = 0; n < m->touch_count; n++) {
    const gpu_touch *t = &m->touches[n];
    if (t->kernel != (int32_t)kernel || !t->writes) continue;
    if (t->parameter < 0) return false;
    const uint64_t stamp = gpu_stamp_at(gpu_pointer_in(arguments, t));
    for (uint32_t c = 0; c < count; c++)
      if (stamps[c] == stamp && !same_pointer(read[c], t)) return false;
      else if (stamps[c] == stamp) *changes = true;
  }
  const uint64_t all = gpu_epoch();
  return gpu_contents_are_known() && put(k, stamps, count * sizeof *stamps) && put(k, &all, sizeof all);
}

static uint64_t hash_of(const key_text *k) {
  uint64_t hash = 0xCBF29CE484222325ull;
  for (uint32_t n = 0; n < k->bytes; n++) hash = (hash ^ k->at[n]) * 0x100000001B3ull;
  return hash;
}

static launch_key *found(gpu_repeats *all, const key_text *k, uint64_t hash) {
  for (launch_key *l = all->first[hash % BUCKETS]; l != NULL; l = l->next)
    if (l->hash == hash && l->state != GONE && l->bytes == k->bytes && memcmp(l->key, k->at, k->bytes) == 0) return l;
  return NULL;
}

static launch_key *added(gpu_repeats *all, const key_text *k, uint64_t hash, uint32_t distance,
                         gpu_replayed *replayed) {
  launch_key *l = malloc(sizeof *l + k->bytes);
  if (l == NULL) abort();
  *l = (launch_key){hash, k->bytes, BEGUN, distance, replayed, all->first[hash % BUCKETS]};
  memcpy(l->key, k->at, k->bytes);
  if (replayed != NULL) all->on_host++;
  else all->on_gpu++;
  return all->first[hash % BUCKETS] = l;
}

void gpu_repeat_start(gpu_repeat *r, gpu_module *m, uint32_t kernel, int device, dim3 grid, dim3 block, size_t shared,
                      void **arguments, cudaStream_t stream) {
  const gpu_forms *own = &m->forms[kernel];
  key_text k = {0};
  *r = (gpu_repeat){0};
  if (own->repeats < 0 || !wanted()) return;
  bool changes;
  if (!key_of(m, own, grid, block, shared, device, arguments, &k) || !put_contents(m, kernel, arguments, &k, &changes))
    return;
  const uint64_t hash = hash_of(&k);
  pthread_mutex_lock(&lock);
  if (m->repeats == NULL) m->repeats = calloc(m->unit->kernel_count, sizeof *m->repeats);
  gpu_repeats *all = m->repeats != NULL ? &m->repeats[kernel] : NULL;
  launch_key *l = all != NULL ? found(all, &k, hash) : NULL;
  uint32_t distance;
  if (l != NULL && l->state == BEGUN) {
    l = NULL; /* another thread is about to launch it */
  } else if (l == NULL && all != NULL) {
    gpu_replayed *replayed = NULL;
    if (all->on_host < MAX_REPLAYED)
      replayed = gpu_replay_start(m, kernel, grid, block, shared, arguments, stream);
    if (replayed != NULL) l = added(all, &k, hash, 0, replayed);
    else if (m->sample == 0 && !changes && all->on_gpu < MAX_KEYS && gpu_room_for_repeats(m, kernel, &distance))
      l = added(all, &k, hash, distance, NULL);
  }
  if (l != NULL) {
    r->key = l;
    r->repeated = l->state == COUNTED || l->replayed != NULL;
    r->set = gpu_repeat_set(m, kernel, arguments, l->distance, l->replayed);
    r->distance = l->distance;
  }
  pthread_mutex_unlock(&lock);
}

/* What became of the launch. One that failed counted nothing. */
void gpu_repeat_end(gpu_repeat *r, bool launched) {
  if (r->key == NULL) return;
  pthread_mutex_lock(&lock);
  if (launched) gpu_stands_for_one_more(r->set);
  if (r->key->state == BEGUN) {
    if (r->key->replayed != NULL) gpu_replay_end(r->key->replayed, launched);
    r->key->state = launched ? COUNTED : GONE;
  }
  pthread_mutex_unlock(&lock);
  r->key = NULL;
}

/* Variables may lie elsewhere after a reset. */
void gpu_forget_repeats(void) {
  pthread_mutex_lock(&lock);
  for (uint32_t k = 0; k < atomic_load(&gpu_module_count); k++) {
    gpu_module *m = gpu_modules[k];
    m->variables_of = 0;
    for (uint32_t n = 0; m->repeats != NULL && n < m->unit->kernel_count; n++)
      for (uint32_t b = 0; b < BUCKETS; b++)
        for (launch_key *l = m->repeats[n].first[b]; l != NULL; l = l->next) l->state = GONE;
  }
  pthread_mutex_unlock(&lock);
}
