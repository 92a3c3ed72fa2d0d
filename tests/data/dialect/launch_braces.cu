// Launch shapes in braces, and copies of the built-in variables.
__global__ void named(int *out) {
  auto block = blockIdx;
  auto const thread = threadIdx;
  const auto size = blockDim;
  block.x += 2;
  out[block.x * size.x + thread.x] = 1;
}
template <class T> __device__ int first(T v) { return v.x; }
__global__ void passed(int *out) { out[first(threadIdx)] = first(blockIdx); }
int main() {
  named<<<{1, 2, 3}, {32, 1}>>>(nullptr);
  passed<<<{2}, 32>>>(nullptr);
}
