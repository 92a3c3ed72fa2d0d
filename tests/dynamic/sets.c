/* Which counters launches get, and which arrays those belong to: gpu/sets.c without a GPU. The arguments
 * of launches are given as numbers of arrays, 1 to 9: pairs of pointers, for a kernel of two parameters. */
#include "gpu/sets.c"

uint32_t gpu_array_at(uint64_t address) { return address < 10000 ? (uint32_t)(address / 1000) : 0; }

uint64_t gpu_table_bytes(const gpu_module *m, uint64_t tables) { return tables * m->height * m->slots * SLOT_FIELDS * 8; }

int main(int argc, char **argv) {
  static const drano_kernel kernel = {.name = "k", .first_site = 0, .site_count = 3};
  static drano_unit unit = {.kernels = &kernel, .kernel_count = 1, .site_count = 4};
  /* Site 0: the first pointer, 1: either of them, 2: a variable; 3 is in a called function. The second
   * pointer is in a structure. */
  static const gpu_root roots[] = {{0, 0, 0, -1}, {1, 0, 0, -1}, {1, 1, 8, -1}, {2, -1, 0, 0}};
  static const uint32_t variables[] = {77};
  gpu_forms forms = {.blocks = -1, .parameters = argv[1][0] == 'n' ? -1 : 2, .first = 5, .slots = 30,
                     .repeats = -1};
  gpu_module m = {.unit = &unit, .slots = 40, .forms = &forms, .roots = roots, .root_count = 4,
                  .variables = variables};
  gpu_make_sets(&m);
  for (int n = 2; n < argc; n++) {
    uint64_t one = (uint64_t)(argv[n][0] - '0') * 1000 + 999;
    uint64_t other[2] = {0, (uint64_t)(argv[n][1] - '0') * 1000};
    void *arguments[] = {&one, other};
    printf("%s%d", n > 2 ? " " : "", (int)gpu_set_for(&m, 0, arguments));
  }
  printf("\n");
  for (uint32_t site = 0; site < 4; site++) {
    const gpu_set *s = NULL;
    do printf("%u:%u=%u ", site, gpu_distance(s = gpu_next_set(&m, site, s)), gpu_array_of(&m, site, s));
    while (s != NULL && gpu_next_set(&m, site, s) != NULL);
  }
  printf("\n");
  return 0;
}
