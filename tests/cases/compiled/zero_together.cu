// drano-flags: --as-compiled
// An optimiser asks for `(ty | by) == 0` where the source asks for both.
__global__ void k(float *w, float *v, int n) {
  int tx = threadIdx.x, ty = threadIdx.y, by = blockIdx.y;
  v[16 * ty + tx] = n;
  if (ty == 0 && by == 0)
    w[tx + 1] = v[tx]; // drano: expect[DRN002]
}
void run(float *w, float *v) { k<<<dim3(1, 4), dim3(16, 16)>>>(w, v, 4); }
