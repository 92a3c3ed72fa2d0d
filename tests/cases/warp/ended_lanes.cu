// drano-flags: --block 32
// Lanes that inline PTX ends access nothing behind it, and reconverge with nobody.
__global__ void ended(float* a) {
  if (threadIdx.x % 4) asm volatile("exit;");
  a[threadIdx.x] = 1;  // drano: expect[DRN001]
}
__global__ void trapped(float* a) {
  if (threadIdx.x % 4) asm volatile("trap;");
  a[threadIdx.x] = 1;  // drano: expect[DRN001]
}
__device__ void stop() { asm volatile("exit;"); }
__global__ void in_a_function(float* a) {
  if (threadIdx.x >= 8) stop();
  a[threadIdx.x] = 1;
}
__global__ void all(float* a) {
  if (blockIdx.x > 9) asm volatile("exit;");
  a[threadIdx.x] = 1;
}
