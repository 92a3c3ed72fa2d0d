// drano: expect-none
// One-based row and column from a quotient, put together again: Matlab's habit.
__global__ void copy(float* out, const float* in, int rows, int count) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= count) return;
  int row = (index + 1) % rows - 1;
  int column = (index + 1) / rows + 1 - 1;
  if ((index + 1) % rows == 0) {
    row = rows - 1;
    column = column - 1;
  }
  out[column * rows + row] = in[index];
}

void launch(float* out, const float* in, int rows, int count) {
  copy<<<(count + 255) / 256, 256>>>(out, in, rows, count);
}
