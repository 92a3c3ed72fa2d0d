// Memory of a block or a thread that is written more than once, in part, or in turns.

__constant__ const int steps[8] = {0, 3, 6, 9, 12, 15, 18, 21};

// block 64
__global__ void staged_twice(float* a, float* b) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  a[s[63 - threadIdx.x]] = 1;
  __syncthreads();
  s[threadIdx.x] = threadIdx.x * 8;
  __syncthreads();
  b[s[threadIdx.x]] = 1;
}

// block 64
__global__ void staged_in_turns(float* a) {
  __shared__ int s[64];
  for (int i = 1; i < 4; i++) {
    s[threadIdx.x] = threadIdx.x * i;
    __syncthreads();
    a[s[63 - threadIdx.x]] = 1;  // unknown: written
    __syncthreads();
  }
}

// block 64, n 0 1
__global__ void staged_perhaps(float* a, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  if (n) {
    s[threadIdx.x] = threadIdx.x * 8;
  }
  __syncthreads();
  a[s[threadIdx.x]] = 1;  // unknown
}

// block 64
__global__ void staged_and_one_changed(float* a, float* b, float* c) {
  __shared__ int s[64], t[64], u[64];
  s[threadIdx.x] = t[threadIdx.x] = u[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    s[3] = 77;
    *(volatile int*)(t + 5) = 1000;
    *(long long*)&u[2] = 1000;
  }
  __syncthreads();
  a[s[63 - threadIdx.x]] = 1;
  b[t[63 - threadIdx.x]] = 1;
  c[u[63 - threadIdx.x]] = 1;  // unknown
}

// block 64, n 3 9
__global__ void staged_parameter(float* a, float* b, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x + n;
  __syncthreads();
  a[s[threadIdx.x ^ 7]] = 1;
  b[s[threadIdx.x & 32] * 8] = 1;
}

// block 64
__global__ void staged_by_half(float* a) {
  __shared__ int s[32];
  if (threadIdx.x >= 32) {
    s[threadIdx.x - 32] = 64 - threadIdx.x;
  }
  __syncthreads();
  a[s[threadIdx.x % 32]] = 1;
}

// block 64
__global__ void staged_and_added(float* a) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  atomicAdd(&s[0], 7);
  __syncthreads();
  a[s[threadIdx.x]] = 1;  // unknown
}

// block 64
__global__ void staged_bytes(float* a) {
  __shared__ unsigned char s[64];
  s[threadIdx.x] = threadIdx.x * 4;
  __syncthreads();
  a[s[threadIdx.x]] = 1;
}

// block 16x4
__global__ void staged_tile(float* a) {
  __shared__ int s[4][16];
  s[threadIdx.y][threadIdx.x] = threadIdx.x * 4 + threadIdx.y;
  __syncthreads();
  a[s[threadIdx.x % 4][threadIdx.y * 4 + threadIdx.x / 4]] = 1;
}

// block 64
__global__ void staged_blocks(float* a) {
  __shared__ int s[64];
  s[threadIdx.x] = blockIdx.x * 64 + threadIdx.x;
  __syncthreads();
  a[s[threadIdx.x / 2]] = 1;
}

// block 64
__global__ void staged_warps(float* a) {
  __shared__ int s[2];
  if (threadIdx.x % 32 == 0) {
    s[threadIdx.x / 32] = threadIdx.x * 3;
  }
  __syncthreads();
  a[s[1 - threadIdx.x / 32] + threadIdx.x % 32] = 1;
}

// block 64
__global__ void own_rewritten(float* a) {
  int t[4] = {0, 8, 16, 24};
  t[threadIdx.x & 3] = 5;
  a[t[(threadIdx.x + 1) & 3]] = 1;  // unknown: written
}

// block 64, n 1 2
__global__ void own_rewritten_at_unknown(float* a, int n) {
  int t[4] = {0, 8, 16, 24};
  t[n] = threadIdx.x;
  a[t[threadIdx.x & 3]] = 1;  // unknown
}

// block 64, n 0 1
__global__ void own_perhaps(float* a, int n) {
  int t[2];
  t[0] = threadIdx.x;
  t[1] = 100;
  if (n) {
    t[1] = threadIdx.x * 8;
  }
  a[t[threadIdx.x & 1]] = 1;  // unknown: written
}

