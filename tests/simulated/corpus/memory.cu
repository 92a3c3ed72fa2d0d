// Values that go through memory of a thread's own, of a block, of the whole device.

typedef struct { float* p; int n; } Slice;
typedef struct { float* in; float* out; int pitch; int count; } Image;
typedef struct { int low : 5; int high : 3; unsigned rest : 24; } Packed;
typedef struct { unsigned a : 4; unsigned b : 12; } Halves;
typedef struct { float x; float y; float z; } Point;
typedef struct { double key; int value; } Pair;
typedef struct { float m[4]; } Row;
typedef struct { int at[2]; } Two;

__constant__ const int evens[32] = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
                              32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62};
__constant__ const int swapped[4] = {1, 0, 3, 2};
__device__ const int far_apart[8] = {0, 8, 16, 24, 32, 40, 48, 56};
__constant__ int offsets[3] = {0, 64, 128};
__device__ float results[1024];

// block 64, v.n 3
__global__ void moved_member(Slice v) {
  v.p += threadIdx.x;
  *v.p = 1;  // unknown: written
}

// block 64, v.n 3 8
__global__ void moved_member_twice(Slice v, float* b) {
  v.p += threadIdx.x * 8;
  v.n += threadIdx.x;
  v.p[1] = 1;  // unknown: written
  b[v.n] = 1;  // unknown: written
}

// block 64, s.pitch 64, s.count 40
__global__ void image(Image s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < s.count) {
    s.out[i] = s.in[i * 4];
  }
}

// block 32x4, s.pitch 64 100
__global__ void image_rows(Image s) {
  s.out += threadIdx.y * s.pitch;
  s.in += threadIdx.x * s.pitch;
  s.out[threadIdx.x] = s.in[threadIdx.y];  // unknown: written
}

// block 64
__global__ void moved_in_a_loop(Slice v) {
  v.p += threadIdx.x;
  for (int i = 0; i < 3; i++) {
    *v.p = i;  // unknown: written
    v.p += 64;
  }
}

// block 64
__global__ void fields(float* a, float* b) {
  Packed f;
  f.low = threadIdx.x & 15;
  f.high = 1;
  f.rest = threadIdx.x;
  a[f.low] = 1;  // unknown: written
  b[f.rest * 2] = 1;  // unknown: written
}

// block 64
__global__ void fields_that_cut(float* a, float* b) {
  Halves h;
  h.a = threadIdx.x;
  h.b = threadIdx.x * 8;
  a[h.a] = 1;
  b[h.b] = 1;
}

// block 64, f.low 3, f.high 1, f.rest 64
__global__ void fields_given(Packed f, float* a, float* b) {
  a[f.rest + threadIdx.x] = 1;
  b[f.low * threadIdx.x] = 1;
}

// block 64
__global__ void tables(float* a, float* b, float* c) {
  a[evens[threadIdx.x % 32]] = 1;
  b[swapped[threadIdx.x & 3]] = 1;
  c[evens[threadIdx.x / 32] + threadIdx.x] = 1;
}

// block 64
__global__ void tables_permute(float* a, float* b) {
  a[threadIdx.x / 4 * 4 + swapped[threadIdx.x % 4]] = 1;
  b[offsets[blockIdx.x] + threadIdx.x] = 1;
}

// block 64
__global__ void tables_of_device(float* a) {
  int at = far_apart[threadIdx.x % 8];
  a[at] = 1;
}

// block 64
__global__ void tables_in_loops(float* a) {
  for (int i = 0; i < 3; i++) {
    a[offsets[i] + threadIdx.x] = 1;
  }
}

// block 64, n 1 2
__global__ void tables_at_uniform(float* a, int n) {
  a[offsets[n] + threadIdx.x] = 1;
}

// block 64
__global__ void own_tables(float* a, float* b) {
  int t[4] = {0, 64, 128, 192};
  a[t[threadIdx.x & 3]] = 1;  // unknown: written
  b[t[threadIdx.x / 32] + threadIdx.x] = 1;
}

// block 64
__global__ void own_tables_permute(float* a) {
  int t[4] = {3, 2, 1, 0};
  a[(threadIdx.x & ~3u) + t[threadIdx.x & 3]] = 1;  // unknown: written
}

// block 64
__global__ void own_arrays(float* a, float* b) {
  int t[3];
  t[0] = threadIdx.x;
  t[1] = threadIdx.x * 8;
  t[2] = 5;
  a[t[0]] = 1;
  b[t[1] + t[2]] = 1;
}

// block 64
__global__ void own_arrays_filled(float* a) {
  int t[4];
  for (int i = 0; i < 4; i++) {
    t[i] = threadIdx.x + 64 * i;
  }
  for (int i = 0; i < 4; i++) {
    a[t[i]] = 1;
  }
}

// block 64
__global__ void own_arrays_by_lane(float* a) {
  int t[4];
  for (int i = 0; i < 4; i++) {
    t[i] = i * 32;
  }
  a[t[threadIdx.x % 4]] = 1;  // unknown: written
}

