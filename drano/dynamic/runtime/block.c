/* One block: a worker runs its warps in turn until each has exited, waits or spins.
 *
 * A barrier opens when all the warps that have not exited wait at it; when the others can never come, the
 * kernel ends with a line that says so.
 */
#include "block.h"
#include "races.h"
#include "reuse.h"
#include "proved.h"
#include <sys/mman.h>

bool drano_racing;

struct drano_launch drano_launch_of(const drano_unit *unit, const drano_kernel *k, dim3 grid, dim3 block,
                                    size_t shared) {
  struct drano_launch l = {.unit = unit, .kernel = k};
  l.grid = (drano_dim3){(int32_t)grid.x, (int32_t)grid.y, (int32_t)grid.z};
  l.block = (drano_dim3){(int32_t)block.x, (int32_t)block.y, (int32_t)block.z};
  l.threads = block.x * block.y * block.z;
  l.warps = (l.threads + DRANO_WARP - 1) / DRANO_WARP;
  l.dynamic_shared_offset = (uint32_t)align_up(k->static_shared_bytes, 128);
  l.shared_bytes = shared ? l.dynamic_shared_offset + (uint32_t)shared : k->static_shared_bytes;
  l.blocks = (uint64_t)grid.x * grid.y * grid.z;
  return l;
}

char *drano_parameters(const drano_kernel *k, void **arguments) {
  char *made = aligned_alloc(64, align_up(k->params_bytes + 1, 64));
  for (uint32_t n = 0; made != NULL && n < k->param_count; n++)
    memcpy(made + k->params[n].offset, arguments[n], k->params[n].bytes);
  return made;
}

