/* Launches: which kernels ran, how often, in which shapes. Counting follows from the code itself. */
#include "gpu.h"

kernel_record *_Atomic drano_kernel_records[MAX_KERNELS];
_Atomic uint32_t drano_kernel_record_count;
fault_record drano_faults[MAX_FAULTS];
_Atomic uint32_t drano_fault_count;
unsupported_call drano_unsupported_calls[1];
_Atomic uint32_t drano_unsupported_count;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct named { const void *host; const char *name; kernel_record *record; } named;
static named *names;
static size_t name_count, name_room;

void gpu_name_function(const void *host, const char *name) {
  pthread_mutex_lock(&lock);
  if (name_count == name_room) {
    name_room = name_room ? 2 * name_room : 64;
    names = realloc(names, name_room * sizeof *names);
    if (names == NULL) abort();
  }
  names[name_count++] = (named){host, name, NULL};
  pthread_mutex_unlock(&lock);
}

/* Static kernels of two units that were linked have clang's suffixes (drano/dynamic/instrument/unit_identity.py). */
static const char *own_name(const char *name) {
  const char *suffix = strstr(name, "__intern__");
  const char *own = suffix != NULL ? strndup(name, (size_t)(suffix - name)) : name;
  return own != NULL ? own : name;
}

static kernel_record *record_of(const void *host) {
  named *found = NULL;
  for (size_t k = 0; k < name_count && found == NULL; k++)
    if (names[k].host == host) found = &names[k];
  if (found == NULL || found->record != NULL) return found ? found->record : NULL;
  uint32_t count = atomic_load(&drano_kernel_record_count);
  kernel_record *r = calloc(1, sizeof *r);
  drano_kernel *kernel = calloc(1, sizeof *kernel);
  if (count == MAX_KERNELS || r == NULL || kernel == NULL) return NULL;
  struct cudaFuncAttributes a;
  kernel->name = own_name(found->name);
  if (cudaFuncGetAttributes(&a, host) == cudaSuccess) kernel->static_shared_bytes = (uint32_t)a.sharedSizeBytes;
  r->kernel = kernel;
  atomic_store(&drano_kernel_records[count], r);
  atomic_store(&drano_kernel_record_count, count + 1);
  return found->record = r;
}

kernel_record *gpu_record_named(const char *name) {
  for (size_t k = 0; k < name_count; k++)
    if (names[k].record != NULL && strcmp(names[k].name, name) == 0) return names[k].record;
  return NULL;
}

/* `counted`: with all of its blocks, or a sample of them. */
kernel_record *gpu_count_launch(const void *host, dim3 grid, dim3 block, size_t shared, bool counted,
                                uint32_t *shape) {
  pthread_mutex_lock(&lock);
  kernel_record *r = record_of(host);
  if (r != NULL) {
    launch_shape wanted = {.grid = {(int32_t)grid.x, (int32_t)grid.y, (int32_t)grid.z},
                           .block = {(int32_t)block.x, (int32_t)block.y, (int32_t)block.z},
                           .shared = (uint32_t)shared + r->kernel->static_shared_bytes};
    uint32_t k = 0;
    while (k < r->shapes && memcmp(&r->shape[k], &wanted, offsetof(launch_shape, launches)) != 0) k++;
    if (k == r->shapes && k < MAX_SHAPES) r->shape[r->shapes++] = wanted;
    r->launches++;
    uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
    r->threads += blocks * block.x * block.y * block.z;
    r->launched_blocks += blocks;
    if (k < MAX_SHAPES) {
      r->shape[k].launches++;
      r->shape[k].counted += counted;
    } else {
      r->other_shapes++;
    }
    *shape = k;
  }
  pthread_mutex_unlock(&lock);
  return r;
}

/* --- calls on their way to CUDA's library ---------------------------------------------------- */

/* A launch on its way: `chosen` of the kernel's forms, with the arguments `given`. */
typedef struct launching {
  const void *host, *chosen;
  cudaStream_t stream;
  gpu_timer *timer;
  void **given;
  uint32_t set;
  gpu_repeat repeat;
} launching;

/* Room for the arguments and for what the kernel gets from us: as many as there are, and one. */
static uint32_t room_for(const void *host) {
  uint32_t number = 0;
  const gpu_module *m = gpu_kernel_of(host, &number);
  return m != NULL && m->forms[number].parameters > 0 ? (uint32_t)m->forms[number].parameters + 1 : 1;
}

