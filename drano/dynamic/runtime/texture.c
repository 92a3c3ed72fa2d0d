/* Textures: objects and references, one to three dimensions, layers, cubes, point and linear; surfaces.
 *
 * A handle is the address of a `texture`; the device variable of a reference holds the handle of what
 * is bound to it. Settings of a reference are read when it fetches, as programs may change them after
 * binding. Linear filtering weighs with 8 bits of fraction, as the hardware does.
 * Limits: no mipmaps, no sRGB; a cube is filtered face by face. Fetches are not counted.
 */
#include "drano_runtime.h"
#include <math.h>

#define TEXTURE_MARK 0x64727478u

#if CUDART_VERSION >= 12000 /* as drano/ir/compat.h and older headers begin it */
struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
};
#endif

typedef struct texture {
  unsigned mark;
  const char *data;
  size_t width, height, depth, pitch, plane;
  struct cudaChannelFormatDesc desc;
  unsigned element;
  bool normalized_coordinates, normalized_values;
  enum cudaTextureFilterMode filter;
  enum cudaTextureAddressMode address[3];
  struct cudaResourceDesc resource;
  struct cudaTextureDesc settings;
  const struct textureReference *reference;
} texture;

static unsigned element_bytes(const struct cudaChannelFormatDesc *d) {
  return (unsigned)(d->x + d->y + d->z + d->w) / 8;
}

static void from_array(texture *t, const struct cudaArray *a) {
  t->data = a->data;
  t->width = a->width;
  t->height = a->height;
  t->depth = a->depth;
  t->pitch = a->row_bytes;
  t->plane = a->row_bytes * (a->height ? a->height : 1);
  t->desc = a->desc;
  t->element = a->element;
}

static void from_memory(texture *t, const void *pointer, const struct cudaChannelFormatDesc *desc,
                        size_t width, size_t height, size_t pitch) {
  t->data = pointer;
  t->desc = *desc;
  t->element = element_bytes(desc);
  t->width = width;
  t->height = height;
  t->depth = 0;
  t->pitch = pitch;
  t->plane = pitch * (height ? height : 1);
}

/* --- objects -------------------------------------------------------------------------------- */

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *settings,
                                    const struct cudaResourceViewDesc *view) {
  CHECK_STATE();
  REQUIRE(object != NULL && resource != NULL && settings != NULL, cudaErrorInvalidValue);
  if (view != NULL) return drano_unsupported("cudaCreateTextureObject with a resource view");
  texture *t = calloc(1, sizeof *t);
  REQUIRE(t != NULL, cudaErrorMemoryAllocation);
  t->mark = TEXTURE_MARK;
  cudaError_t error = cudaSuccess;
  switch (resource->resType) {
  case cudaResourceTypeArray:
    if (drano_array_valid(resource->res.array.array)) from_array(t, resource->res.array.array);
    else error = cudaErrorInvalidValue;
    break;
  case cudaResourceTypeLinear:
    from_memory(t, resource->res.linear.devPtr, &resource->res.linear.desc, 0, 0, 0);
    if (t->element == 0) error = cudaErrorInvalidChannelDescriptor;
    else t->width = resource->res.linear.sizeInBytes / t->element;
    break;
  case cudaResourceTypePitch2D:
    from_memory(t, resource->res.pitch2D.devPtr, &resource->res.pitch2D.desc, resource->res.pitch2D.width,
                resource->res.pitch2D.height, resource->res.pitch2D.pitchInBytes);
    break;
  default: error = drano_unsupported("cudaCreateTextureObject of a mipmapped array");
  }
  if (error != cudaSuccess) {
    free(t);
    return drano_error(error);
  }
  t->normalized_coordinates = settings->normalizedCoords != 0;
  t->normalized_values = settings->readMode == cudaReadModeNormalizedFloat;
  t->filter = settings->filterMode;
  for (int k = 0; k < 3; k++) t->address[k] = settings->addressMode[k];
  t->resource = *resource;
  t->settings = *settings;
  *object = (cudaTextureObject_t)(uintptr_t)t;
  return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  CHECK_STATE();
  texture *t = (texture *)(uintptr_t)object;
  if (t == NULL) return cudaSuccess;
  REQUIRE(t->mark == TEXTURE_MARK, cudaErrorInvalidValue);
  t->mark = 0; /* the few bytes stay, so that a later fetch is seen */
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *desc, cudaTextureObject_t object) {
  CHECK_STATE();
  const texture *t = (const texture *)(uintptr_t)object;
  REQUIRE(desc != NULL && t != NULL && t->mark == TEXTURE_MARK, cudaErrorInvalidValue);
  *desc = t->resource;
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *desc, cudaTextureObject_t object) {
  CHECK_STATE();
  const texture *t = (const texture *)(uintptr_t)object;
  REQUIRE(desc != NULL && t != NULL && t->mark == TEXTURE_MARK, cudaErrorInvalidValue);
  *desc = t->settings;
  return cudaSuccess;
}

