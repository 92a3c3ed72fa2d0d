// An index of more terms than are kept apart: what is uniform in it does not matter to the lanes.
__global__ void stencil(const float* u, float* out, int ni, int nij, int nijk, int ilo, int jlo,
                        int klo, int ghost, int parts, int pitch) {
  int i = ilo - ghost + blockIdx.x * blockDim.x + threadIdx.x;
  int j = jlo + ghost * parts + blockIdx.y * blockDim.y + threadIdx.y;
  int k = klo + ghost - parts + blockIdx.z * blockDim.z + threadIdx.z;
  float sum = 0;
  for (int c = 0; c < 3; c++)
    sum += u[(i - ilo + parts) + ni * (j + jlo - ghost) * (parts + c) +
             nij * (k - klo + ghost) * (pitch + parts + c) + nijk * (c + pitch - klo) * (ghost + c)];
  int row = (j - jlo + ghost + pitch) * (k - klo + ghost - pitch) * (parts + pitch - ghost);
  out[row * (pitch + ni + parts) + i] = sum;
  out[(i + pitch + parts) * (row + ni + ghost)] = sum;  // drano: expect[DRN004]
}
void launch(const float* u, float* out, int n) {
  stencil<<<dim3(n, n, n), dim3(32, 4, 2)>>>(u, out, n, n, n, n, n, n, n, n, n);
}
