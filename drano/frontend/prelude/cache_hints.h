/* Loads and stores with cache hints, of every type of sm_32_intrinsics.h: plain accesses of their
 * width. clang's header has those that are missing here, and has them in PTX. */
#define DRANO_LOADS(T) \
  static __device__ __forceinline__ T __ldca(const T *p) { return *p; } \
  static __device__ __forceinline__ T __ldlu(const T *p) { return *p; } \
  static __device__ __forceinline__ void __stwb(T *p, T v) { *p = v; } \
  static __device__ __forceinline__ void __stcg(T *p, T v) { *p = v; } \
  static __device__ __forceinline__ void __stcs(T *p, T v) { *p = v; }
DRANO_LOADS(char)
DRANO_LOADS(signed char)
DRANO_LOADS(unsigned char)
DRANO_LOADS(short)
DRANO_LOADS(unsigned short)
DRANO_LOADS(int)
DRANO_LOADS(unsigned int)
DRANO_LOADS(long)
DRANO_LOADS(unsigned long)
DRANO_LOADS(long long)
DRANO_LOADS(unsigned long long)
DRANO_LOADS(float)
DRANO_LOADS(double)
DRANO_LOADS(char2)
DRANO_LOADS(char4)
DRANO_LOADS(uchar2)
DRANO_LOADS(uchar4)
DRANO_LOADS(short2)
DRANO_LOADS(short4)
DRANO_LOADS(ushort2)
DRANO_LOADS(ushort4)
DRANO_LOADS(int2)
DRANO_LOADS(int4)
DRANO_LOADS(uint2)
DRANO_LOADS(uint4)
DRANO_LOADS(longlong2)
DRANO_LOADS(ulonglong2)
DRANO_LOADS(float2)
DRANO_LOADS(float4)
DRANO_LOADS(double2)
#undef DRANO_LOADS

/* Of the others clang leaves out these. */
static __device__ __forceinline__ unsigned long __ldcg(const unsigned long *p) { return *p; }
static __device__ __forceinline__ unsigned long __ldcs(const unsigned long *p) { return *p; }
static __device__ __forceinline__ unsigned long __ldcv(const unsigned long *p) {
  return *(const volatile unsigned long *)p;
}
static __device__ __forceinline__ void __stwt(unsigned long *p, unsigned long v) {
  *(volatile unsigned long *)p = v;
}
static __device__ __forceinline__ void __stwt(long *p, long v) { *(volatile long *)p = v; }
