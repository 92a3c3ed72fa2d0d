/* Variables in managed memory: the pointers by which the host's code reaches them (drano/dynamic/gpu/managed.py).
 *
 * CUDA's library sets them when it loads the module: that is asked for as soon as the module is registered,
 * before the program begins.
 */
#include "gpu.h"

typedef struct managed_variable { void **slot; const char *name; uint64_t bytes; } managed_variable;

void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int external,
                              size_t bytes, int constant, int global);
char __cudaInitModule(void **handle);
void __real___cudaRegisterFatBinaryEnd(void **handle);

static struct { const char *unit; const managed_variable *variables; uint32_t count; } known[MAX_UNITS];
static uint32_t known_count;

/* Called by constructors before any module is registered. `unit`: "" where device code is linked. */
void drano_register_managed(const char *unit, const managed_variable *variables, uint32_t count) {
  if (known_count == MAX_UNITS) return;
  known[known_count].unit = unit;
  known[known_count].variables = variables;
  known[known_count++].count = count;
}

static uint32_t tell(void **handle, const managed_variable *v, const char *name) {
  if (name != NULL) __cudaRegisterManagedVar(handle, v->slot, (char *)name, name, 0, v->bytes, 0, 0);
  return name != NULL;
}

void gpu_end_module(void **handle, const char *unit, const char *const *names, uint32_t count) {
  uint32_t told = 0;
  for (uint32_t n = 0; n < known_count; n++)
    for (uint32_t k = 0; k < known[n].count && strcmp(known[n].unit, unit) == 0; k++) {
      const managed_variable *v = &known[n].variables[k];
      told += tell(handle, v, names != NULL ? gpu_device_name(v->name, names, count) : v->name);
    }
  __real___cudaRegisterFatBinaryEnd(handle);
  if (told != 0) __cudaInitModule(handle);
}

void __wrap___cudaRegisterFatBinaryEnd(void **handle) {
  const gpu_module *m = gpu_module_of(handle);
  if (m != NULL && *m->id) gpu_end_module(handle, m->id, NULL, 0);
  else __real___cudaRegisterFatBinaryEnd(handle);
}
