// Neighbours at the borders of an array: held within it, or on its other side.

// block 64, n 1 5 33 64 200
__global__ void held(float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[max(i - 1, 0)];
  b[i] = a[min(i + 1, n - 1)];
  b[i] = a[min(max(i - 3, 0), n - 1)];
}

// block 64, n 1 5 33 64 200, d 0 3 20 70
__global__ void held_at_any_distance(float* a, float* b, int n, int d) {
  int i = threadIdx.x;
  b[i] = a[min(max(i - d, 0), n - 1)];
  b[i] = a[max(min(i * 2 + d, n - 1), 0)];
  b[i] = a[min(max((i ^ 1) - d, 0), n - 1)];
}

// block 16x8, n 1 5 16 33, m 1 4 8 40
__global__ void held_in_rows(float* a, float* b, int n, int m) {
  int x = min(max((int)threadIdx.x - 1, 0), n - 1);
  int y = min((int)threadIdx.y + 1, m - 1);
  b[threadIdx.y * 16 + threadIdx.x] = a[y * n + x];
}

// block 64, n 2 5 33 64 65 200
__global__ void around(float* a, float* b, int n) {
  int i = threadIdx.x;
  int next = i + 1 == n ? 0 : i + 1;
  int before = i == 0 ? n - 1 : i - 1;
  b[i] = a[next];
  b[i] = a[before];
  int after = i + 2;
  if (after >= n) after -= n;
  if (after >= 0) {
    b[i] = a[after];
  }
}

// block 64, n 66 97 200, d 0 2 31 60
__global__ void mirrored(float* a, float* b, int n, int d) {
  int i = threadIdx.x;
  b[i] = a[abs(i - d)];
  int j = i + d;
  if (j >= n) j = 2 * (n - 1) - j;
  b[i] = a[j];
}

// block 96, n 0 1 31 40 95 96
__global__ void one_or_the_other(float* a, float* b, int n) {
  int i = threadIdx.x;
  b[i < n ? i : i + 100] = 1;
  b[i < n ? 2 * i : i] = 1;  // unknown
  b[i < n ? 7 : i] = 1;
  b[i == n ? i + 64 : i] = 1;
}
