// Kernels over arrays of structures, of which each uses some members: split-structure mends them.
//
//   drano fix --verify structures.cu -- 1000
//   nvcc -O3 structures.cu -o structures && ./structures       4194304 elements of each
#include <cmath>
#include <cstdio>
#include <cstdlib>

struct Body {
  float x, y, z;
  float vx, vy, vz;
  float mass;
  int kind;
};

struct Cell {
  double density;
  double flow[3];
  int neighbours[4];
  double energy;
};

__global__ void advance(Body* bodies, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Body& body = bodies[i];
  body.x += body.vx * dt;
  body.y += body.vy * dt;
  body.z += body.vz * dt;
}

__global__ void kinetic(float* out, const Body* bodies, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Body body = bodies[i];
  out[i] = body.mass * (body.vx * body.vx + body.vy * body.vy + body.vz * body.vz) / 2;
}

__global__ void kinds(int* out, const Body* bodies, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = bodies[i].kind;
}

__global__ void relax(Cell* to, const Cell* from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    to[i].energy = from[i].energy + from[i].flow[0] * 0.5;
    to[i].density = from[i].density;
  }
}

int main(int count, char** words) {
  const int n = count > 1 ? atoi(words[1]) : 1 << 22;
  const int blocks = (n + 255) / 256;
  Body *bodies = new Body[n], *d_bodies;
  Cell* cells = new Cell[n];
  for (int i = 0; i < n; i++) {
    const float v = i % 100;
    bodies[i] = {v, v + 1, v + 2, 1, 2, 3, v, i % 5};
    cells[i] = {v + 4.0, {v + 0.5, 1, 2}, {i, i, i, i}, 2.0 * v};
  }
  cudaMalloc(&d_bodies, n * sizeof(Body));
  cudaMemcpy(d_bodies, bodies, n * sizeof(Body), cudaMemcpyHostToDevice);
  Cell *d_from, *d_to;
  cudaMalloc(&d_from, n * sizeof(Cell));
  cudaMalloc(&d_to, n * sizeof(Cell));
  cudaMemcpy(d_from, cells, n * sizeof(Cell), cudaMemcpyHostToDevice);
  cudaMemcpy(d_to, cells, n * sizeof(Cell), cudaMemcpyHostToDevice);
  float *energies = new float[n], *d_energies;
  int *types = new int[n], *d_types;
  cudaMalloc(&d_energies, n * sizeof(float));
  cudaMalloc(&d_types, n * sizeof(int));

  advance<<<blocks, 256>>>(d_bodies, n, 0.5f);
  kinetic<<<blocks, 256>>>(d_energies, d_bodies, n);
  kinds<<<blocks, 256>>>(d_types, d_bodies, n);
  relax<<<blocks, 256>>>(d_to, d_from, n);

  cudaMemcpy(bodies, d_bodies, n * sizeof(Body), cudaMemcpyDeviceToHost);
  cudaMemcpy(cells, d_to, n * sizeof(Cell), cudaMemcpyDeviceToHost);
  cudaMemcpy(energies, d_energies, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(types, d_types, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; i++) {
    const float v = i % 100;
    wrong += bodies[i].x != v + 0.5f || bodies[i].z != v + 3.5f || bodies[i].mass != v;
    wrong += std::fabs(energies[i] - v * 7) > 1e-3f || types[i] != i % 5;
    wrong += cells[i].energy != 2.0 * v + (v + 0.5) * 0.5 || cells[i].neighbours[3] != i;
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_bodies);
  cudaFree(d_from);
  cudaFree(d_to);
  cudaFree(d_energies);
  cudaFree(d_types);
  return wrong != 0;
}
