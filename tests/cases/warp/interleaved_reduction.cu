// The reduction that textbooks begin with: each round halves the active lanes, and leaves gaps.
__global__ void neighbours(int* data) {
  unsigned tid = threadIdx.x;
  int* mine = data + blockIdx.x * blockDim.x;
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0)
      mine[tid] += mine[tid + stride];  // drano: expect[DRN001,DRN001] "only one of 2 lanes is active, and these are 8 bytes apart"
    __syncthreads();
  }
}

__global__ void by_mask(int* data) {
  int tid = threadIdx.x;
  for (int stride = 4; stride < blockDim.x; stride <<= 1) {
    if ((tid & (stride - 1)) == 0)
      data[tid] += 1;  // drano: expect[DRN001] "only one of 4 lanes is active"
    __syncthreads();
  }
}

// From the middle: the active lanes stay side by side.
__global__ void halves(int* data) {
  int tid = threadIdx.x;
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) data[tid] += data[tid + stride];
    __syncthreads();
  }
}

__global__ void third(float* data) {
  if (threadIdx.x % 3 == 1) data[threadIdx.x] = 1;  // drano: expect[DRN001] "only one of 3 lanes is active, and these are 12 bytes apart"
}

void go(int* data, float* other, int n) {
  neighbours<<<n, 256>>>(data);
  by_mask<<<n, 256>>>(data);
  halves<<<n, 256>>>(data);
  third<<<n, 256>>>(other);
}
