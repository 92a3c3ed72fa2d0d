// An index in which room is made for a bit: stages of a Fourier transform, gates of simulated qubits.
// Known: where the bit is above a warp's lanes, they lie side by side.
__global__ void stage(float2 *x, int s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int half = 1 << s, low = i & (half - 1);
  int first = ((i >> s) << (s + 1)) + low;
  float2 a = x[first], b = x[first + half];
  x[first] = make_float2(a.x + b.x, a.y + b.y);
  x[first + half] = make_float2(a.x - b.x, a.y - b.y);
  x[2 * first].x = 0;  // drano: expect[DRN001]
}

__global__ void gate(float2 *state, int qubit) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  long long zero = ((i >> qubit) << (qubit + 1)) | (i & ((1LL << qubit) - 1));
  long long one = zero | (1LL << qubit);
  float2 a = state[zero];
  state[zero] = state[one];
  state[one] = a;
}

void launch(float2 *x, int n) {
  stage<<<n, 256>>>(x, n);
  gate<<<n, 256>>>(x, n);
}
