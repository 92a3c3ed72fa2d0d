// What LLVM makes of distances that loops go, and of comparisons in three ways.
__global__ void left_behind(float* a) {
  int i = threadIdx.x;
  while (i < 100) i += 7;
  a[i] = 1;
}
__global__ void three_ways(float* a, int n) {
  int i = threadIdx.x;
  a[i + ((i > 16) - (i < 16))] = 1;  // drano: expect[DRN001] "5.5 sectors where 4 would do"
  a[i * 8 + ((i > 40) - (i < 40)) * 4] = 1;  // drano: expect[DRN001] "uncoalesced store"
}
void go(float* a, int n) {
  left_behind<<<1, 64>>>(a);
  three_ways<<<1, 64>>>(a, n);
}