/* --- references ----------------------------------------------------------------------------- */

static cudaError_t bound(const struct textureReference *reference, texture **t) {
  host_variable *v = drano_host_variable(reference);
  REQUIRE(v != NULL && v->kind == 1, cudaErrorInvalidTexture);
  *t = calloc(1, sizeof **t); /* a kernel's earlier binding may be read still: never freed */
  REQUIRE(*t != NULL, cudaErrorMemoryAllocation);
  (*t)->mark = TEXTURE_MARK;
  (*t)->reference = reference;
  (*t)->normalized_values = v->normalized != 0;
  if (v->address != NULL) *(uint64_t *)(void *)v->address = (uint64_t)(uintptr_t)*t;
  return cudaSuccess; /* without an address no kernel uses it */
}

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *reference,
                            const void *pointer, const struct cudaChannelFormatDesc *desc,
                            size_t bytes) {
  CHECK_STATE();
  REQUIRE(desc != NULL && element_bytes(desc) != 0, cudaErrorInvalidChannelDescriptor);
  const allocation *a = drano_find((uint64_t)(uintptr_t)pointer);
  REQUIRE(a != NULL, cudaErrorInvalidValue);
  texture *t;
  cudaError_t error = bound(reference, &t);
  if (error != cudaSuccess) return error;
  uint64_t left = a->end - (uint64_t)(uintptr_t)pointer;
  from_memory(t, pointer, desc, (bytes < left ? bytes : left) / element_bytes(desc), 0, 0);
  if (offset != NULL) *offset = 0;
  return cudaSuccess;
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *reference,
                              const void *pointer, const struct cudaChannelFormatDesc *desc,
                              size_t width, size_t height, size_t pitch) {
  CHECK_STATE();
  REQUIRE(desc != NULL && element_bytes(desc) != 0, cudaErrorInvalidChannelDescriptor);
  REQUIRE(drano_find((uint64_t)(uintptr_t)pointer) != NULL, cudaErrorInvalidValue);
  texture *t;
  cudaError_t error = bound(reference, &t);
  if (error != cudaSuccess) return error;
  from_memory(t, pointer, desc, width, height, pitch);
  if (offset != NULL) *offset = 0;
  return cudaSuccess;
}

cudaError_t cudaBindTextureToArray(const struct textureReference *reference, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc) {
  CHECK_STATE();
  (void)desc;
  REQUIRE(drano_array_valid(array), cudaErrorInvalidResourceHandle);
  texture *t;
  cudaError_t error = bound(reference, &t);
  if (error != cudaSuccess) return error;
  from_array(t, array);
  return cudaSuccess;
}

