// Functions of the bits of lanes that are known.

// block 64
__global__ void counts(float* a, float* b, double* c) {
  a[__popc(threadIdx.x)] = 1;
  b[__popc(threadIdx.x) * 8] = 1;
  c[__popcll(threadIdx.x * 3ull)] = 1;
}

// block 64
__global__ void first_bits(float* a, float* b, float* c) {
  a[__ffs(threadIdx.x)] = 1;
  b[__ffs(threadIdx.x + 1) * 16] = 1;
  c[__ffsll(threadIdx.x & 7ull)] = 1;
}

// block 64
__global__ void leading(float* a, float* b, float* c) {
  a[__clz(threadIdx.x)] = 1;
  b[31 - __clz(threadIdx.x | 1)] = 1;
  c[__clzll(threadIdx.x)] = 1;
}

// block 32, grid 1
__global__ void reversed_bits(float* a, float* b) {
  a[__brev(threadIdx.x) >> 27] = 1;
  b[__brev(threadIdx.x << 24)] = 1;
}

// block 64
__global__ void high_halves(float* a, float* b, float* c) {
  a[__umulhi(threadIdx.x, 0x80000000u)] = 1;
  b[__umulhi(threadIdx.x << 27, 64)] = 1;
  c[__mulhi((int)threadIdx.x << 20, 4096)] = 1;
}

// block 64
__global__ void bytes_permuted(float* a, float* b, float* c) {
  a[__byte_perm(threadIdx.x, 0, 0x4440)] = 1;
  b[__byte_perm(threadIdx.x, 0, 0x4404)] = 1;
  c[__byte_perm(threadIdx.x, threadIdx.x, 0x4400) & 0xff] = 1;
}

// block 64
__global__ void funnels(float* a, float* b, float* c) {
  a[__funnelshift_l(0, threadIdx.x, 1)] = 1;
  b[__funnelshift_r(threadIdx.x, 0, 2)] = 1;
  c[__funnelshift_l(threadIdx.x << 27, 0, 5)] = 1;
}

// block 64
__global__ void low_24(float* a, float* b) {
  a[__mul24(threadIdx.x, 3)] = 1;
  b[__umul24(threadIdx.x, 8)] = 1;
}

// block 64
__global__ void lane_numbers(float* a, float* b, float* c) {
  a[lane_id()] = 1;
  b[__popc(lanemask_lt())] = 1;
  c[__popc(lanemask_ge()) * 8] = 1;
}

// block 64
__global__ void lane_masks(float* a, float* b, float* c) {
  a[__popc(lanemask_le() & 0x0f0f0f0f)] = 1;
  b[__ffs(lanemask_eq())] = 1;
  c[__popc(lanemask_gt() & 0xaaaaaaaa) * 4] = 1;
}

// block 64
__global__ void ranks_of_votes(float* a, float* b) {
  unsigned votes = __ballot_sync(0xffffffffu, threadIdx.x % 2);
  if (threadIdx.x % 2) {
    a[__popc(votes & lanemask_lt())] = 1;
  }
  b[votes & 31] = 1;
}

// block 64
__global__ void ranks_of_known_votes(float* a, float* b) {
  unsigned votes = __ballot_sync(0xffffffffu, threadIdx.x % 32 < 20);
  a[__popc(votes)] = 1;
  b[__popc(votes & lanemask_lt())] = 1;
}

// block 64, n 5 70
__global__ void ranks_of_unknown_votes(const int* in, float* a, float* b, int n) {
  int mine = in[threadIdx.x] > n;
  unsigned votes = __ballot_sync(0xffffffffu, mine);
  if (mine) {
    a[__popc(votes & lanemask_lt())] = 1;
  }
  b[__popc(votes)] = 1;
}

// block 64, n 5 70
__global__ void ranks_from_above(const int* in, float* a, float* b, float* c, int n) {
  int mine = in[threadIdx.x] > n;
  unsigned votes = __ballot_sync(0xffffffffu, mine);
  if (mine) {
    a[64 - __popc(votes & lanemask_ge())] = 1;
  }
  b[__popc(votes & lanemask_gt())] = 1;
  c[4 * __popc(votes & lanemask_ge())] = 1;  // unknown
}

// block 64, n 5 70
__global__ void ranks_of_shifted_votes(const int* in, float* a, float* b, float* c, int n) {
  int lane = threadIdx.x % 32;
  unsigned votes = __ballot_sync(0xffffffffu, in[threadIdx.x] > n);
  a[__popc(votes >> lane)] = 1;
  b[__popc(votes << (31 - lane))] = 1;
  c[__popc(votes & (0xffffffffu >> (31 - lane)))] = 1;
}

// block 64, n 5 70
__global__ void ranks_in_small_elements(const int* in, unsigned short* a, char* b, int n) {
  int mine = in[threadIdx.x] > n;
  unsigned votes = __ballot_sync(0xffffffffu, mine);
  if (mine) {
    a[__popc(votes & lanemask_lt())] = 1;
    b[n + __popc(votes & lanemask_ge())] = 1;
  }
}

// block 64
__global__ void masks_shifted_by_lanes(float* a, float* b, float* c) {
  int lane = threadIdx.x % 32;
  a[0xffffffffu >> (31 - lane) & 63] = 1;
  b[(-4096 >> lane / 2) + 4096] = 1;
  c[(0x0f0f0f0fu >> lane & 1) * 64 + threadIdx.x] = 1;
}

