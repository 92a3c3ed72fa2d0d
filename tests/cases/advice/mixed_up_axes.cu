// x and y are mixed up: nothing else keeps the lanes from being neighbours.
__global__ void scale(float* matrix, float factor, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  int at = row * width + column;
  // drano: expect[DRN004] "compute `column`, which is added to the index, from threadIdx.x, and `row`, which is multiplied by `width`, from threadIdx.y"
  matrix[at] = factor;
}

__global__ void fixed(float* matrix, float factor) {
  // drano: expect[DRN001] "use threadIdx.x for `threadIdx.y`, which is added to the index"
  matrix[threadIdx.x * 1024 + threadIdx.y] = factor;
}