cudaError_t cudaUnbindTexture(const struct textureReference *reference) {
  CHECK_STATE();
  host_variable *v = drano_host_variable(reference);
  REQUIRE(v != NULL && v->kind == 1, cudaErrorInvalidTexture);
  if (v->address != NULL) *(uint64_t *)(void *)v->address = 0;
  return cudaSuccess;
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *reference) {
  CHECK_STATE();
  REQUIRE(offset != NULL && reference != NULL, cudaErrorInvalidValue);
  *offset = 0;
  return cudaSuccess;
}

cudaError_t cudaGetTextureReference(const struct textureReference **reference, const void *symbol) {
  CHECK_STATE();
  host_variable *v = drano_host_variable(symbol);
  REQUIRE(reference != NULL && v != NULL && v->kind == 1, cudaErrorInvalidTexture);
  *reference = symbol;
  return cudaSuccess;
}

/* --- fetches -------------------------------------------------------------------------------- */

static float half_value(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float value = exponent == 31 ? (fraction ? NAN : INFINITY)
                : exponent     ? ldexpf((float)(fraction | 1024), exponent - 25)
                               : ldexpf((float)fraction, -24);
  return bits >> 15 ? -value : value;
}

/* One texel's channels as raw 32-bit words, and as numbers. */
static void texel(const texture *t, int64_t x, int64_t y, int64_t z, uint32_t raw[4],
                  float number[4]) {
  const char *p = t->data + z * (int64_t)t->plane + y * (int64_t)t->pitch + x * (int64_t)t->element;
  const int bits[4] = {t->desc.x, t->desc.y, t->desc.z, t->desc.w};
  for (int k = 0; k < 4; k++) {
    raw[k] = 0;
    number[k] = k == 3 && !bits[3] ? 1.0f : 0.0f;
    if (!bits[k]) continue;
    uint32_t bytes = (uint32_t)bits[k] / 8, word = 0;
    memcpy(&word, p, bytes);
    p += bytes;
    bool is_signed = t->desc.f == cudaChannelFormatKindSigned;
    if (is_signed && bytes < 4) {
      uint32_t sign = 1u << (bits[k] - 1);
      word = (word ^ sign) - sign;
    }
    raw[k] = word;
    if (t->desc.f == cudaChannelFormatKindFloat) {
      if (bytes == 2) number[k] = half_value((uint16_t)word);
      else memcpy(&number[k], &word, 4);
      if (bytes == 2) memcpy(&raw[k], &number[k], 4);
    } else if (t->normalized_values) {
      float most = (float)((1u << (bits[k] - (is_signed ? 1 : 0))) - 1);
      number[k] = is_signed ? fmaxf((float)(int32_t)word / most, -1.0f) : (float)word / most;
    } else {
      memcpy(&number[k], &word, 4); /* as the instruction would: the bits */
    }
  }
}

/* The texel that an index stands for; -1 outside with the border mode. */
static int64_t addressed(int64_t index, size_t size, enum cudaTextureAddressMode mode) {
  int64_t n = size ? (int64_t)size : 1;
  if (index >= 0 && index < n) return index;
  switch (mode) {
  case cudaAddressModeWrap: return (index % n + n) % n;
  case cudaAddressModeMirror: {
    int64_t period = (index % (2 * n) + 2 * n) % (2 * n);
    return period < n ? period : 2 * n - 1 - period;
  }
  case cudaAddressModeBorder: return -1;
  default: return index < 0 ? 0 : n - 1;
  }
}

static void fetch_at(const texture *t, const enum cudaTextureAddressMode mode[3],
                     const int64_t index[3], uint32_t raw[4], float number[4]) {
  int64_t x = addressed(index[0], t->width, mode[0]), y = addressed(index[1], t->height, mode[1]);
  int64_t z = addressed(index[2], t->depth, mode[2]);
  if (x < 0 || y < 0 || z < 0) {
    memset(raw, 0, 4 * sizeof *raw);
    memset(number, 0, 4 * sizeof *number);
    return;
  }
  texel(t, x, y, z, raw, number);
}