// block 64, n -1000000 5
__global__ void ranks_that_count_another_warp_itself(const int* in, float* a, int n) {
  unsigned votes = __ballot_sync(0xffffffffu, in[threadIdx.x] > n);
  unsigned below = threadIdx.x < 32 ? lanemask_lt() : lanemask_le();
  a[__popc(votes & below) >= 32 ? 8 * threadIdx.x : 0] = 1;  // unknown: compiled
}

// block 64
__global__ void same_values(float* a, float* b) {
  unsigned same = __match_any_sync(0xffffffffu, threadIdx.x / 4);
  a[__ffs(same) - 1] = 1;
  b[__popc(same & lanemask_lt())] = 1;
}

// block 64
__global__ void same_halves(float* a) {
  unsigned same = __match_any_sync(0xffffffffu, threadIdx.x & 16);
  a[__popc(same) + threadIdx.x] = 1;
}

// block 64
__global__ void active_masks(float* a, float* b) {
  a[__popc(__activemask() & lanemask_lt())] = 1;
  if (threadIdx.x % 4 == 1) {
    b[__popc(__activemask() & lanemask_lt())] = 1;
  }
}

// block 32
__global__ void gray(float* a) {
  a[threadIdx.x ^ (threadIdx.x >> 1)] = 1;
}

// block 64
__global__ void spread_bits(float* a) {
  unsigned x = threadIdx.x & 15;
  x = (x | (x << 2)) & 0x33;
  x = (x | (x << 1)) & 0x55;
  a[x] = 1;
}

// block 16x16
__global__ void morton(float* a) {
  unsigned x = threadIdx.x;
  unsigned y = threadIdx.y;
  x = (x | (x << 2)) & 0x33;
  x = (x | (x << 1)) & 0x55;
  y = (y | (y << 2)) & 0x33;
  y = (y | (y << 1)) & 0x55;
  a[x | (y << 1)] = 1;
}

// block 64, n 3 40
__global__ void with_uniform(float* a, float* b, float* c, unsigned n) {
  a[threadIdx.x ^ n] = 1;
  b[threadIdx.x ^ (n << 5)] = 1;
  c[threadIdx.x ^ (n & 1)] = 1;
}

// block 64, n 3 40
__global__ void with_uniform_2(float* a, float* b, float* c, unsigned n) {
  a[threadIdx.x | n] = 1;
  b[threadIdx.x & n] = 1;
  c[(threadIdx.x ^ n) & 31] = 1;
}

// block 64, k 1 2 4
__global__ void butterfly(float* a, const float* b, int k) {
  a[threadIdx.x] = b[threadIdx.x ^ k];
}

// block 64
__global__ void butterfly_steps(float* a, const float* b) {
  float sum = 0;
  for (int k = 16; k > 0; k /= 2) {
    sum += b[threadIdx.x ^ k];
  }
  a[threadIdx.x] = sum;
}

// block 64, k 2 8 32, j 1 4 16
__global__ void bitonic(float* v, int k, int j) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned other = i ^ j;
  if (other > i) {
    float mine = v[i];
    float its = v[other];
    if ((i & k) == 0 && mine > its) {
      v[i] = its;
      v[other] = mine;
    }
  }
}

// block 64, n 0 1 2 4 5 7
__global__ void butterflies(float* a, float* b, float* c, float* d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int low = i & ((1 << n) - 1);
  int first = ((i >> n) << (n + 1)) + low;
  a[first] = a[first + (1 << n)];
  unsigned u = i;
  unsigned rest = (u >> n) << n;
  b[rest << 1 | low | 1u << n] = 1;
  c[(u >> n) << (n + 2) | low] = 1;
  c[(u >> n) << (n + 1) | (u & ((2u << n) - 1))] = 1;  // unknown
  d[(long long)(u >> n) << (n + 1) | threadIdx.x % 4] = 1;  // unknown
}

// block 64, n 0 1 3 5 6
__global__ void opened_twice(float* a, float* b, int n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  long long once = ((i >> n) << (n + 1)) | (i & ((1LL << n) - 1));
  a[once | (1LL << n)] = a[once];
  long long twice = ((once >> (n + 1)) << (n + 2)) | (once & ((1LL << (n + 1)) - 1));
  b[twice] = 1;  // unknown
}

// block 16x4, n 0 1 2 4 5
__global__ void opened_in_rows(float* a, float* b, float* c, int n) {
  int i = threadIdx.y * 16 + threadIdx.x;
  if (threadIdx.x < 11) {
    a[((i >> n) << (n + 1)) | (i & ((1 << n) - 1))] = 1;
  }
  int j = i - 40;
  int k = ((j >> n) << (n + 1)) | (j & ((1 << n) - 1));
  b[512 + k] = 1;  // unknown
  unsigned u = 4294967280u + i;
  c[((u >> n) << (n + 1) | (u & ((1u << n) - 1))) & 1023] = 1;  // unknown
}

// block 64, n 0 1 3 6
__global__ void opened_in_turn(float* a, float* b, float* c, int n) {
  int i = threadIdx.x;
  for (int s = 0; s < n; s++) {
    a[((i >> s) << (s + 1)) + (i & ((1 << s) - 1))] = 1;  // unknown: compiled
  }
  int left = 0;
  for (int s = 0; s < (i & 3) + n; s++) {
    b[((i >> s) << (s + 1)) | (i & ((1 << s) - 1))] = 1;  // unknown: compiled
    left = s;
  }
  c[((i >> left) << (left + 1)) | (i & ((1 << left) - 1))] = 1;  // unknown
}
