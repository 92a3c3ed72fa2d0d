// Specialisations may be for host and device where the template is for one of them, and the other way round.
template <typename T> inline __device__ float last_of(T v, float otherwise = 1) {
  static_assert(sizeof(T) == 0, "no such vector");
  return otherwise;
}
template <> inline __host__ __device__ float last_of(float3 v, float otherwise) { return otherwise; }
template <> __host__ __device__ inline float last_of<float4>(float4 v, float otherwise) { return v.w; }

template <typename T> __device__ __host__ float first_of(T v) { return v.x; }
template <> __device__ float first_of(float v) { return v; }
template <> inline __host__ __device__ float first_of<int>(int v) { return v; }

template <typename T> __global__ void ends(T *p, float *out) {
  out[threadIdx.x] = last_of(p[threadIdx.x], 3) + first_of(p[threadIdx.x]);
}
template __global__ void ends(float3 *p, float *out);
template __global__ void ends(float4 *p, float *out);

__global__ void numbers(float *p, int *q) { p[threadIdx.x] = first_of(p[threadIdx.x]) + first_of(q[threadIdx.x]); }

#define BOTH_HOST_DEVICE __host__ __device__
template <typename T> BOTH_HOST_DEVICE inline constexpr int number_of() { return 0; }
#define NUMBER(TYPE, N) \
  template <> constexpr inline int number_of<TYPE>() { return N; }
NUMBER(float, 1)
NUMBER(double, 2)
template <typename T> __global__ void numbered(int *p) { p[threadIdx.x] = number_of<T>(); }
template __global__ void numbered<float>(int *p);
template __global__ void numbered<int>(int *p);
