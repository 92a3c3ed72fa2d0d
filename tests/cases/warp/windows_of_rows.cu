// A part of each row of `width` elements, as attention's masks choose it: by several bounds, some
// of which a parameter switches on, and by a quotient of the column.
__global__ void window(float* out, const float* rows, int width, int length, int first, int last,
                       bool causal, int position) {
  int column = threadIdx.x % width;
  bool aligned = (column >> 2) >= first;
  bool here = aligned && column < length && (!causal || column <= position) && column > last;
  float value = here ? rows[column] : 0;
  bool next = aligned && column + width < length && (!causal || column + width <= position);
  value += next ? rows[column + width] : 0;
  out[threadIdx.x] = value;
}
// Outside of a window there are two runs a row: those stay unknown.
__global__ void beyond(float* out, int width, int first, int last) {
  int column = threadIdx.x % width;
  if (column < first || column > last)
    out[column] = 0;
}
__global__ void pairs(float* out, int width, int first, bool causal, int position) {
  int column = threadIdx.x % width;
  if (column / 2 >= first && (!causal || column <= position))
    out[2 * column] = 0;  // drano: expect[DRN001] "if width >= 32"
}
int main(int n, char**) {
  window<<<n, 256>>>(nullptr, nullptr, n, n, n, n, n > 2, n);
  beyond<<<n, 256>>>(nullptr, n, n, n);
  pairs<<<n, 256>>>(nullptr, n, n, n > 2, n);
}
