/* cudaMalloc and its like, and what programs may ask of pointers. */
#include "streams.h"

enum { DEVICE = 1 << MEM_DEVICE, HOST = 1 << MEM_HOST, MANAGED = 1 << MEM_MANAGED,
       ARRAYS = 1 << MEM_ARRAY, REGISTERED = 1 << MEM_REGISTERED };
#define PITCH 512

static cudaError_t give(void **pointer, size_t bytes, enum memory_kind kind, const char *api,
                        const void *caller) {
  REQUIRE(pointer != NULL, cudaErrorInvalidValue);
  *pointer = NULL;
  if (bytes == 0) return cudaSuccess;
  void *got = drano_allocate(bytes, kind, api, caller);
  REQUIRE(got != NULL, cudaErrorMemoryAllocation);
  *pointer = got;
  return cudaSuccess;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  CHECK_STATE();
  return give(pointer, bytes, MEM_DEVICE, "cudaMalloc", CALLER);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
  CHECK_STATE();
  if (drano_is_captured(stream)) return drano_capture_malloc(stream, pointer, bytes);
  return give(pointer, bytes, MEM_DEVICE, "cudaMallocAsync", CALLER);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  CHECK_STATE();
  return give(pointer, bytes, MEM_HOST, "cudaMallocHost", CALLER);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  CHECK_STATE();
  cudaError_t error = give(pointer, bytes, MEM_HOST, "cudaHostAlloc", CALLER);
  if (error == cudaSuccess && *pointer != NULL)
    drano_find((uint64_t)(uintptr_t)*pointer)->flags = flags;
  return error;
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
  CHECK_STATE();
  REQUIRE(bytes != 0, cudaErrorInvalidValue);
  REQUIRE(flags == cudaMemAttachGlobal || flags == cudaMemAttachHost, cudaErrorInvalidValue);
  return give(pointer, bytes, MEM_MANAGED, "cudaMallocManaged", CALLER);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  CHECK_STATE();
  REQUIRE(pointer != NULL && pitch != NULL, cudaErrorInvalidValue);
  *pitch = (width + PITCH - 1) / PITCH * PITCH;
  size_t bytes;
  REQUIRE(!__builtin_mul_overflow(*pitch, height, &bytes), cudaErrorMemoryAllocation);
  return give(pointer, bytes, MEM_DEVICE, "cudaMallocPitch", CALLER);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent) {
  CHECK_STATE();
  REQUIRE(pitched != NULL, cudaErrorInvalidValue);
  size_t pitch = (extent.width + PITCH - 1) / PITCH * PITCH, bytes;
  REQUIRE(!__builtin_mul_overflow(pitch, extent.height, &bytes), cudaErrorMemoryAllocation);
  REQUIRE(!__builtin_mul_overflow(bytes, extent.depth, &bytes), cudaErrorMemoryAllocation);
  pitched->pitch = pitch;
  pitched->xsize = extent.width;
  pitched->ysize = extent.height;
  return give(&pitched->ptr, bytes, MEM_DEVICE, "cudaMalloc3D", CALLER);
}

static cudaError_t take(void *pointer, unsigned kinds) {
  if (pointer == NULL) return cudaSuccess;
  REQUIRE(drano_release(pointer, kinds), cudaErrorInvalidValue);
  return cudaSuccess;
}

cudaError_t cudaFree(void *pointer) {
  CHECK_STATE();
  return take(pointer, DEVICE | MANAGED);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  CHECK_STATE();
  if (drano_is_captured(stream)) return drano_capture_free(stream, pointer);
  return take(pointer, DEVICE);
}

cudaError_t cudaFreeHost(void *pointer) {
  CHECK_STATE();
  return take(pointer, HOST);
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
  CHECK_STATE();
  (void)flags;
  REQUIRE(pointer != NULL && bytes != 0, cudaErrorInvalidValue);
  uint64_t base = (uint64_t)(uintptr_t)pointer;
  REQUIRE(drano_find(base) == NULL, cudaErrorHostMemoryAlreadyRegistered);
  drano_add_range(base, bytes, MEM_REGISTERED, NULL);
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *pointer) {
  CHECK_STATE();
  REQUIRE(drano_remove_range((uint64_t)(uintptr_t)pointer), cudaErrorHostMemoryNotRegistered);
  return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
  CHECK_STATE();
  REQUIRE(device != NULL && flags == 0, cudaErrorInvalidValue);
  const allocation *a = drano_find((uint64_t)(uintptr_t)host);
  REQUIRE(a != NULL && a->kind != MEM_DEVICE, cudaErrorInvalidValue);
  *device = host;
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
  CHECK_STATE();
  const allocation *a = drano_find((uint64_t)(uintptr_t)host);
  REQUIRE(flags != NULL && a != NULL && a->kind == MEM_HOST, cudaErrorInvalidValue);
  *flags = a->flags;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *unused, size_t *total) {
  CHECK_STATE();
  REQUIRE(unused != NULL && total != NULL, cudaErrorInvalidValue);
  *total = drano_device_memory();
  *unused = *total - drano_memory_used();
  return cudaSuccess;
}

