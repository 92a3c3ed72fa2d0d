// What lanes have when they have left a loop at different iterations, and do in the next one.

// block 128, n 0 1 100 1000 1027
__global__ void unrolled(float* a, float* b, int n) {
  int i = threadIdx.x;
  for (; i + 384 < n; i += 512) {
    a[i] = 1;
    a[i + 128] = 1;
    a[i + 256] = 1;
    a[i + 384] = 1;
  }
  for (; i < n; i += 128) {
    b[i] = 1;
  }
  b[i * 2] = 1;
}

// block 96, n 0 7 96 1000 1027
__global__ void whole_rounds(float* a, float* b, unsigned n) {
  unsigned i = threadIdx.x;
  unsigned last = n % (2 * blockDim.x);
  for (; i < n - last; i += blockDim.x * 2) {
    a[i] = 1;
  }
  for (; i < n; i += blockDim.x) {
    a[i] = 1;
  }
  b[i] = 1;
}

// block 64, n 0 31 33 200
__global__ void by_lanes(float* a, float* b, int n) {
  int lane = threadIdx.x % 32;
  int row = threadIdx.x / 32 * 256;
  int i = lane;
  for (; i < n - 32; i += 64) {
    a[row + i] = 1;
  }
  for (; i < n; i += 32) {
    a[row + i] = 1;
  }
  b[row + i * 4] = 1;
}

// block 64, n 0 5 33 200
__global__ void short_steps(float* a, float* b, int n) {
  int i = threadIdx.x;
  for (; i < n; i += 8) {
    a[i] = 1;
  }
  b[i] = 1;  // unknown
}

// block 64, n 5 33 200, m 0 30 190
__global__ void downwards(float* a, float* b, int n, int m) {
  int i = n + 63 - threadIdx.x;
  for (; i >= m; i -= 64) {
    a[i] = 1;
  }
  b[i + 64] = 1;
  b[i * 8 + 512] = 1;
}

// block 64, n 0 5 64 200
__global__ void at_least_once(float* a, float* b, int n) {
  int i = threadIdx.x;
  do {
    a[i] = 1;
    i += 64;
  } while (i < n);
  b[i] = 1;
}

// block 64, n 0 64 70 200
__global__ void nested(float* a, float* b, int n) {
  for (int k = 0; k < 3; k++) {
    int i = threadIdx.x + k;
    for (; i < n - 100; i += 128) {
      a[i] = 1;
    }
    for (; i < n; i += 64) {
      a[i] = 1;
    }
    b[i] = 1;
  }
}

// block 64, n 0 64 70 200
__global__ void guarded(float* a, float* b, int n) {
  int i = threadIdx.x;
  if (threadIdx.x < 40) {
    for (; i < n; i += 64) {
      a[i] = 1;
    }
  }
  b[i] = 1;  // unknown: compiled
}

// block 64, n 2147483600 2147483647
__global__ void beyond(float* a, float* b, int n) {
  int i = n - 100 + threadIdx.x;
  unsigned step = blockDim.x;
  for (; i < n && i > 0; i += step) {
    a[i & 255] = 1;
  }
  b[i & 1023] = 1;  // unknown
}

// block 64, n 4294967200 4294967290
__global__ void unsigned_beyond(float* a, float* b, unsigned n) {
  unsigned i = n - 200 + threadIdx.x;
  int k = 0;
  for (; i < n && k < 9; i += 64, k++) {
    a[i & 255] = 1;
  }
  for (; i < n + 64 && k < 9; i += 64, k++) {
    a[i & 255] = 1;  // unknown
  }
  b[i & 1023] = 1;  // unknown
}

// block 40, n 0 39 41 200
__global__ void partial_warp(float* a, float* b, int n) {
  int i = threadIdx.x;
  for (; i + 40 < n; i += 80) {
    a[i] = 1;
  }
  for (; i < n; i += 40) {
    a[i] = 1;
  }
  b[i * 2] = 1;
}

