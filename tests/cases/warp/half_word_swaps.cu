// drano: expect-none
// Numbers of 16 bits that are changed by swaps of whole words, in turns of an unrolled loop: which
// half it is follows from the address.
template <int TURNS>
__global__ void half_words(short* sums, const short* in, const int* rows, int step, int count, int width) {
  int row = blockIdx.x * blockDim.y + threadIdx.y, col = blockIdx.y * blockDim.x + threadIdx.x;
  if (row >= count || col >= width) return;
  short value = in[width * row * TURNS + col];
  int before = rows[row * TURNS];
#pragma unroll
  for (int i = 1; i < TURNS; i++) {
    if (row + i >= count) break;
    int here = rows[row + i * step];
    if (before == here) {
      value += in[width * (row + i) + col];
    } else {
      char* address = (char*)(sums + before * width + col);
      unsigned* word = (unsigned*)(address - ((size_t)address & 2));
      unsigned old = *word, assumed;
      do {
        assumed = old;
        unsigned short sum = value + ((size_t)address & 2 ? old >> 16 : old & 0xffff);
        old = (size_t)address & 2 ? (old & 0xffff) | ((unsigned)sum << 16) : (old & 0xffff0000) | sum;
        old = atomicCAS(word, assumed, old);
      } while (assumed != old);
      value = in[width * (row + i) + col];
    }
    before = here;
  }
  sums[before * width + col] = value;
}

void launch(short* sums, const short* in, const int* rows, int n) {
  half_words<16><<<dim3(n, n), dim3(32, 8)>>>(sums, in, rows, n, n, n);
}
