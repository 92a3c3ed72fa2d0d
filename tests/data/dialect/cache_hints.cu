// Loads and stores with a cache hint: every element type of sm_32_intrinsics.h, half and bfloat16.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T>
__global__ void hinted(T *out, const T *in) {
  int i = threadIdx.x;
  __stwb(out + i, __ldg(in + i));
  __stcg(out + i, __ldcg(in + i));
  __stcs(out + i, __ldcs(in + i));
  __stwt(out + i, __ldca(in + i));
  __stwb(out + i, __ldlu(in + i));
  __stwb(out + i, __ldcv(in + i));
}

#define HINTED(T) template __global__ void hinted<T>(T *, const T *);
HINTED(char) HINTED(signed char) HINTED(unsigned char)
HINTED(short) HINTED(unsigned short) HINTED(int) HINTED(unsigned)
HINTED(long) HINTED(unsigned long) HINTED(long long) HINTED(unsigned long long)
HINTED(float) HINTED(double)
HINTED(char2) HINTED(char4) HINTED(uchar2) HINTED(uchar4)
HINTED(short2) HINTED(short4) HINTED(ushort2) HINTED(ushort4)
HINTED(int2) HINTED(int4) HINTED(uint2) HINTED(uint4)
HINTED(longlong2) HINTED(ulonglong2)
HINTED(float2) HINTED(float4) HINTED(double2)
HINTED(__half) HINTED(__half2) HINTED(__nv_bfloat16) HINTED(__nv_bfloat162)
