// The device side of cuRAND.
#include <curand_kernel.h>
__global__ void init(curandState *states, unsigned long long seed) { curand_init(seed, threadIdx.x, 0, &states[threadIdx.x]); }
__global__ void draw(curandState *states, float *out, curandStatePhilox4_32_10_t *philox, curandStateMRG32k3a *mrg, curandStateSobol32_t *sobol) {
  curandState own = states[threadIdx.x];
  out[threadIdx.x] = curand_uniform(&own) + curand_normal(&own) + curand(&own) + curand_log_normal(&own, 0.f, 1.f) + curand_poisson(&own, 3.0);
  float4 v = curand_uniform4(&philox[threadIdx.x]);
  out[threadIdx.x] += v.x + curand_normal4(&philox[threadIdx.x]).y + curand_uniform_double(&mrg[threadIdx.x]) + curand_uniform(&sobol[threadIdx.x]);
  states[threadIdx.x] = own;
}
