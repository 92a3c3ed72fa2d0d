// Sums of a thread's own array that wrap around, each round more of them: their range has an end.
__global__ void mix(unsigned* out, const unsigned* key, int rounds) {
  unsigned x[16];
  for (int i = 0; i < 16; i++) x[i] = key[i] << i | key[i + 1];
  for (int n = 0; n < rounds; n++)
#pragma unroll 1
    for (int i = 0; i < 16; i++) x[i] = x[i] + (x[(i + 4) % 16] << 7 | x[(i + 8) % 16] >> 3);
  out[x[3] * 32 + threadIdx.x] = x[5];
  out[threadIdx.x * 2] = x[6];  // drano: expect[DRN001]
}
int main() { mix<<<1, 64>>>(nullptr, nullptr, 4); }
