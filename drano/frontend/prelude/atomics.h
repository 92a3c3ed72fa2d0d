/* The __nv_atomic functions of CUDA 12.8, in the order that is the strongest: which bytes they
 * access is what matters. */
#ifndef __NV_ATOMIC_RELAXED
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

#define DRANO_ATOMIC static __device__ __forceinline__
#define DRANO_SCOPE int = __NV_THREAD_SCOPE_SYSTEM
#define DRANO_FETCH_OPERATION(NAME) \
  template <class T, class V> \
  DRANO_ATOMIC T __nv_atomic_fetch_##NAME(T *p, V v, int, DRANO_SCOPE) { \
    return __atomic_fetch_##NAME(p, (T)v, __ATOMIC_SEQ_CST); \
  } \
  template <class T, class V> DRANO_ATOMIC void __nv_atomic_##NAME(T *p, V v, int, DRANO_SCOPE) { \
    __atomic_fetch_##NAME(p, (T)v, __ATOMIC_SEQ_CST); \
  }
DRANO_FETCH_OPERATION(add)
DRANO_FETCH_OPERATION(sub)
DRANO_FETCH_OPERATION(and)
DRANO_FETCH_OPERATION(or)
DRANO_FETCH_OPERATION(xor)
DRANO_FETCH_OPERATION(min)
DRANO_FETCH_OPERATION(max)
#undef DRANO_FETCH_OPERATION
template <class T> DRANO_ATOMIC void __nv_atomic_load(const T *p, T *to, int, DRANO_SCOPE) {
  __atomic_load(p, to, __ATOMIC_SEQ_CST);
}
template <class T> DRANO_ATOMIC T __nv_atomic_load_n(const T *p, int, DRANO_SCOPE) {
  return __atomic_load_n(p, __ATOMIC_SEQ_CST);
}
template <class T> DRANO_ATOMIC void __nv_atomic_store(T *p, T *from, int, DRANO_SCOPE) {
  __atomic_store(p, from, __ATOMIC_SEQ_CST);
}
template <class T, class V> DRANO_ATOMIC void __nv_atomic_store_n(T *p, V v, int, DRANO_SCOPE) {
  __atomic_store_n(p, (T)v, __ATOMIC_SEQ_CST);
}
template <class T> DRANO_ATOMIC void __nv_atomic_exchange(T *p, T *from, T *to, int, DRANO_SCOPE) {
  __atomic_exchange(p, from, to, __ATOMIC_SEQ_CST);
}
template <class T, class V> DRANO_ATOMIC T __nv_atomic_exchange_n(T *p, V v, int, DRANO_SCOPE) {
  return __atomic_exchange_n(p, (T)v, __ATOMIC_SEQ_CST);
}
template <class T>
DRANO_ATOMIC bool __nv_atomic_compare_exchange(T *p, T *expected, T *desired, bool, int, int,
                                               DRANO_SCOPE) {
  return __atomic_compare_exchange(p, expected, desired, false, __ATOMIC_SEQ_CST,
                                   __ATOMIC_SEQ_CST);
}
template <class T, class V>
DRANO_ATOMIC bool __nv_atomic_compare_exchange_n(T *p, T *expected, V desired, bool, int, int,
                                                 DRANO_SCOPE) {
  return __atomic_compare_exchange_n(p, expected, (T)desired, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}
DRANO_ATOMIC void __nv_atomic_thread_fence(int, DRANO_SCOPE) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
#undef DRANO_SCOPE
#undef DRANO_ATOMIC
#endif