// block 64, n 0 3
__global__ void own_arrays_at_unknown(float* a, int n) {
  int t[4];
  for (int i = 0; i < 4; i++) {
    t[i] = threadIdx.x + 64 * i;
  }
  a[t[n]] = 1;
}

// block 64
__global__ void staged(float* a) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x * 2;
  __syncthreads();
  a[s[threadIdx.x]] = 1;
}

// block 64
__global__ void staged_turned(float* a, float* b) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  a[s[63 - threadIdx.x]] = 1;
  b[s[threadIdx.x ^ 1]] = 1;
}

// block 64
__global__ void staged_by_one(float* a) {
  __shared__ int start;
  if (threadIdx.x == 0) {
    start = blockIdx.x * 64;
  }
  __syncthreads();
  a[start + threadIdx.x] = 1;
}

// block 64
__global__ void staged_first(const int* in, float* a) {
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  a[s[threadIdx.x]] = 1;  // unknown
}

// block 64, n 2 9
__global__ void staged_start(const int* in, float* a, int n) {
  __shared__ int start;
  if (threadIdx.x == 0) {
    start = in[n];
  }
  __syncthreads();
  a[start * 8 + threadIdx.x] = 1;
}

// block 64
__global__ void staged_table(float* a) {
  __shared__ int s[4];
  if (threadIdx.x < 4) {
    s[threadIdx.x] = threadIdx.x * 16;
  }
  __syncthreads();
  a[s[threadIdx.x & 3]] = 1;
}

// block 16x16
__global__ void transposed(const float* in, float* a) {
  __shared__ float tile[16][17];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  a[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// block 64
__global__ void points(Point* a, const Point* b) {
  a[threadIdx.x].x = b[threadIdx.x].y;
}

// block 64
__global__ void points_apart(float* a, const Point* b) {
  a[threadIdx.x] = b[threadIdx.x * 2].z;
}

// block 64
__global__ void pairs(Pair* a, const Pair* b) {
  a[threadIdx.x].value = b[threadIdx.x].value;
}

// block 64
__global__ void keys(double* a, const Pair* b) {
  a[threadIdx.x] = b[threadIdx.x].key;
}

// block 64, r.m 1
__global__ void rows_of_structs(Row* a, const Row* b, int k) {
  a[threadIdx.x].m[1] = b[threadIdx.x].m[2];
}

// block 64
__global__ void vectors(float4* a, const float4* b, float* c) {
  float4 v = b[threadIdx.x];
  a[63 - threadIdx.x] = v;
  c[threadIdx.x] = v.y;
}

// block 64
__global__ void vector_members(float4* a, const float2* b) {
  a[threadIdx.x].z = 1;
  float2 v = b[threadIdx.x * 2];
  a[threadIdx.x + 64].x = v.x + v.y;
}

// block 64
__global__ void variables(float* a) {
  results[threadIdx.x] = 1;
  results[threadIdx.x * 8 + 1] = 1;
}

// block 64
__global__ void gathers(const int* in, float* a) {
  int at = in[threadIdx.x];
  a[at] = 1;  // unknown
  a[at % 8 + 2000] = 1;  // unknown
}

// block 64
__global__ void gathered_rows(const int* in, float* a) {
  int row = in[threadIdx.x / 32];
  a[row * 32 + threadIdx.x % 32] = 1;
}

// block 64, n 3 7
__global__ void gathered_start(const int* in, float* a, int n) {
  a[in[n] + threadIdx.x] = 1;
}

// block 64
__global__ void chosen_rows(const int* in, float* a, float* b) {
  int odd = in[threadIdx.x] & 1;
  a[odd * 64 + threadIdx.x] = 1;  // unknown
  b[odd ? threadIdx.x : threadIdx.x + 32] = 1;  // unknown
}

// block 64
__global__ void by_two(Two v, float* a) {
  v.at[0] = threadIdx.x;
  v.at[1] = 3;
  a[v.at[0] * 2 + v.at[1]] = 1;  // unknown: written
}

// block 64
__global__ void pointers(float** rows, float* a) {
  float* row = rows[blockIdx.x];
  row[threadIdx.x] = 1;
  float* own = rows[threadIdx.x];
  own[0] = 1;  // unknown
  a[threadIdx.x] = 1;
}

// block 64
__global__ void pointer_steps(float* a, const float* b) {
  const float* end = b + 256;
  float sum = 0;
  for (const float* p = b + threadIdx.x; p < end; p += 64) {
    sum += *p;
  }
  a[threadIdx.x] = sum;
}

// block 64
__global__ void shuffled(float* a, float* b, float* c) {
  int lane = threadIdx.x % 32;
  int other = __shfl_xor_sync(0xffffffffu, lane, 3);
  a[other] = 1;
  int above = __shfl_up_sync(0xffffffffu, lane * 2, 1);
  b[above] = 1;
  int first = __shfl_sync(0xffffffffu, lane, 0);
  c[first + threadIdx.x] = 1;
}

// block 64
__global__ void shuffled_parts(float* a, float* b) {
  int lane = threadIdx.x % 32;
  a[__shfl_sync(0xffffffffu, lane, 1, 8)] = 1;
  b[__shfl_down_sync(0xffffffffu, lane, 4, 16)] = 1;
}
