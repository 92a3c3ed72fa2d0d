/* The profile: what was counted, as JSON, written whole or not at all.
 *
 * It may be written in a signal handler while workers count: nothing here allocates, locks or uses
 * stdio; it writes through a buffer of its own to a temporary file, which then gets the profile's
 * name. The format is drano/dynamic/profiles/profile_schema.json.
 */
#include "proved.h"
#include "reuse.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static char buffer[1 << 16];
static size_t used;
static int file = -1;
static bool failed;
static char path[PATH_MAX], temporary[PATH_MAX + 16], program[PATH_MAX];
static pid_t owner;
static atomic_flag written = ATOMIC_FLAG_INIT;
static uint64_t started_at;

/* --- text ----------------------------------------------------------------------------------- */

static void drain(void) {
  size_t done = 0;
  while (done < used && !failed) {
    ssize_t n = write(file, buffer + done, used - done);
    if (n > 0) done += (size_t)n;
    else if (n < 0 && errno != EINTR) failed = true;
  }
  used = 0;
}

static void put_char(char c) {
  if (used == sizeof buffer) drain();
  buffer[used++] = c;
}

static void put(const char *text) {
  while (*text) put_char(*text++);
}

static void put_number(uint64_t value) {
  char digits[24];
  int n = 0;
  do digits[n++] = (char)('0' + value % 10);
  while (value /= 10);
  while (n) put_char(digits[--n]);
}

/* Length of the UTF-8 sequence at `s`, 0 when it is none. */
static int sequence(const unsigned char *s) {
  int n = *s < 0x80 ? 1 : *s >= 0xC2 && *s < 0xE0 ? 2 : (*s & 0xF0) == 0xE0 ? 3
          : *s >= 0xF0 && *s < 0xF5 ? 4 : 0;
  for (int k = 1; k < n; k++)
    if ((s[k] & 0xC0) != 0x80) return 0;
  if (n == 3 && ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] >= 0xA0))) return 0;
  if (n == 4 && ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] >= 0x90))) return 0;
  return n;
}

/* A string of at most `length` bytes; bytes that are not UTF-8 as Python's surrogateescape has them. */
static void put_text(const char *text, size_t length) {
  static const char hex[] = "0123456789abcdef";
  put_char('"');
  const unsigned char *s = (const unsigned char *)text, *end = s + length;
  while (text != NULL && s < end && *s) {
    int n = sequence(s);
    if (n == 0) {
      put("\\udc");
      put_char(hex[*s >> 4]);
      put_char(hex[*s++ & 15]);
    } else if (*s < 0x20 || *s == 0x7f) {
      put("\\u00");
      put_char(hex[*s >> 4]);
      put_char(hex[*s++ & 15]);
    } else {
      if (*s == '"' || *s == '\\') put_char('\\');
      for (; n; n--) put_char((char)*s++);
    }
  }
  put_char('"');
}

static void put_string(const char *text) { put_text(text, text != NULL ? strlen(text) : 0); }

static void key(const char *name) {
  put_char('"');
  put(name);
  put("\":");
}

static void field(const char *name, uint64_t value) {
  put_char(',');
  key(name);
  put_number(value);
}

static void text_field(const char *name, const char *value) {
  put_char(',');
  key(name);
  put_string(value);
}

static void put_dim(const char *name, drano_dim3 d) {
  put_char(',');
  key(name);
  put_char('[');
  put_number((uint64_t)(uint32_t)d.x);
  put_char(',');
  put_number((uint64_t)(uint32_t)d.y);
  put_char(',');
  put_number((uint64_t)(uint32_t)d.z);
  put_char(']');
}

/* --- parts ---------------------------------------------------------------------------------- */

static const char *const kind_names[] = {"load", "store", "atomic"};

static const char *space_name(uint8_t space) {
  switch (space) {
  case 1: return "global";
  case 3: return "shared";
  case 4: return "constant";
  case 5: return "local";
  default: return "generic";
  }
}

/* Lines of "file:line:column\tname", of loops with "\tdepth" behind it, as an array. */
static void put_places(const char *list, bool loops) {
  put(loops ? ",\"loops\":[" : ",\"inlined_at\":[");
  bool first = true;
  while (list != NULL && *list) {
    const char *end = list + strcspn(list, "\n"), *place = list + strcspn(list, "\t\n");
    const char *column = place, *line, *name = *place == '\t' ? place + 1 : place;
    while (column > list && column[-1] != ':') column--;
    line = column > list ? column - 1 : list;
    while (line > list && line[-1] != ':') line--;
    if (!first) put_char(',');
    first = false;
    put("{\"path\":");
    put_text(list, line > list ? (size_t)(line - 1 - list) : 0);
    field("line", (uint64_t)strtoul(line, NULL, 10));
    field("column", (uint64_t)strtoul(column, NULL, 10));
    const char *after = name + strcspn(name, "\t\n");
    put(loops ? ",\"counter\":" : ",\"function\":");
    put_text(name, (size_t)(after - name));
    if (loops) field("depth", *after == '\t' ? (uint64_t)strtoul(after + 1, NULL, 10) : 0);
    put_char('}');
    list = *end ? end + 1 : end;
  }
  put_char(']');
}

