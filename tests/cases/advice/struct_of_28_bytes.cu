// The advice names the structure, its members and the index.
struct Particle {
  float x, y, z;
  float mass;
  int kind, cell, next;
};

__global__ void drift(Particle* particles, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // drano: expect[DRN001] "lanes are a `Particle` (28 bytes) apart"
  particles[i].x = dt;
  // drano: expect[DRN001] "one array per member (`mass`, `x`, `y`, …), so that lanes access `mass[i]`"
  particles[i].mass *= 2;
}