/* The face that a direction points to, and where on it, from 0 to 1. */
static int64_t cube_face(const float direction[3], float on_face[2]) {
  const float x = direction[0], y = direction[1], z = direction[2];
  const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
  int64_t face;
  float s, t, m;
  if (ax >= ay && ax >= az) face = x < 0, m = ax, s = x < 0 ? z : -z, t = -y;
  else if (ay >= az) face = 2 + (y < 0), m = ay, s = x, t = y < 0 ? -z : z;
  else face = 4 + (z < 0), m = az, s = z < 0 ? -x : x, t = -y;
  on_face[0] = (s / m + 1) / 2;
  on_face[1] = (t / m + 1) / 2;
  return face;
}

void drano_texture(drano_warp *w, uint64_t handle, uint32_t shape, const float given[4],
                   int32_t integer_coordinates, uint32_t result[4], int32_t result_is_float) {
  const texture *t = (const texture *)(uintptr_t)handle;
  const uint32_t dims = shape & 15;
  float coordinate[3] = {given[0], given[1], given[2]};
  memset(result, 0, 4 * sizeof *result);
  if (t == NULL || t->mark != TEXTURE_MARK || t->data == NULL) {
    drano_report(w, NULL, DRANO_NO_SITE, 0, cudaErrorInvalidTextureBinding,
                 "fetch from a texture that is not bound");
    return;
  }
  /* Normalised integers are numbers, whatever type the instruction names. */
  const bool floats = result_is_float || (t->normalized_values && t->desc.f != cudaChannelFormatKindFloat);
  float number[4];
  int64_t index[3] = {0, 0, 0};
  enum cudaTextureAddressMode mode[3] = {t->address[0], t->address[1], t->address[2]};
  enum cudaTextureFilterMode filter = t->filter;
  bool normalized = t->normalized_coordinates;
  if (t->reference != NULL) {
    for (int k = 0; k < 3; k++) mode[k] = t->reference->addressMode[k];
    filter = t->reference->filterMode;
    normalized = t->reference->normalized != 0;
  }
  const size_t size[3] = {t->width, t->height, t->depth};
  if (shape & (DRANO_LAYERED | DRANO_CUBE)) {
    int32_t layer;
    memcpy(&layer, &given[3], 4);
    index[2] = shape & DRANO_LAYERED ? layer : 0;
    if (shape & DRANO_CUBE) {
      index[2] = index[2] * 6 + cube_face(given, coordinate);
      normalized = true;
    }
    mode[2] = cudaAddressModeClamp;
  }
  if (integer_coordinates) { /* the bits are those of integers; outside reads as zero */
    for (uint32_t k = 0; k < dims && k < 3; k++) {
      int32_t whole;
      memcpy(&whole, &coordinate[k], 4);
      index[k] = whole;
      mode[k] = cudaAddressModeBorder;
    }
    fetch_at(t, mode, index, result, number);
    if (floats) memcpy(result, number, sizeof number);
    return;
  }
  float at[3] = {0, 0, 0};
  for (uint32_t k = 0; k < dims && k < 3; k++) {
    at[k] = normalized ? coordinate[k] * (float)size[k] : coordinate[k];
    if (!(fabsf(at[k]) < 1e9f)) at[k] = at[k] > 0 ? 1e9f : -1e9f; /* infinite, or no number */
    if (!normalized && (mode[k] == cudaAddressModeWrap || mode[k] == cudaAddressModeMirror))
      mode[k] = cudaAddressModeClamp;
  }
  if (filter != cudaFilterModeLinear || !floats) {
    for (uint32_t k = 0; k < dims && k < 3; k++) index[k] = (int64_t)floorf(at[k]);
    fetch_at(t, mode, index, result, number);
    if (floats) memcpy(result, number, sizeof number);
    return;
  }
  float weight[3] = {0, 0, 0}, sum[4] = {0, 0, 0, 0};
  for (uint32_t k = 0; k < dims && k < 3; k++) {
    float low = floorf(at[k] - 0.5f);
    weight[k] = rintf((at[k] - 0.5f - low) * 256.0f) / 256.0f;
    index[k] = (int64_t)low;
  }
  for (unsigned corner = 0; corner < 1u << dims; corner++) {
    float factor = 1.0f;
    int64_t place[3];
    for (unsigned k = 0; k < 3; k++) {
      bool up = corner >> k & 1;
      factor *= k < dims ? (up ? weight[k] : 1.0f - weight[k]) : 1.0f;
      place[k] = index[k] + up;
    }
    uint32_t raw[4];
    fetch_at(t, mode, place, raw, number);
    for (int k = 0; k < 4; k++) sum[k] += factor * number[k];
  }
  memcpy(result, sum, sizeof sum);
}

