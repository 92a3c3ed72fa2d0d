/* Memory that kernels may touch: an arena of address space with a table of what lies where.
 *
 * Every allocation starts on a page of its own and an unused page follows it, so that one look into
 * the page table tells which allocation an address belongs to, and a step beyond the end is seen.
 * Address space is used once: what is freed gives its pages back to the system but not its addresses,
 * so that a use after free is seen, too; only when all of it is used up is it taken again.
 */
#include "state.h"
#include <sys/mman.h>
#include <unistd.h>

uint64_t drano_arena_base, drano_arena_bytes;
uint32_t *drano_pages;
allocation *drano_allocations;

#define PAGE ((uint64_t)1 << PAGE_SHIFT)
#define MAX_ALLOCATIONS ((uint32_t)1 << 26)

bool drano_lenient;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t bump_offset;
static uint32_t allocation_count = 1;
static uint64_t device_used, recycled_from;

/* Other memory, by rising base: variables of units, host memory the program has registered. */
typedef struct range { allocation a; } range;
static range *_Atomic ranges;
static _Atomic uint32_t range_count;
static uint32_t range_room;

static void *reserve(uint64_t bytes) {
  void *got = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return got == MAP_FAILED ? NULL : got;
}

static void start_arena(void) {
  if (drano_arena_bytes) return;
  for (unsigned bits = 40; bits >= 30; bits -= 2) {
    uint64_t bytes = (uint64_t)1 << bits;
    char *base = reserve(bytes);
    if (base == NULL) continue;
    uint32_t *pages = reserve((bytes >> PAGE_SHIFT) * sizeof *pages);
    uint64_t most = bytes >> (PAGE_SHIFT + 1);
    allocation *table = reserve((most < MAX_ALLOCATIONS ? most : MAX_ALLOCATIONS) * sizeof *table);
    if (pages != NULL && table != NULL) {
      drano_pages = pages;
      drano_allocations = table;
      drano_arena_base = (uint64_t)(uintptr_t)base;
      /* What lies before the first array is memory, too, as it mostly is on a GPU. */
      bump_offset = (uint64_t)2 << 20;
      drano_arena_bytes = bytes;
#ifdef MADV_DONTDUMP
      madvise(base, bytes, MADV_DONTDUMP);
#endif
      return;
    }
    munmap(base, bytes);
    if (pages) munmap(pages, (bytes >> PAGE_SHIFT) * sizeof *pages);
  }
  drano_say("error: no address space for the device's memory");
  _exit(2);
}

/* --- the arena ------------------------------------------------------------------------------ */

/* First fit among freed address space, once all of it has been used. Returns an offset or 0. */
static uint64_t recycle(uint64_t pages) {
  uint64_t all = drano_arena_bytes >> PAGE_SHIFT, run = 0;
  for (uint64_t tried = 0, at = recycled_from; tried < all; tried++, at++) {
    if (at >= all || at == 0) {
      at = at >= all ? 1 : at + 1;
      run = 0;
    }
    uint32_t owner = drano_pages[at];
    run = owner == 0 || !drano_allocations[owner].live ? run + 1 : 0;
    if (run == pages) {
      recycled_from = at + 1;
      return (at + 1 - pages) << PAGE_SHIFT;
    }
  }
  return 0;
}

void *drano_allocate(uint64_t bytes, enum memory_kind kind, const char *api, const void *caller) {
  drano_start();
  uint64_t pages = ((bytes + PAGE - 1) >> PAGE_SHIFT) + 1;
  pthread_mutex_lock(&lock);
  start_arena();
  void *result = NULL;
  bool device = kind == MEM_DEVICE || kind == MEM_ARRAY;
  if (bytes > drano_arena_bytes || (device && device_used + bytes > drano_device_memory())) goto done;
  uint64_t offset;
  if (bump_offset + (pages << PAGE_SHIFT) <= drano_arena_bytes) {
    offset = bump_offset;
    bump_offset += pages << PAGE_SHIFT;
  } else if ((offset = recycle(pages)) == 0) {
    goto done;
  }
  uint32_t number;
  if (allocation_count < MAX_ALLOCATIONS && allocation_count < drano_arena_bytes >> (PAGE_SHIFT + 1))
    number = allocation_count++;
  else
    goto done;
  uint64_t base = drano_arena_base + offset;
  uint32_t array = drano_array_grows(NULL, api, caller, kind, bytes);
  drano_allocations[number] = (allocation){base, base + bytes, array, (uint8_t)kind, 1, 0, caller};
  for (uint64_t page = offset >> PAGE_SHIFT, n = 0; n < pages; n++) drano_pages[page + n] = number;
  if (device) device_used += bytes;
  result = (void *)(uintptr_t)base;
done:
  pthread_mutex_unlock(&lock);
  return result;
}

uint32_t drano_allocation_count(void) { return allocation_count; }

bool drano_release(void *pointer, unsigned kinds) {
  uint64_t offset = (uint64_t)(uintptr_t)pointer - drano_arena_base;
  if (offset >= drano_arena_bytes) return false;
  pthread_mutex_lock(&lock);
  allocation *a = &drano_allocations[drano_pages[offset >> PAGE_SHIFT]];
  bool good = a->live && a->base == (uint64_t)(uintptr_t)pointer && (kinds >> a->kind & 1);
  if (good) {
    drano_state_keep(a);
    a->live = 0;
    uint64_t bytes = a->end - a->base;
    if (a->kind == MEM_DEVICE || a->kind == MEM_ARRAY) device_used -= bytes;
    if (bytes) madvise(pointer, (bytes + PAGE - 1) & ~(PAGE - 1), MADV_DONTNEED);
  }
  pthread_mutex_unlock(&lock);
  return good;
}

