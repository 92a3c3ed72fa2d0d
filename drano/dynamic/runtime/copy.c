/* Copies and fills. Device memory is host memory here; what CUDA would refuse is refused. */
#include "streams.h"

/* The memory that `kind` says is the device's must be, as far as the bytes reach. */
static cudaError_t check(const void *pointer, size_t bytes, bool device) {
  if (bytes == 0) return cudaSuccess;
  uint64_t low = (uint64_t)(uintptr_t)pointer;
  const allocation *a = drano_find(low);
  if (a != NULL && low + bytes > a->end && (device || a->kind != MEM_REGISTERED))
    return cudaErrorInvalidValue;
  if (a != NULL) return cudaSuccess;
  if (device || pointer == NULL) return cudaErrorInvalidValue;
  return low - drano_arena_base < drano_arena_bytes ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t check_pair(const void *to, size_t to_bytes, const void *from, size_t from_bytes,
                              enum cudaMemcpyKind kind) {
  if ((unsigned)kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  cudaError_t error = check(to, to_bytes, to_device);
  return error != cudaSuccess ? error : check(from, from_bytes, from_device);
}

/* `rows` of `width` bytes; `rows` of each of `planes`. */
static void copy_rows(char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t width,
                      size_t rows) {
  if (to_pitch == width && from_pitch == width) {
    memmove(to, from, width * rows);
    return;
  }
  for (size_t row = 0; row < rows; row++) memmove(to + row * to_pitch, from + row * from_pitch, width);
}

static size_t reach(size_t pitch, size_t width, size_t rows) {
  return rows && width ? pitch * (rows - 1) + width : 0;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  CHECK_STATE();
  cudaError_t error = check_pair(to, bytes, from, bytes, kind);
  REQUIRE(error == cudaSuccess, error);
  if (bytes) memmove(to, from, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (drano_is_captured(stream)) {
    const struct cudaMemcpy3DParms copy = drano_copy_of(to, bytes, from, bytes, bytes, 1, kind);
    return drano_capture_copy(stream, &copy);
  }
  return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes) {
  CHECK_STATE();
  REQUIRE(to_device == 0 && from_device == 0, cudaErrorInvalidDevice);
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  REFUSE_CAPTURE(stream);
  return cudaMemcpyPeer(to, to_device, from, from_device, bytes);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind) {
  CHECK_STATE();
  REQUIRE(height <= 1 || (width <= to_pitch && width <= from_pitch), cudaErrorInvalidPitchValue);
  cudaError_t error = check_pair(to, reach(to_pitch, width, height), from,
                                 reach(from_pitch, width, height), kind);
  REQUIRE(error == cudaSuccess, error);
  if (width) copy_rows(to, to_pitch, from, from_pitch, width, height);
  return cudaSuccess;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
  if (drano_is_captured(stream)) {
    const struct cudaMemcpy3DParms copy =
        drano_copy_of(to, to_pitch, from, from_pitch, width, height, kind);
    return drano_capture_copy(stream, &copy);
  }
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

/* --- fills ---------------------------------------------------------------------------------- */

cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
  CHECK_STATE();
  cudaError_t error = check(pointer, bytes, true);
  REQUIRE(error == cudaSuccess, error);
  if (bytes) memset(pointer, value, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
  if (drano_is_captured(stream)) return drano_capture_fill(stream, pointer, bytes, value, bytes, 1);
  return cudaMemset(pointer, value, bytes);
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
  CHECK_STATE();
  REQUIRE(height <= 1 || width <= pitch, cudaErrorInvalidPitchValue);
  cudaError_t error = check(pointer, reach(pitch, width, height), true);
  REQUIRE(error == cudaSuccess, error);
  for (size_t row = 0; width && row < height; row++) memset((char *)pointer + row * pitch, value, width);
  return cudaSuccess;
}

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  if (drano_is_captured(stream)) return drano_capture_fill(stream, pointer, pitch, value, width, height);
  return cudaMemset2D(pointer, pitch, value, width, height);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent) {
  CHECK_STATE();
  for (size_t plane = 0; plane < extent.depth; plane++) {
    cudaError_t error = cudaMemset2D((char *)p.ptr + plane * p.pitch * p.ysize, p.pitch, value,
                                     extent.width, extent.height);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent extent,
                              cudaStream_t stream) {
  REFUSE_CAPTURE(stream);
  return cudaMemset3D(p, value, extent);
}

/* --- symbols -------------------------------------------------------------------------------- */

static cudaError_t symbol(const void *host, size_t bytes, size_t offset, char **address) {
  host_variable *v = drano_host_variable(host);
  if (v != NULL && v->address != NULL) {
    if (offset > v->bytes || bytes > v->bytes - offset) return cudaErrorInvalidValue;
    *address = v->address + offset;
    return cudaSuccess;
  }
  const allocation *a = drano_find((uint64_t)(uintptr_t)host); /* a managed variable is itself */
  if (a == NULL || a->kind != MEM_VARIABLE) return cudaErrorInvalidSymbol;
  *address = (char *)(uintptr_t)host + offset;
  return cudaSuccess;
}

cudaError_t cudaMemcpyToSymbol(const void *to, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind) {
  CHECK_STATE();
  char *address;
  cudaError_t error = symbol(to, bytes, offset, &address);
  REQUIRE(error == cudaSuccess, error);
  REQUIRE(kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyHostToHost,
          cudaErrorInvalidMemcpyDirection);
  return cudaMemcpy(address, from, bytes, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *to, const void *from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
  if (!drano_is_captured(stream)) return cudaMemcpyToSymbol(to, from, bytes, offset, kind);
  char *address;
  cudaError_t error = symbol(to, bytes, offset, &address);
  REQUIRE(error == cudaSuccess, error);
  return cudaMemcpyAsync(address, from, bytes, kind, stream);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *from, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind) {
  CHECK_STATE();
  char *address;
  cudaError_t error = symbol(from, bytes, offset, &address);
  REQUIRE(error == cudaSuccess, error);
  REQUIRE(kind != cudaMemcpyHostToDevice && kind != cudaMemcpyHostToHost,
          cudaErrorInvalidMemcpyDirection);
  return cudaMemcpy(to, address, bytes, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *from, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  if (!drano_is_captured(stream)) return cudaMemcpyFromSymbol(to, from, bytes, offset, kind);
  char *address;
  cudaError_t error = symbol(from, bytes, offset, &address);
  REQUIRE(error == cudaSuccess, error);
  return cudaMemcpyAsync(to, address, bytes, kind, stream);
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *host) {
  CHECK_STATE();
  REQUIRE(pointer != NULL, cudaErrorInvalidValue);
  char *address;
  cudaError_t error = symbol(host, 0, 0, &address);
  REQUIRE(error == cudaSuccess, error);
  *pointer = address;
  return cudaSuccess;
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *host) {
  CHECK_STATE();
  REQUIRE(bytes != NULL, cudaErrorInvalidValue);
  host_variable *v = drano_host_variable(host);
  REQUIRE(v != NULL, cudaErrorInvalidSymbol);
  *bytes = v->bytes;
  return cudaSuccess;
}

/* --- arrays --------------------------------------------------------------------------------- */

static size_t rows_of(const struct cudaArray *a) {
  return (a->height ? a->height : 1) * (a->depth ? a->depth : 1);
}

/* `x` in bytes, `y` in rows; the box must lie in the array. */
static bool inside(const struct cudaArray *a, size_t x, size_t y, size_t width, size_t height) {
  return drano_array_valid(a) && x <= a->row_bytes && width <= a->row_bytes - x && y <= rows_of(a) &&
         height <= rows_of(a) - y;
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind) {
  CHECK_STATE();
  REQUIRE(inside(to, x, y, width, height), cudaErrorInvalidValue);
  char *start = to->data + y * to->row_bytes + x;
  return cudaMemcpy2D(start, to->row_bytes, from, pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  REFUSE_CAPTURE(stream);
  return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height, enum cudaMemcpyKind kind) {
  CHECK_STATE();
  REQUIRE(inside(from, x, y, width, height), cudaErrorInvalidValue);
  const char *start = from->data + y * from->row_bytes + x;
  return cudaMemcpy2D(to, pitch, start, from->row_bytes, width, height, kind);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  REFUSE_CAPTURE(stream);
  return cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                     size_t x, size_t y, size_t width, size_t height,
                                     enum cudaMemcpyKind kind) {
  CHECK_STATE();
  (void)kind;
  REQUIRE(inside(to, to_x, to_y, width, height) && inside(from, x, y, width, height),
          cudaErrorInvalidValue);
  copy_rows(to->data + to_y * to->row_bytes + to_x, to->row_bytes,
            from->data + y * from->row_bytes + x, from->row_bytes, width, height);
  return cudaSuccess;
}

/* The legacy calls treat an array as one run of bytes from (x, y) on. */
static cudaError_t run_in(const struct cudaArray *a, size_t x, size_t y, size_t bytes, char **start) {
  if (!drano_array_valid(a)) return cudaErrorInvalidValue;
  size_t at = y * a->row_bytes + x, all = rows_of(a) * a->row_bytes;
  if (x > a->row_bytes || at > all || bytes > all - at) return cudaErrorInvalidValue;
  *start = a->data + at;
  return cudaSuccess;
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind) {
  CHECK_STATE();
  char *start;
  cudaError_t error = run_in(to, x, y, bytes, &start);
  REQUIRE(error == cudaSuccess, error);
  return cudaMemcpy(start, from, bytes, kind);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream) {
  REFUSE_CAPTURE(stream);
  return cudaMemcpyToArray(to, x, y, from, bytes, kind);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind) {
  CHECK_STATE();
  char *start;
  cudaError_t error = run_in(from, x, y, bytes, &start);
  REQUIRE(error == cudaSuccess, error);
  return cudaMemcpy(to, start, bytes, kind);
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     enum cudaMemcpyKind kind, cudaStream_t stream) {
  REFUSE_CAPTURE(stream);
  return cudaMemcpyFromArray(to, from, x, y, bytes, kind);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind) {
  CHECK_STATE();
  (void)kind;
  char *start, *source;
  cudaError_t error = run_in(to, to_x, to_y, bytes, &start);
  if (error == cudaSuccess) error = run_in(from, x, y, bytes, &source);
  REQUIRE(error == cudaSuccess, error);
  memmove(start, source, bytes);
  return cudaSuccess;
}

/* --- three dimensions ----------------------------------------------------------------------- */

typedef struct box { char *start; size_t pitch, plane; } box;

/* Where a side of the copy starts. Positions and widths are in elements where an array takes part. */
static bool side(cudaArray_t array, struct cudaPos at, struct cudaPitchedPtr pitched, size_t unit,
                 size_t width, struct cudaExtent extent, box *b) {
  if (array == NULL) {
    *b = (box){(char *)pitched.ptr + (at.z * pitched.ysize + at.y) * pitched.pitch + at.x * unit,
               pitched.pitch, pitched.pitch * pitched.ysize};
    return pitched.ptr != NULL;
  }
  size_t height = array->height ? array->height : 1, depth = array->depth ? array->depth : 1;
  if (!drano_array_valid(array) || at.x * array->element + width > array->row_bytes ||
      at.y + extent.height > height || at.z + extent.depth > depth)
    return false;
  *b = (box){array->data + (at.z * height + at.y) * array->row_bytes + at.x * array->element,
             array->row_bytes, array->row_bytes * height};
  return true;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) {
  CHECK_STATE();
  REQUIRE(p != NULL, cudaErrorInvalidValue);
  struct cudaExtent e = p->extent;
  size_t unit = drano_array_valid(p->srcArray)   ? p->srcArray->element
                : drano_array_valid(p->dstArray) ? p->dstArray->element
                                                 : 1;
  size_t width = e.width * unit;
  if (!width || !e.height || !e.depth) return cudaSuccess;
  box to, from;
  REQUIRE(side(p->dstArray, p->dstPos, p->dstPtr, 1, width, e, &to) &&
              side(p->srcArray, p->srcPos, p->srcPtr, 1, width, e, &from),
          cudaErrorInvalidValue);
  for (size_t z = 0; z < e.depth; z++) {
    cudaError_t error = cudaMemcpy2D(to.start + z * to.plane, to.pitch, from.start + z * from.plane,
                                     from.pitch, width, e.height, p->kind);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream) {
  if (drano_is_captured(stream)) return drano_capture_copy(stream, p);
  return cudaMemcpy3D(p);
}
