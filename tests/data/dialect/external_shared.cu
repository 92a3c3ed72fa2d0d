// External variables in shared memory that are no arrays: nvcc takes them for definitions of the unit's own.
struct Tile { float rows[32][33]; int count; };
extern __shared__ Tile tile;
namespace a { extern __shared__ __align__(16) int limits[4]; }
extern __shared__ float dynamic[];
__device__ void put(float x) { tile.rows[threadIdx.y][threadIdx.x] = x; }
__global__ void transposed(float *p) {
  put(p[threadIdx.y * 32 + threadIdx.x]);
  __syncthreads();
  p[threadIdx.y * 32 + threadIdx.x] = tile.rows[threadIdx.x][threadIdx.y] + a::limits[0] + dynamic[0];
}
