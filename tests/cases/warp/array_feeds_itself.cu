// What a round reads from a thread's own array decides where the next round stores into it.
__global__ void chase(int* out, int rounds) {
  int mine[4];
  mine[0] = threadIdx.y;
  mine[1] = mine[2] = mine[3] = threadIdx.x;
  for (int n = 0; n < rounds; n++) mine[mine[3] & 3] = threadIdx.x;
  out[threadIdx.x] = mine[3];
  out[2 * threadIdx.x] = mine[0];  // drano: expect[DRN001]
}
int main() { chase<<<1, 32>>>(nullptr, 3); }
