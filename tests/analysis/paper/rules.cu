// Each kernel stores once to global memory and shows one rule of the paper.
#define GLOBAL __global__ void
struct Wide {
  float x, y;
};
struct Params {
  float *data;
  int pitch;
};
__constant__ int table[64];

__device__ __noinline__ int user(int i) { return i + 1; }
__device__ int twice(int i) { return 2 * i; }

// --- indices ---------------------------------------------------------------------------------
GLOBAL constant_index(float *a) { a[5] = 0; }
GLOBAL thread_index(float *a) { a[threadIdx.x] = 0; }
GLOBAL reversed_index(float *a, int n) { a[n - threadIdx.x] = 0; }
GLOBAL block_index(float *a) { a[blockIdx.x * blockDim.x + gridDim.x] = 0; }
GLOBAL global_index(float *a, int n) { a[blockIdx.x * blockDim.x + threadIdx.x + n] = 0; }
GLOBAL cancelled(float *a) { a[threadIdx.x - threadIdx.x] = 0; }
GLOBAL strided(float *a) { a[threadIdx.x * 3] = 0; }
GLOBAL pitched(float *a, int pitch) { a[threadIdx.x * pitch] = 0; }
GLOBAL divided(float *a) { a[threadIdx.x / 4] = 0; }
GLOBAL modulo(float *a) { a[threadIdx.x % 16] = 0; }
GLOBAL second_dimension(float *a, int pitch) { a[threadIdx.y * pitch + threadIdx.x] = 0; }
GLOBAL third_dimension(float *a, int pitch) { a[threadIdx.z * pitch + threadIdx.x] = 0; }
GLOBAL wide_element(double *a) { a[threadIdx.x] = 0; }
GLOBAL narrow_element(char *a) { a[threadIdx.x] = 0; }
GLOBAL array_of_structs(Wide *a) { a[threadIdx.x].y = 0; }
GLOBAL rows(float (*a)[16]) { a[threadIdx.x][3] = 0; }
GLOBAL columns(float (*a)[16]) { a[3][threadIdx.x] = 0; }

// --- loads -----------------------------------------------------------------------------------
GLOBAL uniform_load(float *a, const int *b) { a[b[3] + threadIdx.x] = 0; }
GLOBAL gather(float *a, const int *b) { a[b[threadIdx.x]] = 0; }
GLOBAL constant_table(float *a, int n) { a[table[n] + threadIdx.x] = 0; }
GLOBAL by_value(Params p) { p.data[p.pitch + threadIdx.x] = 0; }
GLOBAL pointer_table(float **rows, int n) { rows[n][threadIdx.x] = 0; }
GLOBAL local_array(float *a, int n) {
  int offsets[4] = {1, 2, 3, 4};
  offsets[n & 3] = n;
  a[offsets[n & 1] + threadIdx.x] = 0;
}
GLOBAL local_array_of_threads(float *a, int n) {
  int mine[4];
  for (int k = 0; k < 4; ++k) mine[k] = threadIdx.x;
  a[mine[n & 3]] = 0;
}
GLOBAL local_array_diverged(float *a, int n) {
  int mine[4];
  for (int k = 0; k < 4; ++k) mine[k] = 0;
  if (threadIdx.x < n) mine[n & 1] = 5;
  a[mine[n & 3]] = 0;
}

