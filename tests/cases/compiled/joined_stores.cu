// Stores of several branches to one address, which nvcc makes one store: what each of them is alone,
// a column or one lane of a row, is not what the hardware does.
__global__ void columns(const float *f, float *df, unsigned width, unsigned height) {
  int i = threadIdx.x, j = blockIdx.x * blockDim.y + threadIdx.y;
  int at = blockIdx.y * width * height + j * width + i;
  if (i == 0) {
    df[at] = f[at + 1] - f[at];
  } else if (i == width - 1) {
    df[at] = f[at - 1] - f[at];
  } else {
    df[at] = f[at + 1] - 2 * f[at] + f[at - 1];
  }
}

__global__ void apart(const float *f, float *df, float *other, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 == 0) {
    df[i] = f[i];
  } else {
    other[i] = f[i];
  }
}

__global__ void halves(const float *f, float *df) {
  int lane = threadIdx.x % 32, i = lane / 4 * 64 + lane % 4;
  if (lane < 4)  // drano: expect[DRN201] "execute both sides"
    df[i] = f[lane] * 2;  // drano: expect[DRN001] "possibly uncoalesced"
  else
    df[i] = f[lane] * 3 + 1;  // drano: expect[DRN001] "7 sectors where 4 would do"
}

void launch(const float *f, float *df) {
  columns<<<dim3(16, 4), 128>>>(f, df, 128, 128);
  apart<<<8, 256>>>(f, df, df + 4096, 64);
  halves<<<8, 32>>>(f, df);
}