/* The arguments that an instrumented kernel takes: with the number of its set, which stands in `set`. */
static void **extended(const gpu_module *m, uint32_t number, void **arguments, void **room, uint32_t *set) {
  const int32_t parameters = m->forms[number].parameters;
  if (parameters < 0) return arguments;
  if (parameters > 0) memcpy(room, arguments, (size_t)parameters * sizeof *room);
  room[parameters] = set;
  return room;
}

static void **counted_as_ever(const void *host, void **arguments, void **room, uint32_t *set) {
  uint32_t number = 0;
  gpu_module *m = gpu_kernel_of(host, &number);
  if (m == NULL || (arguments == NULL && m->forms[number].parameters != 0)) return arguments;
  *set = gpu_set_for(m, number, arguments);
  return extended(m, number, arguments, room, set);
}

static launching begun(const void *host, dim3 grid, dim3 block, cudaStream_t stream) {
  gpu_prepare();
  launching l = {.host = host, .chosen = gpu_choose(host, grid, block), .stream = stream};
  return l;
}

/* Which form is launched is settled here: one like it may have been counted. */
static void give(launching *l, dim3 grid, dim3 block, size_t shared, void **arguments, void **room, bool may_repeat) {
  uint32_t number = 0;
  int device = 0;
  gpu_module *m = gpu_kernel_of(l->host, &number);
  const void *plain = may_repeat && arguments != NULL && m != NULL ? gpu_plain_form(l->host) : NULL;
  if (plain != NULL && !gpu_is_capturing(l->stream) && cudaGetDevice(&device) == cudaSuccess)
    gpu_repeat_start(&l->repeat, m, number, device, grid, block, shared, arguments, l->stream);
  gpu_kernel_writes(m, number, arguments);
  if (l->repeat.key == NULL) {
    l->given = counted_as_ever(l->host, arguments, room, &l->set);
  } else if (l->repeat.repeated) {
    l->chosen = plain;
    l->given = arguments;
  } else {
    l->set = l->repeat.distance;
    l->given = extended(m, number, arguments, room, &l->set);
  }
}

/* Whether the form of the kernel that was chosen could not be launched: then it is tried as it is. */
static bool refused(launching *l, cudaError_t error, void **arguments, void **room) {
  if (error == cudaSuccess || l->chosen == l->host) return false;
  cudaGetLastError();
  l->chosen = l->host;
  if (l->repeat.key != NULL && l->repeat.repeated) {
    gpu_repeat_end(&l->repeat, false);
    l->given = counted_as_ever(l->host, arguments, room, &l->set);
  }
  return true;
}

static cudaError_t launched(launching *l, cudaError_t error, dim3 grid, dim3 block, size_t shared) {
  kernel_record *record = NULL;
  uint32_t shape = MAX_SHAPES;
  gpu_repeat_end(&l->repeat, error == cudaSuccess);
  if (error == cudaSuccess)
    record = gpu_count_launch(l->host, grid, block, shared,
                              l->repeat.repeated || gpu_is_counted(l->host, l->chosen), &shape);
  gpu_time_stop(l->timer, l->stream, record, shape);
  gpu_snapshot_soon(false);
  return error;
}

/* Words of ours lie beside the kernel's own shared memory: past 48 KB a kernel has to ask for it. */
static void make_room(const void *host, size_t shared) {
  struct cudaFuncAttributes a;
  if (shared > 32 * 1024 && cudaFuncGetAttributes(&a, host) == cudaSuccess &&
      a.sharedSizeBytes + shared > 48 * 1024 && a.maxDynamicSharedSizeBytes < (int)shared)
    cudaFuncSetAttribute(host, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
}

#define LAUNCH(NAME, DEFAULT_STREAM)                                                                  \
  cudaError_t __real_##NAME(const void *, dim3, dim3, void **, size_t, cudaStream_t);                 \
  cudaError_t __wrap_##NAME(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared, \
                            cudaStream_t stream) {                                                    \
    launching l = begun(host, grid, block, stream ? stream : DEFAULT_STREAM);                         \
    void *room[room_for(host)];                                                                       \
    give(&l, grid, block, shared, arguments, room, true);                                             \
    make_room(l.chosen, shared);                                                                      \
    l.timer = gpu_time_start(l.chosen, l.stream);                                                     \
    cudaError_t error = __real_##NAME(l.chosen, grid, block, l.given, shared, stream);                \
    if (refused(&l, error, arguments, room))                                                          \
      error = __real_##NAME(host, grid, block, l.given, shared, stream);                              \
    return launched(&l, error, grid, block, shared);                                                  \
  }
