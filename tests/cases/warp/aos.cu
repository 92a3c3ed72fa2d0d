// An array of structures: one field of neighbouring elements is a structure apart.
struct Pixel {
  float r, g, b, a;
};

__global__ void brighten(Pixel* image, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  image[i].r *= factor;  // drano: expect[DRN001] "16 bytes"
}
