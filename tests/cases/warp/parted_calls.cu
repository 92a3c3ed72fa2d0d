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
