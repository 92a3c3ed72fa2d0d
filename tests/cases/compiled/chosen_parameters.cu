// drano-flags: --as-compiled
// Members of a structure that is given by value are chosen by their addresses: they stay uniform.
struct Given {
  const int* starts;
  int start;
  float *a, *b;
  int pitch;
};
__global__ void rows(Given const given, bool first) {
  int start = given.starts == nullptr ? given.start : given.starts[blockIdx.x];
  given.a[start * given.pitch + threadIdx.x] = 1;
  float* chosen = first ? given.a : given.b;
  chosen[threadIdx.x * 32] = chosen[threadIdx.x];  // drano: expect[DRN001] "uncoalesced store"
}
void go(Given given) { rows<<<4, 128>>>(given, true); }
