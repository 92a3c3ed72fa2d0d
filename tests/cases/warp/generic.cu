// drano-flags: --as-written
// Generic pointers: which stay generic in a loop, and which the analysis resolves.
struct Pair {
  const float* first;
  const float* second;
};

__constant__ float* table[4];

__global__ void mixed(float* out, const float* in, int n, bool staged) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const float* from = staged ? tile : in;
  float total = from[0];  // in no loop
  for (int k = 0; k < n; k++) {
    total += from[k];  // drano: expect[DRN301] "global `in` or shared `tile`"
  }
  out[threadIdx.x] = total;
}

__global__ void branches(float* out, const float* in, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const float* from;
  if (n > 256) {
    from = in;
  } else {
    from = tile;
  }
  float total = 0;
  for (int k = 0; k < n; k++) {
    total += from[k];  // drano: expect[DRN301] "global `in` or shared `tile`"
  }
  out[threadIdx.x] = total;
}

// Two arrays of one space.
__global__ void both_shared(float* out, int n) {
  __shared__ float a[256], b[256];
  a[threadIdx.x] = 1;
  b[threadIdx.x] = 2;
  __syncthreads();
  const float* from = n > 3 ? a : b;
  float total = 0;
  for (int k = 0; k < n; k++) total += from[k & 255];
  out[threadIdx.x] = total;
}

// Pointers in structures, in constant memory, and in an array of the thread's own.
__global__ void stored(float* out, Pair pair, int n, int which) {
  __shared__ float tile[256];
  tile[threadIdx.x] = 1;
  __syncthreads();
  const float* mine[2] = {tile, tile + 128};
  const float* ours[2] = {pair.first, tile};
  float total = 0;
  for (int k = 0; k < n; k++) {
    total += pair.second[k] + table[which][k] + mine[k & 1][k & 127];
    total += ours[k & 1][k];  // drano: expect[DRN301] "global memory or shared `tile`"
  }
  out[threadIdx.x] = total;
}

// A promise.
__global__ void promised(float* out, const float* in, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const float* from = n > 256 ? in : tile;
  float total = 0;
  __builtin_assume(__isShared(from));
  for (int k = 0; k < n; k++) total += from[k];
  out[threadIdx.x] = total;
}

// A recursive function is not expanded: its parameter is what its callers pass.
__device__ float down(const float* p, int n) {
  float total = 0;
  for (int k = 0; k < n; k++) total += p[k];
  return n > 0 ? total + down(p + 1, n - 1) : 0;
}

__device__ float deep(const float* p, int n) {
  float total = 0;
  for (int k = 0; k < n; k++) total += p[k];  // drano: expect[DRN301] "global `out` or shared `tile`"
  return n > 0 ? total + deep(p + 1, n - 1) : 0;
}

__global__ void calls(float* out, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = down(tile, n) + deep(tile, n) + deep(out, n);
}
