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

// Only the first of eight warps comes to the second test.
__global__ void corner(float* out, const float* in) {
  int x = threadIdx.x, y = threadIdx.y;
  float v = in[16 * y + x], w;
  if (y == 0 && x == 0) {
    w = v * v + 3 * v - 1 + in[0] * in[1];
  } else if (y == 0) {
    w = v * v + 5 * v - 2 + in[2] * in[3];
  } else {
    w = v * v + 7 * v - 3 + in[4] * in[5];
  }
  out[16 * y + x] = w;
}

void run_corner(float* out, const float* in) { corner<<<1, dim3(16, 16)>>>(out, in); }
