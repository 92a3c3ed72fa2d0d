// The __nv_atomic functions of CUDA 12.8.
__global__ void builtins(int *p, float *f, unsigned long long *u) {
  int i = threadIdx.x, v, w = 3;
  __nv_atomic_fetch_add(p + i, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(f + i, 1.0f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_load(p + i, &v, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_SYSTEM);
  v += __nv_atomic_load_n(p + i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_store(p + i, &v, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_store_n(p + i, v, __NV_ATOMIC_RELAXED);
  __nv_atomic_exchange_n(p + i, v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_compare_exchange_n(p + i, &w, v, false, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_max(p + i, v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_min(u + i, 3ull, __NV_ATOMIC_RELAXED); __nv_atomic_or(p + i, 1, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_sub(p + i, v, __NV_ATOMIC_RELAXED); __nv_atomic_fetch_and(p + i, v, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_xor(p + i, v, __NV_ATOMIC_RELAXED);
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
}