// --- branches --------------------------------------------------------------------------------
GLOBAL first_thread(float *a, int p) {
  if (threadIdx.x == 0) a[threadIdx.x * p] = 0;
}
GLOBAL one_thread(float *a, int n, int p) {
  if (blockIdx.x * blockDim.x + threadIdx.x == n) a[threadIdx.x * p] = 0;
}
GLOBAL all_but_one(float *a, int n, int p) {
  if (threadIdx.x != n) a[threadIdx.x * p] = 0;
}
GLOBAL other_side(float *a, int n, int p) {
  if (threadIdx.x != n) return;
  a[threadIdx.x * p] = 0;
}
GLOBAL bounded(float *a, int n, int p) {
  if (threadIdx.x < n) a[threadIdx.x * p] = 0;
}
GLOBAL conjunction(float *a, int n, int p) {
  if (n > 3 && threadIdx.x == 0) a[threadIdx.x * p] = 0;
}
GLOBAL disjunction(float *a, int n, int p) {
  if (threadIdx.x == 3 || threadIdx.x == n) a[threadIdx.x * p] = 0;
}
GLOBAL conjunction_value(float *a, int n, int p) {
  bool only = n > 3 && threadIdx.x == 0;
  a[n] = 0;
  if (only) a[threadIdx.x * p] = 0;
}
GLOBAL early_return(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  a[i] = 0;
}
GLOBAL merged_divergent(float *a, int n) {
  int i = 0;
  if (threadIdx.x < n) i = 1;
  a[i] = 0;
}
GLOBAL merged_uniform(float *a, int n) {
  int i = threadIdx.x;
  if (n < 7) i = threadIdx.x + n;
  a[i] = 0;
}
GLOBAL merged_differently(float *a, int n) {
  int i = threadIdx.x;
  if (n < 7) i = n;
  a[i] = 0;
}
GLOBAL unassigned_by_branch(float *a, float *b, int n) {
  int i = threadIdx.x;
  if (threadIdx.x < n) b[i] = 0;
  a[i] = 0;
}
GLOBAL within_single_thread(float *a, int n, int p) {
  if (threadIdx.x == 0) {
    int i = n;
    if (p > n) i = p;
    a[i] = 0;
  }
}
GLOBAL after_single_threads(float *a, int n, int p) {
  int i = p;
  if (threadIdx.x == 0) i = n;
  a[i] = 0;
}
GLOBAL switch_on_thread(float *a, int n) {
  int i = n;
  switch (threadIdx.x) {
    case 3: i = 1; break;
    case 5: i = 2; break;
    default: break;
  }
  a[i] = 0;
}
GLOBAL inside_case(float *a, int p) {
  switch (threadIdx.x) {
    case 3: a[threadIdx.x * p] = 0; break;
    default: break;
  }
}
GLOBAL inside_shared_case(float *a, int p) {
  switch (threadIdx.x) {
    case 3:
    case 4: a[threadIdx.x * p] = 0; break;
    default: break;
  }
}
GLOBAL switch_on_uniform(float *a, int n) {
  int i = threadIdx.x;
  switch (n) {
    case 3: i += 1; break;
    case 5: i += 2; break;
    default: break;
  }
  a[i] = 0;
}

// --- loops -----------------------------------------------------------------------------------
GLOBAL grid_stride(float *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) a[i] = 0;
}
GLOBAL row_loop(float *a, int n) {
  for (int i = 0; i < n; ++i) a[i * n + threadIdx.x] = 0;
}
GLOBAL growing_stride(float *a, int n) {
  int i = 0;
  for (int k = 0; k < n; ++k) i += threadIdx.x;
  a[i] = 0;
}
GLOBAL after_uniform_loop(float *a, int n) {
  int i = threadIdx.x;
  while (i * 0 + n > 3) {
    i += n;
    n /= 2;
  }
  a[i] = 0;
}
GLOBAL after_divergent_loop(float *a, int n) {
  int i = 0;
  while (i < threadIdx.x) i += n;
  a[i] = 0;
}
GLOBAL inside_divergent_loop(float *a, int n) {
  int i = 0;
  while (i < threadIdx.x) {
    a[i] = 0;
    i += n;
  }
}
GLOBAL divergent_break(float *a, const int *b, int n) {
  int i = 0;
  for (; i < n; ++i)
    if (b[i * n + threadIdx.x] > 0) break;
  a[i] = 0;
}
GLOBAL divergent_continue(float *a, int n) {
  int i = 0, k = 0;
  while (k < n) {
    ++k;
    if (threadIdx.x & k) continue;
    ++i;
  }
  a[i] = 0;
}
GLOBAL one_thread_per_round(float *a, int n, int p) {
  for (int i = 0; i < n; ++i)
    if (threadIdx.x == i) a[threadIdx.x * p] = 0;
}

// --- calls -----------------------------------------------------------------------------------
GLOBAL inlined_call(float *a) { a[twice(threadIdx.x)] = 0; }
GLOBAL pure_call(float *a, int n, int m) { a[min(n, m) + threadIdx.x] = 0; }
GLOBAL pure_call_of_thread(float *a, int n) { a[min(n, (int)threadIdx.x)] = 0; }
GLOBAL multiplied_24(float *a) { a[__mul24(blockIdx.x, blockDim.x) + threadIdx.x] = 0; }
GLOBAL broadcast(float *a, int n) { a[__shfl_sync(~0u, (int)threadIdx.x * 3, 0) + threadIdx.x] = 0; }
GLOBAL shuffled(float *a, int n) { a[__shfl_down_sync(~0u, (int)threadIdx.x, 1)] = 0; }
GLOBAL voted(float *a, int n) { a[__popc(__ballot_sync(~0u, threadIdx.x < n)) + threadIdx.x] = 0; }

// --- spaces ----------------------------------------------------------------------------------
__device__ void put(float *p, int i) { p[i] = 0; }
GLOBAL into_shared(int p) {
  __shared__ float tile[4096];
  put(tile, threadIdx.x * p);
}
GLOBAL through_generic(float *a, int n) {
  __shared__ float tile[64];
  float *p = n > 3 ? tile : tile + 32;
  p[threadIdx.x * n] = 0;
}
