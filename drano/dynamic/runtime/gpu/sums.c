/* What a module's counters come to: for each site, and for the array that it accesses. */
#include "replay.h"

/* Sums of one site and one set of counters. */
typedef struct counted_site { site_counter *site; uint32_t array; uint8_t kind; } counted_site;

static void add_site(const counted_site *to, const uint64_t sum[SLOT_FIELDS], bool shared) {
  site_counter *c = to->site;
  c->executions += sum[F_REQUESTS];
  c->lanes += sum[F_LANES];
  c->conflicts += sum[F_CONFLICTS];
  if (shared) {
    c->shared_executions += sum[F_REQUESTS];
    c->wavefronts += sum[F_SECTORS];
    c->wavefronts_ideal += sum[F_LINES];
  } else {
    c->sectors += sum[F_SECTORS];
    c->lines += sum[F_LINES];
    c->ideal += sum[F_IDEAL];
    count_array(&drano_worker_counters[0], to->array, to->kind, sum[F_LANES], sum[F_SECTORS]);
  }
}

/* Requests that were counted for a group, each at the site's own cost, or at that of the group. */
static void charge(const gpu_place *p, uint64_t sum[SLOT_FIELDS]) {
  sum[F_CONFLICTS] = 0;
  if (p->cost == 0) return;
  const uint64_t requests = sum[F_REQUESTS], part = (1u << COST_WIDTH) - 1;
  for (int f = F_SECTORS; f <= F_IDEAL; f++) sum[f] = requests * (p->cost >> f * COST_WIDTH & part);
}

/* Requests by their lines: counters of neighbouring slots, one after the other. */
static void add_histogram(const gpu_module *m, const counter_table *t, const gpu_place *p, const gpu_set *set,
                          site_counter *c) {
  if (p->histogram < 0) return;
  for (uint32_t n = 0; n <= DRANO_WARP; n++) {
    uint64_t sum[SLOT_FIELDS];
    gpu_sum_slot(m, t, p->histogram + (int32_t)(n / SLOT_FIELDS + gpu_distance(set)), sum);
    uint64_t requests = sum[n % SLOT_FIELDS] * gpu_launches_of(set);
    c->hist[n] += requests;
    if (requests && (c->least == 0 || n < c->least)) c->least = n;
    if (requests && n > c->most) c->most = n;
  }
}

static void add_set(const gpu_module *m, const counter_table *t, uint32_t n, const gpu_set *set) {
  const counted_site to = {&drano_worker_counters[0].sites[m->unit->site_base + n], gpu_array_of(m, n, set),
                           m->unit->sites[n].kind};
  const bool shared = m->unit->sites[n].space == 3;
  for (const gpu_place *p = &m->places[n * FORMS]; p < &m->places[(n + 1) * FORMS]; p++) {
    const int32_t slots[] = {p->slot, p->shared, p->group};
    for (int k = 0; k < 3; k++) {
      uint64_t sum[SLOT_FIELDS];
      gpu_sum_slot(m, t, slots[k] < 0 ? -1 : slots[k] + (int32_t)gpu_distance(set), sum);
      if (k == 2) charge(p, sum);
      for (int f = 0; f < SLOT_FIELDS; f++) sum[f] *= gpu_launches_of(set);
      add_site(&to, sum, shared || k == 1);
    }
    add_histogram(m, t, p, set, to.site);
  }
}

void gpu_add_visits(const gpu_module *m, const counter_table *t) {
  struct drano_counters *c = &drano_worker_counters[0];
  for (uint32_t n = 0; n < m->unit->block_count && m->unit->work_base + n < c->work_limit; n++) {
    uint64_t sum[SLOT_FIELDS];
    gpu_sum_slot(m, t, (int32_t)(m->visits + n), sum);
    c->work[m->unit->work_base + n].warps += sum[F_REQUESTS];
    c->work[m->unit->work_base + n].lanes += sum[F_LANES];
  }
}

void gpu_add_up(const gpu_module *m, const counter_table *t) {
  for (uint32_t n = 0; n < m->unit->site_count; n++) {
    const gpu_set *set = gpu_next_set(m, n, NULL);
    do if (gpu_replayed_of(set) == NULL) add_set(m, t, n, set);
    while (set != NULL && (set = gpu_next_set(m, n, set)) != NULL);
  }
}

static void add_counts(site_counter *c, const site_counts *one, uint64_t launches) {
  c->executions += one->executions * launches;
  c->lanes += one->lanes * launches;
  c->lines += one->lines * launches;
  c->sectors += one->sectors * launches;
  c->ideal += one->ideal * launches;
  c->wavefronts += one->wavefronts * launches;
  c->wavefronts_ideal += one->wavefronts_ideal * launches;
  c->conflicts += one->conflicts * launches;
  c->shared_executions += one->shared_executions * launches;
}

static void add_replayed(const gpu_module *m, uint32_t n, uint32_t of_kernel, const gpu_set *set) {
  const site_counts *counts = gpu_replay_counts(gpu_replayed_of(set));
  const drano_site *s = &m->unit->sites[n];
  if (counts == NULL) return;
  add_counts(&drano_worker_counters[0].sites[m->unit->site_base + n], &counts[of_kernel], gpu_launches_of(set));
  if (s->space != 3)
    count_array(&drano_worker_counters[0], gpu_array_of(m, n, set), s->kind,
                counts[of_kernel].lanes * gpu_launches_of(set), counts[of_kernel].sectors * gpu_launches_of(set));
}

/* All blocks of launches that the host has counted are in a sample. */
static void add_blocks(const drano_kernel *kernel, const gpu_module *m) {
  kernel_record *r = gpu_record_named(kernel->name);
  if (r == NULL || kernel->site_count == 0) return;
  for (const gpu_set *s = gpu_next_set(m, kernel->first_site, NULL); s != NULL; s = gpu_next_set(m, kernel->first_site, s))
    if (gpu_replayed_of(s) != NULL && gpu_replay_counts(gpu_replayed_of(s)) != NULL)
      r->sampled_blocks += gpu_launches_of(s) * gpu_replayed_of(s)->launch.blocks;
}

void gpu_add_replayed(const gpu_module *m) {
  for (uint32_t k = 0; k < m->unit->kernel_count; k++) {
    const drano_kernel *kernel = &m->unit->kernels[k];
    if (m->sample) add_blocks(kernel, m);
    for (uint32_t n = 0; n < kernel->site_count; n++) {
      const uint32_t site = kernel->first_site + n;
      for (const gpu_set *set = gpu_next_set(m, site, NULL); set != NULL; set = gpu_next_set(m, site, set))
        if (gpu_replayed_of(set) != NULL) add_replayed(m, site, n, set);
    }
  }
}
