/* Units of device code, and how the host names their kernels and variables.
 *
 * clang's module constructor registers each kernel and variable of a host object by the address of
 * its host stand-in and its device name. In place of a GPU binary the object holds "drano:<unit id>",
 * so that equal names of two units are never confused. Units and host objects are registered by
 * constructors in any order; they find each other when first needed.
 */
#include "drano_runtime.h"

struct drano_module {
  char id[80];
  drano_unit *unit;
};

typedef struct fat_binary { int magic, version; const char *data; void *unused; } fat_binary;

drano_unit *drano_units[MAX_UNITS];
_Atomic uint32_t drano_unit_count, drano_site_count, drano_work_count;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Open hash tables by host address; they only grow. */
typedef struct table { void **slots; size_t room, used, entry; } table;
static table functions = {.entry = sizeof(host_function)}, variables = {.entry = sizeof(host_variable)};

static size_t slot_of(const table *t, const void *key) {
  size_t at = (size_t)(((uintptr_t)key * 0x9E3779B97F4A7C15u) >> 20) & (t->room - 1);
  while (t->slots[at] != NULL && *(const void **)t->slots[at] != key) at = (at + 1) & (t->room - 1);
  return at;
}

static void *look_up(const table *t, const void *key) {
  return t->room ? t->slots[slot_of(t, key)] : NULL;
}

static void *insert(table *t, const void *key) {
  if (2 * (t->used + 1) > t->room) {
    table old = *t;
    t->room = old.room ? old.room * 2 : 256;
    t->slots = calloc(t->room, sizeof *t->slots);
    if (t->slots == NULL) abort();
    for (size_t k = 0; k < old.room; k++)
      if (old.slots[k] != NULL) t->slots[slot_of(t, *(const void **)old.slots[k])] = old.slots[k];
    free(old.slots);
  }
  size_t at = slot_of(t, key);
  if (t->slots[at] == NULL) {
    t->slots[at] = calloc(1, t->entry);
    if (t->slots[at] == NULL) abort();
    *(const void **)t->slots[at] = key;
    t->used++;
  }
  return t->slots[at];
}

/* --- units ---------------------------------------------------------------------------------- */

void drano_register_unit(drano_unit *unit) {
  if (unit->abi != DRANO_ABI) {
    drano_say("error: a unit was compiled by another version of drano; compile it again");
    _Exit(2);
  }
  drano_start();
  pthread_mutex_lock(&lock);
  uint32_t count = atomic_load(&drano_unit_count);
  for (uint32_t k = 0; k < count; k++)
    if (drano_units[k] == unit) goto done;
  if (count == MAX_UNITS) {
    drano_say("error: more than %d units of device code", MAX_UNITS);
    _Exit(2);
  }
  unit->site_base = atomic_load(&drano_site_count);
  unit->proofs = calloc(unit->site_count + 1, sizeof *unit->proofs);
  if (unit->proofs == NULL) abort();
  atomic_store(&drano_site_count, unit->site_base + unit->site_count);
  unit->work_base = atomic_load(&drano_work_count);
  atomic_store(&drano_work_count, unit->work_base + unit->block_count);
  drano_units[count] = unit;
  atomic_store(&drano_unit_count, count + 1);
  for (uint32_t k = 0; k < unit->variable_count; k++) {
    const drano_variable *v = &unit->variables[k];
    if (v->space != 3 && v->address != NULL)
      drano_add_range((uint64_t)(uintptr_t)v->address, v->bytes, MEM_VARIABLE, v->name);
  }
done:
  pthread_mutex_unlock(&lock);
}

static drano_unit *unit_of(drano_module *m) {
  if (m->unit != NULL) return m->unit;
  uint32_t count = atomic_load(&drano_unit_count);
  for (uint32_t k = 0; k < count; k++)
    if (strcmp(drano_units[k]->id, m->id) == 0) return m->unit = drano_units[k];
  return NULL;
}

/* --- what clang's constructors call --------------------------------------------------------- */

void **__cudaRegisterFatBinary(const void *wrapper) {
  const fat_binary *binary = wrapper;
  drano_module *m = calloc(1, sizeof *m);
  if (m == NULL) abort();
  drano_start();
  if (binary->data != NULL && strncmp(binary->data, "drano:", 6) == 0)
    snprintf(m->id, sizeof m->id, "%s", binary->data + 6);
  else
    drano_say("warning: an object holds GPU code that was not compiled by `drano cc`; its kernels "
              "cannot be launched");
  return (void **)m;
}

void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }

void __cudaUnregisterFatBinary(void **handle) { (void)handle; }

/* The kernel of that name: in its own unit, else (linked device code) in the first that has it. */
static void find_kernel(host_function *f) {
  drano_unit *own = unit_of(f->module);
  uint32_t count = atomic_load(&drano_unit_count);
  for (uint32_t n = 0; n <= count; n++) {
    drano_unit *u = n == 0 ? own : drano_units[n - 1];
    for (uint32_t k = 0; u != NULL && k < u->kernel_count; k++) {
      if (strcmp(u->kernels[k].name, f->name) != 0) continue;
      f->unit = u;
      f->kernel = &u->kernels[k];
      return;
    }
  }
}

