// Numbers between lanes that may be 1 or 0, by other ways than a parameter: nothing is proved.
__global__ void shifted(float* a, int n) {
  a[threadIdx.x << n] = 1;  // drano: expect[DRN004] "if 2^(n) >= 8"
}
__global__ void converted(float* a, unsigned m) {
  a[threadIdx.x * (unsigned short)m] = 1;  // drano: expect[DRN004] "may be 1"
}
__global__ void rows_of_five(float* a, unsigned m) {
  a[threadIdx.x * m] = 1;  // drano: expect[DRN004] "`m` may be 1"
}
__global__ void by_block(float* a) {
  a[threadIdx.x * blockIdx.x] = 1;  // drano: expect[DRN004] "`blockIdx.x` may be 1"
}
__global__ void by_eighths(float* a) {
  a[threadIdx.x * 8 * blockIdx.x] = 1;  // drano: expect[DRN004] "if blockIdx.x >= 1"
}
__global__ void cube(char* a, unsigned m) {
  a[threadIdx.y * m] = 1;  // drano: expect[DRN004] "if m >= 32"
}
__global__ void greatest(char* a, unsigned n) {
  a[max(n % 16u, threadIdx.x & 16u)] = 1;  // drano: expect[DRN004] "may be 1"
}
__global__ void doubling(float* a, int n) {
  for (int s = 1; s < n; s *= 2) a[threadIdx.x * s] = 1;  // drano: expect[DRN004] "`s` may be 1"
}
__global__ void at_least_two(float* a, unsigned m) {
  a[threadIdx.x * (m % 4 + 2)] = 1;  // drano: expect[DRN004] "lanes are 4*((m)%4) + 8 bytes apart"
}
__global__ void two_strides(float* a, unsigned n, unsigned m) {
  a[threadIdx.x * n + threadIdx.y * m] = 1;  // drano: expect[DRN004] "may be 1"
}
void go(float* a, char* c, unsigned n, int i) {
  shifted<<<2, 32>>>(a, i);
  converted<<<2, 32>>>(a, n);
  rows_of_five<<<2, dim3(5, 7)>>>(a, n);
  by_block<<<2, 32>>>(a);
  by_eighths<<<2, 32>>>(a);
  cube<<<2, dim3(4, 4, 4)>>>(c, n);
  greatest<<<2, 32>>>(c, n);
  doubling<<<2, 32>>>(a, i);
  at_least_two<<<2, 32>>>(a, n);
  two_strides<<<2, dim3(16, 16)>>>(a, n, n);
}
// A quotient that bounds an index is a length, as a parameter is.
__global__ void heads(float* a, int channels, int heads) {
  int size = channels / heads;
  for (int i = 0; i < size; i++) a[threadIdx.x * size + i] = 1;  // drano: expect[DRN004] "4*((channels)/(heads)) bytes apart"
}
// Where a part of the array starts is no index within a row, whether it is chosen or may wrap around.
__global__ void chosen_start(const float* a, float* b, int s, int t, bool first, int stride) {
  int start = first ? blockIdx.x * s + blockIdx.y * t : blockIdx.y * s;
  for (int h = threadIdx.y; h < t; h += blockDim.y) {
    b[h * 32 + threadIdx.x] = a[start + h * t + threadIdx.x * stride];  // drano: expect[DRN004] "`stride` may be 1"
  }
}

// A padding that is taken off is no index within a row of a dilation's length.
__global__ void dilated(float* b, const float* a, int width, int dilation, int padding) {
  int at = blockIdx.y * width + threadIdx.x * dilation - padding;
  b[threadIdx.x] = at < 0 ? 0 : a[at];  // drano: expect[DRN004] "`dilation` may be 1"
}

// Two bytes each: where the run starts is not known, and takes one more sector of three.
__global__ void halves(short* b, const short* a, long from, int stride) {
  b[threadIdx.x] = a[blockIdx.y * from + threadIdx.x * stride];  // drano: expect[DRN004] "`stride` may be 1"
}

// What is added is an index within rows, of whatever sign their length is taken with.
__global__ void column(float* b, const float* a, int n, int t) {
  b[threadIdx.x] = a[threadIdx.x * n + t];  // drano: expect[DRN004] "a row of `n` elements"
}

// Of many warps each takes one more sector, where elements of a byte lie together but for a border.
__global__ void next_byte(bool* b, const bool* a, int n, int stride) {
  int i = blockIdx.x * 256 + threadIdx.x;
  b[i] = a[min(i + 1, n - 1) * stride];  // drano: expect[DRN004] "`stride` may be 1"
}
__global__ void next_in_row(bool* b, const bool* a, int n, int pitch, int stride) {
  int i = blockIdx.x * 256 + threadIdx.x, next = min(i % n + 1, n - 1);
  b[i] = a[i / n * pitch + next * stride];  // drano: expect[DRN004] "`stride` may be 1"
}
__global__ void one_or_none(float* a, const float* b, int n, int stride) {
  a[threadIdx.x] = b[(int(threadIdx.x) < n) * stride];
}
void next(bool* b, const bool* a, int n, int stride) {
  next_byte<<<9, 256>>>(b, a, n, stride);
  one_or_none<<<9, 256>>>((float*)b, (const float*)a, n, stride);
  next_in_row<<<9, 256>>>(b, a, n, n, stride);
}
