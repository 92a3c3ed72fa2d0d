// Strides that may be 1 or 0, starts that are not known, and shapes of blocks.

// block 64, n 0 1 3
__global__ void shifted(float* a, float* b, int n) {
  a[threadIdx.x << n] = 1;
  b[threadIdx.x >> n] = 1;
}

// block 64, m 0 1 7
__global__ void products(float* a, float* b, float* c, unsigned m) {
  a[threadIdx.x * m] = 1;
  b[threadIdx.x * (unsigned short)m] = 1;
  c[threadIdx.x * (m & 1)] = 1;
}

// block 64, m 1 7
__global__ void products_of_many(float* a, float* b, float* c, unsigned m) {
  a[threadIdx.x * (m * 8)] = 1;
  b[threadIdx.x * (m + 1)] = 1;
  c[threadIdx.x * m * 4 + threadIdx.x] = 1;
}

// block 64, grid 3
__global__ void by_block(float* a, float* b) {
  a[threadIdx.x * blockIdx.x] = 1;
  b[threadIdx.x * (blockIdx.x + 8)] = 1;
}

// block 5x7, m 1 5 40
__global__ void odd_blocks(float* a, unsigned m) {
  a[threadIdx.x * m] = 1;
}

// block 5x7, m 5 40
__global__ void odd_rows(float* a, float* b, float* c, unsigned m) {
  a[threadIdx.x * m] = 1;
  b[threadIdx.y * m + threadIdx.x] = 1;
  c[threadIdx.y * 5 + threadIdx.x] = 1;
}

// block 4x4x4, m 1 4 64
__global__ void cubes(char* a, float* b, unsigned m) {
  a[threadIdx.y * m] = 1;
  b[threadIdx.z * m] = 1;
}

// block 4x4x4, m 16 64
__global__ void cubes_of_planes(char* a, char* b, float* c, unsigned m) {
  a[threadIdx.y * m] = 1;
  b[threadIdx.z * m + threadIdx.y * 4 + threadIdx.x] = 1;
  c[(threadIdx.z * 4 + threadIdx.y) * 4 + threadIdx.x] = 1;
}

// block 64, n 0 15 40
__global__ void maxima(char* a, char* b, unsigned n) {
  a[max(n % 16u, threadIdx.x & 16u)] = 1;  // unknown
  b[min(n, threadIdx.x)] = 1;
}

// block 64, n 0 1 40
__global__ void starts(char* a, short* b, float* c, double* d, unsigned n) {
  a[threadIdx.x + n] = 1;
  b[threadIdx.x + n] = 1;
  c[threadIdx.x + n] = 1;
  d[threadIdx.x + n] = 1;
}

// block 64, n 2 6
__global__ void guarded_by_uniform(char* a, float* b, int n) {
  if (n > 5) {
    a[threadIdx.x] = 1;
    b[threadIdx.x * 2] = 1;
  }
}

// block 32x4, w 32 33 64
__global__ void rows(float* a, float* b, int w) {
  a[threadIdx.y * w + threadIdx.x] = 1;
  b[threadIdx.x * w + threadIdx.y] = 1;
}

// block 16x16, w 16 33 64
__global__ void narrow_rows(float* a, float* b, int w) {
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = threadIdx.y;
  a[y * w + x] = 1;
  b[x * w + y] = 1;
}

// block 8x8, w 8 33 64
__global__ void narrower_rows(float* a, double* b, int w) {
  a[threadIdx.y * w + threadIdx.x] = 1;
  b[threadIdx.y * w + threadIdx.x] = 1;
}

// block 48
__global__ void half_a_warp(float* a, float* b) {
  a[threadIdx.x] = 1;
  b[47 - threadIdx.x] = 1;
}

// block 33
__global__ void one_more(float* a, float* b) {
  a[threadIdx.x] = 1;
  b[threadIdx.x * 32] = 1;
}

// block 3x5x7
__global__ void odd_cube(float* a, float* b, float* c) {
  a[threadIdx.z] = 1;
  b[threadIdx.x * 35 + threadIdx.y * 7 + threadIdx.z] = 1;
  c[threadIdx.x + threadIdx.y * 3 + threadIdx.z * 15] = 1;
}

// block 64
__global__ void reversed(float* a, char* b, double* c) {
  a[63 - threadIdx.x] = 1;
  b[100 - threadIdx.x] = 1;
  c[64 - threadIdx.x] = 1;
}

// block 64, n 65 100
__global__ void reversed_from(float* a, int n) {
  a[n - 1 - threadIdx.x] = 1;
}

// block 64, n 4 9
__global__ void by_float(float* a, float* b, int n) {
  a[(int)((float)threadIdx.x * 2)] = 1;  // unknown: written
  b[n] = (float)threadIdx.x;
}

// block 64
__global__ void widths(char* a, short* b, int* c, double* d, float2* e, float4* f) {
  a[threadIdx.x] = 1;
  b[threadIdx.x] = 1;
  c[threadIdx.x] = 1;
  d[threadIdx.x] = 1;
  float2 two = {1, 2};
  e[threadIdx.x] = two;
  float4 four = {1, 2, 3, 4};
  f[threadIdx.x] = four;
}

// block 64
__global__ void widths_strided(char* a, short* b, double* d, float2* e) {
  a[threadIdx.x * 4] = 1;
  b[threadIdx.x * 16] = 1;
  d[threadIdx.x * 4] = 1;
  float2 two = {1, 2};
  e[threadIdx.x * 3] = two;
}

// block 64
__global__ void narrow_indices(float* a, float* b, float* c) {
  unsigned char x = threadIdx.x * 8;
  a[x] = 1;
  short y = threadIdx.x - 32;
  b[y + 32] = 1;
  signed char z = threadIdx.x * 4;
  c[z + 128] = 1;
}

// block 64, n 3 1000
__global__ void narrow_sums(float* a, float* b, int n) {
  unsigned char x = threadIdx.x + n;
  a[x] = 1;
  unsigned short y = threadIdx.x + n;
  b[y] = 1;
}

// block 64
__global__ void negative(float* a, float* b) {
  a[((int)threadIdx.x - 32) / 4 + 8] = 1;
  b[((int)threadIdx.x - 32) % 4 + 8] = 1;
}

// block 64, n 5 100
__global__ void clamped(const float* in, float* a, int n) {
  int left = max((int)threadIdx.x - 1, 0);
  int right = min((int)threadIdx.x + 1, n - 1);
  float l = in[left];
  float r = in[right];
  a[threadIdx.x] = l + r;
}

// block 64
__global__ void overflowing(float* a) {
  unsigned x = threadIdx.x;
  for (int i = 0; i < 33; i++) {
    x += x;
  }
  a[x] = 1;  // unknown: written
}

// block 64
__global__ void atomics(int* a, int* b, int* c) {
  atomicAdd(&a[threadIdx.x], 1);
  atomicAdd_block(b + threadIdx.x * 8, 1);
  atomicMax(&c[threadIdx.x / 32], 1);
}
