// old: nvcc 13 refuses it
// Only for SDKs before 9: votes and shuffles without a mask, and waiting for launched kernels.
__global__ void child(int *out) { out[threadIdx.x] = 1; }
__global__ void old(int *out, float *f, unsigned *u, double *d) {
  int i = threadIdx.x;
  out[i] = __shfl_down(out[i], 1) + __shfl(out[i], 0, 16) + __ballot(out[i] > 3) + __any(i) + __all(i) + __popc(__ballot(1));
  f[i] += __shfl_xor(f[i], 16) + __shfl_up(f[i], 1); u[i] = __shfl(u[i], 3); d[i] += __shfl_down(d[i], 1);
}
__global__ void parent(int *out) {
  child<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
