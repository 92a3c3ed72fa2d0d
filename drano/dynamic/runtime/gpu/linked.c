/* Device code of several units that was linked: the host's tables of its kernels and variables.
 *
 * With relocatable device code clang registers nothing by itself: each host object has a table of entries,
 * which the linker joins; here CUDA's library is told of them, as of parts of one fat binary. What is static
 * has a suffix of clang's in the tables; in the device code only where two units have it
 * (drano/dynamic/gpu/linking/one_module.py). Entries of what is not in the device code are of units that this part of
 * the program does not hold.
 */
#include "gpu.h"

typedef struct offload_entry {
  uint64_t reserved; uint16_t version, kind; uint32_t flags;
  void *address; const char *name; uint64_t bytes, data; void *more;
} offload_entry;
enum { ENTRY_KIND = 7, ENTRY_SURFACE = 2, ENTRY_TEXTURE = 3, ENTRY_EXTERN = 8, ENTRY_CONSTANT = 16,
       ENTRY_NORMALIZED = 32, LAST_KIND = 4 };

void **__wrap___cudaRegisterFatBinary(const void *wrapper);
int __wrap___cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit,
                                  void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
                       size_t bytes, int constant, int global);
#if CUDART_VERSION < 12000
void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name,
                           int dims, int normalized, int external);
void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name,
                           int dims, int external);
#endif

static const char *among(const char *const *names, uint32_t count, const char *name, size_t length) {
  for (uint32_t k = 0; k < count; k++)
    if (strncmp(names[k], name, length) == 0 && names[k][length] == 0) return names[k];
  return NULL;
}

const char *gpu_device_name(const char *name, const char *const *names, uint32_t count) {
  const char *found = among(names, count, name, strlen(name));
  const char *suffix = strstr(name, "__intern__");
  if (suffix == NULL) suffix = strstr(name, "__static__");
  return found == NULL && suffix != NULL ? among(names, count, name, (size_t)(suffix - name)) : found;
}

/* Two units have an entry each for what both have a copy of, such as templates. */
static bool is_again(const offload_entry *first, const offload_entry *e) {
  for (; first < e; first++)
    if (first->address == e->address) return true;
  return false;
}

static void register_reference(void **handle, const offload_entry *e, const char *name) {
#if CUDART_VERSION < 12000
  const int external = (e->flags & ENTRY_EXTERN) != 0;
  if ((e->flags & ENTRY_KIND) == ENTRY_TEXTURE)
    __cudaRegisterTexture(handle, e->address, (const void **)name, name, (int)e->data,
                          (e->flags & ENTRY_NORMALIZED) != 0, external);
  else
    __cudaRegisterSurface(handle, e->address, (const void **)name, name, (int)e->data, external);
#else
  (void)handle, (void)e;
  drano_say("error: %s is a texture or surface reference: CUDA has none since version 12", name);
#endif
}

void drano_register_linked(const void *wrapper, const offload_entry *first, const offload_entry *end,
                           const char *const *names, uint32_t count) {
  void **handle = __wrap___cudaRegisterFatBinary(wrapper);
  for (const offload_entry *e = first; e < end; e++) {
    const int kind = (int)(e->flags & ENTRY_KIND), external = (e->flags & ENTRY_EXTERN) != 0;
    const char *name = e->kind <= LAST_KIND && !is_again(first, e) ? gpu_device_name(e->name, names, count) : NULL;
    if (name == NULL) continue;
    if (e->bytes == 0 && kind == 0)
      __wrap___cudaRegisterFunction(handle, e->address, (char *)name, name, -1, NULL, NULL, NULL, NULL, NULL);
    else if (kind == ENTRY_TEXTURE || kind == ENTRY_SURFACE)
      register_reference(handle, e, name);
    else
      __cudaRegisterVar(handle, e->address, (char *)name, name, external, e->bytes,
                        (e->flags & ENTRY_CONSTANT) != 0, 0);
  }
  gpu_end_module(handle, "", names, count);
}
