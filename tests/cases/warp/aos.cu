// An array of structures: one field of neighbouring elements is a structure apart.
struct Pixel {
  float r, g, b, a;
};

__global__ void brighten(Pixel* image, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  image[i].r *= factor;  // drano: expect[DRN001] "16 bytes"
}

// CUDA's own vectors are aligned as they are; nothing is to be declared.
__global__ void firsts(const uint4* table, unsigned* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[i].x;  // drano: expect[DRN001] "read the whole `uint4` in one access of 16 bytes"
}