// The driver API's name for the same, which old programs use beside the runtime API; so are its
// error codes for these two cases.
int cuMemGetInfo_v2(size_t *unused, size_t *total);
int cuMemGetInfo_v2(size_t *unused, size_t *total) { return (int)cudaMemGetInfo(unused, total); }

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer) {
  CHECK_STATE();
  REQUIRE(attributes != NULL, cudaErrorInvalidValue);
  memset(attributes, 0, sizeof *attributes);
  const allocation *a = drano_find((uint64_t)(uintptr_t)pointer);
  if (a == NULL) {
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = -1;
    return cudaSuccess;
  }
  bool device = a->kind == MEM_DEVICE || a->kind == MEM_VARIABLE || a->kind == MEM_ARRAY;
  attributes->type = device                   ? cudaMemoryTypeDevice
                     : a->kind == MEM_MANAGED ? cudaMemoryTypeManaged
                                              : cudaMemoryTypeHost;
  attributes->devicePointer = (void *)(uintptr_t)pointer;
  attributes->hostPointer = device ? NULL : (void *)(uintptr_t)pointer;
  return cudaSuccess;
}

/* Hints about memory that is in one place anyway. */
static cudaError_t hint(const void *pointer) {
  CHECK_STATE();
  const allocation *a = drano_find((uint64_t)(uintptr_t)pointer);
  REQUIRE(a != NULL && a->kind == MEM_MANAGED, cudaErrorInvalidValue);
  return cudaSuccess;
}

#if CUDART_VERSION >= 13000
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream) {
  (void)bytes, (void)location, (void)flags, (void)stream;
  return hint(pointer);
}

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location) {
  (void)bytes, (void)advice, (void)location;
  return hint(pointer);
}
#else
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream) {
  (void)bytes, (void)device, (void)stream;
  return hint(pointer);
}

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int device) {
  (void)bytes, (void)advice, (void)device;
  return hint(pointer);
}
#if CUDART_VERSION >= 12020
cudaError_t cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes, struct cudaMemLocation location,
                                    unsigned flags, cudaStream_t stream) {
  (void)bytes, (void)location, (void)flags, (void)stream;
  return hint(pointer);
}

cudaError_t cudaMemAdvise_v2(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location) {
  (void)bytes, (void)advice, (void)location;
  return hint(pointer);
}
#endif
#endif

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes, unsigned flags) {
  CHECK_STATE();
  (void)stream, (void)bytes, (void)flags;
  REQUIRE(drano_find((uint64_t)(uintptr_t)pointer) != NULL, cudaErrorInvalidValue);
  return cudaSuccess;
}

/* --- arrays --------------------------------------------------------------------------------- */

#define ARRAY_MARK 0x64726e61u

bool drano_array_valid(const struct cudaArray *array) {
  return array != NULL && array->flags == ARRAY_MARK;
}

static cudaError_t make_array(struct cudaArray **array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, const char *api, const void *caller) {
  REQUIRE(array != NULL && desc != NULL && extent.width != 0, cudaErrorInvalidValue);
  *array = NULL;
  unsigned bits = (unsigned)(desc->x + desc->y + desc->z + desc->w);
  REQUIRE(bits >= 8 && bits <= 128 && bits % 8 == 0, cudaErrorInvalidChannelDescriptor);
  struct cudaArray *made = calloc(1, sizeof *made);
  REQUIRE(made != NULL, cudaErrorMemoryAllocation);
  made->width = extent.width;
  made->height = extent.height;
  made->depth = extent.depth;
  made->element = bits / 8;
  made->row_bytes = extent.width * made->element;
  made->desc = *desc;
  made->flags = ARRAY_MARK;
  size_t rows = (extent.height ? extent.height : 1), planes = extent.depth ? extent.depth : 1, bytes;
  if (__builtin_mul_overflow(made->row_bytes, rows, &bytes) ||
      __builtin_mul_overflow(bytes, planes, &bytes) ||
      (made->data = drano_allocate(bytes, MEM_ARRAY, api, caller)) == NULL) {
    free(made);
    return drano_error(cudaErrorMemoryAllocation);
  }
  *array = made;
  return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
                            size_t height, unsigned flags) {
  CHECK_STATE();
  (void)flags;
  return make_array(array, desc, (struct cudaExtent){width, height, 0}, "cudaMallocArray", CALLER);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned flags) {
  CHECK_STATE();
  (void)flags;
  return make_array(array, desc, extent, "cudaMalloc3DArray", CALLER);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  CHECK_STATE();
  if (array == NULL) return cudaSuccess;
  REQUIRE(drano_array_valid(array), cudaErrorInvalidValue);
  drano_release(array->data, ARRAYS);
  array->flags = 0; /* the few bytes stay, so that a second free is seen */
  return cudaSuccess;
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t array) {
  CHECK_STATE();
  REQUIRE(drano_array_valid(array), cudaErrorInvalidResourceHandle);
  if (desc != NULL) *desc = array->desc;
  if (extent != NULL) *extent = (struct cudaExtent){array->width, array->height, array->depth};
  if (flags != NULL) *flags = 0;
  return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array) {
  CHECK_STATE();
  REQUIRE(desc != NULL && drano_array_valid(array), cudaErrorInvalidValue);
  *desc = array->desc;
  return cudaSuccess;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f) {
  return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

/* --- of device code ------------------------------------------------------------------------- */

void *drano_device_malloc(uint64_t bytes) {
  return bytes ? drano_allocate(bytes, MEM_DEVICE, "malloc in a kernel", NULL) : NULL;
}

void drano_device_free(void *pointer) {
  if (pointer != NULL && !drano_release(pointer, DEVICE))
    drano_say("warning: free of 0x%llx in a kernel: it was not allocated there",
              (unsigned long long)(uintptr_t)pointer);
}
