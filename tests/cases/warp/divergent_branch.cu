// Branches whose sides one warp executes one after the other.
__global__ void k(float* a, const float* in) {
  int i = threadIdx.x;
  float x = in[i], y;
  if (i % 2 == 0) {  // drano: expect[DRN201] "warps execute both sides"
    y = x * x * x - 3 * x * x + 2 * x - 1;
  } else {
    y = x * x * x * x + 5 * x * x - 7 * x + 4;
  }
  if (i < 64) {  // whole warps
    y += x * x * x - 3 * x * x + 2 * x - 1;
  } else {
    y += x * x * x * x + 5 * x * x - 7 * x + 4;
  }
  if (i == 3) {  // one warp of eight
    y += x * x * x - 3 * x * x + 2 * x - 1;
  } else {
    y += x * x * x * x + 5 * x * x - 7 * x + 4;
  }
  if (i & 1) y += x * x * x - 3 * x * x + 2 * x - 1;  // one side only
  a[i] = y;
}

void run(float* a, const float* in) { k<<<1, 256>>>(a, in); }
