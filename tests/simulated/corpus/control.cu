// Which lanes go where, and what they have when they meet again.

// block 64
__global__ void ended_by_ptx(float* a, float* b) {
  if (threadIdx.x % 4) {
    exit_thread();
  }
  a[threadIdx.x] = 1;
  b[threadIdx.x * 8] = 1;
}

// block 64, n 3 64
__global__ void trapped(float* a, int n) {
  if (threadIdx.x >= n) {
    trap_thread();
  }
  a[threadIdx.x * 2] = 1;
}

// block 64
__global__ void returned(float* a, float* b) {
  if (threadIdx.x % 2) {
    return;
  }
  a[threadIdx.x] = 1;
  b[threadIdx.x / 2] = 1;
}

// block 64, n 1 4
__global__ void returned_uniformly(float* a, int n) {
  if (n > 3) {
    return;
  }
  a[threadIdx.x] = 1;
}

// block 64
__global__ void left_at_own_time(float* a, float* b) {
  int i = 0;
  while (i < threadIdx.x) {
    i++;
  }
  a[i] = 1;
  b[i * 8] = 1;
}

// block 64
__global__ void left_at_lane(float* a) {
  int i;
  for (i = 0; i < 32; i++) {
    if (i == threadIdx.x % 32) {
      break;
    }
  }
  a[i] = 1;
}

// block 64
__global__ void left_at_halves(float* a) {
  int i = threadIdx.x;
  while (i >= 8) {
    i -= 8;
  }
  a[i] = 1;
}

// block 64
__global__ void doubled_until(float* a) {
  int i = 1;
  while (i < threadIdx.x) {
    i *= 2;
  }
  a[i] = 1;
}

// block 64
__global__ void counted_down(float* a) {
  int n = 0;
  for (int i = threadIdx.x; i > 0; i -= 4) {
    n++;
  }
  a[n] = 1;
}

// block 64, n 2 9
__global__ void left_when_uniform(float* a, int n) {
  int i = threadIdx.x;
  for (int k = 0; k < n; k++) {
    i += 2;
  }
  a[i] = 1;
}

// block 64
__global__ void left_by_data(const int* in, float* a) {
  int i = 0;
  while (i < 10 && in[i * 64 + threadIdx.x] > 200) {
    i++;
  }
  a[i * 64 + threadIdx.x] = 1;  // unknown
}

// block 64
__global__ void in_divergent_loop(float* a, float* b) {
  for (int i = threadIdx.x; i < 100; i += 64) {
    a[i] = 1;
  }
  for (int i = 0; i < threadIdx.x; i++) {
    b[i * 64 + threadIdx.x] = 1;
  }
}

// block 64, n 100 130
__global__ void grid_stride(float* a, const float* b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    a[i] = b[i];
  }
}

// block 64, n 3 5
__global__ void chunks(float* a, int n) {
  for (int i = 0; i < n; i++) {
    a[threadIdx.x * n + i] = 1;
  }
}

// block 64
__global__ void known_chunks(float* a) {
  for (int i = 0; i < 8; i++) {
    a[threadIdx.x * 8 + i] = 1;
  }
}

// block 64
__global__ void two_ways(float* a, float* b) {
  int i;
  if (threadIdx.x % 2 == 0) {
    i = threadIdx.x;
  } else {
    i = threadIdx.x + 64;
  }
  a[i] = 1;
  b[threadIdx.x < 32 ? threadIdx.x : 95 - threadIdx.x] = 1;
}

// block 64, n 0 1
__global__ void two_uniform_ways(float* a, int n) {
  int i = n ? threadIdx.x : threadIdx.x * 8;
  a[i] = 1;
}

// block 64
__global__ void two_ways_inside(float* a, float* b) {
  if (threadIdx.x < 16) {
    a[threadIdx.x] = 1;
  } else if (threadIdx.x < 40) {
    a[threadIdx.x * 4] = 1;
  } else {
    b[threadIdx.x] = 1;
  }
}

// block 64
__global__ void one_of_each_warp(float* a, float* b) {
  if (threadIdx.x % 32 == 0) {
    a[threadIdx.x / 32] = 1;
  }
  if (threadIdx.x == 5) {
    b[7] = 1;
  }
}

// block 64, n 4 40
__global__ void one_by_number(float* a, int n) {
  if (threadIdx.x == n) {
    a[threadIdx.x] = 1;
  }
}

// block 64
__global__ void some_by_data(const int* in, float* a, float* b) {
  if (in[threadIdx.x] > 500) {
    a[threadIdx.x] = 1;
    b[threadIdx.x * 8] = 1;
  }
}

