// One branch reads global memory, the other one shared memory: two requests, not one through a
// pointer that may be either.

__global__ void halo(const float *in, float *out, int stride) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  float left = threadIdx.x > 0 ? tile[threadIdx.x - 1] : in[i - 1];
  float right = threadIdx.x < 255 ? tile[threadIdx.x + 1] : in[i + 1];
  out[i] = left + right;
}

__global__ void rows(const float *in, float *out, int n) {
  extern __shared__ float s[];
  s[threadIdx.x] = 0;
  float x;
  for (int k = 0; k < n; k++) {
    if (threadIdx.x == 0)
      x = in[blockIdx.x * n + k];
    else
      x = s[threadIdx.x - 1];
    __syncthreads();
    s[threadIdx.x] = x * 2;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void strided(const float *in, float *out) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = out[i];
  __syncthreads();
  float x;
  if (i & 64)
    x = tile[255 - threadIdx.x];
  else
    x = in[i * 8];  // drano: expect[DRN001] "32 sectors where 4 would do"
  out[i] = x;
}

int main() {
  halo<<<16, 256>>>(0, 0, 1);
  rows<<<16, 256, 1024>>>(0, 0, 10);
  strided<<<16, 256>>>(0, 0);
}
