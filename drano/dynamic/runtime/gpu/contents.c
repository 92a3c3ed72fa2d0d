/* Contents of arrays: who may have changed them since a launch that read them was counted.
 *
 * Every array has a stamp; what may write to it gives it another one: kernels (drano/dynamic/gpu/replay/written_arrays.py
 * says to which of their parameters' arrays), copies and fills. What writes to nobody knows what (copies of
 * several dimensions, graphs, kernels that are not ours, pointers from memory) counts for all arrays.
 * Libraries write past all this: a program that has loaded others than those named here, or calls the
 * driver itself, has no contents that can be relied on; nor has memory that the host or others share.
 */
#include "gpu.h"
#include <link.h>

static _Atomic uint64_t epoch = 1;
static _Atomic bool lost; /* somebody may write unseen */

void gpu_all_written(void) { atomic_fetch_add(&epoch, 1); }
uint64_t gpu_epoch(void) { return atomic_load(&epoch); }

static const char *const harmless[] = {
    "linux-vdso", "ld-linux", "libc.", "libm.", "libmvec", "libdl.", "librt.", "libpthread", "libstdc++", "libgcc_s",
    "libcuda.", "libcudart", "libcupti", "libnvidia-", "libgomp", "libomp", "libz.", "libutil.", "libnss_",
};

static bool is_harmless(const char *path) {
  const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
  for (size_t k = 0; k < sizeof harmless / sizeof *harmless; k++)
    if (strncmp(name, harmless[k], strlen(harmless[k])) == 0) return true;
  return false;
}

/* Whether the program itself was linked with the driver's library. */
static bool needs_driver(const struct dl_phdr_info *info) {
  const ElfW(Dyn) *dynamic = NULL;
  const char *strings = NULL;
  for (int k = 0; k < info->dlpi_phnum; k++)
    if (info->dlpi_phdr[k].p_type == PT_DYNAMIC) dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[k].p_vaddr);
  for (const ElfW(Dyn) *d = dynamic; d != NULL && d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_STRTAB) strings = (const char *)d->d_un.d_ptr;
  for (const ElfW(Dyn) *d = dynamic; strings != NULL && d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_NEEDED && strncmp(strings + d->d_un.d_val, "libcuda.", 8) == 0) return true;
  return false;
}

typedef struct looked { unsigned long long adds; bool first, harmful; } looked;

static int look_at(struct dl_phdr_info *info, size_t size, void *at) {
  looked *l = at;
  (void)size;
  const bool first = l->first;
  l->adds = info->dlpi_adds;
  l->first = false;
  if (first) l->harmful |= needs_driver(info); /* the program */
  else if (info->dlpi_name[0] != 0) l->harmful |= !is_harmless(info->dlpi_name);
  return 0;
}

static int count_loaded(struct dl_phdr_info *info, size_t size, void *at) {
  (void)size;
  *(unsigned long long *)at = info->dlpi_adds;
  return 1;
}

bool gpu_contents_are_known(void) {
  static _Atomic unsigned long long known;
  unsigned long long adds = 0;
  dl_iterate_phdr(count_loaded, &adds);
  if (adds != atomic_load(&known)) {
    looked l = {0, true, false};
    dl_iterate_phdr(look_at, &l);
    if (l.harmful) atomic_store(&lost, true);
    atomic_store(&known, l.adds);
  }
  return !atomic_load(&lost);
}

void gpu_kernel_writes(const gpu_module *m, uint32_t kernel, void **arguments) {
  if (m == NULL || arguments == NULL) {
    gpu_all_written();
    return;
  }
  for (uint32_t n = 0; n < m->touch_count; n++) {
    const gpu_touch *t = &m->touches[n];
    if (t->kernel != (int32_t)kernel || !t->writes) continue;
    if (t->parameter < 0) gpu_all_written();
    else gpu_written_at(gpu_pointer_in(arguments, t));
  }
}

uint64_t gpu_pointer_in(void **arguments, const gpu_touch *t) {
  uint64_t address;
  memcpy(&address, (const char *)arguments[t->parameter] + t->offset, sizeof address);
  return address;
}

/* --- the program's calls that write to arrays --------------------------------------------------- */

#define TO(NAME, PARAMETERS, ARGUMENTS)                \
  cudaError_t __real_##NAME PARAMETERS;                \
  cudaError_t __wrap_##NAME PARAMETERS {               \
    gpu_written_at((uint64_t)(uintptr_t)to);           \
    return __real_##NAME ARGUMENTS;                    \
  }
#define ANY(NAME, PARAMETERS, ARGUMENTS)               \
  cudaError_t __real_##NAME PARAMETERS;                \
  cudaError_t __wrap_##NAME PARAMETERS {               \
    gpu_all_written();                                 \
    return __real_##NAME ARGUMENTS;                    \
  }
#define LOSES(NAME, PARAMETERS, ARGUMENTS)             \
  cudaError_t __real_##NAME PARAMETERS;                \
  cudaError_t __wrap_##NAME PARAMETERS {               \
    atomic_store(&lost, true);                         \
    return __real_##NAME ARGUMENTS;                    \
  }