__device__ int halved(int x, int deep) {
  if (deep == 0) {
    return x;
  }
  return halved(x, deep - 1) + 1;
}

// block 64
__global__ void recursive(float* a) {
  a[halved(threadIdx.x, 3)] = 1;  // unknown: written
}

__device__ int factorial(int n) {
  return n <= 1 ? 1 : n * factorial(n - 1);
}

// block 64
__global__ void recursive_by_constant(float* a) {
  a[factorial(3) * 2 + threadIdx.x] = 1;  // unknown: written
}

__device__ void descend(float* a, int deep) {
  a[deep * 64 + threadIdx.x] = 1;  // unknown: written
  if (deep > 0) {
    descend(a, deep - 1);
  }
}

// block 64
__global__ void recursive_stores(float* a) {
  descend(a, 2);
}

__device__ int summed(int n) {
  int sum = 0;
  for (int i = 0; i <= n; i++) {
    sum += i;
  }
  return sum;
}

// block 64
__global__ void summed_by_lane(float* a) {
  a[summed(threadIdx.x % 4)] = 1;
}

__device__ __noinline__ int twice(int x) {
  return 2 * x;
}

// block 64
__global__ void called(float* a) {
  a[twice(threadIdx.x)] = 1;
}

__device__ void put(float* a, int i) {
  a[i] = 1;
}

// block 64
__global__ void called_twice(float* a, float* b) {
  put(a, threadIdx.x);
  put(b, threadIdx.x * 8);
}

// block 64, n 3 9
__global__ void nested(float* a, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      a[(i * 16 + j) * 64 + threadIdx.x] = 1;
    }
  }
}

// block 64
__global__ void triangular(float* a) {
  for (int j = 0; j <= threadIdx.x % 8; j++) {
    a[threadIdx.x * 8 + j] = 1;
  }
}

// block 64, n 20 70
__global__ void skipped(float* a, int n) {
  for (int i = 0; i < 4; i++) {
    if (i * 64 + threadIdx.x >= n) {
      continue;
    }
    a[i * 64 + threadIdx.x] = 1;
  }
}

// block 64
__global__ void at_least_once(float* a) {
  int i = threadIdx.x;
  do {
    a[i] = 1;
    i += 64;
  } while (i < 150);
}

// block 64
__global__ void rotated(float* a, float* b) {
  int i = threadIdx.x;
  int j = threadIdx.x * 2;
  for (int k = 0; k < 4; k++) {
    int t = i;
    i = j;
    j = t;
    a[i] = 1;  // unknown: written
  }
  b[i] = 1;  // unknown: written
}

// block 64
__global__ void votes(const int* in, float* a, float* b) {
  if (__any_sync(0xffffffffu, in[threadIdx.x] > 990)) {
    a[threadIdx.x] = 1;
  }
  if (__all_sync(0xffffffffu, threadIdx.x < 40)) {
    b[threadIdx.x * 4] = 1;
  }
}

// block 100
__global__ void short_last_warp(float* a, float* b) {
  a[threadIdx.x] = 1;
  if (threadIdx.x >= 96) {
    b[threadIdx.x * 16] = 1;
  }
}

// block 8x4x2
__global__ void planes(float* a, float* b) {
  if (threadIdx.z == 0) {
    a[threadIdx.y * 8 + threadIdx.x] = 1;
  }
  if (threadIdx.y == 1) {
    b[threadIdx.x * 8 + threadIdx.z] = 1;
  }
}

// block 64, n 4 60
__global__ void sides(const float* in, float* a, int n) {
  int i = threadIdx.x;
  float left = i > 0 ? in[i - 1] : 0;
  if (i < n) {
    left += in[i + 1];
  }
  a[i] = left;
}

// block 64, n 2 8
__global__ void early_or_late(float* a, int n) {
  int i = threadIdx.x;
  if (n > 4) {
    i *= 4;
  }
  a[i] = 1;
}

// block 64, seed 3
__global__ void random_numbers(float* a, float* b, unsigned seed) {
  unsigned x = seed + threadIdx.x;
  x = x * 1664525u + 1013904223u;
  a[x >> 24] = 1;
  x ^= x << 13;
  b[x % 16] = 1;
}

// block 64
__global__ void steps_to_one(float* a, float* b) {
  int i = threadIdx.x + 1;
  int n = 0;
  while (i != 1) {
    if (i & 1) {
      i = 3 * i + 1;
    } else {
      i /= 2;
    }
    n++;
  }
  a[n] = 1;
  b[n % 3 + i] = 1;
}

// block 64
__global__ void common_divisors(float* a) {
  int x = threadIdx.x + 1;
  int y = 24;
  while (y) {
    int rest = x % y;
    x = y;
    y = rest;
  }
  a[x * 2] = 1;
}

