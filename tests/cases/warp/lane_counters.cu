// Queues of each thread's own, interleaved by threads: lanes whose counts differ are lines apart, so
// that a request costs as much as if all counts were the same, at the least.
__global__ void pairs(double2 *out, const float *in, int n) {
  int end = threadIdx.x;
  for (int i = 0; i < n; i++)
    if (in[i * 64 + threadIdx.x] > 0) {
      out[end].x = 1;  // drano: expect[DRN001] "16 sectors where 8 would do"
      end += 64;
    }
}
__global__ void by_block(double2 *out, const float *in, int n) {
  int end = threadIdx.x;
  for (int i = 0; i < n; i++)
    if (in[i * blockDim.x + threadIdx.x] > 0) {
      out[end].x = 1;  // drano: expect[DRN001] "16 sectors where 8 would do"
      end += blockDim.x;
    }
}
// As cheap as can be where the counts are the same, as dear as can be where they are not.
__global__ void single(float *out, const float *in, int n) {
  int end = threadIdx.x;
  for (int i = 0; i < n; i++)
    if (in[i * 64 + threadIdx.x] > 0) {
      out[end] = 1;  // drano: expect[DRN003] "up to 32 sectors where 4 would do"
      end += 64;
    }
}
// Lanes whose counts differ may meet in one place.
__global__ void near(double2 *out, const float *in, int n) {
  int end = threadIdx.x;
  for (int i = 0; i < n; i++)
    if (in[i * 64 + threadIdx.x] > 0) {
      out[end].x = 1;  // drano: expect[DRN003] "up to 32 sectors where 8 would do"
      end -= 1;
    }
}
void launch(double2 *p, float *f, const float *in, int n) {
  pairs<<<8, 64>>>(p, in, n);
  by_block<<<8, 64>>>(p, in, n);
  single<<<8, 64>>>(f, in, n);
  near<<<8, 64>>>(p, in, n);
}