void drano_prepare_block(block_context *c, struct drano_launch *l, struct drano_counters *counters) {
  const drano_kernel *k = l->kernel;
  uint64_t frame = align_up(k->frame_bytes, 64), local = align_up((uint64_t)k->local_bytes * 32, 64);
  uint64_t shared = align_up(l->shared_bytes, 128);
  uint64_t need = 4096 + shared + l->warps * (frame + local + sizeof(drano_warp) + sizeof(warp_state) + 64);
  if (need > c->memory_bytes) {
    if (c->memory) munmap(c->memory, c->memory_bytes);
    c->memory_bytes = align_up(need, 1 << 16);
    c->memory = mmap(NULL, c->memory_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (c->memory == MAP_FAILED) {
      drano_say("error: no memory for a block of kernel %s", k->name);
      abort();
    }
  }
  char *at = c->memory;
  c->block.shared = at;
  at += align_up(shared + 1, 128); /* not even an empty one is another's */
  char *frames = at;
  at += l->warps * frame;
  char *locals = at;
  at += l->warps * local;
  c->warps = (drano_warp *)at;
  at += align_up(l->warps * sizeof(drano_warp), 64);
  c->states = (warp_state *)at;
  c->kernel = k;
  c->warp_count = l->warps;
  c->block.block_dim = l->block;
  c->block.grid_dim = l->grid;
  c->block.shared_bytes = l->shared_bytes;
  c->block.dynamic_shared_offset = l->dynamic_shared_offset;
  c->block.warps = l->warps;
  c->block.launch = l;
  c->block.counters = counters;
  c->block.work = drano_block_work(l, counters);
  c->tallies = drano_tallies(counters, l);
  c->block.stop = (const int32_t *)&l->stop;
  for (uint32_t k2 = 0; k2 < l->warps; k2++) {
    drano_warp *w = &c->warps[k2];
    memset(w, 0, sizeof *w);
    w->params = l->params;
    w->frame = frames + k2 * frame;
    w->local = locals + k2 * local;
    w->block = &c->block;
    w->warp_id = k2;
    for (uint32_t lane = 0; lane < DRANO_WARP; lane++) {
      uint32_t t = k2 * DRANO_WARP + lane;
      w->tid_x[lane] = (int32_t)(t % (uint32_t)l->block.x);
      w->tid_y[lane] = (int32_t)(t / (uint32_t)l->block.x % (uint32_t)l->block.y);
      w->tid_z[lane] = (int32_t)(t / (uint32_t)l->block.x / (uint32_t)l->block.y);
    }
  }
}

void drano_begin_block(block_context *c, struct drano_launch *l, uint64_t number) {
  uint64_t x = (uint64_t)l->grid.x, y = (uint64_t)l->grid.y;
  c->block.block_idx = (drano_dim3){(int32_t)(number % x), (int32_t)(number / x % y),
                                    (int32_t)(number / x / y)};
  drano_reuse_drop(&c->block);
  if (UNLIKELY(drano_reuse_wanted(l, number))) c->block.reuse = drano_reuse_begin();
  c->block.tallies = c->block.reuse == NULL && !drano_racing ? c->tallies : NULL;
  c->block.interval = 0;
  if (UNLIKELY(l->kernel->zero_bytes))
    memset(c->block.shared + l->kernel->zero_offset, 0, l->kernel->zero_bytes);
  for (uint32_t k = 0; k < l->warps; k++) {
    drano_warp *w = &c->warps[k];
    uint32_t first = k * DRANO_WARP, count = l->threads - first;
    w->live = count >= DRANO_WARP ? UINT32_MAX : (1u << count) - 1;
    w->barrier_threads = w->barrier_arrive = w->barrier_true = 0;
    c->states[k] = (warp_state){0};
    memset(w->frame, 0, 8); /* the step function sets the rest */
  }
}

static void barrier_fault(block_context *c, drano_warp *w, uint32_t lanes) {
  char text[200];
  uint32_t waiting = 0, live = 0;
  for (uint32_t k = 0; k < c->warp_count; k++) {
    if (c->states[k].done) continue;
    live += (uint32_t)__builtin_popcount(c->warps[k].live);
    if (c->states[k].waiting && c->warps[k].barrier_id == w->barrier_id)
      waiting += (uint32_t)__builtin_popcount(c->warps[k].barrier_lanes);
  }
  snprintf(text, sizeof text,
           "barrier reached by part of the block: %u of its %u threads wait at barrier %u, the others "
           "never come",
           waiting, live, w->barrier_id);
  drano_report_at(w, w->barrier_place, lanes ? (uint32_t)__builtin_ctz(lanes) : 0,
                  cudaErrorIllegalAddress, text);
}

/* Open the barriers at which all that must come wait. False: none, though somebody waits. */
static bool open_barriers(block_context *c) {
  bool any = false;
  uint32_t live = 0;
  for (uint32_t k = 0; k < c->warp_count; k++)
    if (!c->states[k].done) live++;
  for (uint32_t k = 0; k < c->warp_count; k++) {
    drano_warp *first = &c->warps[k];
    if (!c->states[k].waiting) continue;
    uint32_t id = first->barrier_id, warps = 0, threads = 0, yes = 0, expected = first->barrier_threads;
    for (uint32_t j = 0; j < c->warp_count; j++) {
      if (!c->states[j].waiting || c->warps[j].barrier_id != id) continue;
      warps++;
      threads += (uint32_t)__builtin_popcount(c->warps[j].barrier_lanes);
      yes += (uint32_t)__builtin_popcount(c->warps[j].barrier_true);
    }
    /* a named barrier counts whole warps */
    if (expected ? warps * DRANO_WARP < expected : warps < live) continue;
    for (uint32_t j = 0; j < c->warp_count; j++) {
      if (!c->states[j].waiting || c->warps[j].barrier_id != id) continue;
      c->states[j].waiting = false;
      c->warps[j].barrier_count = yes;
      c->warps[j].barrier_total = threads;
      any = true;
    }
  }
  return any;
}

enum outcome drano_run_block(block_context *c, struct drano_launch *l, uint32_t rounds) {
  int32_t (*step)(drano_warp *) = l->kernel->step;
  for (uint32_t idle = 0; idle < rounds; idle++) {
    uint32_t done = 0, at_grid = 0;
    bool spins = false;
    for (uint32_t k = 0; k < c->warp_count; k++) {
      warp_state *s = &c->states[k];
      drano_warp *w = &c->warps[k];
      while (!s->done && !s->waiting && !s->at_grid) {
        drano_current_warp = w;
        int32_t status = step(w);
        if (status == DRANO_YIELD) {
          spins = true;
          if (UNLIKELY(atomic_load_explicit(&l->stop, memory_order_relaxed))) return STOPPED;
          break;
        }
        idle = 0;
        if (status == DRANO_EXITED) {
          s->done = true;
        } else if (status == DRANO_AT_BARRIER) {
          if (UNLIKELY(w->barrier_lanes != w->live && !w->barrier_threads)) {
            barrier_fault(c, w, w->barrier_lanes);
            return STOPPED;
          }
          s->waiting = !w->barrier_arrive;
        } else if (status == DRANO_AT_GRID_BARRIER) {
          if (!l->cooperative) {
            drano_report(w, NULL, DRANO_NO_SITE, 0, cudaErrorLaunchFailure,
                         "grid barrier in a kernel that was not launched cooperatively");
            return STOPPED;
          }
          s->at_grid = true;
        } else {
          atomic_store(&l->stop, 1);
          return STOPPED;
        }
        if (UNLIKELY(atomic_load_explicit(&l->stop, memory_order_relaxed))) return STOPPED;
      }
      done += s->done;
      at_grid += s->at_grid;
    }
    if (done == c->warp_count) {
      if (UNLIKELY(c->block.reuse != NULL)) drano_reuse_end(&c->block);
      return FINISHED;
    }
    if (done + at_grid == c->warp_count) return SUSPENDED;
    if (open_barriers(c)) {
      c->block.interval++;
      idle = 0;
    } else if (!spins) {
      for (uint32_t k = 0; k < c->warp_count; k++)
        if (c->states[k].waiting) {
          barrier_fault(c, &c->warps[k], c->warps[k].barrier_lanes);
          break;
        }
      return STOPPED;
    }
  }
  return SPINNING;
}

void drano_release_context(block_context *c) {
  drano_reuse_drop(&c->block);
  if (c->memory) munmap(c->memory, c->memory_bytes);
  free(c);
}
