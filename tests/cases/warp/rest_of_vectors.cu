// What vectors leave over: one lane of all, where the bounds are no more numbers apart than lanes.
__global__ void by_bounds(const float *in, float *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, i = 4 * t;
  if (i + 3 < n) {
    ((float4 *)out)[t] = ((const float4 *)in)[t];
  } else {
    if (i < n) out[i] = in[i];
    if (i + 1 < n) out[i + 1] = in[i + 1];
    if (i + 2 < n) out[i + 2] = in[i + 2];
  }
}

__global__ void of_full_blocks(const float *in, float *out, int n, bool full) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, i = 4 * t;
  if (full || i + 3 < n) {
    ((float4 *)out)[t] = ((const float4 *)in)[t];
  } else if (i < n) {
    out[i] = in[i];
  }
}

__global__ void by_sizes(const float *in, float *out, size_t n) {
  size_t t = blockIdx.x * (size_t)blockDim.x + threadIdx.x, i = 4 * t;
  if (i + 4 <= n) {
    ((float4 *)out)[t] = ((const float4 *)in)[t];
  } else if (i < n) {
    out[i] = in[i];
  }
}

__global__ void of_two_lanes(const float *in, float *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, i = 4 * t;
  if (i + 7 < n) {
    ((float4 *)out)[t] = ((const float4 *)in)[t];
  } else if (i < n) {
    out[i] =        // drano: expect[DRN001]
        in[i];      // drano: expect[DRN001]
  }
}

__global__ void of_the_others(const float *in, float *out, int n, int m) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, i = 4 * t;
  if (i + 3 < n) return;
  if (i < m)
    out[i] =        // drano: expect[DRN001]
        in[i];      // drano: expect[DRN001]
}

// Sums that do not overflow are so many more than what wraps around.
__global__ void by_an_end(const float *in, float *out, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 4 <= n) {
    *(float4 *)(out + i) = *(const float4 *)(in + i);
  } else {
    for (int j = i; j < n; j++) out[j] = in[j];
  }
}

__global__ void by_an_end_too_far(const float *in, float *out, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 8 <= n) {
    *(float4 *)(out + i) = *(const float4 *)(in + i);
  } else if (i < n) {
    out[i] =        // drano: expect[DRN001]
        in[i];      // drano: expect[DRN001]
  }
}

__global__ void by_a_start(const float *in, float *out, int first) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i - 4 >= first) {
    *(float4 *)(out + i) = *(const float4 *)(in + i);
  } else if (i > first) {
    out[i] = in[i];
  }
}