// block 64
__global__ void own_in_a_loop(float* a) {
  int t[2] = {0, 0};
  for (int i = 0; i < 3; i++) {
    t[i & 1] = threadIdx.x * i;
    a[t[threadIdx.x & 1]] = 1;  // unknown
  }
}

// block 64, n 0 5
__global__ void table_at_sums(float* a, int n) {
  a[steps[(threadIdx.x + n) % 8]] = 1;
}

// block 64
__global__ void table_of_table(float* a) {
  a[steps[steps[threadIdx.x % 3] & 7] * 4] = 1;
}

// block 64
__global__ void table_in_part(float* a) {
  if (threadIdx.x < 8) {
    a[steps[threadIdx.x] + 1] = 1;
  }
}

// block 64
__global__ void staged_by_both_sides(float* a, float* b) {
  __shared__ int s[64];
  if (threadIdx.x < 40) {
    s[threadIdx.x] = threadIdx.x;
  } else {
    s[threadIdx.x] = threadIdx.x * 2;
  }
  __syncthreads();
  a[s[63 - threadIdx.x]] = 1;
  __syncthreads();
  if (threadIdx.x < 16) {
    s[threadIdx.x * 2] = threadIdx.x * 8;
  }
  __syncthreads();
  b[s[threadIdx.x ^ 1]] = 1;
}

// block 64, n 0 1
__global__ void staged_again_where_n(float* a, float* b, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (n) {
    if (threadIdx.x < 16) {
      s[threadIdx.x] = threadIdx.x * 8;
    }
    __syncthreads();
    a[s[63 - threadIdx.x]] = 1;
  }
  __syncthreads();
  b[s[threadIdx.x]] = 1;  // unknown
}

// block 64
__global__ void staged_in_halves(float* a) {
  __shared__ int s[64];
  if (threadIdx.x < 32) {
    s[threadIdx.x] = threadIdx.x;
  }
  if (threadIdx.x >= 32) {
    s[threadIdx.x] = 8 * threadIdx.x;
  }
  __syncthreads();
  a[s[threadIdx.x / 2 + threadIdx.x % 2 * 32]] = 1;
}

// block 64
__global__ void staged_and_read_before(float* a, float* b) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int i = 0; i < 2; i++) {
    a[s[63 - threadIdx.x] * 2] = 1;  // unknown: written
    __syncthreads();
    s[threadIdx.x] = threadIdx.x + 5;
    __syncthreads();
  }
  s[threadIdx.x] = threadIdx.x * 4;
  b[s[threadIdx.x]] = 1;
}

// block 64
__global__ void own_by_both_sides(float* a, float* b) {
  int t[4];
  for (int i = 0; i < 4; i++) {
    t[i] = i * 8 + threadIdx.x;
  }
  if (threadIdx.x & 1) {
    t[threadIdx.x / 16] = 0;
  } else {
    t[(threadIdx.x + 2) & 3] = 1;
  }
  a[t[threadIdx.x & 3]] = 1;  // unknown: written
  t[threadIdx.x & 3] += t[(threadIdx.x + 1) & 3];
  b[t[threadIdx.x / 2 & 3]] = 1;  // unknown: written
}

// block 64, n 0 3
__global__ void own_again_where_n(float* a, float* b, int n) {
  int t[4] = {0, 1, 2, 3};
  t[threadIdx.x & 3] = threadIdx.x;
  if (n) {
    t[threadIdx.x & 1] = 7;
    a[t[threadIdx.x & 1] + t[threadIdx.x & 3]] = 1;
  }
  b[t[(threadIdx.x + 1) & 3]] = 1;  // unknown: written
}

// block 64
__global__ void own_swapped(float* a) {
  int t[8];
  for (int i = 0; i < 8; i++) {
    t[i] = i;
  }
  int at = threadIdx.x & 7;
  int other = (threadIdx.x * 3 + 1) & 7;
  int kept = t[at];
  t[at] = t[other];
  t[other] = kept;
  a[t[threadIdx.x / 8] * 16 + threadIdx.x % 8] = 1;  // unknown: written
}