static void put_site(const drano_unit *u, uint32_t index) {
  const drano_site *s = &u->sites[index];
  const uint32_t number = u->site_base + index;
  site_counter sum;
  memset(&sum, 0, sizeof sum);
  for (unsigned k = 0; k < MAX_WORKERS; k++) {
    const struct drano_counters *c = &drano_worker_counters[k];
    if (number >= c->site_limit) continue;
    const site_counter *one = &c->sites[number];
    sum.executions += one->executions;
    sum.lanes += one->lanes;
    sum.lines += one->lines;
    sum.sectors += one->sectors;
    sum.ideal += one->ideal;
    sum.wavefronts += one->wavefronts;
    sum.wavefronts_ideal += one->wavefronts_ideal;
    sum.conflicts += one->conflicts;
    sum.shared_executions += one->shared_executions;
    for (int n = 0; n <= DRANO_WARP; n++) sum.hist[n] += one->hist[n];
    if (one->most > sum.most) sum.most = one->most;
    if (one->least && (!sum.least || one->least < sum.least)) sum.least = one->least;
  }
  put("{\"path\":");
  put_string(s->path);
  field("line", s->line);
  field("column", s->column);
  text_field("kernel", s->kernel);
  text_field("function", s->function);
  text_field("kind", kind_names[s->kind % 3]);
  text_field("space", space_name(s->space));
  field("bytes", s->bytes);
  if (s->ordinal != UINT32_MAX) field("ordinal", s->ordinal);
  else put(",\"ordinal\":null");
  put_places(s->inlined_at, false);
  put_places(s->loops, true);
  put(drano_was_proved(u, index) ? ",\"pruned\":true" : ",\"pruned\":false");
  field("executions", sum.executions);
  field("shared_executions", sum.shared_executions);
  field("active_lanes", sum.lanes);
  field("lines", sum.lines);
  field("sectors", sum.sectors);
  field("sectors_ideal", sum.ideal);
  field("wavefronts", sum.wavefronts);
  field("wavefronts_ideal", sum.wavefronts_ideal);
  field("conflicts", sum.conflicts);
  field("least", sum.least);
  field("most", sum.most);
  put(",\"histogram\":[");
  for (int n = 1; n <= DRANO_WARP; n++) {
    if (n > 1) put_char(',');
    put_number(sum.hist[n]);
  }
  put("]}");
}

static void put_sites(void) {
  bool first = true;
  uint32_t units = atomic_load(&drano_unit_count);
  put(",\n\"sites\":[");
  for (uint32_t k = 0; k < units; k++)
    for (uint32_t n = 0; n < drano_units[k]->site_count; n++) {
      put(first ? "\n" : ",\n");
      first = false;
      put_site(drano_units[k], n);
    }
  put("]");
}

/* --- what was executed ---------------------------------------------------------------------- */

static const char *const class_names[DRANO_CLASSES] = {
    "f16", "f32", "f64", "special", "integer", "address", "compare", "convert", "memory",
    "exchange", "barrier", "control", "other"};

static drano_visits visits_of(uint32_t number) {
  drano_visits sum = {0, 0};
  for (unsigned k = 0; k < MAX_WORKERS; k++) {
    const struct drano_counters *c = &drano_worker_counters[k];
    if (number >= c->work_limit) continue;
    sum.warps += c->work[number].warps;
    sum.lanes += c->work[number].lanes;
  }
  return sum;
}

static bool same_place(const drano_work *a, const drano_work *b) {
  return a->line == b->line && a->path == b->path && a->kernel == b->kernel &&
         a->function == b->function && a->inlined_at == b->inlined_at && a->loops == b->loops;
}

