// A warp chooses as a whole how its lanes lie: what is bad in one way only has that condition.
__global__ void strided(float* out, const float* in, int n) {
  int i = n > 4 ? threadIdx.x * 4 : threadIdx.x;
  out[i] = in[threadIdx.x];  // drano: expect[DRN001] "16 sectors where 4 would do (4.0x); if n > 4"
}
__global__ void rotate(float* row, bool neox, int half) {
  int j = neox ? threadIdx.x : 2 * threadIdx.x;
  float x = row[j];                  // drano: expect[DRN001] "if !neox"
  row[j + (neox ? half : 1)] = x;    // drano: expect[DRN001] "if !neox"
}
__global__ void transpose(float* out, const float* in, int rows, int columns, int order) {
  int x = threadIdx.x, y = threadIdx.y;
  if (x >= columns || y >= rows) return;
  int from = order == 2 ? x * 64 + y : y * 64 + x;
  out[y * columns + x] = in[from];  // drano: expect[DRN001] "if order == 2"
}
// Bad in both ways: no condition, and what the cheaper one costs. Good in both: no finding.
__global__ void both(float* out, const float* in, bool wide) {
  out[threadIdx.x] = in[wide ? threadIdx.x * 8 : threadIdx.x * 4];  // drano: expect[DRN001] "16 or 32 bytes apart; 16 sectors"
  out[threadIdx.x + 512] = in[wide ? threadIdx.x : 31 - threadIdx.x % 32];
}
__global__ void padded(unsigned char* out, const unsigned char* in, int pad, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = rows > 1 ? blockIdx.y : i;
  out[i] = in[i * 3 + pad * row];  // drano: expect[DRN001] "3 sectors where 1 would do (3.0x)"
}
// Two choices: only the one that matters is said.
__global__ void twice(float* out, const float* in, bool wide, int far) {
  int i = wide ? threadIdx.x * 2 : threadIdx.x;
  out[threadIdx.x] = in[far > 0 ? i : i + 8];  // drano: expect[DRN001] "2.0x); if wide"
}
// Of several conditions as one, no name is said: none of them decides alone.
__global__ void joint(float* out, const float* in, bool wide, int n) {
  int i = wide && n > 4 ? threadIdx.x * 2 : threadIdx.x;
  out[i] = in[threadIdx.x];  // drano: expect[DRN001] "2.0x); if a condition holds"
}
int main(int n, char**) {
  joint<<<1, 256>>>(nullptr, nullptr, n > 2, n);
  strided<<<1, 256>>>(nullptr, nullptr, n);
  rotate<<<n, 256>>>(nullptr, n > 2, n);
  transpose<<<1, dim3(32, 8)>>>(nullptr, nullptr, n, n, n);
  both<<<1, 256>>>(nullptr, nullptr, n > 2);
  padded<<<dim3(n, n), 256>>>(nullptr, nullptr, n, n);
  twice<<<1, 256>>>(nullptr, nullptr, n > 2, n);
}
