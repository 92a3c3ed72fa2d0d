/* Replays warp accesses from a file through the run-time library: all of them, REPEATS times.
 *
 * The file: records of 37 32-bit words: site, bytes, kind, space, mask, and 32 offsets into an array
 * of device memory or into the block's shared memory. With 100 added to the space the site is generic.
 */
#include "drano_abi.h"
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { uint32_t site, bytes, kind, space, mask, offset[DRANO_WARP]; } record;
static record *records;
static long count, repeats;
static drano_unit unit;

static int32_t step(drano_warp *w) {
  char *base = *(char *const *)w->params;
  for (long k = 0; k < count * repeats; k++) {
    const record *r = &records[k % count];
    uint64_t address[DRANO_WARP];
    for (int lane = 0; lane < DRANO_WARP; lane++) {
      char *from = r->space == 3 || r->space == 103 ? w->block->shared : base;
      /* what inactive lanes hold means nothing */
      address[lane] = r->mask >> lane & 1 ? (uint64_t)(uintptr_t)(from + r->offset[lane]) : 1;
    }
    if (drano_access(w, &unit, r->site, r->mask, address)) return DRANO_FAULT;
  }
  return DRANO_EXITED;
}

void **__cudaRegisterFatBinary(const void *wrapper);
int __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *,
                           void *, int *);

int main(int argc, char **argv) {
  FILE *file = argc > 2 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL) return 2;
  repeats = strtol(argv[2], NULL, 10);
  fseek(file, 0, SEEK_END);
  count = ftell(file) / (long)sizeof *records;
  rewind(file);
  records = malloc((size_t)count * sizeof *records);
  if (fread(records, sizeof *records, (size_t)count, file) != (size_t)count) return 2;
  drano_site *sites = calloc((size_t)count, sizeof *sites);
  for (long k = 0; k < count; k++)
    sites[records[k].site] = (drano_site){.path = "replay", .line = records[k].site + 1, .column = 1, .kernel = "replay",
                            .function = "replay", .inlined_at = "", .kind = (uint8_t)records[k].kind,
                            .space = (uint8_t)(records[k].space < 100 ? records[k].space : 0), .bytes = records[k].bytes,
                            .ordinal = records[k].site};
  static const drano_param parameter = {0, 8};
  static drano_kernel kernel = {"replay", step, 64, 0, 32768, 1, 8, &parameter, 0, 0};
  kernel.site_count = (uint32_t)count;
  unit = (drano_unit){.abi = DRANO_ABI, .id = "replay", .kernels = &kernel, .kernel_count = 1, .sites = sites,
                      .site_count = (uint32_t)count};
  drano_register_unit(&unit);
  static struct { int magic, version; const char *data; void *unused; } binary = {0, 1, "drano:replay", 0};
  void **handle = __cudaRegisterFatBinary(&binary);
  __cudaRegisterFunction(handle, (const char *)&kernel, NULL, "replay", -1, NULL, NULL, NULL, NULL, NULL);
  char *memory;
  if (cudaMalloc((void **)&memory, 1 << 20) != cudaSuccess) return 3;
  void *arguments[] = {&memory};
  dim3 one = {1, 1, 1}, warp = {DRANO_WARP, 1, 1};
  if (cudaLaunchKernel(&kernel, one, warp, arguments, 0, NULL) != cudaSuccess) return 4;
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 5;
}
