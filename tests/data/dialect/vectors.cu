// Vector types and their constructors.
struct __align__(16) Aligned { float a, b, c; };
struct alignas(8) Other { int a, b; };
union Pun { float4 v; float a[4]; };
struct __builtin_align__(16) Built { float v[4]; };
__global__ void vectors(float4 *out, const float4 *in, Aligned *al, longlong4 *l4, double3 *d3, uchar3 *u3, volatile float4 *vol) {
  int i = threadIdx.x;
  float4 v = in[i]; v.x += 1; out[i] = v; out[i] = make_float4(1, 2, 3, 4); out[i] = float4{1, 2, 3, 4};
  Pun p; p.v = in[i]; out[i].x = p.a[i & 3]; al[i] = {1, 2, 3}; l4[i] = make_longlong4(1, 2, 3, 4); d3[i] = make_double3(1, 2, 3); u3[i] = make_uchar3(1, 2, 3);
  out[i].y = reinterpret_cast<const float *>(in)[i]; *(int4 *)(out + i) = make_int4(1, 2, 3, 4); uint3 t = threadIdx; dim3 b = blockDim; out[i].z = t.x + b.y + gridDim.z;
  out[i].w = vol[i].x; ulonglong2 u = make_ulonglong2(1, 2); out[i].x += u.y; dim3 grid(2, 3); uint3 same = {1, 2, 3}; out[i].x += grid.x + same.z;
}
__device__ int of(const uint3 &v, dim3 d) { return v.x * d.y; }
__global__ void passes(int *out) { out[of(threadIdx, blockDim)] = of(blockIdx, gridDim); const dim3 &d = blockDim; out[d.x] = 1; }
