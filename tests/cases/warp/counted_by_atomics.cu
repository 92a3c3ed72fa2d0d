// Indices that an atomic gives out. Sectors of all requests by those that their bytes need, on an
// H200: compact 1.18, slots 1.16, queue 1.15, twos 2, records 8, of atomicInc, whose warps take
// turns, 5.5, of each lane's own counters 8, and where each lane takes as many as it likes 3.6.
struct Record {
  float a, b, c, d, e, f, g, h;
};

__global__ void compact(const float *in, int *count, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 0.5f)
    out[atomicAdd(count, 1)] = in[i];
}

__global__ void slots(const float *in, unsigned *count, float *out, unsigned most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 0.5f) {
    unsigned p = atomicAdd(&count[blockIdx.x], 1u);
    if (p < most)
      out[blockIdx.x * 256 + p] = in[i];
  }
}

__global__ void queue(const float *in, float *out) {
  __shared__ int count;
  __shared__ float found[256];
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 0.5f)
    found[atomicAdd(&count, 1)] = in[i];
  __syncthreads();
  if (threadIdx.x < count)
    out[i] = found[threadIdx.x];
}

__global__ void twos(const float *in, int *count, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[atomicAdd(count, 2)] = in[i];  // drano: expect[DRN001]
}

__global__ void records(const float *in, int *count, Record *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 0.5f)
    out[atomicAdd(count, 1)].c = in[i];  // drano: expect[DRN001]
}

__global__ void turns(const float *in, unsigned *count, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[atomicInc(count, 1u << 30)] = in[i];  // drano: expect[DRN003]
}

__global__ void lanes(const float *in, int *count, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[(i & 31) * 65536 + atomicAdd(&count[i & 31], 1)] = in[i];  // drano: expect[DRN003]
}

__global__ void lengths(const int *length, int *count, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[atomicAdd(count, length[i])] = i;  // drano: expect[DRN003]
}

void go(float *a, int *c, Record *r, int n) {
  unsigned *u = (unsigned *)c;
  compact<<<n, 256>>>(a, c, a);
  slots<<<n, 256>>>(a, u, a, 200);
  queue<<<n, 256>>>(a, a);
  twos<<<n, 256>>>(a, c, a);
  records<<<n, 256>>>(a, c, r);
  turns<<<n, 256>>>(a, u, a);
  lanes<<<n, 256>>>(a, c, a);
  lengths<<<n, 256>>>(c, c, c);
}
