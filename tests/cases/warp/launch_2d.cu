// The shape comes from the launch: with blocks of (1, 64) lanes differ in y alone.
__global__ void k(float* a, int n) {
  a[threadIdx.y * 256 + threadIdx.x] = 0;  // drano: expect[DRN001]
}

void launch(float* a) {
  dim3 block(1, 64);
  k<<<1, block>>>(a, 64);
}
