/* Kernels that launch kernels, copy and fill. What a kernel asks for is put aside until it has ended;
 * then each item is done, and all that it launches itself, before the next one of the same kernel: an
 * order that fits every stream. Those of the stream for tail launches come last.
 */
#include "drano_runtime.h"

#define TAIL_STREAM 3

typedef struct { char *to; const char *from; size_t to_pitch, from_pitch, width, rows; int value; } transfer;

typedef struct nested_work {
  struct nested_work *next;
  bool tail;
  drano_unit *unit;
  const drano_kernel *kernel; /* NULL: a transfer */
  dim3 grid, block;
  uint32_t shared;
  transfer moved; /* a fill where `from` is NULL */
  char params[];
} nested_work;

static const drano_kernel *kernel_of(const void *step, drano_unit **unit) {
  for (uint32_t u = 0; u < atomic_load(&drano_unit_count); u++)
    for (uint32_t k = 0; k < drano_units[u]->kernel_count; k++)
      if ((const void *)drano_units[u]->kernels[k].step == step) {
        *unit = drano_units[u];
        return &drano_units[u]->kernels[k];
      }
  return NULL;
}

static dim3 extent(const drano_dim3 *d) {
  return (dim3){(unsigned)d->x, (unsigned)d->y, (unsigned)d->z};
}

static int32_t put_aside(drano_warp *w, nested_work *n) {
  struct drano_launch *parent = w->block->launch;
  n->next = atomic_load(&parent->nested);
  while (!atomic_compare_exchange_weak(&parent->nested, &n->next, n)) {}
  return cudaSuccess;
}

int32_t drano_launch_device(drano_warp *w, const void *step, char *params, const drano_dim3 *grid,
                            const drano_dim3 *block, uint32_t shared, const void *stream) {
  drano_unit *unit;
  const drano_kernel *k = kernel_of(step, &unit);
  nested_work *n = k != NULL ? malloc(sizeof *n + k->params_bytes) : NULL;
  if (n == NULL) {
    drano_report(w, NULL, DRANO_NO_SITE, 0, cudaErrorInvalidDeviceFunction,
                 "launch of a kernel that is not known");
    return cudaErrorInvalidDeviceFunction;
  }
  *n = (nested_work){.unit = unit, .kernel = k, .grid = extent(grid), .block = extent(block),
                     .shared = shared, .tail = (uintptr_t)stream == TAIL_STREAM};
  memcpy(n->params, params, k->params_bytes);
  drano_device_free(params);
  return put_aside(w, n);
}

static int32_t put_transfer_aside(drano_warp *w, transfer moved, const void *stream) {
  nested_work *n = malloc(sizeof *n);
  if (n == NULL) return cudaErrorMemoryAllocation;
  *n = (nested_work){.moved = moved, .tail = (uintptr_t)stream == TAIL_STREAM};
  return put_aside(w, n);
}

int32_t drano_copy_device(drano_warp *w, void *to, uint64_t to_pitch, const void *from, uint64_t from_pitch,
                          uint64_t width, uint64_t rows, const void *stream) {
  /* shared and local memory is gone by the time of the copy */
  if (from == NULL || drano_space(w, from) != 0 || drano_space(w, to) != 0) return cudaErrorInvalidValue;
  return put_transfer_aside(w, (transfer){to, from, to_pitch, from_pitch, width, rows, 0}, stream);
}

int32_t drano_fill_device(drano_warp *w, void *to, uint64_t pitch, int32_t value, uint64_t width,
                          uint64_t rows, const void *stream) {
  if (drano_space(w, to) != 0) return cudaErrorInvalidValue;
  return put_transfer_aside(w, (transfer){to, NULL, pitch, 0, width, rows, value}, stream);
}

/* The host's strings lie where a kernel's loads are refused: copied once to memory of the device. */
const char *drano_error_text(int32_t error, int32_t is_name) {
  static char *_Atomic copies[2][1024];
  char *_Atomic *slot = &copies[is_name != 0][error >= 0 && error < 1024 ? error : cudaErrorUnknown];
  char *text = atomic_load(slot);
  if (text != NULL) return text;
  const char *host = is_name ? cudaGetErrorName((cudaError_t)error) : cudaGetErrorString((cudaError_t)error);
  char *copy = drano_device_malloc(strlen(host) + 1);
  if (copy == NULL) return NULL;
  strcpy(copy, host);
  if (atomic_compare_exchange_strong(slot, &text, copy)) return copy;
  drano_device_free(copy);
  return text;
}

static cudaError_t launch(nested_work *n) {
  void **arguments = calloc(n->kernel->param_count + 1, sizeof *arguments);
  if (arguments == NULL) abort();
  for (uint32_t k = 0; k < n->kernel->param_count; k++)
    arguments[k] = n->params + n->kernel->params[k].offset;
  cudaError_t error = drano_launch_known(n->unit, n->kernel, n->grid, n->block, arguments, n->shared, false);
  free(arguments);
  return error;
}

static cudaError_t move(const transfer *m) {
  return m->from == NULL ? cudaMemset2D(m->to, m->to_pitch, m->value, m->width, m->rows)
                         : cudaMemcpy2D(m->to, m->to_pitch, m->from, m->from_pitch, m->width, m->rows,
                                        cudaMemcpyDeviceToDevice);
}

static void do_one(nested_work *n) {
  if (drano_state() != cudaSuccess) return;
  cudaError_t error = n->kernel != NULL ? launch(n) : move(&n->moved);
  if (error == cudaSuccess) return;
  const char *name = cudaGetErrorName(error);
  if (n->kernel != NULL) drano_say("error: a kernel's launch of %s fails: %s", n->kernel->name, name);
  else drano_say("error: a kernel's %s fails: %s", n->moved.from ? "cudaMemcpyAsync" : "cudaMemsetAsync", name);
  drano_sticky(cudaErrorLaunchFailure);
}

void drano_do_nested(struct drano_launch *parent) {
  nested_work *first = NULL;
  for (nested_work *n = atomic_load(&parent->nested), *next; n != NULL; n = next) {
    next = n->next; /* in the order of the calls */
    n->next = first;
    first = n;
  }
  for (int tail = 0; tail < 2; tail++)
    for (nested_work *n = first; n != NULL; n = n->next)
      if (n->tail == tail) do_one(n);
  for (nested_work *n = first, *next; n != NULL; n = next) {
    next = n->next;
    free(n);
  }
}
