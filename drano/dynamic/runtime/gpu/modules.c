/* Device code as clang's constructors register it: whose counters it has, and names of its kernels. */
#include "gpu.h"
#include "../proved.h"
#include "../reuse.h"

drano_unit *drano_units[MAX_UNITS];
_Atomic uint32_t drano_unit_count, drano_site_count, drano_work_count;
gpu_module *gpu_modules[MAX_MODULES];
_Atomic uint32_t gpu_module_count;
_Atomic int drano_stopping;
_Thread_local drano_warp *drano_current_warp;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void **__real___cudaRegisterFatBinary(const void *wrapper);
void __real___cudaRegisterFatBinaryEnd(void **handle);
int __real___cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit,
                                  void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
                       size_t bytes, int constant, int global);

/* Without a GPU nothing of the program can be measured: say so once, before it starts. */
static void require_gpu(void) {
  static bool asked;
  if (asked) return;
  asked = true;
  int count = 0;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) return;
  drano_say("error: this program was compiled for a GPU and there is none that it can use: %s",
            error == cudaSuccess ? "no CUDA-capable device" : cudaGetErrorString(error));
  _Exit(2);
}

void drano_register_unit(drano_unit *unit) {
  if (unit->abi != DRANO_ABI) {
    drano_say("error: a unit was compiled by another version of drano; compile it again");
    exit(2);
  }
  require_gpu();
  drano_start();
  pthread_mutex_lock(&lock);
  uint32_t count = atomic_load(&drano_unit_count);
  if (count < MAX_UNITS) {
    unit->site_base = atomic_load(&drano_site_count);
    atomic_store(&drano_site_count, unit->site_base + unit->site_count);
    unit->work_base = atomic_load(&drano_work_count);
    atomic_store(&drano_work_count, unit->work_base + unit->block_count);
    drano_units[count] = unit;
    atomic_store(&drano_unit_count, count + 1);
  }
  pthread_mutex_unlock(&lock);
}

/* Proofs are used in code: wherever there are any. */
bool drano_was_proved(const drano_unit *u, uint32_t site) { return u->sites[site].pattern_count != 0; }

/* What blocks read again is measured on the CPU. */
drano_reuse_record drano_reuse_records[DRANO_MAX_REUSE];
_Atomic uint32_t drano_reuse_count;

static struct {
  const drano_unit *unit;
  const gpu_place *places;
  const gpu_forms *forms;
  const gpu_root *roots;
  const gpu_parameter *parameters;
  const gpu_touch *touches;
  const uint32_t *variables;
  uint32_t slots, sample, root_count, visits, touch_count, questions;
} placed[MAX_UNITS];
static uint32_t placed_count;

void drano_register_places(const drano_unit *unit, const gpu_place *places, uint32_t slots,
                           const gpu_forms *forms, uint32_t sample, const gpu_parameter *parameters,
                           const gpu_touch *touches, uint32_t touch_count) {
  pthread_mutex_lock(&lock);
  if (placed_count < MAX_UNITS) {
    placed[placed_count].unit = unit;
    placed[placed_count].places = places;
    placed[placed_count].forms = forms;
    placed[placed_count].sample = sample;
    placed[placed_count].parameters = parameters;
    placed[placed_count].touches = touches;
    placed[placed_count].touch_count = touch_count;
    placed[placed_count++].slots = slots;
  }
  pthread_mutex_unlock(&lock);
}

/* Of a unit whose blocks are counted: the slot of the first. Called after drano_register_places. */
void drano_register_visits(const drano_unit *unit, uint32_t first) {
  pthread_mutex_lock(&lock);
  for (uint32_t n = 0; n < placed_count; n++)
    if (placed[n].unit == unit) placed[n].visits = first;
  pthread_mutex_unlock(&lock);
}

/* Likewise, of a unit that asks. */
void drano_register_questions(const drano_unit *unit, uint32_t count) {
  pthread_mutex_lock(&lock);
  for (uint32_t n = 0; n < placed_count; n++)
    if (placed[n].unit == unit) placed[n].questions = count;
  pthread_mutex_unlock(&lock);
}

static const uint32_t *variables_of(const drano_unit *u) {
  uint32_t *arrays = calloc(u->variable_count + 1, sizeof *arrays);
  for (uint32_t k = 0; arrays != NULL && k < u->variable_count; k++) {
    const drano_variable *v = &u->variables[k];
    arrays[k] = drano_array_grows(v->name, "__device__", NULL, MEM_VARIABLE, v->bytes);
  }
  return arrays;
}

