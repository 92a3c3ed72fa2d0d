// A switch over all that can be has a default that cannot: lanes that parted meet again behind it.
__global__ void turned(float* out, const float* in, const int* state, int n) {
  float value = in[threadIdx.x];
  switch (state[threadIdx.x] & 3) {
    case 0: value += 1; break;
    case 1: value *= in[n]; break;
    case 2: value -= in[2 * n]; break;
    case 3: value = in[3 * n]; break;
    default: __builtin_unreachable();
  }
  out[threadIdx.x] = value;
  out[2 * threadIdx.x + 256] = value;  // drano: expect[DRN001] "8 sectors where 4 would do"
}
// A default that ends lanes is one that they may take: those that come here may be few.
__global__ void ended(float* out, const float* in, const int* state) {
  float value = in[threadIdx.x];
  switch (state[threadIdx.x] & 7) {
    case 0: value += 1; break;
    case 1: value *= 2; break;
    default: asm("exit;");
  }
  out[threadIdx.x] = value;
}
int main() {
  turned<<<1, 64>>>(nullptr, nullptr, nullptr, 2);
  ended<<<1, 64>>>(nullptr, nullptr, nullptr);
}
