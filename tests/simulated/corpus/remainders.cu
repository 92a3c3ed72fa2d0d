// Quotients and remainders.

// block 64, base 0 5 100
__global__ void rings(float* a, float* b, float* c, int base) {
  a[(base + threadIdx.x) % 64] = 1;
  b[(base + threadIdx.x) & 63] = 1;
  c[(base * 32 + threadIdx.x) % 64] = 1;
}

// block 64, base 0 5 100
__global__ void short_rings(float* a, float* b, unsigned base) {
  a[(base + threadIdx.x) % 16] = 1;
  b[(base + threadIdx.x) % 100] = 1;
}

// block 64, n 64 65 100
__global__ void next(const float* in, float* a, int n) {
  int i = threadIdx.x;
  float its = in[(i + 1) % n];
  a[i] = its;
}

// block 64, n 64 65 100
__global__ void previous(const float* in, float* a, int n) {
  int i = threadIdx.x;
  float its = in[(i + n - 1) % n];
  a[i] = its;
}

// block 64, n 130 200
__global__ void next_of_all(const float* in, float* a, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float its = in[(i + 1) % n];
  a[i] = its;
}

// block 64, i 0 1 3
__global__ void turns(float* a, float* b, int i) {
  if ((threadIdx.x + i) % 4 == 0) {
    a[threadIdx.x] = 1;
    b[threadIdx.x / 4] = 1;
  }
}

// block 64, i 0 1 3
__global__ void turns_by_mask(float* a, unsigned i) {
  if (((threadIdx.x + i) & 3) == 2) {
    a[threadIdx.x] = 1;
  }
}

// block 64
__global__ void taking_turns(float* a, float* b) {
  for (int i = 0; i < 4; i++) {
    if ((threadIdx.x + i) % 4 == 0) {
      a[i * 64 + threadIdx.x] = 1;
    }
    b[(threadIdx.x + i) % 4] = 1;
  }
}

// block 64
__global__ void reductions(float* a) {
  for (int s = 1; s < 32; s *= 2) {
    if (threadIdx.x % (2 * s) == 0) {
      a[threadIdx.x] += 1;
    }
  }
}

// block 64
__global__ void halves(float* a) {
  for (int s = 32; s > 0; s >>= 1) {
    if (threadIdx.x < s) {
      a[threadIdx.x] += 1;
    }
  }
}

// block 64
__global__ void quotients(float* a, float* b, float* c, float* d) {
  a[threadIdx.x / 2] = 1;
  b[threadIdx.x / 3] = 1;
  c[threadIdx.x / 32] = 1;
  d[threadIdx.x / 5 * 8 + threadIdx.x % 5] = 1;
}

// block 64, w 16 33 40
__global__ void coordinates(float* a, float* b, int w) {
  int y = threadIdx.x / w;
  int x = threadIdx.x % w;
  a[y * w + x] = 1;
  b[x * w + y] = 1;
}

// block 64, n 8 16 64
__global__ void promised(float* a, float* b, int n) {
  __builtin_assume(n % 8 == 0);
  a[n + threadIdx.x] = 1;
  b[n * blockIdx.x + threadIdx.x] = 1;
}

// block 64, n 32 64
__global__ void promised_by_mask(float* a, double* b, unsigned n) {
  __builtin_assume((n & 31) == 0);
  a[n + threadIdx.x] = 1;
  b[n * 3 + threadIdx.x] = 1;
}

// block 64, n 8 16
__global__ void promised_stride(float* a, int n) {
  __builtin_assume(n % 8 == 0 && n > 0);
  a[threadIdx.x * n] = 1;
}

// block 64, n 8 16 24
__global__ void returned_otherwise(float* a, int n) {
  if (n % 8 != 0) {
    return;
  }
  a[n + threadIdx.x] = 1;
}

// block 64, n 3 8
__global__ void rounded(float* a, float* b, int n) {
  a[n / 8 * 8 + threadIdx.x] = 1;
  b[(n & ~7) + threadIdx.x] = 1;
}

// block 64, n 3 8
__global__ void rounded_up(float* a, float* b, int n) {
  a[(n + 7) / 8 * 8 + threadIdx.x] = 1;
  b[((n + 31) & ~31) * blockIdx.x + threadIdx.x] = 1;
}

// block 64
__global__ void permuted(float* a, float* b, float* c) {
  a[threadIdx.x * 5 % 64] = 1;
  b[threadIdx.x * 33 % 64] = 1;
  c[(threadIdx.x * 7 + 3) & 31] = 1;
}

// block 32x8
__global__ void tiles(float* a, float* b) {
  int t = threadIdx.y * 32 + threadIdx.x;
  a[t % 16 * 16 + t / 16] = 1;
  b[t / 16 * 16 + t % 16] = 1;
}

// block 64, n 7 64
__global__ void bounded(float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = 1;
    b[i * 2] = 1;
  }
}