bool drano_revive(void *pointer) {
  uint64_t offset = (uint64_t)(uintptr_t)pointer - drano_arena_base;
  if (offset >= drano_arena_bytes) return false;
  pthread_mutex_lock(&lock);
  allocation *a = &drano_allocations[drano_pages[offset >> PAGE_SHIFT]];
  bool good = !a->live && a->base == (uint64_t)(uintptr_t)pointer;
  if (good) {
    a->live = 1;
    device_used += a->end - a->base;
  }
  pthread_mutex_unlock(&lock);
  return good;
}

uint64_t drano_memory_used(void) { return device_used; }

allocation *drano_find(uint64_t address) {
  uint64_t offset = address - drano_arena_base;
  if (offset < drano_arena_bytes) {
    allocation *a = &drano_allocations[drano_pages[offset >> PAGE_SHIFT]];
    return a->live && address >= a->base && address < a->end ? a : NULL;
  }
  return (allocation *)(uintptr_t)drano_find_extra(address, address + 1);
}

/* --- other memory --------------------------------------------------------------------------- */

const allocation *drano_find_extra(uint64_t low, uint64_t high) {
  uint32_t count = atomic_load_explicit(&range_count, memory_order_acquire);
  range *table = atomic_load_explicit(&ranges, memory_order_acquire);
  uint32_t from = 0, to = count;
  while (from < to) { /* the last range that starts at or before `low` */
    uint32_t middle = (from + to) / 2;
    if (table[middle].a.base <= low) from = middle + 1;
    else to = middle;
  }
  if (from == 0) return NULL;
  const allocation *a = &table[from - 1].a;
  return high <= a->end && a->live ? a : NULL;
}

void drano_add_range(uint64_t base, uint64_t bytes, enum memory_kind kind, const char *name) {
  pthread_mutex_lock(&lock);
  uint32_t count = atomic_load(&range_count);
  range *old = atomic_load(&ranges);
  uint32_t array = drano_array_grows(name, kind == MEM_VARIABLE ? "__device__" : "cudaHostRegister", NULL,
                                     kind, bytes);
  range *grown = old;
  bool copy = count >= range_room || count == 0;
  if (copy) {
    range_room = range_room ? range_room * 2 : 64;
    grown = calloc(range_room, sizeof *grown);
    if (grown == NULL) abort();
    if (count) memcpy(grown, old, count * sizeof *grown);
  }
  uint32_t at = count;
  while (at > 0 && grown[at - 1].a.base > base) {
    grown[at] = grown[at - 1];
    at--;
  }
  grown[at].a = (allocation){base, base + bytes, array, (uint8_t)kind, 1, 0, NULL};
  atomic_store(&ranges, grown);
  atomic_store(&range_count, count + 1);
  pthread_mutex_unlock(&lock);
}

bool drano_remove_range(uint64_t base) {
  pthread_mutex_lock(&lock);
  uint32_t count = atomic_load(&range_count), at = 0;
  range *table = atomic_load(&ranges);
  while (at < count && !(table[at].a.base == base && table[at].a.kind == MEM_REGISTERED)) at++;
  bool found = at < count;
  for (; found && at + 1 < count; at++) table[at] = table[at + 1];
  if (found) atomic_store(&range_count, count - 1);
  pthread_mutex_unlock(&lock);
  return found;
}

/* --- for messages --------------------------------------------------------------------------- */

static void name_of(const allocation *a, char *text, size_t size) {
  const drano_array *array = &atomic_load(&drano_arrays)[a->array];
  int n = snprintf(text, size, "%s%s%s", array->api, array->name ? " " : "",
                   array->name ? array->name : "");
  if (array->path != NULL && n > 0 && (size_t)n < size)
    snprintf(text + n, size - (size_t)n, " at %s:%u", array->path, array->line);
}

void drano_describe(uint64_t address, char *text, size_t size) {
  char name[160];
  uint64_t offset = address - drano_arena_base;
  if (address < PAGE) {
    snprintf(text, size, "a null pointer");
    return;
  }
  if (offset >= drano_arena_bytes) {
    const allocation *a = drano_find_extra(address, address + 1);
    if (a == NULL) {
      snprintf(text, size, "not device memory (a pointer of the host, or one never set)");
      return;
    }
    name_of(a, name, sizeof name);
    snprintf(text, size, "%llu bytes into the %llu bytes of %s",
             (unsigned long long)(address - a->base), (unsigned long long)(a->end - a->base), name);
    return;
  }
  uint32_t number = drano_pages[offset >> PAGE_SHIFT];
  for (uint64_t page = offset >> PAGE_SHIFT, n = 0; number == 0 && page > 0 && n < 1024; n++)
    number = drano_pages[--page]; /* what lies before it */
  if (number == 0) {
    snprintf(text, size, "device memory that was never allocated");
    return;
  }
  const allocation *a = &drano_allocations[number];
  name_of(a, name, sizeof name);
  unsigned long long bytes = a->end - a->base;
  if (!a->live)
    snprintf(text, size, "freed memory, %llu bytes into the %llu bytes of %s",
             (unsigned long long)(address - a->base), bytes, name);
  else if (address >= a->end)
    snprintf(text, size, "%llu bytes beyond the end of the %llu bytes of %s",
             (unsigned long long)(address - a->end), bytes, name);
  else
    snprintf(text, size, "%llu bytes into the %llu bytes of %s",
             (unsigned long long)(address - a->base), bytes, name);
}
