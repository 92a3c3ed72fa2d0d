// Pointers that host code moves by sizes are likely to be at a line's start; by a number, not.
__global__ void scale(short *q, short *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = q[i];
}
__global__ void shifted(short *q, short *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = q[i];  // drano: expect[DRN002] "`q` that is not the start of an array"
}
void host(short *data, short *out, int batch, int steps, int channels) {
  scale<<<64, 256>>>(data + 2 * batch * steps * channels, out);
  shifted<<<64, 256>>>(data + batch * steps + 1, out);
}
