// drano-flags: --block 256
// Lanes that have called different functions need not be together behind the call.
typedef float (*Function)(float);
__global__ void called(const Function *functions, float *out, const int *kinds) {
  Function f = functions[kinds[threadIdx.x]];  // drano: expect[DRN003]
  out[threadIdx.x] = f(2);
  out[256 * threadIdx.x] = 1;                  // drano: expect[DRN001] "if several lanes are active"
}
__global__ void all_the_same(const Function *functions, float *out, int kind) {
  out[threadIdx.x] = functions[kind](2);
}
// So may some lanes of a warp call a function that stays one.
__device__ float kept[8192];
__device__ float put(float x) {
  kept[threadIdx.x] = x;
  kept[32 * threadIdx.x] = x;  // drano: expect[DRN001] "if several lanes are active"
  return x;
}
__device__ float leave(float x) { return x; }
__global__ void choose(Function *functions) { functions[threadIdx.x] = threadIdx.x & 1 ? put : leave; }
