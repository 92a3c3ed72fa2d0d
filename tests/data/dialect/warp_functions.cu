// Votes, shuffles, matches, reductions and barriers of a warp.
__global__ void warps(int *out, unsigned *uout, float *f, double *d, long long *l, unsigned long *ul) {
  unsigned all = 0xffffffff; int i = threadIdx.x;
  unsigned u = uout[i]; int v = out[i];
  v += __reduce_add_sync(all, v) + __reduce_min_sync(all, v) + __reduce_max_sync(all, v);
  u += __reduce_and_sync(all, u) + __reduce_or_sync(all, u) + __reduce_xor_sync(all, u) + __reduce_add_sync(all, u);
  u += __match_any_sync(all, v) + __match_any_sync(all, l[i]) + __match_any_sync(all, f[i]) + __match_any_sync(all, d[i]);
  int p; u += __match_all_sync(all, v, &p) + __match_all_sync(all, 2.0f, &p);
  u += __ballot_sync(all, v > 3) + __all_sync(all, v) + __any_sync(all, v) + __activemask() + __popc(u) + __ffs(u) + __fns(u, 0, 2);
  v = __shfl_sync(all, v, 0); u = __shfl_up_sync(all, u, 1); f[i] = __shfl_down_sync(all, f[i], 1, 16);
  d[i] = __shfl_xor_sync(all, d[i], 4); l[i] = __shfl_sync(all, l[i], 3); ul[i] = __shfl_sync(all, ul[i], 3, 8);
  __syncwarp(); __syncwarp(all); __syncthreads();
  v += __syncthreads_count(v) + __syncthreads_and(v) + __syncthreads_or(v);
  __threadfence(); __threadfence_block(); __threadfence_system(); __nanosleep(100);
  out[i] = v; uout[i] = u;
}
