// drano-flags: --as-compiled --block 256
// Division by a size that the host has turned into a product and a shift.
__device__ unsigned quotient(unsigned n, uint3 by) { return (__umulhi(n, by.x) + n) >> by.y; }
__global__ void padded(float *z, const float *a, uint3 plane, uint3 row, int sz, int sy, int sx) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned t = quotient(i, plane), rest = i - t * plane.z;
  unsigned y = quotient(rest, row), x = rest - y * row.z;
  z[i] = a[t * sz + y * sy + x];
  z[x * 1024 + y] = a[i];  // drano: expect[DRN001] "if 2^"
}
