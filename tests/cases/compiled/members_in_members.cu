// Structures whose scalars lie as those of float4, but which are not aligned as it is: four requests.
// A unit that knows float4, too.

struct Nested {
  float3 a;
  float m;
};
struct Array {
  float a[4];
};
struct Base {
  float x, y;
};
struct Derived : Base {
  float z, w;
};

__global__ void wide(const float4 *q, float4 *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  r[i] = q[i];
}

__global__ void narrow(const Nested *n, const Array *a, const Derived *d, Nested *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Nested v = n[i];  // drano: expect[DRN001] "16 sectors where 4 would do"
  Array w = a[i];  // drano: expect[DRN001] "16 sectors where 4 would do"
  Derived u = d[i];  // drano: expect[DRN001] "16 sectors where 4 would do"
  v.a.x += w.a[0] + w.a[1] + w.a[2] + w.a[3];
  v.a.y += u.x + u.y + u.z + u.w;
  v.a.z *= 2;
  v.m *= 2;
  p[i] = v;  // drano: expect[DRN001] "16 sectors where 4 would do"
}

int main() {
  wide<<<16, 256>>>(0, 0);
  narrow<<<16, 256>>>(0, 0, 0, 0);
}
