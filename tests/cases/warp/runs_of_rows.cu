// Guards by coordinates of a flat index: lanes in a few runs, if rows are as long as a warp is wide.
__global__ void left_neighbour(float* a, int w, int n, int pitch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = i % w;
  if (x > 0) a[i] = 1;
  if (x != w - 1) a[2 * i] = 1;  // drano: expect[DRN001] "8 bytes apart"
}
__global__ void triangle(float* a, int t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i % t > i / t % t) a[i] = -1;
}
// Every fourth lane, and lanes that memory chooses, are no runs.
__global__ void fourth(float* a, int k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (i + k) % 4 == 0) a[i] = 1;
}
void go(float* a, int n) {
  left_neighbour<<<9, 256>>>(a, n, n, n);
  triangle<<<9, 256>>>(a, n, n);
  fourth<<<9, 256>>>(a, n, n);
}
