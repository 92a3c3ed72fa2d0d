// What is left of a local array is read by loads of 8 bytes at multiples of 4 (2 sectors, proved 1)

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
// k000: block 64 1 1, grid 1, n 26, m 8, u 524985532
__global__ void k000(const int *a_i32, const unsigned char *a_u8, const short *a_s16, const float *a_f32, const double *a_f64, const long long *a_i64, const float2 *a_f2, const int4 *a_q4, const Cell *a_cell, const Big *a_big, const Row *a_row, int *r_oi, float *r_of, double *r_od, char *r_oc, float4 *r_oq, Cell *r_ocell, int *r_hits, int n, int m, unsigned u) {
  __shared__ int sh[1024]; __shared__ float shf[32][33]; __shared__ double shd[256];
  __shared__ int4 shq[128];
  int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
  int linear = tx + blockDim.x * (ty + blockDim.y * tz);
  int gid = blockIdx.x * blockDim.x + tx;
  int v0 = gid, v1 = tx, v2 = 3, loc[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float acc = 0; unsigned sum = 0; Cell own = {0, 0, 0};
  own.b = ((int)(signed char)(v2));
  if ((tx < loc[(3) + 2])) {
    for (int k1 = 2; k1 < 6; k1 += 1) {
      if ((k1 > ty)) {
        acc += a_f64[((int)(signed char)(((int)blockIdx.x / 32)))];
        sum += a_s16[(tx) + 33];
        own.b = (v0 & 24);
      }
      acc += a_q4[(int)((unsigned)((8 - (linear & 31))) * 100u >> 28)].y;
    }
    for (int k2 = 0; k2 < m / 2; k2 += 1) {
      if (true) {
        Walker wk3(min(1, tx), (int)blockDim.x);
        for (int k3 = 0; k3 < 5; k3++, wk3.next()) {
          sum += a_u8[(8 & 96)];
          v0 = ((((int)a_i64[v2] & 63) + 2) | 31);
        }
      }
      v1 = clamped(((int)(((a_q4[__popc(((int)a_row[((int)(unsigned char)(gid))].f[3] & 63))].z & 63)) * 0.5f) + (int)((unsigned)((int)blockIdx.x) * 2654435761u >> 24)), -64, 63);
      atomicCAS(&r_hits[(int)(((unsigned long long)u * 4 + 32) & 127)], 0, 3);
    }
    atomicAdd(&r_hits[(int)(((unsigned long long)u * 4 + v2) & 15)], 1);
  }
  r_of[linear] = acc;
  r_oi[linear] = (int)sum;
}
