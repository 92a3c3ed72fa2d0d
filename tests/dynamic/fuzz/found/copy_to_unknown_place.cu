// known block, line 45, store 5 of 4 bytes: coalesced, but 228 sectors where 72 would do (consecutive lanes access consecutive memory)
// known block and arguments, line 45, store 5 of 4 bytes: coalesced, but 228 sectors where 72 would do (consecutive lanes access consecutive memory)

struct Cell { float a; int b; short c; };
struct Big { double d; int k[4]; };
struct Row { float f[33]; };
__device__ int clamped(int v, int low, int high) {
  if (v < low) return low;
  return v > high ? high : v;
}
__device__ int steps(int v) {
  int n = 0;
  while (v > 1 && n < 9) { v = v & 1 ? 3 * v + 1 : v / 2; n++; }
  return n;
}
__device__ float around(const float *p, int i) {
  if (i == 0) return p[0];
  return p[i - 1] + p[i] + p[i + 1];
}
__device__ int chosen(int v, int k) {
  switch (k & 3) {
    case 0: return v;
    case 1: return v / 2;
    case 2: return 63 - (v & 63);
    default: return 7;
  }
}
struct Walker {
  int at, step;
  __device__ Walker(int a, int s) : at(a), step(s) {}
  __device__ void next() { at = (at + step) & 1023; }
};
template <int K> __device__ int folded(int v) { return (v / K + v % K) & 255; }

// k000: block 96 2 1, grid 1, n 22, m 5, u 3494780723
__global__ void k000(const int *a_i32, const unsigned char *a_u8, const short *a_s16, const float *a_f32, const double *a_f64, const long long *a_i64, const float2 *a_f2, const int4 *a_q4, const Cell *a_cell, const Big *a_big, const Row *a_row, int *r_oi, float *r_of, double *r_od, char *r_oc, float4 *r_oq, Cell *r_ocell, int *r_hits, int n, int m, unsigned u) {
  __shared__ int sh[1024]; __shared__ float shf[32][33]; __shared__ double shd[256];
  __shared__ int4 shq[128];
  int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
  int linear = tx + blockDim.x * (ty + blockDim.y * tz);
  int gid = blockIdx.x * blockDim.x + tx;
  int v0 = gid, v1 = 0, v2 = 3, loc[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float acc = 0; unsigned sum = 0; Cell own = {0, 0, 0};
  v1 = clamped(gid, -64, 63);
  switch (((int)blockDim.x / 7) & 7) {
    case 1: case 5: {
      r_ocell[(33 + ((int)a_f32[(int)((linear) * 0.5f)] & 63))] = own;
    }
  }
  r_of[linear] = acc;
  r_oi[linear] = (int)sum;
}
