// Lanes that begin apart and end as far apart go as often round, though -O3 forgets that no sum wraps.
// drano: expect-none
__global__ void walk(const float *a, float *out, int steps, int width, int heads) {
  __shared__ float tile[64];
  int t = threadIdx.x, row = blockIdx.x / heads, head = blockIdx.x % heads;
  for (int i = row * steps * width + head * 64 + t; i < (row + 1) * steps * width + head * 64 + t;
       i += width) {
    __syncthreads();
    tile[t] = a[i];
    __syncthreads();
    out[i] = tile[63 - t];
  }
}
void host(const float *a, float *out, int blocks, int steps, int width, int heads) {
  walk<<<blocks, 64>>>(a, out, steps, width, heads);
}