// block 64, n 1 3 5
__global__ void grown(float* a, float* b, int n) {
  int last = 0;
  for (int k = 0; k < n; k++) {
    int i = threadIdx.x;
    for (; i < k * 40; i += 64) {
      a[i] = 1;
    }
    b[i] = 1;
    last = i;
  }
  b[last * 2] = 1;  // unknown: written
}

// block 64, n 64 100 230
__global__ void bound_by_lane(float* a, float* b, int n) {
  int i = threadIdx.x;
  for (; i < n - 2 * threadIdx.x % 64; i += 64) {
    a[i] = 1;
  }
  b[i] = 1;  // unknown
}

// block 64, n 0 100 300
__global__ void both_sides(float* a, float* b, unsigned n) {
  unsigned i = threadIdx.x;
  for (; i - 20 < n + threadIdx.x - 20; i += 64) {
    a[i & 1023] = 1;
  }
  b[i & 1023] = 1;  // unknown
}

// block 6x7, n 0 20 43 100
__global__ void two_dimensional(float* a, float* b, int n) {
  int i = threadIdx.y * 6 + threadIdx.x;
  int j = threadIdx.x * 8;
  for (; i < n; i += 42) {
    a[i] = 1;
  }
  for (; j < n; j += 64) {
    a[j + threadIdx.y] = 1;
  }
  b[i] = 1;
  b[j + threadIdx.y] = 1;
}

// Steps that each guard takes if it holds, as unrolled loops over a thread's elements are written.

// block 64, n 0 1 64 100 300 1000
__global__ void guarded_steps(float* a, float* b, int n) {
  int i = 256 * blockIdx.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    if (i < n) {
      a[i] = 1;  // unknown
      i += 64;
    }
  }
  b[i] = 1;  // unknown
}

// block 64, n 0 1 64 100 300 1000
__global__ void backwards(float* a, float* b, int n) {
  int i = 255 - threadIdx.x;
  if (i >= n) {
    a[i] = 1;
    i -= 64;
  }
  if (i >= n) {
    a[i] = 1;
    i -= 64;
  }
  if (i > n && n >= 0) {
    b[i] = 1;
  }
}

// block 64, n 0 1 64 100 300 1000
__global__ void other_guards(float* a, float* b, int n) {
  int i = threadIdx.x;
  if (i < n) {
    i += 64;
  }
  if (i < n + 64) {
    a[i] = 1;
  }
  if (i < n - 32) {
    b[i] = 1;
  }
}

// block 64, n 0 1 64 100 300 1000, m 0 3 70
__global__ void guards_in_loops(float* a, float* b, int n, int m) {
  int i = threadIdx.x;
  for (int k = 0; k < m; k++) {
    int j = i;
    if (j < n) {
      j += 64;
    }
    if (j < n) {
      a[j] = 1;  // unknown: written
    }
    if (i < n) {
      i += 64;
    }
  }
  b[i] = 1;  // unknown: written
}

// block 64, n 0 10 40 100, m 0 5 7
__global__ void guards_that_change(float* a, int n, int m) {
  int t = threadIdx.x;
  int x = 0;
#pragma unroll 1
  for (int k = 0; k < 8; k++) {
    int y = t;
    if (t + x < n) {
      y += 64;
    }
    if (y < n) {
      a[y] = 1;
    }
    x = (x * 5 + m) & 31;
  }
}

// block 128, grid 3, n 16 48 135, stride 41 52 139
__global__ void rest_of_rows(float* a, float* b, int stride, int n) {
  int row = blockIdx.x * stride;
  int i = threadIdx.x;
  int whole = n / 32 * 32;
  for (; i < whole; i += 128) {
    a[row + i] = 1;
  }
  if (i < n) {
    b[row + i] = 1;
  }
}

// block 16x4, w 1 3 16, h 4
__global__ void narrow_tiles(float* a, float* b, int w, int h) {
  int x = threadIdx.x;
  int y = threadIdx.y;
  if (x < w && y < h) {
    a[y * 16 + x] = 1;
  }
  if (y < h) {
    b[y * 16 + x] = 1;
  }
}
