// drano-flags: --as-compiled
// Neighbouring accesses of one thread that the compiler merges into one wide, coalesced request, as
// nvcc 13 does; beside them such as it cannot merge.
struct Pair {
  float a, b;
};
struct alignas(8) AlignedPair {
  float a, b;
};

__global__ void copied(const float4 *q, float4 *w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = q[i];
  v.x += 1;
  w[i] = v;
}

__global__ void summed(const float4 *q, const float2 *p, const uchar4 *c, float *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = q[i].x + q[i].y + q[i].z + q[i].w + p[i].x + p[i].y + c[i].x + c[i].y + c[i].z;
}

__global__ void referred(float4 *w) {
  float4 &r = w[threadIdx.x];
  r.x += 1;
  r.y += 2;
  r.z += 3;
  r.w += 4;
}

__global__ void paired(const AlignedPair *p, const double2 *d, float *o) {
  o[threadIdx.x] = p[threadIdx.x].a * p[threadIdx.x].b;
  o[threadIdx.x + 32] = d[threadIdx.x].x * d[threadIdx.x].y;
}

__global__ void assumed(const float *w, float *o) {
  const float *p = (const float *)__builtin_assume_aligned(w + 4 * threadIdx.x, 16);
  o[threadIdx.x] = p[0] + p[1] + p[2] + p[3];
}

// The type of the access says how it is aligned, not the array's.
__global__ void tiled(const float4 *g, float *o) {
  __shared__ float tile[1024];
  int l = threadIdx.x;
  *(float4 *)&tile[4 * l] = g[l];
  __syncthreads();
  o[l] = tile[l ^ 1];
}

// Loaded once, or not at all.
__global__ void once(const float *a, const float *s, float *o) {
  float unused = s[33 * threadIdx.x];
  o[threadIdx.x] = a[threadIdx.x] * a[threadIdx.x];
}

// Aligned to 4 bytes only: nothing may be merged.
__global__ void loose(const Pair *p, float *o) {
  float a = p[threadIdx.x].a;  // drano: expect[DRN001] "8 sectors where 4 would do"
  float b = p[threadIdx.x].b;  // drano: expect[DRN001] "8 sectors where 4 would do"
  o[threadIdx.x] = a * b;
}

__global__ void threes(const float3 *p, float *o) {
  float x = p[threadIdx.x].x;  // drano: expect[DRN001] "12 sectors where 4 would do"
  float y = p[threadIdx.x].y;  // drano: expect[DRN001] "12 sectors where 4 would do"
  float z = p[threadIdx.x].z;  // drano: expect[DRN001] "12 sectors where 4 would do"
  o[threadIdx.x] = x * y * z;
}

__global__ void unaligned(const float *q, float *o) {
  int i = threadIdx.x * 4;
  for (int j = 0; j < 4; ++j)
    o[i + j] =        // drano: expect[DRN001] "16 sectors where 4 would do"
        q[i + j];     // drano: expect[DRN001] "16 sectors where 4 would do"
}

// A reader of one member moves the whole structure through the sectors.
__global__ void partly(const float4 *q, float *o) {
  o[threadIdx.x] = q[threadIdx.x].z;  // drano: expect[DRN001] "16 sectors where 4 would do"
}
