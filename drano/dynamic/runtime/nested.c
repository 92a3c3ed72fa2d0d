/* Kernels that launch kernels. A launch is put aside until the kernel that asked for it has ended; then
 * each is done, and all that it launches itself, before the next one of the same kernel: an order that
 * fits every stream. Those of the stream for tail launches come last.
 */
#include "drano_runtime.h"

#define TAIL_STREAM 3

typedef struct nested_launch {
  struct nested_launch *next;
  drano_unit *unit;
  const drano_kernel *kernel;
  dim3 grid, block;
  uint32_t shared;
  bool tail;
  char params[];
} nested_launch;

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

int32_t drano_launch_device(drano_warp *w, const void *step, char *params, const drano_dim3 *grid,
                            const drano_dim3 *block, uint32_t shared, const void *stream) {
  drano_unit *unit;
  const drano_kernel *k = kernel_of(step, &unit);
  nested_launch *n = k != NULL ? malloc(sizeof *n + k->params_bytes) : NULL;
  if (n == NULL) {
    drano_report(w, NULL, DRANO_NO_SITE, 0, cudaErrorInvalidDeviceFunction,
                 "launch of a kernel that is not known");
    return cudaErrorInvalidDeviceFunction;
  }
  *n = (nested_launch){NULL, unit, k, extent(grid), extent(block), shared, (uintptr_t)stream == TAIL_STREAM};
  memcpy(n->params, params, k->params_bytes);
  drano_device_free(params);
  struct drano_launch *parent = w->block->launch;
  n->next = atomic_load(&parent->nested);
  while (!atomic_compare_exchange_weak(&parent->nested, &n->next, n)) {}
  return cudaSuccess;
}

static void launch_one(nested_launch *n) {
  void **arguments = calloc(n->kernel->param_count + 1, sizeof *arguments);
  if (arguments == NULL) abort();
  for (uint32_t k = 0; k < n->kernel->param_count; k++)
    arguments[k] = n->params + n->kernel->params[k].offset;
  cudaError_t error = drano_state() != cudaSuccess
                          ? cudaSuccess
                          : drano_launch_known(n->unit, n->kernel, n->grid, n->block, arguments, n->shared, false);
  if (error != cudaSuccess) {
    drano_say("error: a kernel's launch of %s fails: %s", n->kernel->name, cudaGetErrorName(error));
    drano_sticky(cudaErrorLaunchFailure);
  }
  free(arguments);
}

void drano_launch_nested(struct drano_launch *parent) {
  nested_launch *first = NULL;
  for (nested_launch *n = atomic_load(&parent->nested), *next; n != NULL; n = next) {
    next = n->next; /* in the order of the launches */
    n->next = first;
    first = n;
  }
  for (int tail = 0; tail < 2; tail++)
    for (nested_launch *n = first; n != NULL; n = n->next)
      if (n->tail == tail) launch_one(n);
  for (nested_launch *n = first, *next; n != NULL; n = next) {
    next = n->next;
    free(n);
  }
}
