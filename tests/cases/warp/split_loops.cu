// nvcc may split a loop where its counter passes a number of each lane's. Then lanes run its second
// half at different iterations: what is bad by which iteration it is, is not proved.
__global__ void forces(const float4 *pos, const float *table, float *force, float *sum, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = pos[i].x, f = 0;  // drano: expect[DRN001]
  for (int j = 0; j < n; j++) {
    if (j == i) continue;
    f += pos[j].x - x;
    force[i * 33] = f;  // drano: expect[DRN001]
    f *= table[(i + j) * 3];  // drano: expect[DRN001] "possibly uncoalesced"
  }
  sum[i] = f;
}

__global__ void whole(const float *table, float *sum, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float f = 0;
  for (int j = 0; j < n; j++) {
    if (j == m) continue;
    f *= table[(i + j) * 3];  // drano: expect[DRN001] "uncoalesced load of `table[(i + j) * 3]`"
  }
  sum[i] = f;
}

void launch(const float4 *pos, const float *table, float *force, float *sum, int n, int m) {
  forces<<<n / 256, 256>>>(pos, table, force, sum, n, m);
  whole<<<n / 256, 256>>>(table, sum, n, m);
}
