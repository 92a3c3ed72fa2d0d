// Tables that are const lie in constant memory only if they are declared so.

static __device__ const float of_file[8] = {1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.5f};
__device__ const double rows[1024] = {1., 2., 3.};
static __constant__ float declared[] = {1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.5f};
__constant__ const float declared_const[] = {1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.5f};

__global__ void constant(const signed char *x, float *y) {
  static __constant__ const float own[] = {1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.5f};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = declared[x[i] & 7];
  y[i] += declared_const[x[i] & 7];
  y[i] += own[x[i] & 7];
}

__global__ void global(const signed char *x, float *y) {
  static const float own[] = {4.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.5f};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = of_file[x[i] & 7];  // as many sectors as a warp may need
  y[i] += own[x[i] & 7];
  y[i] += rows[x[i] & 255];  // drano: expect[DRN003] "rows"
}

__global__ void strided(float *y) {
  y[blockIdx.x * 32 + threadIdx.x] = rows[32 * threadIdx.x];  // drano: expect[DRN001] "32 sectors"
}

int main() {
  constant<<<10, 256>>>(0, 0);
  global<<<10, 256>>>(0, 0);
  strided<<<10, 32>>>(0);
}