// block 64
__global__ void known_guards(float* a, float* b, float* c) {
  if (threadIdx.x % 2 == 0) {
    a[threadIdx.x] = 1;
  }
  if (threadIdx.x > 50) {
    b[threadIdx.x] = 1;
  } else {
    c[threadIdx.x * 2] = 1;
  }
}

// block 64, n 0 3 8
__global__ void turned_rows(float* a, float* b, unsigned n) {
  a[threadIdx.x / 8 * 8 + (threadIdx.x + n) % 8] = 1;
  a[threadIdx.x / 16 * 64 + (threadIdx.x + n) % 16 * 4] = 1;
  b[(threadIdx.x * 3 + n) % 12] = 1;
}

// block 64, n 0 1 2
__global__ void turns_of_three(float* a, float* b, unsigned n) {
  if ((threadIdx.x + n) % 3 == 0) {
    a[threadIdx.x * 2] = 1;
  }
  if ((threadIdx.x + n) % 8 < 4) {
    b[threadIdx.x] = 1;
  } else {
    b[threadIdx.x + 64] = 1;
  }
}

// block 64, n 0 3 8
__global__ void chosen_by_turns(float* a, float* b, unsigned n) {
  a[(threadIdx.x + n) % 4 == 1 ? threadIdx.x : threadIdx.x + 64] = 1;
  int turn = (threadIdx.x + n) & 7;
  if (turn != 0 && threadIdx.x < 48) {
    b[threadIdx.x * 2 + turn] = 1;
  }
}

// block 64, n 0 3 8
__global__ void turned_in_a_loop(float* a, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    a[i * 64 + threadIdx.x / 8 * 8 + (threadIdx.x + i) % 8] = 1;  // unknown
  }
}

// block 20, n 0 1 2, m 0 3 8
__global__ void turns_of_partial_warps(float* a, float* b, unsigned n, int m) {
  if ((threadIdx.x + n) % 4 == 0) {
    a[threadIdx.x + m] = 1;
  }
  b[(threadIdx.x + n) % 8] = 1;
}

// block 6x7, n 0 1 5
__global__ void turns_in_rows(float* a, float* b, unsigned n) {
  if ((threadIdx.x + n) % 4 == 1) {
    a[threadIdx.y * 6 + threadIdx.x] = 1;
  }
  b[threadIdx.y * 8 + (threadIdx.x + n) % 8] = 1;
}

// block 96
__global__ void turns_of_each_warp(const int* in, float* a, float* b) {
  unsigned own = in[threadIdx.x / 32];
  a[(threadIdx.x + own) % 48] = 1;
  if ((threadIdx.x + own) % 8 < 3) {
    b[threadIdx.x * 2] = 1;
  }
}

// block 64, n 0 4294967295 4294967290
__global__ void turned_past_the_end(float* a, float* b, unsigned n) {
  a[(threadIdx.x + n) % 16] = 1;
  b[(threadIdx.x - n) & 7] = 1;
}

// block 64
__global__ void turned_until_left(float* a) {
  for (unsigned i = 0; i < threadIdx.x % 8; i++) {
    a[threadIdx.x / 8 * 8 + (threadIdx.x + i) % 8] = 1;
  }
}

// block 64, n -70 -9 0 5
__global__ void turned_by_a_signed_number(float* a, float* b, float* c, int n) {
  int t = threadIdx.x;
  a[(t + n) % 8 + 8] = 1;
  b[(3 * t + n) % 12 + 12] = 1;
  c[(t + n) % 64 + 64] = 1;
}

// block 64, width 8 33 64, length 6 20 64, first 1 3
__global__ void windows(float* a, float* b, int width, int length, int first) {
  int column = threadIdx.x % width;
  if (column / 4 >= first && column < length) a[column] = 1;
  if (column / 4 < first || (first < 3 && column > length)) b[column] = 1;  // unknown
}

// block 64, n -130 -6 0 5 33
__global__ void towards_zero(float* a, float* b, float* c, int n) {
  int i = n + 4 * threadIdx.x;
  a[i / 4 + 64] = 1;
  b[i / 2 + 128] = 1;
  c[(i + 1) / 4 * 2 + 128] = 1;
}

// block 64, w 1 5 32 33 40 64, h 1 3 20 50
__global__ void halves_of_rows(float* a, float* b, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % w;
  int y = i / w;
  b[i] = a[x / 2];
  b[i] = a[y * h + x / 2];
  b[i] = a[y / 2 * h + x / 4];
  b[i] = a[y * h + (x + 3) / 8 * 2];  // unknown: compiled
}

// block 64, w 1 5 32 33 40 64, h 1 3 20 50
__global__ void neighbours_in_rows(float* a, float* b, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % w;
  int y = i / w % h;
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      int u = x + dx;
      int v = y + dy;
      if (u >= 0 && u < w && v >= 0 && v < h) {
        b[i] = a[v * w + u];
      }
    }
  }
  b[i] = a[y * w + max(x - 1, 0)];
  b[i] = a[min(y + 1, h - 1) * w + x];
}
