// A tile of each warp, at a row and a column of its own: runs start at multiples of 128 if N is one.
// drano: expect-none
__global__ void tiles(int N, float* C) {
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  C += (blockIdx.y * 128 + warp / 2 * 64) * N + blockIdx.x * 128 + warp % 2 * 64;
  for (unsigned row = 0; row < 8; row++)
    *(float4*)&C[(lane / 4 * 8 + row) * N + lane % 4 * 4] = make_float4(1, 2, 3, 4);
}

int main(int count, char**) {
  float* C;
  cudaMalloc(&C, 4096 * 4096 * sizeof(float));
  for (int n : {128, 256, 4096}) tiles<<<dim3(n / 128, n / 128), 128>>>(n, C);
}
