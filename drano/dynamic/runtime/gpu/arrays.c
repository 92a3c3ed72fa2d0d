/* Arrays of the program: calls that allocate memory, on their way to CUDA's library, are remembered.
 *
 * Which allocation a pointer points into is asked when a kernel is launched. Memory that CUDA's library
 * is asked for in other ways (pools, virtual memory, textures' arrays) is of no known array.
 */
#include "gpu.h"

bool drano_lenient;

typedef struct range { uint64_t base, end; uint32_t array; bool own; uint64_t stamp; } range;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static range *ranges; /* by rising base */
static size_t count, room;
static uint64_t last_stamp;

static size_t after(uint64_t address) { /* the first range that begins behind it */
  size_t from = 0, to = count;
  while (from < to) {
    size_t middle = (from + to) / 2;
    if (ranges[middle].base <= address) from = middle + 1;
    else to = middle;
  }
  return from;
}

static cudaError_t made(cudaError_t error, const void *pointer, size_t bytes, enum memory_kind kind,
                        const char *api, const void *caller) {
  if (error != cudaSuccess || pointer == NULL || bytes == 0) {
    drano_next_place = (drano_place_record){0};
    return error;
  }
  uint32_t array = drano_array_grows(NULL, api, caller, kind, bytes);
  uint64_t base = (uint64_t)(uintptr_t)pointer;
  pthread_mutex_lock(&lock);
  if (count == room) {
    room = room ? 2 * room : 64;
    ranges = realloc(ranges, room * sizeof *ranges);
    if (ranges == NULL) abort();
  }
  size_t at = after(base);
  memmove(&ranges[at + 1], &ranges[at], (count++ - at) * sizeof *ranges);
  ranges[at] = (range){base, base + bytes, array, kind == MEM_DEVICE, ++last_stamp};
  pthread_mutex_unlock(&lock);
  return error;
}

static void gone(const void *pointer) {
  uint64_t base = (uint64_t)(uintptr_t)pointer;
  pthread_mutex_lock(&lock);
  size_t at = after(base);
  if (at > 0 && ranges[at - 1].base == base) {
    memmove(&ranges[at - 1], &ranges[at], (count - at) * sizeof *ranges);
    count--;
  }
  pthread_mutex_unlock(&lock);
}

/* 0: none that is known. One behind the end is nobody's. */
uint32_t gpu_array_at(uint64_t address) {
  pthread_mutex_lock(&lock);
  size_t at = after(address);
  uint32_t found = at > 0 && address < ranges[at - 1].end ? ranges[at - 1].array : 0;
  pthread_mutex_unlock(&lock);
  return found;
}

/* Only the device writes to memory of its own. */
uint64_t gpu_content_at(uint64_t address, uint64_t *base, uint64_t *bytes) {
  pthread_mutex_lock(&lock);
  size_t at = after(address);
  bool known = at > 0 && address < ranges[at - 1].end && ranges[at - 1].own;
  uint64_t stamp = known ? ranges[at - 1].stamp : 0;
  if (known) *base = ranges[at - 1].base, *bytes = ranges[at - 1].end - ranges[at - 1].base;
  pthread_mutex_unlock(&lock);
  return stamp;
}

uint64_t gpu_stamp_at(uint64_t address) {
  uint64_t base, bytes;
  return gpu_content_at(address, &base, &bytes);
}

void gpu_written_at(uint64_t address) {
  pthread_mutex_lock(&lock);
  size_t at = after(address);
  if (at > 0 && address < ranges[at - 1].end) ranges[at - 1].stamp = ++last_stamp;
  pthread_mutex_unlock(&lock);
}

#define MAKES(NAME, KIND, PARAMETERS, ARGUMENTS, POINTER, BYTES)                      \
  cudaError_t __real_##NAME PARAMETERS;                                               \
  cudaError_t __wrap_##NAME PARAMETERS {                                              \
    cudaError_t error = __real_##NAME ARGUMENTS;                                      \
    bool good = error == cudaSuccess;                                                 \
    return made(error, good ? POINTER : NULL, good ? BYTES : 0, KIND, #NAME, CALLER); \
  }
MAKES(cudaMalloc, MEM_DEVICE, (void **to, size_t bytes), (to, bytes), *to, bytes)
MAKES(cudaMallocAsync, MEM_DEVICE, (void **to, size_t bytes, cudaStream_t s), (to, bytes, s), *to, bytes)
MAKES(cudaMallocHost, MEM_HOST, (void **to, size_t bytes), (to, bytes), *to, bytes)
MAKES(cudaHostAlloc, MEM_HOST, (void **to, size_t bytes, unsigned flags), (to, bytes, flags), *to, bytes)
MAKES(cudaMallocManaged, MEM_MANAGED, (void **to, size_t bytes, unsigned flags), (to, bytes, flags), *to, bytes)
MAKES(cudaMallocPitch, MEM_DEVICE, (void **to, size_t *pitch, size_t width, size_t height),
      (to, pitch, width, height), *to, *pitch *height)
MAKES(cudaMalloc3D, MEM_DEVICE, (struct cudaPitchedPtr * to, struct cudaExtent e), (to, e), to->ptr,
      to->pitch *e.height *e.depth)
MAKES(cudaHostRegister, MEM_REGISTERED, (void *base, size_t bytes, unsigned flags), (base, bytes, flags), base,
      bytes)

/* Forgotten first: the next allocation may come to lie there. */
#define FREES(NAME, PARAMETERS, ARGUMENTS)   \
  cudaError_t __real_##NAME PARAMETERS;      \
  cudaError_t __wrap_##NAME PARAMETERS {     \
    gone(pointer);                           \
    return __real_##NAME ARGUMENTS;          \
  }
FREES(cudaFree, (void *pointer), (pointer))
FREES(cudaFreeAsync, (void *pointer, cudaStream_t stream), (pointer, stream))
FREES(cudaFreeHost, (void *pointer), (pointer))
FREES(cudaHostUnregister, (void *pointer), (pointer))
