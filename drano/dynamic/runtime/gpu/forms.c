/* Forms of a kernel: which one a launch gets; samples, and how many blocks of each kernel were in them.
 *
 * Beside a kernel may stand one that relies on what is proved for blocks of a shape
 * (drano/dynamic/gpu/counting/counting_calls.py): it is launched with such blocks.
 * In a module with samples the kernel itself does not count; the others do, and choose blocks by
 * themselves (drano/dynamic/gpu/counting/sampling.py). Where a launch has blocks enough that a slow one does not hold up the rest, one of those is
 * always launched. A launch of fewer takes as long as its
 * slowest block, however few are counted: one of N launches is counted whole, the first one being one.
 */
#include "gpu.h"

#define THREADS 2048 /* that a multiprocessor holds */
#define ROUNDS 32    /* of blocks on all multiprocessors, from which on blocks are sampled */

/* `plain`: the kernel itself, in a sample not counted; `any`: counted, for all launches; `proved`: where the
 * proofs hold, or NULL; `repeated`: not counted, for launches like one that was (repeats.c), or NULL. */
typedef struct kernel_forms {
  const void *plain, *any, *proved, *repeated;
  const gpu_forms *known;
  gpu_module *module;
  uint32_t threshold, launches;
} kernel_forms;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static kernel_forms *kernels;
static size_t kernel_count, kernel_room;
static uint64_t whole[MAX_DEVICES];

uint64_t gpu_whole_threads(int device) {
  int processors = 1;
  if (whole[device] == 0) {
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    whole[device] = (uint64_t)processors * THREADS * ROUNDS;
  }
  return whole[device];
}

uint32_t gpu_threshold(uint32_t sample) { return sample ? UINT32_MAX / sample : UINT32_MAX; }

static const gpu_forms *forms_of(const gpu_module *m, const char *name) {
  for (uint32_t k = 0; k < m->unit->kernel_count; k++)
    if (strcmp(m->unit->kernels[k].name, name) == 0) return &m->forms[k];
  return NULL;
}

static const char *joined(const char *a, const char *b, const char *c) {
  char *text = malloc(strlen(a) + strlen(b) + strlen(c) + 1);
  if (text == NULL) abort();
  return strcat(strcat(strcpy(text, a), b), c);
}

void gpu_register_forms(gpu_module *m, const void *host, const char *name,
                        void (*registered)(void **handle, const char *name)) {
  const gpu_forms *known = forms_of(m, name);
  if (known == NULL) return;
  const char *sampled = known->blocks >= 0 ? "_drano_sampled" : "";
  kernel_forms k = {host, host, NULL, NULL, known, m, gpu_threshold(m->sample), 0};
  if (known->blocks >= 0) registered(m->handle, k.any = joined(name, "", sampled));
  if (known->proved) registered(m->handle, k.proved = joined(name, "_drano_proved", sampled));
  if (known->repeats >= 0 && known->blocks >= 0) k.repeated = host;
  else if (known->repeats >= 0) registered(m->handle, k.repeated = joined(name, "_drano_plain", ""));
  pthread_mutex_lock(&lock);
  if (kernel_count == kernel_room) {
    kernel_room = kernel_room ? 2 * kernel_room : 64;
    kernels = realloc(kernels, kernel_room * sizeof *kernels);
    if (kernels == NULL) abort();
  }
  kernels[kernel_count++] = k;
  pthread_mutex_unlock(&lock);
}

static kernel_forms *kernel_of(const void *host) {
  for (size_t k = 0; k < kernel_count; k++)
    if (kernels[k].plain == host) return &kernels[k];
  return NULL;
}

static bool proofs_hold(const gpu_forms *known, dim3 grid, dim3 block) {
  const uint32_t *shape = known->shape;
  bool whole = shape[0] == 0 && block.x % 32 == 0;
  bool exact = block.x == shape[0] && block.y == shape[1] && block.z == shape[2];
  return (whole || exact) && (uint64_t)grid.x * block.x < 1ull << 31;
}

static uint32_t mixed(uint32_t n) {
  n = (n ^ n >> 16) * 0x7FEB352Du;
  n = (n ^ n >> 15) * 0x846CA68Bu;
  return n ^ n >> 16;
}

static bool in_sample(kernel_forms *k, uint64_t threads, int device) {
  uint32_t number = k->launches++;
  return threads > gpu_whole_threads(device) || number == 0 || mixed(number) <= k->threshold;
}

const void *gpu_choose(const void *host, dim3 grid, dim3 block) {
  const void *chosen = host;
  int device = 0;
  if (kernel_count == 0 || cudaGetDevice(&device) != cudaSuccess || device >= MAX_DEVICES) return host;
  uint64_t threads = (uint64_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
  pthread_mutex_lock(&lock);
  kernel_forms *k = kernel_of(host);
  if (k != NULL && (k->known->blocks < 0 || in_sample(k, threads, device)))
    chosen = k->proved != NULL && proofs_hold(k->known, grid, block) ? k->proved : k->any;
  pthread_mutex_unlock(&lock);
  return chosen;
}

bool gpu_is_counted(const void *host, const void *launched) {
  pthread_mutex_lock(&lock);
  const kernel_forms *k = launched == host ? kernel_of(host) : NULL;
  bool counted = k == NULL || k->any == host;
  pthread_mutex_unlock(&lock);
  return counted;
}

const void *gpu_plain_form(const void *host) {
  pthread_mutex_lock(&lock);
  const kernel_forms *k = kernel_of(host);
  const void *form = k != NULL ? k->repeated : NULL;
  pthread_mutex_unlock(&lock);
  return form;
}

gpu_module *gpu_kernel_of(const void *host, uint32_t *number) {
  pthread_mutex_lock(&lock);
  const kernel_forms *k = kernel_of(host);
  gpu_module *m = k != NULL ? k->module : NULL;
  if (m != NULL) *number = (uint32_t)(k->known - m->forms);
  pthread_mutex_unlock(&lock);
  return m;
}

void gpu_collect_blocks(const gpu_module *m, const counter_table *t) {
  for (uint32_t k = 0; m->sample != 0 && k < m->unit->kernel_count; k++) {
    kernel_record *r = gpu_record_named(m->unit->kernels[k].name);
    uint64_t sum[SLOT_FIELDS];
    if (r == NULL || m->forms[k].blocks < 0) continue;
    gpu_sum_slot(m, t, m->forms[k].blocks, sum);
    r->blocks = r->launched_blocks;
    r->sampled_blocks += sum[F_LANES];
  }
}
