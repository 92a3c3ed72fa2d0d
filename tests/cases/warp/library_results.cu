// What functions of the mathematics library give through pointers is stored there.
__global__ void through_pointers(float *s, float *c, int *n) {
  int t = threadIdx.x;
  sincosf(t * 0.1f, &s[t * 2], &c[t]);  // drano: expect[DRN001] "8 sectors where 4 would do"
  c[t + 32] = frexpf(c[t], &n[t * 4]);  // drano: expect[DRN001] "16 sectors where 4 would do"
}

__global__ void into_registers(float *s) {
  float a, b;
  sincosf(threadIdx.x * 0.1f, &a, &b);
  s[threadIdx.x] = a * b;
}

void launch(float *s, float *c, int *n) {
  through_pointers<<<1, 32>>>(s, c, n);
  into_registers<<<1, 32>>>(s);
}