/* --- surfaces ------------------------------------------------------------------------------- */

#define SURFACE_MARK 0x64727375u

typedef struct surface { unsigned mark; struct cudaArray *array; struct cudaResourceDesc resource; } surface;

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource) {
  CHECK_STATE();
  REQUIRE(object != NULL && resource != NULL && resource->resType == cudaResourceTypeArray &&
              drano_array_valid(resource->res.array.array),
          cudaErrorInvalidValue);
  surface *s = calloc(1, sizeof *s);
  REQUIRE(s != NULL, cudaErrorMemoryAllocation);
  *s = (surface){SURFACE_MARK, resource->res.array.array, *resource};
  *object = (cudaSurfaceObject_t)(uintptr_t)s;
  return cudaSuccess;
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  CHECK_STATE();
  surface *s = (surface *)(uintptr_t)object;
  if (s == NULL) return cudaSuccess;
  REQUIRE(s->mark == SURFACE_MARK, cudaErrorInvalidValue);
  s->mark = 0; /* the few bytes stay, so that a later access is seen */
  return cudaSuccess;
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *desc, cudaSurfaceObject_t object) {
  CHECK_STATE();
  const surface *s = (const surface *)(uintptr_t)object;
  REQUIRE(desc != NULL && s != NULL && s->mark == SURFACE_MARK, cudaErrorInvalidValue);
  *desc = s->resource;
  return cudaSuccess;
}

static int64_t clamped(int64_t value, int64_t most) { return value < 0 ? 0 : value > most ? most : value; }

void drano_surface(drano_warp *w, uint64_t handle, uint32_t shape, const int32_t at[4], uint32_t boundary,
                   uint32_t bytes, void *value, int32_t writes) {
  const surface *s = (const surface *)(uintptr_t)handle;
  if (s == NULL || s->mark != SURFACE_MARK || !drano_array_valid(s->array)) {
    drano_report(w, NULL, DRANO_NO_SITE, 0, cudaErrorInvalidSurface, "access of a surface that is not there");
    return;
  }
  const struct cudaArray *a = s->array;
  const int64_t rows = a->height ? (int64_t)a->height : 1, planes = a->depth ? (int64_t)a->depth : 1;
  const int64_t end = (int64_t)a->row_bytes - bytes;
  int64_t x = at[0], y = (shape & 15) > 1 ? at[1] : 0;
  int64_t z = shape & DRANO_LAYERED ? at[3] : (shape & 15) > 2 ? at[2] : 0;
  if (x < 0 || x > end || y < 0 || y >= rows || z < 0 || z >= planes) {
    if (boundary == 0) {
      drano_report(w, NULL, DRANO_NO_SITE, 0, cudaErrorIllegalAddress, "access outside of a surface");
      return;
    }
    if (boundary == 2) {
      if (!writes) memset(value, 0, bytes);
      return;
    }
    x = clamped(x, end), y = clamped(y, rows - 1), z = clamped(z, planes - 1);
  }
  char *place = a->data + ((uint64_t)z * (uint64_t)rows + (uint64_t)y) * a->row_bytes + x;
  if (writes) memcpy(place, value, bytes);
  else memcpy(value, place, bytes);
}
