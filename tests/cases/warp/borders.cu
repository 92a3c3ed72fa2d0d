// Neighbours that are held within an image, or lie on its other side: all but a few warps read as if
// there were no borders. Known: away from them, how lanes lie; everywhere, how many sectors at most.
__global__ void borders(float *out, const float *in, int w, int h, int d, int stride) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float sum = 0;
  sum += in[y * w + min(max(x + d, 0), w - 1)];
  int left = x - d;
  if (left < 0) left = 0;
  if (left >= w) left = w - 1;
  sum += in[y * w + left];
  sum += in[y * w + (x + 1 == w ? 0 : x + 1)];
  int right = x + d;
  if (right >= w) right = 2 * (w - 1) - right;
  sum += in[y * w + right];
  sum += in[y * w + min(max(2 * x - 1, 0), w - 1)];  // drano: expect[DRN001]
  sum += in[min(max(x, 0), h - 1) * w + y];  // drano: expect[DRN004]
  out[y * w + x] = sum;
}

void launch(float *out, float *in, int w, int h, int d, int stride) {
  borders<<<dim3(w / 128, h), 128>>>(out, in, w, h, d, stride);
}
