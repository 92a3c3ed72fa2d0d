/* The smallest run-time library: runs blocks one after the other and notes every access.
 * For tests of the code generator only; loaded by harness.py. */
#include "drano_abi.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static drano_unit *unit;
static FILE *output;
static char fault_text[512];

/* One record per warp access: site, mask, warp of the block, block, lanes that go to shared memory,
 * 32 addresses. */
typedef struct { uint32_t site, mask, warp, block, shared, padding; uint64_t address[32]; } record;
static record *records;
static size_t record_count, record_room;
static int recording;
static uint64_t accesses;

void drano_register_unit(drano_unit *u) {
  if (!unit || u->kernel_count) unit = u;
}

int32_t drano_access(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t mask,
                     const uint64_t address[32]) {
  (void)u;
  accesses += (uint64_t)__builtin_popcount(mask);
  if (!recording) return 0;
  if (record_count == record_room) {
    record_room = record_room ? 2 * record_room : 1024;
    records = realloc(records, record_room * sizeof *records);
  }
  record *r = &records[record_count++];
  r->site = site;
  r->mask = mask;
  const drano_block *b = w->block;
  r->warp = w->warp_id;
  r->block = (uint32_t)(b->block_idx.x + b->grid_dim.x * (b->block_idx.y + b->grid_dim.y * b->block_idx.z));
  r->shared = 0;
  for (int lane = 0; lane < 32; lane++)
    r->shared |= (uint32_t)(address[lane] - (uint64_t)(uintptr_t)b->shared < b->shared_bytes) << lane;
  memcpy(r->address, address, sizeof r->address);
  return 0;
}

int32_t drano_row(drano_warp *w, const drano_unit *u, uint32_t site, uint64_t first) {
  uint64_t address[32];
  for (int lane = 0; lane < 32; lane++)
    address[lane] = first + (uint64_t)(int64_t)u->sites[site].patterns[0].offset[lane];
  return drano_access(w, u, site, UINT32_MAX, address);
}

void drano_fault(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t mask, const char *what) {
  (void)w; (void)u;
  snprintf(fault_text, sizeof fault_text, "%s [site %d, mask %08x]", what, (int)site, mask);
}

void drano_assert(drano_warp *w, const drano_unit *u, uint32_t mask, const char *message,
                  const char *file, uint32_t line, const char *function) {
  (void)w; (void)u; (void)file; (void)function;
  snprintf(fault_text, sizeof fault_text, "assertion `%s' failed, line %u [mask %08x]", message,
           line, mask);
}

void drano_local_fault(drano_warp *w, const char *path, uint32_t line, uint32_t column, uint64_t lane,
                       int64_t offset, uint64_t size, uint64_t bytes, uint32_t writes) {
  (void)w; (void)path; (void)column; (void)writes;
  snprintf(fault_text, sizeof fault_text, "line %u, lane %d: %d + %d of %d bytes", line, (int)lane,
           (int)offset, (int)bytes, (int)size);
}

int32_t drano_vprintf(drano_warp *w, uint32_t lane, const char *format, const char *arguments) {
  (void)arguments;
  if (output) fprintf(output, "%u:%u:%s", w->warp_id, lane, format);
  return 0;
}

void *drano_device_malloc(uint64_t bytes) { return malloc(bytes); }
void drano_device_free(void *pointer) { free(pointer); }
void drano_texture(drano_warp *w, uint64_t handle, uint32_t dims, const float coordinate[4],
                   int32_t integer, uint32_t result[4], int32_t result_is_float) {
  (void)w; (void)dims; (void)result_is_float;
  for (int k = 0; k < 4; k++)
    result[k] = (uint32_t)((const uint32_t *)handle)[4 * (int)coordinate[0] + k];
  (void)integer;
}

const drano_unit *harness_unit(void) { return unit; }
void harness_record(int on) { recording = on; record_count = 0; accesses = 0; }
size_t harness_records(const record **found) { *found = records; return record_count; }
uint64_t harness_accesses(void) { return accesses; }
const char *harness_fault(void) { return fault_text; }

static const drano_kernel *find(const char *name) {
  for (uint32_t k = 0; k < unit->kernel_count; k++)
    if (strcmp(unit->kernels[k].name, name) == 0) return &unit->kernels[k];
  return NULL;
}

static void fill(drano_warp *w, drano_block *b, uint32_t number) {
  int threads = b->block_dim.x * b->block_dim.y * b->block_dim.z;
  w->warp_id = number;
  w->live = 0;
  for (int lane = 0; lane < 32; lane++) {
    int thread = (int)number * 32 + lane;
    w->tid_x[lane] = thread % b->block_dim.x;
    w->tid_y[lane] = thread / b->block_dim.x % b->block_dim.y;
    w->tid_z[lane] = thread / b->block_dim.x / b->block_dim.y;
    if (thread < threads) w->live |= 1u << lane;
  }
}