/* Called after drano_register_places. */
void drano_register_roots(const drano_unit *unit, const gpu_root *roots, uint32_t count) {
  const uint32_t *variables = variables_of(unit);
  pthread_mutex_lock(&lock);
  for (uint32_t n = 0; n < placed_count; n++)
    if (placed[n].unit == unit) {
      placed[n].roots = roots;
      placed[n].root_count = variables ? count : 0;
      placed[n].variables = variables;
    }
  pthread_mutex_unlock(&lock);
}

drano_unit *gpu_unit_of(gpu_module *m) {
  uint32_t count = atomic_load(&drano_unit_count);
  for (uint32_t k = 0; k < count && m->unit == NULL && *m->id; k++)
    if (strcmp(drano_units[k]->id, m->id) == 0) {
      m->unit = drano_units[k];
      for (uint32_t n = 0; n < placed_count; n++)
        if (placed[n].unit == m->unit) {
          m->places = placed[n].places;
          m->slots = placed[n].slots;
          m->forms = placed[n].forms;
          m->sample = placed[n].sample;
          m->visits = placed[n].visits;
          m->parameters = placed[n].parameters;
          m->touches = placed[n].touches;
          m->touch_count = placed[n].touch_count;
          m->roots = placed[n].roots;
          m->root_count = placed[n].root_count;
          m->variables = placed[n].variables;
          m->questions = placed[n].questions;
          gpu_make_sets(m);
        }
    }
  return m->unit;
}

gpu_module *gpu_module_of(void **handle) {
  uint32_t count = atomic_load(&gpu_module_count);
  for (uint32_t k = 0; k < count; k++)
    if (gpu_modules[k]->handle == handle) return gpu_modules[k];
  return NULL;
}

typedef struct fat_wrapper { int magic, version; const char *data; void *unused; } fat_wrapper;

/* Behind the fat binary stands the unit's identity (drano/dynamic/gpu/linking/fatbin.py). */
static void identify(gpu_module *m, const char *data) {
  uint32_t magic;
  uint16_t head;
  uint64_t bytes;
  memcpy(&magic, data, 4);
  memcpy(&head, data + 6, 2);
  memcpy(&bytes, data + 8, 8);
  if (magic != 0xBA55ED50u) return;
  const char *id = data + head + bytes;
  if (strncmp(id, "drano:", 6) == 0) snprintf(m->id, sizeof m->id, "%s", id + 6);
}

void **__wrap___cudaRegisterFatBinary(const void *wrapper) {
  void **handle = __real___cudaRegisterFatBinary(wrapper);
  gpu_module *m = calloc(1, sizeof *m);
  uint32_t count = atomic_load(&gpu_module_count);
  if (m == NULL || count == MAX_MODULES) return handle;
  m->handle = handle;
  identify(m, ((const fat_wrapper *)wrapper)->data);
  if (*m->id) {
    __cudaRegisterVar(handle, &m->rows, "drano_rows", "drano_rows", 0, 8, 1, 0);
    __cudaRegisterVar(handle, &m->row_length, "drano_row_length", "drano_row_length", 0, 4, 1, 0);
    __cudaRegisterVar(handle, &m->row_mask, "drano_row_mask", "drano_row_mask", 0, 4, 1, 0);
    __cudaRegisterVar(handle, &m->whole, "drano_whole", "drano_whole", 0, 8, 1, 0);
    __cudaRegisterVar(handle, &m->variable_table, "drano_variables", "drano_variables", 0, 8 * MAX_VARIABLES, 0, 0);
    __cudaRegisterVar(handle, &m->threshold, "drano_threshold", "drano_threshold", 0, 4, 1, 0);
  }
  gpu_modules[count] = m;
  atomic_store(&gpu_module_count, count + 1);
  return handle;
}

/* The name stands for its address, too. */
static void register_form(void **handle, const char *name) {
  __real___cudaRegisterFunction(handle, name, (char *)name, name, -1, NULL, NULL, NULL, NULL, NULL);
}

int __wrap___cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit,
                                  void *tid, void *bid, void *block, void *grid, int *warp) {
  gpu_name_function(host, name);
  int error = __real___cudaRegisterFunction(handle, host, device, name, limit, tid, bid, block, grid, warp);
  gpu_module *m = gpu_module_of(handle);
  if (m != NULL && gpu_unit_of(m) != NULL) {
    gpu_register_forms(m, host, name, register_form);
    gpu_register_questions(m, register_form);
  }
  return error;
}
