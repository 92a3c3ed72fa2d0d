// drano-flags: --block 256 --assume incx=1 --assume incy=16 --assume incz=2
// What is assumed of a number between lanes decides its accesses: side by side if it is 1.
__global__ void scale(float* x, int incx, float* y, int incy, float* z, int incz, float* w, int incw) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i * incx] = 1;
  y[i * incy] = 1;  // drano: expect[DRN001] "32 sectors where 4 would do"
  z[i * incz] = 1;  // drano: expect[DRN001] "8 sectors where 4 would do"
  w[i * incw] = 1;  // drano: expect[DRN004] "if incw >= 8"
}