/* Runs one block; 0, or 1 after a fault, 2 after a barrier that not all threads reached. */
static int run_block(const drano_kernel *k, drano_block *b, drano_warp *warps) {
  uint32_t running = b->warps;
  int *state = calloc(b->warps, sizeof *state);
  int result = 0;
  while (running && !result) {
    for (uint32_t n = 0; n < b->warps && !result; n++) {
      if (state[n] != 0) continue;
      int32_t status = k->step(&warps[n]);
      if (status == DRANO_YIELD) continue;
      if (status == DRANO_FAULT) result = 1;
      else if (status == DRANO_EXITED) { state[n] = 2; running--; }
      else if (warps[n].barrier_lanes != warps[n].live) result = 2;
      else state[n] = 1;
    }
    uint32_t count = 0, total = 0;
    for (uint32_t n = 0; n < b->warps; n++)
      if (state[n] == 1) {
        count += (uint32_t)__builtin_popcount(warps[n].barrier_true);
        total += (uint32_t)__builtin_popcount(warps[n].barrier_lanes);
      }
    for (uint32_t n = 0; n < b->warps; n++)
      if (state[n] == 1) {
        warps[n].barrier_count = count;
        warps[n].barrier_total = total;
        state[n] = 0;
      }
  }
  free(state);
  return result;
}

static int launch(const char *name, const int32_t grid[3], const int32_t block[3],
                   uint32_t dynamic_shared, const void *params, const char *printed) {
  const drano_kernel *k = find(name);
  if (!k) return -1;
  fault_text[0] = 0;
  output = printed ? fopen(printed, "w") : NULL;
  drano_block b;
  memset(&b, 0, sizeof b);
  b.block_dim = (drano_dim3){block[0], block[1], block[2]};
  b.grid_dim = (drano_dim3){grid[0], grid[1], grid[2]};
  b.warps = (uint32_t)(block[0] * block[1] * block[2] + 31) / 32;
  b.dynamic_shared_offset = (k->static_shared_bytes + 127) / 128 * 128;
  b.shared_bytes = b.dynamic_shared_offset + dynamic_shared;
  b.shared = aligned_alloc(128, (b.shared_bytes + 255) / 128 * 128);
  size_t frame = (k->frame_bytes + 63) / 64 * 64;
  size_t local = (32 * (size_t)k->local_bytes + 127) / 64 * 64;
  char *frames = aligned_alloc(64, frame * b.warps), *locals = aligned_alloc(64, local * b.warps);
  drano_warp *warps = calloc(b.warps, sizeof *warps);
  b.work = calloc(unit->block_count + 1, sizeof *b.work);
  int result = 0;
  static const int32_t never;
  b.stop = &never;
  b.tallies = aligned_alloc(64, (k->site_count + 1) * sizeof *b.tallies);
  memset(b.tallies, 0, (k->site_count + 1) * sizeof *b.tallies); /* every request is seen here */
  for (int z = 0; z < grid[2] && !result; z++)
    for (int y = 0; y < grid[1] && !result; y++)
      for (int x = 0; x < grid[0] && !result; x++) {
        b.block_idx = (drano_dim3){x, y, z};
        memset(frames, 0x7f, frame * b.warps);
        memset(b.shared, 0x7f, b.shared_bytes);
        for (uint32_t n = 0; n < b.warps; n++) {
          fill(&warps[n], &b, n);
          warps[n].params = params;
          warps[n].frame = frames + n * frame;
          memset(warps[n].frame, 0, 8);
          warps[n].local = locals + n * local;
          warps[n].block = &b;
        }
        result = run_block(k, &b, warps);
      }
  if (output) fclose(output);
  output = NULL;
  free(b.shared); free(b.tallies); free(frames); free(locals); free(warps); free(b.work);
  return result;
}

typedef struct {
  const char *name, *printed;
  const int32_t *grid, *block;
  const void *params;
  uint32_t dynamic_shared;
  int result;
} job;

static void *work(void *given) {
  job *j = given;
  j->result = launch(j->name, j->grid, j->block, j->dynamic_shared, j->params, j->printed);
  return NULL;
}

/* On a thread of its own, with the stack that called functions may use. */
int harness_launch(const char *name, const int32_t grid[3], const int32_t block[3],
                   uint32_t dynamic_shared, const void *params, const char *printed) {
  job j = {name, printed, grid, block, params, dynamic_shared, 0};
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64u << 20);
  if (pthread_create(&thread, &attributes, work, &j)) return -2;
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  return j.result;
}