LAUNCH(cudaLaunchKernel, NULL)
LAUNCH(cudaLaunchKernel_ptsz, cudaStreamPerThread)
LAUNCH(cudaLaunchCooperativeKernel, NULL)
LAUNCH(cudaLaunchCooperativeKernel_ptsz, cudaStreamPerThread)

cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *, void **);
cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *host, void **arguments) {
  if (c == NULL) return __real_cudaLaunchKernelExC(c, host, arguments);
  launching l = begun(host, c->gridDim, c->blockDim, c->stream);
  void *room[room_for(host)];
  give(&l, c->gridDim, c->blockDim, c->dynamicSmemBytes, arguments, room, c->numAttrs == 0);
  l.timer = gpu_time_start(l.chosen, l.stream);
  cudaError_t error = __real_cudaLaunchKernelExC(c, l.chosen, l.given);
  if (refused(&l, error, arguments, room)) error = __real_cudaLaunchKernelExC(c, host, l.given);
  return launched(&l, error, c->gridDim, c->blockDim, c->dynamicSmemBytes);
}

/* Its structures would need arguments of ours; CUDA 13 has none of it. */
cudaError_t __wrap_cudaLaunchCooperativeKernelMultiDevice(void *launches, unsigned count, unsigned flags) {
  (void)launches, (void)count, (void)flags;
  drano_say("error: cudaLaunchCooperativeKernelMultiDevice is not supported");
  return cudaErrorNotSupported;
}

/* --- kernels in graphs ----------------------------------------------------------------------- */

#define NODE(NAME, PARAMETERS, ARGUMENTS)                                                 \
  cudaError_t __real_##NAME PARAMETERS;                                                   \
  cudaError_t __wrap_##NAME PARAMETERS {                                                  \
    if (p == NULL || p->kernelParams == NULL) return __real_##NAME ARGUMENTS;             \
    gpu_prepare();                                                                        \
    struct cudaKernelNodeParams own = *p;                                                 \
    uint32_t set = 0;                                                                     \
    void *room[room_for(p->func)];                                                        \
    own.kernelParams = counted_as_ever(p->func, p->kernelParams, room, &set);             \
    p = &own;                                                                             \
    return __real_##NAME ARGUMENTS;                                                       \
  }
typedef const struct cudaKernelNodeParams *node_params;
NODE(cudaGraphAddKernelNode,
     (cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before, size_t n, node_params p),
     (node, graph, before, n, p))
NODE(cudaGraphKernelNodeSetParams, (cudaGraphNode_t node, node_params p), (node, p))
NODE(cudaGraphExecKernelNodeSetParams, (cudaGraphExec_t exec, cudaGraphNode_t node, node_params p), (exec, node, p))

/* --- calls that wait for kernels ------------------------------------------------------------- */

static cudaError_t waited(cudaError_t error) {
  if (error == cudaSuccess && atomic_load(&drano_kernel_record_count)) {
    gpu_read_times();
    gpu_snapshot_soon(true);
  }
  return error;
}

#define WAITS(NAME, PARAMETERS, ARGUMENTS)   \
  cudaError_t __real_##NAME PARAMETERS;      \
  cudaError_t __wrap_##NAME PARAMETERS { return waited(__real_##NAME ARGUMENTS); }
WAITS(cudaDeviceSynchronize, (void), ())
#if CUDART_VERSION < 13000
WAITS(cudaThreadSynchronize, (void), ())
#endif
WAITS(cudaStreamSynchronize, (cudaStream_t stream), (stream))
WAITS(cudaEventSynchronize, (cudaEvent_t event), (event))

cudaError_t __real_cudaMemcpy(void *, const void *, size_t, enum cudaMemcpyKind);
cudaError_t __wrap_cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  gpu_written_at((uint64_t)(uintptr_t)to);
  return waited(__real_cudaMemcpy(to, from, bytes, kind));
}

#define RESETS(NAME)                  \
  cudaError_t __real_##NAME(void);    \
  cudaError_t __wrap_##NAME(void) {   \
    gpu_before_reset();               \
    return __real_##NAME();           \
  }
RESETS(cudaDeviceReset)
#if CUDART_VERSION < 13000
RESETS(cudaThreadExit)
#endif
