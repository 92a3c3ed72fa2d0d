/* Which proofs hold for a launch, and what they say of a full warp.
 *
 * DRANO_PRUNE: `off` measures every access all the same; `verify` compares each with its proof.
 */
#include "proved.h"
#include "request.h"

bool drano_verifying;

/* All proofs that were worked out, by global number of the site. Launches come one at a time. */
static drano_proof **known;
static uint32_t known_count;

static bool pruning(void) {
  static int asked = -1;
  if (asked < 0) {
    const char *text = getenv("DRANO_PRUNE");
    asked = text == NULL || strcmp(text, "off") != 0;
    drano_verifying = text != NULL && strcmp(text, "verify") == 0;
  }
  return asked;
}

static bool holds(const drano_pattern *p, drano_dim3 grid, drano_dim3 block) {
  if ((uint64_t)(uint32_t)grid.x * (uint32_t)block.x >= 1u << 31) return false; /* the analysis's premise */
  if (p->block[0] == 0) return block.x % DRANO_WARP == 0;
  return p->block[0] == (uint32_t)block.x && p->block[1] == (uint32_t)block.y &&
         p->block[2] == (uint32_t)block.z;
}

/* The costs of a full warp, counted as any other request. */
static drano_proof *work_out(const drano_site *s, const drano_pattern *p) {
  drano_proof *made = calloc(1, sizeof *made);
  if (made == NULL) abort();
  made->pattern = p;
  made->misaligned = s->bytes - 1;
  for (int lane = 0; lane < DRANO_WARP; lane++) {
    made->low = p->offset[lane] < made->low ? p->offset[lane] : made->low;
    made->high = p->offset[lane] > made->high ? p->offset[lane] : made->high;
  }
  made->high += s->bytes;
  for (uint32_t at = 0; at < 128; at += s->bytes) {
    uint64_t v[DRANO_WARP], first = ((uint64_t)1 << 40) + at;
    for (int lane = 0; lane < DRANO_WARP; lane++) v[lane] = first + (uint64_t)(int64_t)p->offset[lane];
    span range = {first + (uint64_t)made->low, first + (uint64_t)made->high};
    site_counter far = {0}, near = {0};
    request_memo recent = {0};
    count_global(&far, &recent, v, UINT32_MAX, DRANO_WARP, s->bytes, true, range);
    count_shared(&near, &recent, v, UINT32_MAX, s->bytes, true, s->kind, range);
    if (s->kind == DRANO_ATOMIC) count_conflicts(&near, v, DRANO_WARP, range);
    made->at[at] = (drano_cost){(uint8_t)far.lines, (uint8_t)far.sectors, (uint8_t)far.ideal,
                                (uint8_t)near.wavefronts};
    made->wavefronts_ideal = (uint32_t)near.wavefronts_ideal;
    made->conflicts = (uint32_t)near.conflicts;
  }
  return made;
}

static drano_proof *proof_of(const drano_site *s, const drano_pattern *p, uint32_t number) {
  for (drano_proof *found = known[number]; found != NULL; found = found->next)
    if (found->pattern == p) return found;
  drano_proof *made = work_out(s, p);
  made->next = known[number];
  known[number] = made;
  return made;
}

static bool natural(uint32_t bytes) { return bytes && bytes <= 16 && (bytes & (bytes - 1)) == 0; }

void drano_choose_proofs(const drano_unit *u, const drano_kernel *k, drano_dim3 grid, drano_dim3 block) {
  bool asked = pruning();
  uint32_t count = atomic_load(&drano_site_count);
  if (known_count < count) { /* the old table is kept: a handler may read it */
    drano_proof **grown = calloc(count, sizeof *grown);
    if (grown == NULL) abort();
    if (known_count) memcpy(grown, known, known_count * sizeof *grown);
    known = grown;
    known_count = count;
  }
  for (uint32_t site = k->first_site; site < k->first_site + k->site_count; site++) {
    const drano_site *s = &u->sites[site];
    const drano_proof *chosen = NULL;
    for (uint32_t n = 0; n < s->pattern_count && asked && chosen == NULL; n++)
      if (natural(s->bytes) && holds(&s->patterns[n], grid, block))
        chosen = proof_of(s, &s->patterns[n], u->site_base + site);
    u->proofs[site] = chosen;
  }
}

bool drano_was_chosen(const drano_unit *u, uint32_t site) {
  uint32_t number = u->site_base + site;
  return number < known_count && known[number] != NULL;
}

bool drano_verify(drano_warp *w, const drano_unit *u, uint32_t site, uint32_t mask,
                  const uint64_t address[DRANO_WARP]) {
  const drano_proof *p = u->proofs[site];
  if (p == NULL) return true;
  const int32_t *offset = p->pattern->offset;
  const int first = __builtin_ctz(mask);
  for (int lane = first; lane < DRANO_WARP; lane++)
    if (mask >> lane & 1 && address[lane] - address[first] != (uint64_t)((int64_t)offset[lane] - offset[first])) {
      char text[160];
      snprintf(text, sizeof text,
               "the analysis is wrong: lane %d is %lld bytes from lane %d, not the proved %lld", lane,
               (long long)(address[lane] - address[first]), first,
               (long long)((int64_t)offset[lane] - offset[first]));
      drano_report(w, u, site, (uint32_t)lane, cudaErrorUnknown, text);
      return false;
    }
  return true;
}
