// A member that is less aligned than it is wide is accessed piece by piece.
struct __attribute__((packed)) Packed {
  char c;
  double x;
};
struct Pair {
  float x, y;
};
__global__ void store(Packed* s) {
  s[threadIdx.x].x = 1;  // drano: expect[DRN001] "9 sectors where 1 would do"
}
__global__ void load(double* a, const Packed* s) {
  a[threadIdx.x] = s[threadIdx.x].x;  // drano: expect[DRN001] "load of `s[threadIdx.x].x`"
}
__global__ void pair(Pair* a) {
  a[threadIdx.x].y = 1;  // drano: expect[DRN001] "8 sectors where 4 would do"
}
__global__ void wide(double2* a) {
  a[threadIdx.x].y = 1;  // drano: expect[DRN001] "16 sectors where 8 would do"
}
