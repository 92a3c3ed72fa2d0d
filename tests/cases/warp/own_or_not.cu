// Pointers into a thread's own memory or elsewhere: one address is not one value.
__global__ void chosen(float* a, const int* g, const int* n) {
  int t[4];
  for (int i = 0; i < 4; i++) t[i] = threadIdx.x * 8 * (i + 1);
  const int* q = *n ? &t[n[1]] : g;
  a[*q] = 1;  // drano: expect[DRN003] "may be of the thread's own memory"
}
__global__ void assigned(float* a, const int* g, const int* n) {
  int t[4];
  for (int i = 0; i < 4; i++) t[i] = threadIdx.x * 8 * (i + 1);
  const int* q = g;
  if (*n) q = &t[n[1]];
  a[*q] = 1;  // drano: expect[DRN003] "may be of the thread's own memory"
}
void go(float* a, int* g) {
  chosen<<<4, 128>>>(a, g, g);
  assigned<<<4, 128>>>(a, g, g);
}
