// A particle update over an array of structures, where neighbouring lanes are a whole structure
// apart, and over a structure of arrays, where they are neighbours.
#include <cstdio>
#include <vector>

struct Particle {
  float x, y, z;
  float vx, vy, vz;
  float mass;
};

struct Particles {
  float *x, *y, *z;
  float *vx, *vy, *vz;
};

__device__ float step(float position, float velocity, float dt) {
  return position + velocity * dt;
}

__global__ void update_aos(Particle* particles, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle& p = particles[i];
  p.x = step(p.x, p.vx, dt);
  p.y = step(p.y, p.vy, dt);
  p.z = step(p.z, p.vz, dt);
}

__global__ void update_soa(Particles p, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  p.x[i] = step(p.x[i], p.vx[i], dt);
  p.y[i] = step(p.y[i], p.vy[i], dt);
  p.z[i] = step(p.z[i], p.vz[i], dt);
}

int main() {
  const int n = 1 << 20;
  const int block = 256;
  const float dt = 0.5f;

  std::vector<Particle> host(n, Particle{1, 2, 3, 4, 5, 6, 1});
  Particle* aos;
  cudaMalloc(&aos, n * sizeof(Particle));
  cudaMemcpy(aos, host.data(), n * sizeof(Particle), cudaMemcpyHostToDevice);
  update_aos<<<(n + block - 1) / block, block>>>(aos, n, dt);
  cudaMemcpy(host.data(), aos, n * sizeof(Particle), cudaMemcpyDeviceToHost);

  Particles soa;
  float** fields[] = {&soa.x, &soa.y, &soa.z, &soa.vx, &soa.vy, &soa.vz};
  for (float** field : fields) {
    cudaMalloc(field, n * sizeof(float));
    cudaMemset(*field, 0, n * sizeof(float));
  }
  update_soa<<<(n + block - 1) / block, block>>>(soa, n, dt);
  cudaDeviceSynchronize();

  std::printf("x = %g, expected 3\n", host[0].x);
  for (float** field : fields) cudaFree(*field);
  cudaFree(aos);
  return host[0].x == 3.0f ? 0 : 1;
}
