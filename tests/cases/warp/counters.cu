// drano: expect-none
// Loop counters have the bounds that the loop's own test gives them, whatever their signedness:
// the quotients are threadIdx.x. Lanes that a grid-stride loop leaves behind are the last ones.
__global__ void up(float* out, const float* in) {
  for (int i = 0; i < 8; i++)
    out[threadIdx.x] += in[(16 * threadIdx.x + i) / 16];
}

__global__ void up_unsigned(float* out, const float* in) {
  for (unsigned i = 0; i < 8u; i++)
    out[threadIdx.x] += in[(16 * threadIdx.x + i) / 16];
}

__global__ void down(float* out, const float* in) {
  for (int i = 14; i >= 0; i -= 2)
    out[threadIdx.x] += in[(16 * threadIdx.x + i + 1) / 16];
}

__global__ void tested_behind(float* out, const float* in) {
  int i = 0;
  do {
    out[threadIdx.x] += in[(16 * threadIdx.x + i) / 16];
    i += 3;
  } while (i < 13);
}

__global__ void too_far(float* out, const float* in) {
  for (int i = 0; i < 400; i += 100)
    out[threadIdx.x] += in[(16 * threadIdx.x + i) / 16];  // threadIdx.x + i / 16, whatever i is
}

__global__ void own_start(float* out, const float* in, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = in[i];
}

void launch(float* out, const float* in, int n) {
  up<<<1, 128>>>(out, in);
  up_unsigned<<<1, 128>>>(out, in);
  down<<<1, 128>>>(out, in);
  tested_behind<<<1, 128>>>(out, in);
  too_far<<<1, 128>>>(out, in);
  own_start<<<1, 128>>>(out, in, n);
}
