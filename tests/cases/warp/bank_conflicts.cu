// Banks: 4-byte accesses by the whole warp, 8-byte ones by halves, 16-byte ones by quarters.
__global__ void k(float* out, const float* in, int n) {
  __shared__ float tile[32][32];
  __shared__ double wide[1024];
  __shared__ float4 quads[512];
  __shared__ unsigned char bytes[4096];
  int x = threadIdx.x;
  tile[x][1] = in[x];  // drano: expect[DRN101] "pad the rows of `tile` from 32 to 33 elements"
  tile[1][x] = in[x];
  wide[x] = in[x];
  wide[2 * x] = in[x];  // drano: expect[DRN101] "4 wavefronts where 2 would do"
  quads[x] = make_float4(0, 0, 0, 0);
  quads[2 * x].x = in[x];  // drano: expect[DRN101] "8 wavefronts where 1 would do"
  bytes[x] = 1;
  bytes[8 * x] = 1;  // drano: expect[DRN101] "2 wavefronts where 1 would do"
  __syncthreads();
  // A distance that is not known, a place that memory decides, one word for all.
  out[x] = tile[0][x * n % 1024] + wide[(int)in[x] & 1023] + tile[n & 31][3] + bytes[x] + quads[n].x;
}

// Half the lanes, every other word: no more than one wavefront.
__global__ void half(float* out) {
  __shared__ float row[64];
  int x = threadIdx.x;
  if (x < 16) row[2 * x] = 1;
  __syncthreads();
  out[x] = row[x];
}

// Warps of 16 x 16 blocks span two rows: 16 words apart, both rows lie in different banks.
__global__ void block16(float* out) {
  __shared__ float tile[16][16];
  tile[threadIdx.y][threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.y * 16 + threadIdx.x] =
      tile[threadIdx.x][threadIdx.y];  // drano: expect[DRN101] "8 wavefronts where 1 would do"
}

// 18 words apart they share banks, as they do where what lies side by side is read from its end.
__global__ void block16_of_18(float* out) {
  __shared__ float tile[16][18];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = 1;  // drano: expect[DRN101] "runs of 16 lanes side by side start 72 bytes apart"
  __syncthreads();
  out[y * 16 + x] =
      tile[y][15 - x];  // drano: expect[DRN101] "runs of 16 lanes side by side start 72 bytes apart"
}

// Rows of 64 bytes would take all banks in turn.
__global__ void block8_of_9(double* out) {
  __shared__ double tile[8][9];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = 1;  // drano: expect[DRN101] "start each run 64 bytes after the one before, modulo 128"
  __syncthreads();
  out[y * 8 + x] =
      tile[y][x] + 1;  // drano: expect[DRN101] "runs of 8 lanes side by side start 72 bytes apart"
}

void run(float* out, const float* in, int n) {
  k<<<1, 32>>>(out, in, n);
  half<<<1, 32>>>(out);
  block16<<<1, dim3(16, 16)>>>(out);
  block16_of_18<<<1, dim3(16, 16)>>>(out);
  block8_of_9<<<1, dim3(8, 8)>>>((double*)out);
}
