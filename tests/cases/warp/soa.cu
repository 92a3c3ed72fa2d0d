// A structure of arrays, passed by value.
// drano: expect-none
struct Image {
  float *r, *g, *b;
};

__global__ void brighten(Image image, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  image.r[i] *= factor;
}