int __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit,
                           void *tid, void *bid, void *block, void *grid, int *warp) {
  (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
  pthread_mutex_lock(&lock);
  host_function *f = insert(&functions, host);
  f->module = (drano_module *)handle;
  f->name = name;
  f->max_dynamic_shared = 48 * 1024;
  f->carveout = -1;
  pthread_mutex_unlock(&lock);
  return 0;
}

static host_variable *add_variable(void **handle, const void *host, const char *name, int kind) {
  pthread_mutex_lock(&lock);
  host_variable *v = insert(&variables, host);
  v->module = (drano_module *)handle;
  v->name = name;
  v->kind = kind;
  pthread_mutex_unlock(&lock);
  return v;
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
                       size_t bytes, int constant, int global) {
  (void)device, (void)external, (void)constant, (void)global;
  add_variable(handle, host, name, 0)->bytes = bytes;
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int external,
                              size_t bytes, int constant, int global) {
  (void)device, (void)external, (void)constant, (void)global;
  add_variable(handle, host, name, 0)->bytes = bytes;
}

void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name,
                           int dims, int normalized, int external) {
  (void)device, (void)external;
  host_variable *v = add_variable(handle, host, name, 1);
  v->dims = dims;
  v->normalized = normalized;
}

void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name,
                           int dims, int external) {
  (void)device, (void)external;
  add_variable(handle, host, name, 2)->dims = dims;
}

char __cudaInitModule(void **handle) {
  (void)handle;
  return 0;
}

/* With relocatable device code clang leaves a table of entries instead, which the linker joins: all
 * units are one program then, names alone decide; what is static has its unit's id in its name. */
typedef struct offload_entry {
  uint64_t reserved; uint16_t version, kind; uint32_t flags;
  void *address; const char *name; uint64_t bytes, data; void *more;
} offload_entry;
extern offload_entry __start_llvm_offload_entries[] __attribute__((weak, visibility("hidden")));
extern offload_entry __stop_llvm_offload_entries[] __attribute__((weak, visibility("hidden")));
enum { ENTRY_KIND = 7, ENTRY_MANAGED = 1, ENTRY_SURFACE = 2, ENTRY_TEXTURE = 3, ENTRY_NORMALIZED = 32 };

static drano_module *module_named(const char *id) {
  drano_module *m = calloc(1, sizeof *m);
  if (m == NULL) abort();
  snprintf(m->id, sizeof m->id, "%s", id);
  return m;
}

static void adopt_entries(void) {
  static drano_module none;
  for (offload_entry *e = __start_llvm_offload_entries; e < __stop_llvm_offload_entries; e++) {
    int kind = (int)(e->flags & ENTRY_KIND);
    if (e->kind > 4) continue; /* OpenMP's are not ours */
    const char *name = e->name, *suffix = strstr(name, "__intern__"); /* clang's, of what is static */
    if (suffix == NULL) suffix = strstr(name, "__static__");
    void **module = (void **)(suffix != NULL ? module_named(suffix + strlen("__intern__")) : &none);
    if (suffix != NULL) name = strndup(name, (size_t)(suffix - name));
    if (e->bytes == 0 && kind == 0)
      __cudaRegisterFunction(module, e->address, NULL, name, -1, NULL, NULL, NULL, NULL, NULL);
    else if (kind == ENTRY_TEXTURE)
      __cudaRegisterTexture(module, e->address, NULL, name, (int)e->data,
                            (e->flags & ENTRY_NORMALIZED) != 0, 0);
    else if (kind == ENTRY_SURFACE)
      __cudaRegisterSurface(module, e->address, NULL, name, (int)e->data, 0);
    else
      __cudaRegisterVar(module, e->address, NULL, name, 0, e->bytes, 0, 0);
  }
}

static pthread_once_t adopted = PTHREAD_ONCE_INIT;

/* --- look-ups ------------------------------------------------------------------------------- */

host_function *drano_host_function(const void *host) {
  pthread_once(&adopted, adopt_entries);
  host_function *f = look_up(&functions, host);
  if (f != NULL && f->kernel == NULL) find_kernel(f);
  return f;
}

host_variable *drano_host_variable(const void *host) {
  pthread_once(&adopted, adopt_entries);
  host_variable *v = look_up(&variables, host);
  if (v == NULL || v->address != NULL) return v;
  drano_unit *own = unit_of(v->module);
  uint32_t count = atomic_load(&drano_unit_count);
  for (uint32_t n = 0; n <= count; n++) {
    drano_unit *u = n == 0 ? own : drano_units[n - 1];
    for (uint32_t k = 0; u != NULL && k < u->variable_count; k++)
      if (strcmp(u->variables[k].name, v->name) == 0 && u->variables[k].address != NULL) {
        v->address = u->variables[k].address;
        if (v->bytes == 0) v->bytes = u->variables[k].bytes;
        return v;
      }
  }
  return v;
}
