// What vectors leave over: which lanes are active behind an end that is near.

// block 64, grid 2, n 0 1 3 4 5 254 255 256 257 511 512
__global__ void by_end(float* a, float* b, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 4 <= n) {
    a[i] = 1;
  } else if (i < n) {
    b[i] = 1;
  }
}

// block 64, grid 2, n 0 1 3 4 5 250 256 258 511
__global__ void by_far_end(float* a, float* b, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 8 <= n) {
    a[i] = 1;
  } else if (i < n) {
    b[i] = 1;
  }
}

// block 8x8, n 0 1 3 4 6 31 32 33
__global__ void in_rows(float* a, float* b, int n) {
  int i = 4 * threadIdx.x;
  if (i + 4 <= n) {
    a[threadIdx.y * 64 + i] = 1;
  } else if (i < n) {
    b[threadIdx.y * 64 + i] = 1;
  }
}

// block 64, n 0 1 3 5 250 256 258 600 1030
__global__ void in_steps(float* a, float* b, int n) {
  for (int i = 4 * threadIdx.x; i < n; i += 256) {
    if (i + 4 <= n) {
      a[i] = 1;
    } else {
      b[i] = 1;
    }
  }
}

// block 64, n 0 1 3 5 250 256 258
__global__ void in_the_rest(float* a, float* b, int n) {
  int i = 4 * threadIdx.x;
  if (i + 4 > n) {
    for (int j = i; j < n; j++) {
      b[j] = 1;
    }
    return;
  }
  a[i] = 1;
}

// block 64, n 0 1 3 5 120 128 200
__global__ void from_the_end(float* a, float* b, int n) {
  int i = 256 - 4 * (int)threadIdx.x;
  if (i - 4 >= n) {
    a[i] = 1;
  } else if (i > n) {
    b[i] = 1;
  }
}
