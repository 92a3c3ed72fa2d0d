// Ranks in groups of the lanes that are together.

// block 64
__global__ void group_ranks(float* a, float* b) {
  a[coalesced_rank()] = 1;
  if (threadIdx.x % 2 == 0) {
    b[coalesced_rank()] = 1;  // unknown: written
  }
}

// block 64
__global__ void group_ranks_strided(float* a) {
  if (threadIdx.x % 32 < 16) {
    a[coalesced_rank() * 8] = 1;  // unknown: written
  }
}

// block 64, n 3 20
__global__ void group_ranks_bounded(float* a, int n) {
  if (threadIdx.x < n) {
    a[coalesced_rank()] = 1;
  }
}
