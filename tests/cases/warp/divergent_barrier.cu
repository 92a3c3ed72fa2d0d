// Barriers that only some threads of a block come to, and those that all do.
__global__ void sum(float* a, int n, const int* flag) {
  __shared__ float part[256];
  int i = threadIdx.x;
  part[i] = a[i];
  if (i < 128) {
    // drano: expect[DRN202] "not all threads reach this barrier: the branch on line 6 diverges"
    __syncthreads();
    part[i] += part[i + 128];
  }
  if (i < n) {
    __syncthreads();  // drano: expect[DRN202] "some threads may not reach"
    part[i] = 1;
  }
  if (flag[i]) {
    __syncthreads();  // data may be the same for all
    part[i] = 2;
  }
  if (n > 3) __syncthreads();
  for (int k = i; k < n; k += 256) {
    __syncthreads();  // drano: expect[DRN202] "some threads may not reach"
    part[k & 255] += 1;
  }
  for (int k = 0; k < n; k++) __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (i < d) part[i] += part[i + d];
    __syncthreads();
  }
  a[i] = part[i];
}

// Whole warps part here: no warp diverges, but the block does.
__global__ void warps(float* a) {
  if (threadIdx.x >= 32) {
    __syncthreads();  // drano: expect[DRN202] "not all threads"
  }
  a[threadIdx.x] = 1;
}

// Threads that have returned are not waited for.
__global__ void early(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  a[i] = 1;
  __syncthreads();
  a[i] += 1;
}

// Bounds that are rounded up to whole blocks: all threads run as often.
__global__ void rounded(float* a, int n) {
  __shared__ float part[256];
  const int end = (n + blockDim.x - 1) / blockDim.x * blockDim.x;
  for (int x = threadIdx.x; x < end; x += blockDim.x) {
    __syncthreads();
    if (x < n) part[x & 255] += 1;
  }
  a[threadIdx.x] = part[threadIdx.x];
}

__global__ void rounded_by_masks(float* a, int n) {
  __shared__ float part[1024];
  const int start = threadIdx.y * blockDim.x + threadIdx.x;
  const int wrap = blockDim.x * blockDim.y;
  const int end = (n & (wrap - 1)) ? (n & ~(wrap - 1)) + wrap : n;
  for (int x = start; x < end; x += wrap) {
    __syncthreads();
    if (x < n) part[x & 1023] += 1;
  }
  a[start] = part[start];
}

__global__ void rounded_by_rests(float* a, int n) {
  __shared__ float part[256];
  const int end = n % 256 ? n + 256 - n % 256 : n;
  for (int x = threadIdx.x; x < end; x += 256) {
    __syncthreads();
    if (x < n) part[x & 255] += 1;
  }
  a[threadIdx.x] = part[threadIdx.x];
}

__global__ void rounded_to_half_a_warp(float* a, int n) {
  __shared__ float part[256];
  const int end = n % 16 ? n + 16 - n % 16 : n;
  for (int x = threadIdx.x; x < end; x += 256) {
    __syncthreads();  // drano: expect[DRN202] "some threads may not reach"
    if (x < n) part[x & 255] += 1;
  }
  a[threadIdx.x] = part[threadIdx.x];
}

__global__ void rounded_to_any_block(float* a, int n) {
  extern __shared__ float some[];
  const int end = (n + blockDim.x - 1) / blockDim.x * blockDim.x;
  for (int x = threadIdx.x; x < end; x += blockDim.x) {
    __syncthreads();
    if (x < n) some[threadIdx.x] += 1;
  }
  a[threadIdx.x] = some[threadIdx.x];
}

// All threads run as often, unless their numbers wrap around.
__global__ void rows(float* a, const float* b, int times, int width, int heads) {
  __shared__ float row[256];
  const int line = blockIdx.x / heads, head = blockIdx.x % heads;
  const int first = line * times * width + head * 256 + threadIdx.x;
  const int end = (line + 1) * times * width + head * 256 + threadIdx.x;
  float sum = 0;
  for (int t = first; t < end; t += width) {
    __syncthreads();
    row[threadIdx.x] = b[t];
    __syncthreads();
    sum += row[255 - threadIdx.x];
  }
  for (int t = end - width; t >= first; t -= width) {
    __syncthreads();
    row[threadIdx.x] = b[t];
    __syncthreads();
    sum += row[255 - threadIdx.x];
  }
  a[line * width + head * 256 + threadIdx.x] = sum;
}

__global__ void ends(float* a, const float* b, int times, int width, int heads) {
  __shared__ float row[256];
  const int line = blockIdx.x / heads, head = blockIdx.x % heads;
  const int first = line * times * width + head * 256 + threadIdx.x;
  const int end = (line + 1) * times * width + head * 256;
  float sum = 0;
  for (int t = first; t < end; t += width) {
    __syncthreads();  // drano: expect[DRN202] "some threads may not reach"
    row[threadIdx.x] = b[t];
    __syncthreads();  // drano: expect[DRN202] "some threads may not reach"
    sum += row[255 - threadIdx.x];
  }
  a[line * width + head * 256 + threadIdx.x] = sum;
}

// One thread writes down what all have decided.
__global__ void iterated(float* a, float* first, float eps, int most) {
  __shared__ float part[256];
  float own = a[threadIdx.x], limit = 0;
  for (int n = 0;; n++) {
    part[threadIdx.x] = own;
    __syncthreads();
    const float change = part[0];
    __syncthreads();
    if (n == 0) {
      limit = max(eps, 0.1f * change);
      if (threadIdx.x == 0) *first = change;
    }
    if (n > most || change < limit) break;
    own -= change;
  }
  a[threadIdx.x] = own;
}

__global__ void some_limited(float* a, int* first, int most) {
  __shared__ float part[256];
  int limit = 0;
  for (int n = 0;; n++) {
    if (n == 0) {
      limit = most;
      if (threadIdx.x == 0) {
        limit = 2 * most;
        *first = most;
      }
    }
    part[threadIdx.x] = n;
    __syncthreads();  // drano: expect[DRN202] "some threads may not reach"
    if (n > limit) break;
  }
  a[threadIdx.x] = part[255 - threadIdx.x];
}

void run(float* a, int n, const int* flag) {
  sum<<<1, 256>>>(a, n, flag);
  warps<<<1, 256>>>(a);
  early<<<3, 256>>>(a, n);
  rounded<<<1, 256>>>(a, n);
  rounded_by_masks<<<1, dim3(32, 32)>>>(a, n);
  rounded_by_rests<<<1, 256>>>(a, n);
  rounded_to_half_a_warp<<<1, 256>>>(a, n);
  rows<<<n, 256>>>(a, a + n, n, n, n);
  ends<<<n, 256>>>(a, a + n, n, n, n);
  rounded_to_any_block<<<1, n, n>>>(a, n);
  iterated<<<1, 256>>>(a, a + n, n, n);
  some_limited<<<1, 256>>>(a, nullptr, n);
}
