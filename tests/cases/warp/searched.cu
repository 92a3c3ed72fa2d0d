// A binary search of as many steps as each lane has to take: what it finds depends on memory, though
// lanes also leave the loop at different iterations.
__global__ void ranks(unsigned* out, const unsigned* keys, unsigned key, int n) {
  unsigned found = 0;
  for (unsigned step = threadIdx.x + 1; step > 0; step >>= 1) {
    unsigned next = found + step;
    if (keys[next] < key) found = next;  // drano: expect[DRN003]
  }
  out[found] = 1;  // drano: expect[DRN003] "loaded from memory"
}
void go(unsigned* a, unsigned k, int n) { ranks<<<9, 128>>>(a, a, k, n); }
