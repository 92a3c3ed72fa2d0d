/* Arrays: allocations by the place in the source that makes them. */
#include "gpu.h"

drano_array *_Atomic drano_arrays;
_Atomic uint32_t drano_array_count;
_Thread_local drano_place_record drano_next_place;
bool drano_lenient;

void drano_place(const char *path, unsigned line, const char *text) {
  drano_next_place = (drano_place_record){path, text, line};
}