/* The line that begins with row `at`; returns the row behind it. Lines never executed are left out. */
static uint32_t put_work_line(const drano_unit *u, uint32_t at, bool *first) {
  const drano_work *w = &u->work[at];
  uint64_t classes[DRANO_CLASSES] = {0}, flops[3] = {0}, integers = 0, threads = 0, warps = 0;
  uint32_t n = at;
  for (; n < u->work_count && same_place(w, &u->work[n]); n++) {
    const drano_work *row = &u->work[n];
    const drano_visits v = visits_of(u->work_base + row->block);
    for (int k = 0; k < DRANO_CLASSES; k++) {
      classes[k] += v.warps * row->classes[k];
      warps += v.warps * row->classes[k];
      threads += v.lanes * row->classes[k];
    }
    for (int k = 0; k < 3; k++) flops[k] += v.lanes * row->flops[k];
    integers += v.lanes * row->integers;
  }
  if (warps == 0) return n;
  put(*first ? "\n{\"path\":" : ",\n{\"path\":");
  *first = false;
  put_string(w->path);
  field("line", w->line);
  text_field("kernel", w->kernel);
  text_field("function", w->function);
  put_places(w->inlined_at, false);
  put_places(w->loops, true);
  field("instructions", warps);
  field("thread_instructions", threads);
  field("flops_f16", flops[0]);
  field("flops_f32", flops[1]);
  field("flops_f64", flops[2]);
  field("integer_operations", integers);
  put(",\"mix\":{");
  for (int k = 0, any = 0; k < DRANO_CLASSES; k++) {
    if (classes[k] == 0) continue;
    if (any++) put_char(',');
    key(class_names[k]);
    put_number(classes[k]);
  }
  put("}}");
  return n;
}

static void put_work(void) {
  bool first = true;
  uint32_t units = atomic_load(&drano_unit_count);
  put(",\n\"work\":[");
  for (uint32_t k = 0; k < units; k++)
    for (uint32_t n = 0; n < drano_units[k]->work_count;) n = put_work_line(drano_units[k], n, &first);
  put("]");
}

static void put_kernels(void) {
  uint32_t count = atomic_load(&drano_kernel_record_count);
  put(",\n\"kernels\":[");
  for (uint32_t k = 0; k < count; k++) {
    const kernel_record *r = atomic_load(&drano_kernel_records[k]);
    put(k ? ",\n{\"name\":" : "\n{\"name\":");
    put_string(r->kernel->name);
    text_field("display", r->kernel->display);
    field("launches", r->launches);
    field("threads", r->threads);
    field("nanoseconds", r->nanoseconds);
    field("static_shared_bytes", r->kernel->static_shared_bytes);
    if (r->kernel->compiled) text_field("view", "compiled");
    field("other_shapes", r->other_shapes);
    if (r->blocks) {
      field("blocks", r->blocks);
      field("sampled_blocks", r->sampled_blocks);
    }
    put(",\"shapes\":[");
    for (uint32_t n = 0; n < r->shapes; n++) {
      const launch_shape *s = &r->shape[n];
      put(n ? ",{\"launches\":" : "{\"launches\":");
      put_number(s->launches);
      field("counted", s->counted);
      put_dim("grid", s->grid);
      put_dim("block", s->block);
      field("shared_bytes", s->shared);
      field("nanoseconds", s->nanoseconds);
      put_char('}');
    }
    put("]}");
  }
  put("]");
}

static void put_arrays(void) {
  static const char *const kinds[] = {"device", "host", "managed", "array", "variable", "registered"};
  uint32_t count = atomic_load(&drano_array_count);
  const drano_array *table = atomic_load(&drano_arrays);
  bool first = true;
  put(",\n\"arrays\":[");
  for (uint32_t k = 0; k < count && table != NULL; k++) {
    array_counter sum = {0, 0, 0, 0};
    for (unsigned n = 0; n < MAX_WORKERS; n++) {
      const struct drano_counters *c = &drano_worker_counters[n];
      if (k >= c->array_limit) continue;
      sum.reads += c->arrays[k].reads;
      sum.writes += c->arrays[k].writes;
      sum.atomics += c->arrays[k].atomics;
      sum.sectors += c->arrays[k].sectors;
    }
    const drano_array *a = &table[k];
    if (k == 0 && !(sum.reads | sum.writes | sum.atomics)) continue;
    put(first ? "\n{\"name\":" : ",\n{\"name\":");
    first = false;
    put_string(a->name);
    text_field("api", a->api);
    text_field("kind", kinds[a->kind % 6]);
    text_field("path", a->path);
    field("line", a->line);
    field("allocations", a->allocations);
    field("bytes", a->bytes);
    field("largest", a->largest);
    field("reads", sum.reads);
    field("writes", sum.writes);
    field("atomics", sum.atomics);
    field("sectors", sum.sectors);
    put_char('}');
  }
  put("]");
}

