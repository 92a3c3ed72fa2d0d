// Structures that are copied to a variable: two of their members are read by one wide request, and
// storing them back is one, too. One member is read by itself.

#define I int i = blockIdx.x * blockDim.x + threadIdx.x

struct alignas(16) Own {
  float a, b, c, d;
};

__global__ void moved(float4 *q, float dt) {
  I;
  float4 p = q[i];
  p.x += dt;
  p.y += dt;
  p.z += dt;
  q[i] = p;
}

__global__ void last(float4 *q, Own *o, float2 *r, uchar4 *u, float dt) {
  I;
  float4 p = q[i];
  p.w += dt;
  q[i] = p;
  Own own = o[i];
  own.b *= dt;
  o[i] = own;
  float2 f = r[i];
  f.x = dt;
  r[i] = f;  // drano: expect[DRN001] "4 would do"
  uchar4 c = u[i];
  c.z ^= 1;
  u[i] = c;
}

__global__ void chosen(float4 *q, float limit) {
  I;
  float4 p = q[i];
  if (p.w > limit) p.x = limit;
  q[i] = p;
}

__global__ void two_of_four(const float4 *q, float *r, float *s) {
  I;
  float4 p = q[i];         // drano: expect[DRN001] "16 sectors where 8 would do"
  r[i] = p.x + p.y;
  float4 v = q[i + 4096];  // drano: expect[DRN001] "16 sectors where 8 would do"
  s[i] = v.z + v.w;
}

__global__ void one_of_four(const float4 *q, float *r) {
  I;
  float4 p = q[i];  // drano: expect[DRN001] "4 would do"
  r[i] = p.z;
}

__global__ void members(float4 *q, float *r) {
  I;
  r[i] = q[i].x + q[i].y;  // drano: expect[DRN001] "8 would do"
}

__global__ void built(float4 *q, float v) {
  I;
  q[i] = make_float4(v, v, 1, q[i].w);  // drano: expect[DRN001] "12 would do"
}

int main() {
  moved<<<16, 256>>>(0, 0);
  last<<<16, 256>>>(0, 0, 0, 0, 0);
  chosen<<<16, 256>>>(0, 0);
  two_of_four<<<16, 256>>>(0, 0, 0);
  one_of_four<<<16, 256>>>(0, 0);
  members<<<16, 256>>>(0, 0);
  built<<<16, 256>>>(0, 0);
}

// Written whole, although a loop stands around it of which LLVM would take the last byte out.
struct Quants {
  float scale[4];
  signed char values[128];
};

__global__ void quantised(const float4 *x, Quants *y, int n) {
  const long i = (long)(blockIdx.x * blockDim.x + threadIdx.x) * 4;
  float4 v = i < n ? x[i / 4] : make_float4(0, 0, 0, 0);
  char4 q;
  q.x = roundf(v.x);
  q.y = roundf(v.y);
  q.z = roundf(v.z);
  q.w = roundf(v.w);
  for (int s = 0; s < 1; ++s) {
    long block = blockIdx.z * ((long)gridDim.x * gridDim.y * blockDim.x / 32) + i / 128;
    char4 *values = (char4 *)y[block].values;
    values[i % 128 / 4] = q;
    if (i % 32 == 0) y[block].scale[i % 128 / 32] = v.x;
  }
}