/* As it is, and with the thread's own default stream. */
#define BOTH(HOW, NAME, OTHER, PARAMETERS, ARGUMENTS) \
  HOW(NAME, PARAMETERS, ARGUMENTS)                    \
  HOW(NAME##_##OTHER, PARAMETERS, ARGUMENTS)
typedef enum cudaMemcpyKind copy_kind;
/* Not in all versions of CUDA's library. */
#define SOME(NAME, PARAMETERS) cudaError_t __real_##NAME PARAMETERS __attribute__((weak));

TO(cudaMemcpy_ptds, (void *to, const void *from, size_t n, copy_kind kind), (to, from, n, kind))
BOTH(TO, cudaMemcpyAsync, ptsz, (void *to, const void *from, size_t n, copy_kind kind, cudaStream_t s), (to, from, n, kind, s))
BOTH(TO, cudaMemset, ptds, (void *to, int value, size_t n), (to, value, n))
BOTH(TO, cudaMemsetAsync, ptsz, (void *to, int value, size_t n, cudaStream_t s), (to, value, n, s))
BOTH(ANY, cudaMemcpy2D, ptds, (void *to, size_t a, const void *from, size_t b, size_t w, size_t h, copy_kind kind),
     (to, a, from, b, w, h, kind))
BOTH(ANY, cudaMemcpy2DAsync, ptsz,
     (void *to, size_t a, const void *from, size_t b, size_t w, size_t h, copy_kind kind, cudaStream_t s),
     (to, a, from, b, w, h, kind, s))
BOTH(ANY, cudaMemcpy3D, ptds, (const struct cudaMemcpy3DParms *p), (p))
BOTH(ANY, cudaMemcpy3DAsync, ptsz, (const struct cudaMemcpy3DParms *p, cudaStream_t s), (p, s))
ANY(cudaMemcpyPeer, (void *to, int a, const void *from, int b, size_t n), (to, a, from, b, n))
ANY(cudaMemcpyPeerAsync, (void *to, int a, const void *from, int b, size_t n, cudaStream_t s), (to, a, from, b, n, s))
BOTH(ANY, cudaMemcpy3DPeer, ptds, (const struct cudaMemcpy3DPeerParms *p), (p))
BOTH(ANY, cudaMemcpy3DPeerAsync, ptsz, (const struct cudaMemcpy3DPeerParms *p, cudaStream_t s), (p, s))
BOTH(ANY, cudaMemset2D, ptds, (void *to, size_t a, int value, size_t w, size_t h), (to, a, value, w, h))
BOTH(ANY, cudaMemset2DAsync, ptsz, (void *to, size_t a, int value, size_t w, size_t h, cudaStream_t s), (to, a, value, w, h, s))
BOTH(ANY, cudaMemset3D, ptds, (struct cudaPitchedPtr to, int value, struct cudaExtent e), (to, value, e))
BOTH(ANY, cudaMemset3DAsync, ptsz, (struct cudaPitchedPtr to, int value, struct cudaExtent e, cudaStream_t s), (to, value, e, s))
BOTH(ANY, cudaMemcpyFromSymbol, ptds, (void *to, const void *from, size_t n, size_t at, copy_kind kind), (to, from, n, at, kind))
BOTH(ANY, cudaMemcpyFromSymbolAsync, ptsz,
     (void *to, const void *from, size_t n, size_t at, copy_kind kind, cudaStream_t s), (to, from, n, at, kind, s))
#define OLD(NAME, PARAMETERS, ARGUMENTS) SOME(NAME, PARAMETERS) ANY(NAME, PARAMETERS, ARGUMENTS)
BOTH(OLD, cudaMemcpyFromArray, ptds, (void *to, cudaArray_const_t from, size_t a, size_t b, size_t n, copy_kind kind),
     (to, from, a, b, n, kind))
BOTH(OLD, cudaMemcpyFromArrayAsync, ptsz,
     (void *to, cudaArray_const_t from, size_t a, size_t b, size_t n, copy_kind kind, cudaStream_t s),
     (to, from, a, b, n, kind, s))
BOTH(ANY, cudaMemcpy2DFromArray, ptds,
     (void *to, size_t p, cudaArray_const_t from, size_t a, size_t b, size_t w, size_t h, copy_kind kind),
     (to, p, from, a, b, w, h, kind))
BOTH(ANY, cudaMemcpy2DFromArrayAsync, ptsz,
     (void *to, size_t p, cudaArray_const_t from, size_t a, size_t b, size_t w, size_t h, copy_kind kind, cudaStream_t s),
     (to, p, from, a, b, w, h, kind, s))
BOTH(ANY, cudaGraphLaunch, ptsz, (cudaGraphExec_t graph, cudaStream_t s), (graph, s))
LOSES(cudaIpcGetMemHandle, (cudaIpcMemHandle_t *handle, void *at), (handle, at))
/* CUDA 12 has one parameter more; what is not there is passed on. */
SOME(cudaGetDriverEntryPoint, (const char *, void **, unsigned long long, void *))
LOSES(cudaGetDriverEntryPoint, (const char *name, void **f, unsigned long long flags, void *status), (name, f, flags, status))

/* Newer than the headers: up to ten words are handed on. */
typedef long word;
#define NEWER(NAME)                                                                                          \
  cudaError_t __real_##NAME(word, word, word, word, word, word, word, word, word, word) __attribute__((weak)); \
  cudaError_t __wrap_##NAME(word a, word b, word c, word d, word e, word f, word g, word h, word i, word j) {  \
    atomic_store(&lost, true);                                                                               \
    return __real_##NAME(a, b, c, d, e, f, g, h, i, j);                                                      \
  }
NEWER(cudaMemcpyBatchAsync)
NEWER(cudaMemcpy3DBatchAsync)
NEWER(cudaMemcpyWithAttributesAsync)
NEWER(cudaMemcpy3DWithAttributesAsync)
NEWER(cudaGetDriverEntryPointByVersion)
