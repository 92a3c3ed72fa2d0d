// Each lane takes one of two rows, by data: at most a sector a lane, not one a row and lane.
__global__ void chosen(const char *x, const char *y, char *o, long nx, long ny, long s, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const float *row = i < s ? (const float *)(x + i * nx) : (const float *)(y + (i - s) * ny);
    ((float *)o)[i] = *row;  // drano: expect[DRN004] "32 sectors where 4 would do"
  }
}
void launch(const char *x, const char *y, char *o, long nx, long ny, long s, int n) {
  chosen<<<1, 256>>>(x, y, o, nx, ny, s, n);
}