/* Arrays by the place that allocates them, as in "arrays". */
static void put_reuse(void) {
  uint32_t count = atomic_load(&drano_reuse_count);
  const drano_array *table = atomic_load(&drano_arrays);
  put(",\n\"reuse\":[");
  for (uint32_t k = 0; k < count && table != NULL; k++) {
    const drano_reuse_record *r = &drano_reuse_records[k];
    const drano_array *a = &table[r->array];
    put(k ? ",\n{\"kernel\":" : "\n{\"kernel\":");
    put_string(r->kernel->name);
    text_field("name", a->name);
    text_field("api", a->api);
    text_field("path", a->path);
    field("line", a->line);
    put(",\"sites\":[");
    for (uint32_t n = 0; n < r->sites; n++) {
      if (n) put_char(',');
      put_number(r->site[n]);
    }
    put(r->written ? "],\"written\":true" : "],\"written\":false");
    field("blocks", r->blocks);
    field("reads", r->reads);
    field("words", r->words);
    field("most_words", r->most_words);
    put_char('}');
  }
  put("]");
}

static void put_rest(void) {
  uint32_t faults = atomic_load(&drano_fault_count), calls = atomic_load(&drano_unsupported_count);
  put(",\n\"faults\":[");
  for (uint32_t k = 0; k < faults; k++) {
    put(k ? ",\n{\"kernel\":" : "\n{\"kernel\":");
    put_string(drano_faults[k].kernel);
    text_field("path", drano_faults[k].path);
    field("line", drano_faults[k].line);
    text_field("message", drano_faults[k].text);
    put_char('}');
  }
  put("],\n\"unsupported\":[");
  for (uint32_t k = 0; k < calls; k++) {
    put(k ? ",\n{\"name\":" : "\n{\"name\":");
    put_string(drano_unsupported_calls[k].name);
    field("calls", drano_unsupported_calls[k].calls);
    put_char('}');
  }
  put("]}\n");
}

/* --- the file ------------------------------------------------------------------------------- */

static void put_error(const char *what) {
  const char *parts[] = {"drano: error: the profile ", path, " ", what, "\n"};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
    if (write(2, parts[k], strlen(parts[k])) < 0) return;
}

/* `reason`: "exit", "abort", "_exit" or a signal's name. Only the process that started counts. */
void drano_write_profile(const char *reason) {
  if (owner == 0 || getpid() != owner) return;
  if (atomic_flag_test_and_set(&written)) return;
  uint32_t calls = atomic_load(&drano_unsupported_count);
  for (uint32_t k = 0; k < calls; k++)
    drano_say("warning: %s is not supported and returned cudaErrorNotSupported (%llu times)",
              drano_unsupported_calls[k].name, (unsigned long long)drano_unsupported_calls[k].calls);
  if (atomic_load(&drano_unit_count) == 0 || !*path) return;
  drano_collect(reason);
  file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) {
    put_error("cannot be written");
    return;
  }
  put("{\"format\":\"drano-profile\",\"version\":2");
  text_field("program", program);
  text_field("gpu", drano_gpu()->full_name);
  text_field("ended", reason);
  field("workers", drano_workers());
  field("nanoseconds", drano_now() - started_at);
  put_kernels();
  put_arrays();
  put_sites();
  put_reuse();
  put_work();
  put_rest();
  drain();
  if (close(file) != 0) failed = true;
  if (failed || rename(temporary, path) != 0) {
    put_error("cannot be written");
    unlink(temporary);
  }
}

static void at_exit(void) {
  drano_write_profile("exit");
}

/* The profile's name is settled now, relative to the directory that the program starts in. */
static void settle(void) {
  char directory[PATH_MAX];
  const char *name = getenv("DRANO_PROFILE");
  if (name == NULL || !*name) name = "drano-profile.json";
  const char *bounds = getenv("DRANO_BOUNDS");
  drano_lenient = bounds != NULL && strcmp(bounds, "warn") == 0;
  owner = getpid();
  started_at = drano_now();
  ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  program[n > 0 ? n : 0] = 0;
  if (strcmp(name, "none") == 0) return;
  if (name[0] == '/' || getcwd(directory, sizeof directory) == NULL) directory[0] = 0;
  int length = snprintf(path, sizeof path, "%s%s%s", directory, *directory ? "/" : "", name);
  if (length < 0 || (size_t)length >= sizeof path) {
    path[0] = 0;
    drano_say("error: DRANO_PROFILE is too long");
    return;
  }
  snprintf(temporary, sizeof temporary, "%s.%d", path, (int)owner);
  atexit(at_exit);
  at_quick_exit(at_exit);
  drano_install_handlers();
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

void drano_start(void) { pthread_once(&once, settle); }
