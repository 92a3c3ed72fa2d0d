// What functions of the mathematics library give through pointers; prints what is wrong.
#include <cmath>
#include <cstdio>
static int failures;
#define WANT(condition) \
  do { if (!(condition)) { failures++; printf("line %d: %s\n", __LINE__, #condition); } } while (0)

__global__ void singles(float *a, float *b, int *n) {
  int t = threadIdx.x;
  sincosf(t * 0.1f, &a[t * 2], &b[t]);
  b[t + 32] = frexpf(t + 1.0f, &n[t * 4]);
  b[t + 64] = modff(t * 1.5f, &a[64 + t * 8]);
  b[t + 96] = remquof(t * 1.5f, 2.0f, &n[128 + t]);
}
__global__ void doubles(double *a, double *b, int *n) {
  int t = threadIdx.x;
  sincos(t * 0.1, &a[t * 2], &b[t]);
  b[t + 32] = frexp(t + 1.0, &n[t * 4]);
  sincospi(t * 0.25, &a[64 + t], &a[96 + t]);
}
__global__ void local(float *b) {
  float s, c;
  sincosf(threadIdx.x * 0.1f, &s, &c);
  b[threadIdx.x] = s * s + c * c;
}
int main() {
  float *a, *b;
  double *d, *e;
  int *n;
  cudaMallocManaged(&a, 4096);
  cudaMallocManaged(&b, 4096);
  cudaMallocManaged(&d, 4096);
  cudaMallocManaged(&e, 4096);
  cudaMallocManaged(&n, 4096);
  auto near = [](double x, double y) { return std::fabs(x - y) < 1e-5; };
  singles<<<1, 32>>>(a, b, n);
  WANT(cudaDeviceSynchronize() == cudaSuccess);
  for (int t = 0; t < 32; t++) {
    int power, quotient;
    float whole;
    WANT(near(a[2 * t], std::sin(t * 0.1)) && near(b[t], std::cos(t * 0.1)));
    WANT(near(b[t + 32], std::frexp(t + 1.0f, &power)) && n[4 * t] == power);
    WANT(near(b[t + 64], std::modf(t * 1.5f, &whole)) && a[64 + 8 * t] == whole);
    WANT(near(b[t + 96], std::remquo(t * 1.5f, 2.0f, &quotient)));
    WANT((n[128 + t] & 7) == (quotient & 7));
  }
  doubles<<<1, 32>>>(d, e, n);
  WANT(cudaDeviceSynchronize() == cudaSuccess);
  for (int t = 0; t < 32; t++) {
    int power;
    WANT(near(d[2 * t], std::sin(t * 0.1)) && near(e[t], std::cos(t * 0.1)));
    WANT(near(e[t + 32], std::frexp(t + 1.0, &power)) && n[4 * t] == power);
    WANT(near(d[64 + t], std::sin(t * M_PI / 4)) && near(d[96 + t], std::cos(t * M_PI / 4)));
  }
  local<<<1, 32>>>(b);
  WANT(cudaDeviceSynchronize() == cudaSuccess);
  for (int t = 0; t < 32; t++) WANT(near(b[t], 1));
  if (!failures) printf("all as it should be\n");
  return failures != 0;
}