// block 64
__global__ void rows_of_triangle(float* a) {
  int row = 0;
  int left = threadIdx.x;
  while (left > row) {
    row++;
    left -= row;
  }
  a[row * 32 + left] = 1;
}

// block 64
__global__ void loops_in_loops(float* a, float* b) {
  int n = 0;
  for (int i = 0; i < threadIdx.x % 5; i++) {
    for (int j = 0; j < i; j++) {
      n += j * i;
    }
  }
  a[n * 8] = 1;
  for (int i = 3; i < threadIdx.x; i++) {
    if (threadIdx.x % i == 0) {
      n = i;
      break;
    }
  }
  b[n] = 1;  // unknown: written
}

// block 40
__global__ void negative_quotients(float* a) {
  int i = 7 - (int)threadIdx.x;
  int n = 0;
  while (i < -2 || i > 2) {
    i = i / 3;
    n += i < 0 ? 1 : 8;
  }
  a[(i + 2) * 64 + n] = 1;
}

// block 64, n 3 9
__global__ void lanes_count_to_a_parameter(float* a, int n) {
  int i = threadIdx.x;
  while (i > n) {
    i = i * 3 / 4;
  }
  a[i] = 1;  // unknown
}

// block 64
__global__ void left_at_a_bit(float* a) {
  int i = 0;
  for (; i < 6; i++) {
    if (threadIdx.x >> i & 1) {
      break;
    }
  }
  a[i * 4] = 1;
}

__device__ int root(int x) {
  for (int i = 0; i < 6; i++) {
    if (i * i >= x) {
      return i;
    }
  }
  return -1;
}

// block 64
__global__ void returned_in_a_loop(float* a) {
  a[root(threadIdx.x) * 4 + 4] = 1;
}

// block 64, n 3 5, half 1 40
__global__ void chosen_ways(const float* in, float* a, float* b, int n, int half) {
  int i = n > 4 ? threadIdx.x * 4 : threadIdx.x;
  a[i] = in[half == 40 ? threadIdx.x : threadIdx.x * 2 + 1];
  int j = threadIdx.x << (n < 4 ? 3 : 1);
  b[half < 2 ? j : j / 2 + half] = 1;
}

// block 64, n 0 1 3 4 9, m 0 5 33 64 200
__global__ void rows_in_turn(float* a, float* b, int n, int m) {
  for (int row = 0; row < n; row++) {
    for (int i = threadIdx.x; i < m; i += blockDim.x) {
      b[row * m + i] = a[row * m + i];
    }
  }
}

// block 64, n -3 0 5 40, m -1 0 30
__global__ void signs_of_several(float* a, float* b, float* c, int n, int m) {
  int i = threadIdx.x;
  if (i - n < 0 || i - m < 0) {
    a[i] = 1;  // unknown: written
  }
  if (i - n >= 0 && i - m >= 0) {
    b[i] = 1;
  }
  if ((i - n | i - m) < 0) {
    c[i] = 1;
  }
}

// block 16x4, n 0 3 20, m 0 5 30
__global__ void within_powers_of_two(float* a, float* b, float* c, int n, int m) {
  unsigned x = threadIdx.x + n;
  unsigned y = threadIdx.y + m;
  if (x < 32 && y < 32) {
    a[y * 32 + x] = 1;
  }
  if (x >= 16 || y >= 8) {
    b[y * 32 + x] = 1;  // unknown
  }
  if ((x | y) > 15) {
    c[y * 32 + x] = 1;  // unknown
  }
}

// block 16x4, n 1 2 5, m 0 7 30
__global__ void left_at_powers_of_two(float* a, float* b, int n, int m) {
  unsigned x = threadIdx.x;
  unsigned y = threadIdx.y + m;
  int turns = 0;
  while (x < 32 && y < 32) {
    a[y * 32 + x] = 1;  // unknown
    x += n + (threadIdx.x & 1);
    y += 1;
    turns++;
  }
  if (x < 64 && y < 64) {
    b[turns * 64 + x] = 1;  // unknown
  }
}

// block 64, n 9 40
__global__ void one_more_than_known(float* a, float* b, int n) {
  int t = threadIdx.x;
  if (t == n || t < 20) {
    a[t * 8] = 1;
  }
  if (t != n && t < 16) {
    b[t] = 1;
  }
}

// block 48, n 9 37
__global__ void either_of_one_sector(float* a, int n) {
  int t = threadIdx.x;
  int x1 = t / 8;
  if ((x1 * t) & 16) {
    a[(t > n) ? ((x1 <= t) ? (x1 & 4) : t) : (t > x1 ? t : x1) / 48] = 1;
  }
}
