/* DRANO_STATE=FILE: the content of every allocation when it is freed, or when the program ends.
 *
 * For each a line "name\tbytes\tkept\n" and behind it the first `kept` bytes; a line "digest\t..." holds a
 * sum over all of them. At most KEPT bytes are written in all.
 */
#include "state.h"

static const uint64_t KEPT = (uint64_t)1 << 30;
static FILE *out;
static uint64_t written;

void drano_state_keep(const allocation *a) {
  if (out == NULL || a->kind > MEM_ARRAY || a->kind == MEM_HOST) return;
  const uint64_t bytes = a->end - a->base, left = KEPT - written, kept = bytes < left ? bytes : left;
  const unsigned char *content = (const unsigned char *)(uintptr_t)a->base;
  uint64_t digest = 0xcbf29ce484222325u;
  for (uint64_t k = 0; k < bytes; k++) digest = (digest ^ content[k]) * 0x100000001b3u;
  const char *name = drano_arrays[a->array].name;
  fprintf(out, "%s\t%llu\t%llu\t%016llx\n", name != NULL ? name : "", (unsigned long long)bytes,
          (unsigned long long)kept, (unsigned long long)digest);
  fwrite(content, 1, kept, out);
  written += kept;
}

static void write_state(void) {
  for (uint32_t k = 1; k < drano_allocation_count(); k++)
    if (drano_allocations[k].live) drano_state_keep(&drano_allocations[k]);
  if (fclose(out) != 0) drano_say("error: the state cannot be written");
  out = NULL;
}

__attribute__((constructor)) static void start(void) {
  const char *file = getenv("DRANO_STATE");
  if (file == NULL || !*file) return;
  out = fopen(file, "wb");
  if (out == NULL) drano_say("error: %s: cannot be written", file);
  if (out != NULL) atexit(write_state);
}
